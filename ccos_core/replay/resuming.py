"""`resume` at a step: the regions of files that were read or changed until then, the newest first, as they stand then.

Goes back through the ops that showed or changed files, and no further than a window can use. What a line was called
when it was shown is followed to where it stands now; what isn't there any more is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.codes import HOW_CODES
from ccos_core.replay.renames import Renames, renames
from ccos_core.state.page import Page, alike, page_of
from ccos_core.values import sheet as sheets
from ccos_core.window.resume import Region, resume

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.linearize import Window

TOUCHES = ("read", "edit", "write")
FARTHEST = 400
"""Touches that are looked back at."""
BESIDE = 8
"""Lines around an edit that belong to what was in hands."""
FEWEST = 3
"""Lines from which a reading counts: a search shows single lines of many files."""


def resumed(timeline: Timeline, step: int, budget: int, contexts: Sequence[int]) -> Window:
    """The window an agent would need that lost its own at a step: one of these contexts, by their numbers."""
    moment = timeline.at(step)
    return resume(regions(timeline, moment, contexts), moment.source, budget)


def regions(timeline: Timeline, moment: Moment, contexts: Sequence[int]) -> Iterator[Region]:
    """What was in these contexts' hands, the newest first."""
    steps = timeline.journal.steps
    touched = np.isin(steps["how"][: moment.last], [HOW_CODES[how] for how in TOUCHES])
    theirs = np.isin(steps["context"][: moment.last], contexts)
    found = np.nonzero(touched & theirs)[0][::-1][:FARTHEST] + 1
    moved = Renames(renames(timeline, 0, moment.last))
    for step in found.tolist():
        op = timeline.op(step)
        path = moved.later_path(op["path"])
        now = moment.version(path)
        if now is not None and (lines := _lines(timeline, op, step, path, now)):
            yield Region(path, lines, step, f"{'read' if op['how'] == 'read' else 'edited'} at step {step:,}")


def _lines(timeline: Timeline, op: Plain, step: int, path: str, now: Version) -> tuple[int, ...]:
    """Where what an op showed or changed stands now."""
    sources = timeline.sources
    then = sources.at(op["path"], step)
    if then is None or not then.content or not now.content:
        return ()
    span = _span(timeline, op, step, then)
    if span is None:
        return ()
    if then.row == now.row:
        return tuple(range(span[0], span[1] + 1))
    blocks = alike(_page(timeline, path, now), _page(timeline, op["path"], then))
    return tuple(
        first + at for first, begins, size in blocks for at in range(size) if span[0] <= begins + at <= span[1]
    )


def _span(timeline: Timeline, op: Plain, step: int, then: Version) -> tuple[int, int] | None:
    """The lines an op showed, or changed with what stands around them."""
    if op["how"] == "read":
        text = timeline.sources.text(op["path"], then) or ""
        first, last = op.get("slice", (1, text.count("\n") + 1))
        return (first, last) if last - first + 1 >= FEWEST else None
    first, last = op.get("slice", (0, 0))
    if not first:
        changed = _changed(timeline, op, step, then)
        if changed is None:
            return None
        first, last = changed
    return max(1, first - BESIDE), last + BESIDE


def _changed(timeline: Timeline, op: Plain, step: int, then: Version) -> tuple[int, int] | None:
    """The lines a whole new text changed; all of them where nothing was known before."""
    sources = timeline.sources
    after, before = sources.sheet(op["path"], then), sources.at(op["path"], step - 1)
    known = sources.sheet(op["path"], before) if before is not None else None
    if after is None:
        return None
    if known is None:
        return 1, len(after.lines)
    spans = sheets.changed_lines(known, after)
    return spans[0] if spans else None


def _page(timeline: Timeline, path: str, version: Version) -> Page:
    source = timeline.sources.source(path, version)
    return page_of(source.nesting, version.content, source.text, composed=False)
