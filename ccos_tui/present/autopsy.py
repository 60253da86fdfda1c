"""An autopsy as rows: the verdict, then the suspects, each with why and with what speaks for it, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more, node_name
from ccos_core.present.rows import Moment, Row, Span, clean, heading, row
from ccos_core.present.words import FAILURE_SIGNS, count
from ccos_core.serve.says.autopsy import incomplete_words, ours_words

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Autopsy, Evidence, Failing, Looked, Suspect

CERTAIN = {"certain": ("●", "bad"), "likely": ("◐", "note"), "possible": ("○", "quiet")}
"""How sure it is → its sign and its role."""
WORDS = 46
"""Columns for what evidence shows; what happened stands behind it."""


def rows_of(answer: Autopsy, width: int) -> list[Row]:
    """The verdict first."""
    sign, role = ("✗ ", "bad") if answer.drifted else ("! ", "note") if answer.failing else ("✓ ", "good")
    verdict = [row(Span(sign, role), Span(line, role)) for line in _wrapped(answer.verdict, width - 2)]
    if answer.step is not None:
        suspected = answer.suspects[0].node if answer.suspects else None
        verdict[0] = Row(verdict[0].spans, leads=Moment(answer.step, suspected))
    rows = [*verdict, *([row("  about ", Span(clean(answer.failure), "bad"))] if answer.failure else []), Row()]
    for rank, suspect in enumerate(answer.suspects, 1):
        rows += [*_suspect(rank, suspect, width), Row()]
    if not answer.drifted and answer.failing:
        rows += [*(_failing(each) for each in answer.failing), Row()]
    rows += [*and_more(answer.further, "suspect"), row(Span(_looked(answer.looked), "quiet"))]
    if incomplete := incomplete_words(answer.looked):
        rows += [row(Span(line, "quiet")) for line in _wrapped(incomplete, width)]
    return rows


def _failing(each: Failing) -> Row:
    """Show a failure that hasn't ended; leads to the run that reported it last."""
    sign, _, role = FAILURE_SIGNS["rerun due" if each.rerun_due else "failing"]
    return Row((Span(f"{each.step:>10,}  ", "link"), Span(f"{sign} {clean(each.name)}", role)), leads=Moment(each.step))


def hints(answer: Autopsy, head: int, sign: Callable[[str], str]) -> list[Row]:
    """What to do where nothing was found: look further on, or with one's own eyes."""
    looked = answer.looked
    lost = f"run to where context was lost: {count(looked.losses, 'time')} up to there"
    said = [
        (answer.at < head, ("last",), f"goes to the end, step {head:,}: this looked up to step {answer.at:,}"),
        (looked.losses > 0, ("compaction-back", "compaction-on"), lost),
        (looked.losses > 0, ("lens",), "shows the host's window there, and what just left it"),
        (looked.failures > 0, ("failure-back", "failure-on"), "run to the failures"),
        (True, ("find",), "finds steps by what they say: text~WORD"),
    ]
    rows = [row(Span(f"  {' '.join(map(sign, keys)):<5}", "key"), words) for there, keys, words in said if there]
    return [Row(), heading("Look for yourself; back in the debugger"), *rows]


def _suspect(rank: int, suspect: Suspect, width: int) -> Iterator[Row]:
    sign, role = CERTAIN[suspect.certainty]
    names = ", ".join(clean(each.partition("#")[2]) for each in suspect.symbols)
    yield Row(
        (
            Span(f"{rank:>2}  ", "heading"),
            Span(node_name(suspect.node), "heading"),
            Span(f"  {suspect.kind}  "),
            Span(f"{sign} {suspect.certainty}", role),
            Span(f"  {names}", "quiet"),
        ),
        leads=_scene(suspect),
    )
    why = f"{suspect.why} {ours_words(suspect.ours)}".strip()
    for line in _wrapped(why, width - 4):
        yield row("    ", line, leads=_scene(suspect))
    for evidence in suspect.evidence:
        yield _evidence(evidence, suspect.node, width)


def _scene(suspect: Suspect) -> Moment:
    """Where to stand to see it: where the host dropped it, if it did, else at the first of what speaks for it."""
    dropped = [each.step for each in suspect.evidence if "dropped" in each.words]
    steps = dropped or [each.step for each in suspect.evidence]
    return Moment(steps[0] if steps else None, suspect.node)


def _evidence(each: Evidence, node: str, width: int) -> Row:
    said = clean(each.words)
    happened = f"{clean(each.op.kind)} {clip(clean(each.op.says), 120)}"
    shown = (Span(f"{said:<{WORDS}}  "), Span(happened, "quiet")) if width > WORDS + 30 else (Span(said),)
    return Row((Span(f"{each.step:>10,}  ", "link"), *shown), leads=Moment(each.step, node))


def _looked(looked: Looked) -> str:
    said = [count(looked.failures, "failure"), count(looked.edits, "edit"), count(looked.reads, "read")]
    said.append(count(looked.losses, "loss", "losses") + " of context")
    return f"Looked at {count(looked.steps, 'step')}: {', '.join(said)}."


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(clean(text), max(width, 20)) or [""]
