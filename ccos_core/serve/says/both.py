"""What the words of answers about both windows are made of: the gap between ours and theirs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.query.missing_rows import suggested_words as window
from ccos_core.serve.says import hosted, parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.hosted.both import Compared, Gap, Lost, Overlap
    from ccos_core.query.hosted.whose import Whose
    from ccos_core.query.telling import Run

ON_A_SCREEN = 4
"""Gaps that are told in full; of many the last."""
FEW = 10
"""Items that are told of a window."""


def strips(ours: Sequence[Run], theirs: Sequence[Run], budget: int, whose: Whose, columns: int | None) -> Iterator[str]:
    """Two strips, one below the other, sign for sign the same steps."""
    room = columns - 8 if columns else None
    yield f"  ours    {parts.strip(ours, room)}"
    yield f"  theirs  {parts.strip(theirs, room)}"
    yield coloured(f"  {parts.legend([*ours, *theirs])}; in theirs · is not yet shown", "quiet")
    yield coloured(f"  ours is {window('working-set', budget)}; theirs is {hosted.whose(whose)}", "quiet")


def gap(answer: Compared) -> str:
    """What ours held that theirs had lost, in a line."""
    if answer.lost:
        stretches = count(len(answer.gaps) + answer.more, "stretch", "stretches")
        said = f"ours held it at {count(answer.lost, 'step')} where theirs had lost it, in {stretches}"
    else:
        said = "there is no step where ours held it and theirs had lost it"
    others = [
        (answer.never, "only ours, theirs was never shown it"),
        (answer.behind, "only theirs"),
        (answer.together, "both"),
    ]
    told = [f"{count(number, 'step')} {what}" for number, what in others if number]
    return "; ".join([said, *told])


def gaps(answer: Compared) -> Iterator[str]:
    """The stretches, one by one."""
    told = answer.gaps[-ON_A_SCREEN:]
    if (before := len(answer.gaps) - len(told) + answer.more) > 0:
        yield coloured(f"  the last {len(told):,} of {len(told) + before:,} stretches:", "quiet")
    for each, is_news in _told(told):
        yield f"  {_since(each, is_news)}"
        yield from (f"    {line}" for line in hosted.details(each.by) if is_news)


def aloud(answer: Compared) -> Iterator[str]:
    """The gap in sentences."""
    yield f"{gap(answer).capitalize()}."
    for each, is_news in _told(answer.gaps[-ON_A_SCREEN:]):
        yield from parts.sentences([_since(each, is_news)])
        yield from parts.sentences(parts.aloud(hosted.details(each.by)) if is_news else ())


def lost(answer: Overlap) -> Iterator[str]:
    """What a window of ours holds that theirs had lost."""
    yield from parts.table([_row(each) for each in answer.lost[:FEW]], left={0, 1}, indent="  ")
    yield from parts.more(len(answer.lost) - FEW, "that theirs had lost", "that theirs had lost")


def overlap_line(answer: Overlap) -> str:
    """What theirs holds of a window of ours, in numbers."""
    return (
        f"of ours, theirs had lost {len(answer.lost):,}, held {answer.held:,} as well, "
        f"and was never shown {answer.never:,}"
    )


def overlap_aloud(answer: Overlap) -> Iterator[str]:
    """The same, with what theirs had lost, in sentences."""
    yield f"{overlap_line(answer).capitalize()}."
    for each in answer.lost:
        yield f"{parts.node(each.node)}, {_lost(each)}."


def _told(gaps: Sequence[Gap]) -> Iterator[tuple[Gap, bool]]:
    """Each with whether what made it is news; where ours came and went meanwhile, several have the same to tell."""
    step = 0
    for each in gaps:
        yield each, each.by.step != step
        step = each.by.step


def _since(each: Gap, is_news: bool) -> str:
    by = parts.step_words(each.by.op, hosted.LONGEST) if is_news else f"step {each.by.op.step:,}"
    return f"{parts.span(each.first, each.last)}: theirs was {hosted.state(each.state)} since {by}"


def _row(each: Lost) -> tuple[str, str, str, str]:
    sign = coloured(parts.STATES[each.state][0], "bad")
    return sign, parts.node(each.node, hosted.LONGEST), f"{each.tokens:,}", _lost(each)


def _lost(each: Lost) -> str:
    how = f"{hosted.WHAT[each.what]} ({hosted.by(each.what, each.op)})"
    return f"its {each.level} in ours, {hosted.state(each.state)} in theirs: {how}"
