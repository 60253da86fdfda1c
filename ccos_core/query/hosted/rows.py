"""Rows that answers about the agent's window share: whose it is, what happened to a node there, what a cut did."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from ccos_core.present.cells import clip, width_of, wrap
from ccos_core.present.parts import node_name, op_row, op_words, times
from ccos_core.present.rows import Moment, Row, Span, clean, note, row
from ccos_core.present.words import CUT, STATES, count, fall_cause
from ccos_core.query.contexts import MAIN

if TYPE_CHECKING:
    from ccos_core.query.hosted.happening import Counted, Cut, Fell, Happening
    from ccos_core.query.hosted.whose import Whose
    from ccos_core.query.telling import Run, Told


class _Suggested(Protocol):
    """A side of an answer that is about a suggested window."""

    @property
    def lens(self) -> str: ...
    @property
    def budget(self) -> int: ...


class _Agent(Protocol):
    """A side of an answer that is about the agent's window."""

    @property
    def whose(self) -> Whose: ...


LONGEST = 60
"""Columns of an op, and of a node in a list."""
IN_A_LIST = 40
"""Columns of an op in a list of many."""
QUOTED = 240
"""Columns of a summary that are quoted."""
MOST_CARRIERS = 4
"""Carriers that a sentence names."""
SUMMARY_REPEATS = {
    "whole": ", and its summary repeats it",
    "part": ", and its summary repeats a part of it",
    "none": ", and its summary doesn't repeat it",
}
"""How much a summary carries of words → how that goes on in a sentence."""
UNSAID = "  the user never said this"
UNSHOWN = "not yet shown"
UNSURE = "uncertain"
WHAT = {
    "read": "read there",
    "edited here": "edited there, which shows what changed",
    "written here": "written there",
    "handed out": "shown by a suggested window",
    "said": "said there",
    "back": "what was shown is current again",
    "compacted": "dropped by a compaction",
    "elided": "left out by the agent's program as an old result",
    "cleared": "dropped when the context was cleared",
    "changed elsewhere": "changed, and this context wasn't told",
    "fell": "the recorded context fell",
    "renamed": "renamed",
    "gone": "its source is gone",
    "told as a file": "counted with the file it shows",
    "left out": "not in the next suggested window",
    "repeated": "repeated by a summary",
    "superseded": "superseded by other words",
    "thought forgotten": "gone with the thoughts of earlier turns",
    "otherwise": "held differently",
}
"""What happened to a node in the agent's window → how that is said."""


def item_title(node: str, item: str) -> str:
    """Return a node for a title: an item by what it is called, then its id."""
    return f"{clip(clean(item), LONGEST)}  {node_name(node)}" if item else node_name(node)


def window_words(suggested: _Suggested | None, agent: _Agent | None) -> str:
    """Return which windows an answer is about."""
    said = [suggested_words(suggested.lens, suggested.budget)] if suggested is not None else []
    said += [whose_words(agent.whose)] if agent is not None else []
    return "  ".join(said)


def suggested_words(lens: str, budget: int) -> str:
    """Return which suggested window is meant: `working-set, budget 2,048`."""
    return f"{clip(clean(lens), LONGEST)}, budget {budget:,}"


def whose_words(who: Whose) -> str:
    """Return whose window is meant: `the agent's window: claude-code 1f2e…, main`."""
    said = " ".join(clean(each) for each in (who.host, who.session) if each) or "unnamed"
    lens = "the agent's window" if who.lens == "host" else "the last suggested window it was given"
    return f"{lens}: {clip(said, LONGEST)}, {clip(clean(who.context or MAIN), LONGEST)}"


def state_words(state: str, *, patched: bool = False) -> str:
    """Return a state in words; what only an edit showed is patched."""
    return (UNSHOWN if state == "unborn" else STATES[state][1]) + (", patched" if patched else "")


def agent_state(state: str, *, patched: bool = False) -> Span:
    """Return `○ out`, `◐ in part, patched`."""
    words = state_words(state, patched=patched)
    return Span(f"{STATES[state][0]} {words}", state, words)


def legend(runs: Iterable[Run]) -> Span:
    """Return what the signs of a strip mean, here where `unborn` is what was never shown."""
    return Span(signs_explained({run.state for run in runs}), "quiet", "")


def signs_explained(there: Collection[str]) -> str:
    """Return `● in  ○ out` for the states that are there."""
    return "  ".join(f"{sign} {state_words(state)}" for state, (sign, _) in STATES.items() if state in there)


def happened(each: Happening, width: int) -> Iterator[Row]:
    """Show one change of a node's state: what it became, by which op, and what is known of a cut."""
    said = _what(each)
    sign = Span(f"  {STATES[each.state][0]} {said}: ", "out" if each.lost else "in", f"  {said}: ")
    yield op_row(each.op, sign, longest=LONGEST)
    yield note(f"    {carrier_words(each) if each.carrier_names else _sizes(each)}")
    yield from _behind(each, width)


def details(each: Happening, width: int) -> Iterator[Row]:
    """Show what is known of a change besides its op."""
    yield note(f"    {carrier_words(each) if each.carrier_names else f'{_what(each)}; {_sizes(each)}'}")
    yield from _behind(each, width)


def carrier_words(each: Happening) -> str:
    """Return what brought words, or what was dropped with them: `prompt 43 was dropped by that compaction, and its
    summary doesn't repeat it`."""
    names = [clean(name) for name in each.carrier_names]
    shown = (
        names
        if len(names) <= MOST_CARRIERS
        else [*names[: MOST_CARRIERS - 1], f"{len(names) - MOST_CARRIERS + 1:,} more"]
    )
    items = " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
    if not each.lost:
        return f"{items} {'has' if len(names) == 1 else 'have'} it{' in part' if each.state == 'partial' else ''}"
    was = "was" if len(names) == 1 else "were"
    if each.cut is None:
        return f"{items} {was} dropped"
    summary = SUMMARY_REPEATS.get(each.cut.carried, "")
    by = "then" if each.cut.kind == "cleared" else "by that compaction"
    again = "; a file that has it may have been shown again" if each.state == UNSURE else ""
    return f"{items} {was} dropped {by}{summary}{again}"


def _what(each: Happening) -> str:
    """Say what happened; after a compaction its host may have shown a file again."""
    is_unsure = each.state == UNSURE and each.what == "compacted"
    return f"perhaps {WHAT[each.what]}" if is_unsure else WHAT[each.what]


def _sizes(each: Happening) -> str:
    """Say how much of it was held before, and is now; of what is uncertain, how much it is at most."""
    before, now = count(each.tokens_before, "token"), f"{each.tokens:,}"
    before = f"up to {before} of it before (uncertain)" if each.before == UNSURE else f"{before} of it before"
    return f"{before}, {f'up to {now} now (uncertain)' if each.state == UNSURE else f'{now} now'}"


def _behind(each: Happening, width: int) -> Iterator[Row]:
    """Show the cut, or the fall, behind a change."""
    if each.cut is not None:
        yield from cut_rows(each.cut, width)
    if each.fell is not None:
        yield fell_row(each.fell)


def cut_rows(cut: Cut, width: int, *, of_node: bool = True) -> Iterator[Row]:
    """Show what is known of a compaction, or of a clear."""
    said = Span(cut_words(cut), "compaction")
    yield row("    ", Span("✂ ", "compaction", ""), said, leads=Moment(cut.step))
    if not cut.exact:
        inferred = "what survived isn't recorded, so this is inferred"
        yield row(Span(f"    ~ {inferred}", "note", inferred))
    if cut.summary:
        yield note(f"    its summary {carries(cut) if of_node else 'begins'}:", "quiet" if cut.named else "note")
        for line in wrap(f"“{clip(clean(cut.summary), QUOTED)}”", max(width - 5, 16)):
            yield row(f"    {line}", leads=Moment(cut.step))


def cut_words(cut: Cut) -> str:
    """Return `compacted (auto) at step 40, 167,510 → 11,020 tokens`."""
    kind = CUT.get(cut.kind, clean(cut.kind))
    trigger = f" ({clip(clean(cut.trigger), 40)})" if cut.trigger else ""
    after = f" → {cut.after:,}" if cut.after is not None else ""
    size = f", {cut.before:,}{after} tokens" if cut.before is not None else ""
    kept = f", {count(cut.kept, 'item')} kept" if cut.kept else ""
    return f"{kind}{trigger} at step {cut.step:,}{size}{kept}"


def carries(cut: Cut) -> str:
    """Return whether a summary has what was dropped, as a predicate."""
    if cut.carried:
        return {"whole": "carries its words", "part": "carries its words in part"}.get(
            cut.carried, "doesn't carry its words, and begins"
        )
    return "names it" if cut.named else "doesn't name it, and begins"


def by_op(what: str, op: Told) -> str:
    """Return the op that changed one of many; of a cut its step is enough, since all it dropped share it."""
    return f"step {op.step:,}" if what in ("compacted", "elided", "cleared") else op_words(op, IN_A_LIST)


def fell_words(fell: Fell) -> str:
    """Return a fall of the recorded context as a sentence."""
    dropped = count(fell.before - fell.after, "token")
    said = f"context fell by {dropped} at step {fell.step:,} ({fell.before:,} → {fell.after:,})"
    return f"{said}, {fall_cause(fell.cause)}"


def fell_row(fell: Fell, indent: str = "    ") -> Row:
    """Show a fall of the recorded context."""
    return row(Span(f"{indent}~ {fell_words(fell)}", "note", fell_words(fell)), leads=Moment(fell.step))


def often(came: int, lost: int) -> str:
    """Return how often a node came, and how often it was lost."""
    if not came:
        return "it never was in the window"
    said = f"it was lost, or part of it, {times(lost)}" if lost else "it never was lost"
    return f"it came in, or more of it, {times(came)}; {said}"


def counted_words(counted: Counted | None) -> str:
    """Return how full the window was, as the agent's program said."""
    if counted is None:
        return "how full it was isn't recorded"
    return f"the agent counted {count(counted.tokens, 'token')} at step {counted.step:,}"


def counted_rows(counted: Counted | None, who: Whose, width: int) -> Iterator[Row]:
    """Show how full the window was, and whose it is: beside it if there is room for both, else below."""
    said = counted_words(counted)
    leads = Moment(counted.step) if counted is not None else None
    name = " ".join(clean(each) for each in (who.host, who.session, who.context) if each)
    beside = width_of(said) + 2 + width_of(name) <= width
    yield row(Span(said, "quiet"), right=(Span(name, "quiet"),) if beside else (), leads=leads)
    for line in wrap(name, max(width, 16)) if not beside else ():
        yield row(Span(line, "quiet"), leads=leads)
