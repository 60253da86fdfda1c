"""The words of `failures`: what lives first, then what has ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present import words
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.failing import Failed, FailuresKnown

LONGEST = 60
SIGNS = {False: ("✗", "bad"), True: ("?", "note")}
"""Whether it has to be run again → how it is marked."""


def says(answer: FailuresKnown, columns: int | None) -> Iterator[str]:
    """Two lines for each: what and where, and from when to when."""
    over = len(answer.ended) + answer.ended_more
    if not answer.live and not over:
        yield f"nothing has failed up to step {answer.at:,}"
        return
    yield f"at step {answer.at:,}: {_counts(answer)}, {over:,} ended"
    for each in (*sorted(answer.live, key=lambda each: each.rerun_due), *answer.ended):
        sign = coloured("✓", "good") if each.ended is not None else coloured(*SIGNS[each.rerun_due])
        yield f"  {sign} {_named(each)}{_where(each)}"
        yield f"      {_when(each)}"
    yield from parts.more(answer.ended_more, "that ended", "that ended")


def plain(answer: FailuresKnown) -> Iterator[str]:
    over = len(answer.ended) + answer.ended_more
    yield f"At step {answer.at:,}: {_counts(answer)}, {over:,} ended."
    for each in (*sorted(answer.live, key=lambda each: each.rerun_due), *answer.ended):
        state = "Ended" if each.ended is not None else "Not run again" if each.rerun_due else "Fails now"
        yield f"{state}: {_named(each)}{_where(each)}, {_when(each)}."
    if answer.ended_more:
        yield f"And {answer.ended_more:,} more that ended."


def _counts(answer: FailuresKnown) -> str:
    due = sum(each.rerun_due for each in answer.live)
    now = f"{len(answer.live) - due:,} failing now"
    return f"{now}, {due:,} not run again since a change" if due else now


def _named(each: Failed) -> str:
    said = words.clipped(words.visible(each.test or each.message or "failed"), LONGEST)
    return f"{words.visible(each.runner)}  {said}"


def _where(each: Failed) -> str:
    if not each.anchor:
        return ", nobody knows where"
    reaches = f", reaches {count(each.reaches, 'node')}" if each.ended is None else ""
    return f"  felt at {parts.node(each.anchor)}{reaches}"


def _when(each: Failed) -> str:
    told = f"since {parts.step_words(each.since, 40)}"
    again = f", told again {count(each.renewed, 'time')}, last at step {each.last.step:,}" if each.renewed else ""
    ended = f"; ended by {parts.step_words(each.ended, 40)}" if each.ended is not None else ""
    due = f"; not run again since step {each.last.step:,}, and files were changed" if each.rerun_due else ""
    return told + again + ended + due
