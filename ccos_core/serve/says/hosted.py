"""What the words of answers about a host's window are made of: whose it is, what happened there, how full it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.parts import times
from ccos_core.present.words import count
from ccos_core.query.contexts import MAIN
from ccos_core.query.hosted.rows import WHAT as WHAT
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.happening import Counted, Cut, Fell, Happening
    from ccos_core.query.hosted.whose import Whose
    from ccos_core.query.telling import Run, Told

LONGEST = 60
"""Characters of an op, and of a node in a list."""
IN_A_ROW = 40
"""Characters of an op in a list of many."""
QUOTED = 200
"""Characters of a summary."""
STATES = {**{state: said for state, (_, said) in parts.STATES.items()}, "unborn": "not yet shown"}
"""State of a node in a host's window → its words."""


def whose(who: Whose) -> str:
    """Whose window is meant: `host claude-code 1f2e…, main`."""
    said = " ".join(words.visible(each) for each in (who.host, who.session) if each) or "unnamed"
    lens = "the host's window" if who.lens == "host" else "the last window of ours handed out"
    return f"{lens}: {words.clipped(said, LONGEST)}, {words.clipped(words.visible(who.context or MAIN), LONGEST)}"


def state(name: str, *, patched: bool = False) -> str:
    """A state in words; what an edit showed is told as patched."""
    return STATES[name] + (", patched" if patched else "")


def legend(runs: tuple[Run, ...]) -> str:
    """What the signs of a strip mean."""
    there = {run.state for run in runs}
    return "  ".join(f"{glyph} {STATES[name]}" for name, (glyph, _) in parts.STATES.items() if name in there)


def happened(each: Happening) -> Iterator[str]:
    """A change of a node's state: what it is, by which op, and what is known of a cut."""
    sign = parts.STATES[each.state][0]
    said = state(each.state, patched=each.patched)
    yield f"{coloured(sign, 'bad' if each.lost else 'good')} {said} at {parts.step_words(each.op, LONGEST)}"
    yield from (f"    {line}" for line in details(each))


def details(each: Happening) -> Iterator[str]:
    """What happened, in words."""
    held = f"{count(each.tokens_before, 'token')} of it before, {each.tokens:,} now"
    yield f"{WHAT[each.what]}; {held}"
    if each.cut is not None:
        yield from cut(each.cut)
    if each.fell is not None:
        yield fell(each.fell)


def aloud(each: Happening) -> Iterator[str]:
    """The same in sentences."""
    said = state(each.state, patched=each.patched)
    yield f"{said.capitalize()} at {parts.step_words(each.op, LONGEST)}."
    yield from parts.sentences(parts.aloud(details(each)))


def cut(each: Cut, *, of_node: bool = True) -> Iterator[str]:
    """What is known of a compaction, or of a clear."""
    kind = words.CUT.get(each.kind, each.kind)
    said = [
        f"{kind} at step {each.step:,}" + (f" ({words.clipped(words.visible(each.trigger), 40)})" * bool(each.trigger))
    ]
    if each.before is not None:
        said.append(f"{each.before:,} tokens before" + (f", {each.after:,} after" if each.after is not None else ""))
    if each.kept:
        said.append(f"{count(each.kept, 'item')} kept")
    if not each.exact:
        said.append("what survived isn't recorded, so this is inferred")
    yield "; ".join(said)
    if each.summary:
        quoted = f"“{words.clipped(words.visible(each.summary), QUOTED)}”"
        yield f"its summary {carries(each) if of_node else 'begins'}: {quoted}"


def carries(each: Cut) -> str:
    """Whether a summary has what was dropped, as a predicate."""
    if each.carried:
        return {"whole": "carries its words", "part": "carries its words in part"}.get(
            each.carried, "doesn't carry its words, and begins"
        )
    return "names it" if each.named else "doesn't name it, and begins"


def by(what: str, op: Told) -> str:
    """By which op one of many became another; of a cut its step is enough, for it says the same of all it dropped."""
    return f"step {op.step:,}" if what in ("compacted", "elided", "cleared") else parts.step_words(op, IN_A_ROW)


def fell(each: Fell) -> str:
    """A fall of the recorded context, as it is told everywhere."""
    dropped = count(each.before - each.after, "token")
    told = f"~ context fell by {dropped} at step {each.step:,} ({each.before:,} → {each.after:,})"
    return f"{told}, {words.fall_cause(each.cause)}"


def often(came: int, lost: int) -> str:
    """How often a node came, and how often it was lost."""
    if not came:
        return "it never was in the window"
    said = f"it was lost, or part of it, {times(lost)}" if lost else "it never was lost"
    return f"it came in, or more of it, {times(came)}; {said}"


def counted(each: Counted | None) -> str:
    """How full it was, as the host said."""
    if each is None:
        return "how full it was isn't recorded"
    return f"the host counted {count(each.tokens, 'token')} at step {each.step:,}"
