"""The words of `failures`: what lives first, then what has ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve import words
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured
from ccos_core.serve.words import count

if TYPE_CHECKING:
    from ccos_core.query.failing import Failed, FailuresKnown

LONGEST = 60


def says(answer: FailuresKnown, columns: int | None) -> Iterator[str]:
    """Two lines for each: what and where, and from when to when."""
    over = len(answer.ended) + answer.ended_more
    if not answer.live and not over:
        yield f"nothing has failed up to step {answer.at:,}"
        return
    yield f"at step {answer.at:,}: {count(len(answer.live), 'failure')} live, {over:,} ended"
    for each in (*answer.live, *answer.ended):
        sign = coloured("✓", "good") if each.ended is not None else coloured("✗", "bad")
        yield f"  {sign} {_named(each)}{_where(each)}"
        yield f"      {_when(each)}"
    yield from parts.more(answer.ended_more, "that ended", "that ended")


def plain(answer: FailuresKnown) -> Iterator[str]:
    over = len(answer.ended) + answer.ended_more
    yield f"At step {answer.at:,}: {count(len(answer.live), 'failure')} live, {over:,} ended."
    for each in (*answer.live, *answer.ended):
        state = "Ended" if each.ended is not None else "Live"
        yield f"{state}: {_named(each)}{_where(each)}, {_when(each)}."
    if answer.ended_more:
        yield f"And {answer.ended_more:,} more that ended."


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
    return told + again + ended
