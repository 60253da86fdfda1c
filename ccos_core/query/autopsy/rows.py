"""The rows of `autopsy`: the verdict and its evidence by step, what else was found, then the suspects."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from ccos_core.present.cells import clip, width_of
from ccos_core.present.parts import and_more, node_name
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row
from ccos_core.present.words import FAILURE_SIGNS, count

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Autopsy, Evidence, Failing, Finding, Ours, Suspect

CERTAIN = {"certain": ("●", "bad"), "likely": ("◐", "note"), "possible": ("○", "quiet")}
"""Certainty → its sign and its role."""
MOST_FINDINGS = 4
"""Further findings shown at a terminal."""
STEPS = 6
"""Steps of evidence at a terminal, which shows those of the first suspect only, so that all fits one screen."""
WORDS = 46
"""Columns for what a step means; what happened stands behind them."""
SCREENLESS = 240
"""Columns of a line where there is no screen."""
NARROWEST = 12
"""Columns in which it still makes sense to say what a step was."""


def autopsy_rows(answer: Autopsy, view: View) -> Iterator[Row]:
    """The verdict with its evidence, what else was found, the suspects, and what was looked at."""
    worth_knowing = answer.failing or answer.findings
    sign, role = ("✗ ", "bad") if answer.drifted else ("! ", "note") if worth_knowing else ("✓ ", "good")
    first = answer.findings[0] if answer.findings else None
    leads = Moment(first.step, first.node or None) if first is not None else None
    if answer.later:
        step = f"step {answer.later:,}"
        began = f"first trouble at {step}" if answer.later > answer.at else f"that {step} went wrong shows only later"
        said = f"Nothing had gone wrong by step {answer.at:,}; {began}."
        for line in _wrapped(said, view, 2):
            yield Row((Span("✓ ", "good", ""), Span(line, "good")), leads=Moment(answer.later), role="title")
    for line in _wrapped(answer.verdict, view, 2):
        yield Row((Span(sign, role, ""), Span(line, role)), leads=leads, role="title")
        sign, leads = "  ", None
    if answer.failure and first is not None and first.node:
        yield row("  about ", Span(_cut(answer.failure, view, 8), "bad"))
    if first is not None:
        yield from _finding_evidence(first, view)
    others, left_out = view.some(answer.findings[1:], MOST_FINDINGS)
    for finding in others:
        yield from _finding(finding, view)
    yield from and_more(left_out, "finding")
    for rank, suspect in enumerate(answer.suspects, 1):
        yield from _suspect(rank, suspect, view, rank == 1 and first is not None and bool(first.node))
    yield from and_more(answer.further, "suspect")
    if not answer.drifted:
        yield from (_failing(each, view) for each in answer.failing)
    if view.full:
        yield Row()
    for line in (answer.looked.words(), answer.looked.incomplete()):
        yield from (note(each) for each in _wrapped(line, view, 0))


def _finding(finding: Finding, view: View) -> Iterator[Row]:
    """What else was found; its evidence only where there is room for all."""
    sign, role = CERTAIN[finding.certainty]
    if view.full:
        yield Row()
    head, spoken = f"{sign} ", f"also, {finding.certainty}: "
    for line in _wrapped(finding.says, view, 4):
        yield Row((Span("  "), Span(head, role, spoken), Span(line)), leads=Moment(finding.step, finding.node or None))
        head, spoken = "  ", ""
    if view.full:
        yield from _finding_evidence(finding, view)


def _finding_evidence(finding: Finding, view: View) -> Iterator[Row]:
    shown = finding.evidence if view.full or view.columns is None else finding.evidence[:STEPS]
    yield from (_evidence(each, None, view) for each in shown)
    yield from and_more(len(finding.evidence) - len(shown), "step")


def _suspect(rank: int, suspect: Suspect, view: View, is_verdict: bool) -> Iterator[Row]:
    """The file, what it is suspected of, how sure that is, and where in it to look; then why."""
    in_full = is_verdict or view.full or view.columns is None
    sign, role = CERTAIN[suspect.certainty]
    names = ", ".join(clean(each.partition("#")[2]) for each in suspect.symbols)
    head = [
        Span(f"{rank:>2}  ", "heading", f"suspect {rank}: "),
        Span(node_name(suspect.node), "heading"),
        Span(f"  {clean(suspect.kind)}  "),
        Span(f"{sign} {suspect.certainty}  ", role, f"{suspect.certainty}  "),
    ]
    head.append(Span(_cut(names, view, sum(width_of(each.text) for each in head)), "quiet"))
    if view.full:
        yield Row()
    yield Row(tuple(head), leads=_scene(suspect))
    why = f"{suspect.why} {_ours(suspect.ours)}".rstrip() if in_full else suspect.why
    for line in _wrapped(why, view, 4) if in_full else [_cut(why, view, 4)]:
        yield row("    ", line, leads=_scene(suspect))
    if in_full:
        everything = view.full or view.columns is None
        shown = suspect.evidence if everything else suspect.evidence[: STEPS - (suspect.ours is not None)]
        yield from (_evidence(each, suspect.node, view) for each in shown)
        yield from and_more(len(suspect.evidence) - len(shown), "step")


def _ours(ours: Ours | None) -> str:
    """Whether the suggested window held what the agent's had lost."""
    if ours is None:
        return ""
    held = {"in": "held it", "partial": "held part of it"}.get(ours.state, "did not hold it either")
    return f"The suggested window of {count(ours.budget, 'token')} {held} at step {ours.step:,}."


def _scene(suspect: Suspect) -> Moment:
    """Where to stand to see it: where the agent's window lost it, if it did, else at the first evidence."""
    dropped = [each.step for each in suspect.evidence if "dropped" in each.words]
    steps = dropped or [each.step for each in suspect.evidence]
    return Moment(steps[0] if steps else None, suspect.node)


def _evidence(each: Evidence, node: str | None, view: View) -> Row:
    """A step with what it has to do with it, and what happened, in the room that is left or on a line below."""
    said = clean(each.words).ljust(WORDS if view.width > WORDS + 30 else 0)
    room = (view.columns or SCREENLESS) - 14 - width_of(said)
    happened = clip(f"{clean(each.op.kind)} {clean(each.op.says)}", room if room >= NARROWEST else view.width - 20)
    step = Span(f"{each.step:>10,}  ", "link", f"step {each.step:,}  ")
    return row(step, f"{said}  ", Span(happened, "quiet"), leads=Moment(each.step, node))


def _failing(failing: Failing, view: View) -> Row:
    """Show a failure that hasn't ended; leads to the run that reported it last."""
    sign, spoken, role = FAILURE_SIGNS["rerun due" if failing.rerun_due else "failing"]
    step = Span(f"{failing.step:>10,}  ", "link", f"step {failing.step:,}, ")
    named = _cut(failing.name, view, 14)
    return row(step, Span(f"{sign} ", role, f"{spoken}: "), Span(named, role), leads=Moment(failing.step))


def _cut(text: str, view: View, used: int) -> str:
    """Return the beginning of a text that fits beside the columns used; all of it where there is no screen."""
    return clip(clean(text), max(view.columns - used, NARROWEST) if view.columns is not None else SCREENLESS)


def _wrapped(text: str, view: View, indent: int) -> list[str]:
    """Return the lines of a text on a screen; elsewhere it is one."""
    if view.columns is None:
        return [clean(text)] if text else []
    return wrap(clean(text), max(view.columns - indent, 20))
