"""Groups of steps as lines of a terminal or a pipe, filtered if that is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.present.cells import width_of
from ccos_core.present.groups import Look, clock_of, group_row
from ccos_core.present.rows import Row, Span, note
from ccos_core.present.steps import DIGITS, PIPED
from ccos_core.present.words import moment
from ccos_core.query.step_filter import Filter, checked, matching
from ccos_core.query.step_groups import Group, described
from ccos_core.query.step_outline import Outline, outline_of
from ccos_core.serve.printing import printed

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

READ_TOGETHER = 64  # groups whose ops are read in one sweep


def group_lines(timeline: Timeline, since: int, wanted: Filter, columns: int | None) -> Iterator[str]:
    """Yield the lines of all groups behind a step that a filter lets pass, in order."""
    outline = outline_of(timeline)
    places = _wanted_places(outline, since, wanted)
    day = ""
    for begin in range(0, len(places), READ_TOGETHER):
        part = places[begin : begin + READ_TOGETHER]
        for place, group in zip(part, described(timeline, outline, part), strict=True):
            now, _, _ = moment(group.at).partition(" ")
            if columns is not None and group.at is not None and now != day:
                day = now
                yield from printed([note(f"{'':{DIGITS + 3}}{day} UTC")], None)
            yield from printed([_row(outline, place, group, columns)], None)


def wanted_steps(timeline: Timeline, since: int, wanted: Filter) -> frozenset[int]:
    """Return all steps of the groups that a filter lets pass."""
    outline = outline_of(timeline)
    return frozenset(step for place in _wanted_places(outline, since, wanted) for step in outline.steps_of(place))


def _wanted_places(outline: Outline, since: int, wanted: Filter) -> list[int]:
    shown = matching(outline, checked(wanted, outline))
    found: list[int] = np.flatnonzero(shown & (outline.done > since)).tolist()
    return found


def _row(outline: Outline, place: int, group: Group, columns: int | None) -> Row:
    name = group.context
    begins = place == 0 or int(outline.context[place - 1]) != int(outline.context[place])
    look = Look(
        width=(columns or PIPED) - 1,
        clock=moment(group.at) if columns is None else clock_of(group.at, None),
        waited=outline.waited(place),
        lane=int(outline.context[place]) + 1 if name else 0,
        name=name if begins else "",
    )
    return _spread(group_row(group, look), columns)


def _spread(row: Row, columns: int | None) -> Row:
    """Put what stands at the right at the terminal's edge, as one row knows nothing of the next; in a pipe, behind."""
    if columns is None:
        right = tuple(Span(span.text.strip(), span.role, span.spoken) for span in row.right)
        return Row(row.spans, tuple(span for span in right if span.text), row.leads, row.role, row.copies)
    free = columns - 2 - width_of("".join(span.text for span in (*row.spans, *row.right)))
    return Row((*row.spans, Span(" " * free)), row.right, row.leads, row.role, row.copies)
