"""The words of `autopsy`: the verdict first, then each suspect with why, and step by step what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import FAILURE_SIGNS, count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.autopsy.answer import Autopsy, Evidence, Looked, Ours, Suspect

CERTAIN = {"certain": "bad", "likely": "note", "possible": "quiet"}
"""How sure it is → its colour."""
IN_FULL = 1
"""Suspects whose evidence is told step by step; of the others only why, so that it all is one screen."""
MOST_STEPS = 7
NARROWEST = 12
"""Columns in which it still makes sense to say what a step was."""


def says(answer: Autopsy, columns: int | None) -> Iterator[str]:
    """The verdict, the suspects, what was looked at."""
    yield coloured(words.visible(answer.verdict), "bad" if answer.drifted else "good")
    if answer.failure:
        yield f"  {coloured('✗', 'bad')} {_clipped(answer.failure, columns, 4)}"
    for rank, suspect in enumerate(answer.suspects, 1):
        yield f"{rank:>3}  {_head(suspect, columns)}"
        ours = ours_words(suspect.ours) if rank <= IN_FULL else ""
        yield from _why(f"{suspect.why} {ours}".rstrip(), columns, rank <= IN_FULL)
        if rank <= IN_FULL:
            yield from _evidence(suspect.evidence, columns, MOST_STEPS - bool(ours))
    yield from parts.more(answer.further, "suspect")
    if not answer.drifted:
        for failing in answer.failing:
            name = _clipped(failing.name, columns, 20)
            state = "rerun due" if failing.rerun_due else "failing"
            yield f"{failing.step:>10,}  {coloured(*FAILURE_SIGNS[state][::2])} {name}"
    yield coloured(_looked(answer), "quiet")
    if incomplete := incomplete_words(answer.looked):
        yield coloured(incomplete, "quiet")


def incomplete_words(looked: Looked) -> str:
    """Say that sources are missing, and what completes them; empty where none are."""
    missing = []
    if looked.partial:
        missing.append(f"{count(looked.partial, 'changed file')} known only in part")
    if looked.unplaced:
        missing.append(f"{count(looked.unplaced, 'failure')} without the source of its place")
    said = ", ".join(missing)
    return f"Sources are missing: {said}. Import again with --repo DIR to add them." if missing else ""


def plain(answer: Autopsy) -> Iterator[str]:
    """The same in sentences."""
    yield words.visible(answer.verdict)
    if answer.failure:
        yield f"It is about the failure {words.visible(answer.failure)}."
    for rank, suspect in enumerate(answer.suspects, 1):
        where = f", in {', '.join(map(parts.node, suspect.symbols))}" if suspect.symbols else ""
        yield (
            f"Suspect {rank}: {parts.node(suspect.node)}{where}; {suspect.kind}, {suspect.certainty}. "
            f"{words.visible(suspect.why)}"
        )
        if suspect.ours is not None:
            yield ours_words(suspect.ours)
        for each in suspect.evidence:
            yield f"Step {each.step:,}: {words.visible(each.words)}. What happened: {parts.op_aloud(each.op)}."
    if answer.further:
        yield f"{count(answer.further, 'more suspect')} are left out."
    for failing in answer.failing if not answer.drifted else ():
        state = "wasn't run again since a change" if failing.rerun_due else "fails now"
        yield f"Step {failing.step:,}: {words.visible(failing.name)} {state}."
    yield _looked(answer)
    if incomplete := incomplete_words(answer.looked):
        yield incomplete


def _head(suspect: Suspect, columns: int | None) -> str:
    """The file, what it is suspected of, how sure that is, and as far as there is room, where in it to look."""
    said = [parts.node(suspect.node), suspect.kind, coloured(suspect.certainty, CERTAIN[suspect.certainty])]
    names = [parts.node("sym:" + symbol.removeprefix("sym:")).partition("#")[2] for symbol in suspect.symbols]
    room = columns - 7 - len("  ".join([parts.node(suspect.node), suspect.kind, suspect.certainty])) if columns else 200
    shown = words.clipped(", ".join(names), max(room, 12))
    return "  ".join([*said, *([coloured(shown, "quiet")] if names else [])])


def ours_words(ours: Ours | None) -> str:
    """Whether our window held what theirs had lost."""
    if ours is None:
        return ""
    held = {"in": "held it", "partial": "held part of it"}.get(ours.state, "did not hold it either")
    return f"Our window, a working set of {count(ours.budget, 'token')}, {held} at step {ours.step:,}."


def _why(why: str, columns: int | None, whole: bool) -> Iterator[str]:
    if whole and columns:
        yield from wrap(words.visible(why), max(columns, 40), initial_indent=" " * 5, subsequent_indent=" " * 5)
    else:
        yield f"     {_clipped(why, columns, 5)}"


def _evidence(evidence: tuple[Evidence, ...], columns: int | None, most: int) -> Iterator[str]:
    rows = [(each.step, words.visible(each.words), f"{each.op.kind} {each.op.says}") for each in evidence[:most]]
    widest = max((len(said) for _, said, _ in rows), default=0)
    for step, said, op in rows:
        before = f"{step:>10,}  {said:<{widest}}  "
        happened = _fitting(op, columns, len(before))
        yield before + coloured(happened, "quiet") if happened else before.rstrip()
        if not happened:  # told below, rather than not at all
            yield " " * 12 + coloured(_clipped(op, columns, 12), "quiet")
    yield from parts.more(len(evidence) - most, "step")


def _fitting(op: str, columns: int | None, used: int) -> str:
    """What happened, in the room that is left of the line; nothing where that is too little."""
    if columns and columns - used < NARROWEST:
        return ""
    said = words.visible(op)
    return words.clipped(said, columns - used) if columns else " ".join(said.split())


def _looked(answer: Autopsy) -> str:
    looked = answer.looked
    said = [count(looked.failures, "failure"), count(looked.edits, "edit"), count(looked.reads, "read")]
    unexplained = f" ({looked.falls:,} with no recorded cause)" * (looked.falls > 0)
    said.append(count(looked.losses, "loss", "losses") + " of context" + unexplained)
    examined = f", the {looked.examined:,} most persistent looked into" * (looked.examined < looked.retried)
    retried = f" {looked.retried:,} not over at once{examined}." if looked.retried else ""
    return f"Looked at {count(looked.steps, 'step')}: {', '.join(said)}.{retried}"


def _clipped(text: str, columns: int | None, used: int) -> str:
    said = words.visible(text)
    return words.clipped(said, max(columns - used, 24)) if columns else " ".join(said.split())
