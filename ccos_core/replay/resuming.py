"""`resume` at a step: the regions of files that were read or changed until then, the newest first, as they stand then.

Goes back through the ops that showed or changed files, and no further than a window can use. What a line was called
when it was shown is followed to where it stands now; what isn't there any more is left out. Behind all of that come the
lines around it, as far as they are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.codes import HOW_CODES
from ccos_core.replay.renames import Renames, renames
from ccos_core.state.page import Block, Page, alike, page_of
from ccos_core.values import sheet as sheets
from ccos_core.window.resume import Region, resume

if TYPE_CHECKING:
    from typing import TypeAlias

    from ccos_core.ops.plain import Plain
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.linearize import Window

    Known: TypeAlias = tuple[str, Version]
    """A file's path, and what it was."""

TOUCHES = ("read", "edit", "write")
FARTHEST = 400
"""Touches that are looked back at."""
BESIDE = 8
"""Lines around an edit that belong to what was in hands; and around every region, those that are shown last."""
FEWEST = 3
"""Lines from which a reading counts: a search shows single lines of many files."""
FEWEST_OF_SEVERAL = 20
"""The same for a call that showed several places: it looked for something, and went on from one of them."""
HARDLY_APART = 4
"""Lines from one place an edit changed to the next, that are still the same place."""

Span = tuple[int, int]


def resumed(timeline: Timeline, step: int, budget: int, contexts: Sequence[int]) -> Window:
    """The window an agent would need that lost its own at a step: one of these contexts, by their numbers."""
    moment = timeline.at(step)
    return resume(regions(timeline, moment, contexts), moment.source, budget)


def regions(timeline: Timeline, moment: Moment, contexts: Sequence[int]) -> Iterator[Region]:
    """What was in these contexts' hands, the newest first; then what is around it, in the same order."""
    found = list(_touched(timeline, moment, contexts))
    yield from found
    for region in found:
        first, last = region.lines[0], region.lines[-1]
        around = (*range(max(1, first - BESIDE), first), *range(last + 1, last + BESIDE + 1))
        yield Region(region.path, around, region.step, "around", f"around what was {region.reason}")


def _touched(timeline: Timeline, moment: Moment, contexts: Sequence[int]) -> Iterator[Region]:
    """What was shown or changed, an edit's places each for itself."""
    ops, pages = _ops(timeline, moment, contexts), _Pages(timeline)
    shown = Counter(op.get("call") for _, op in ops if op["how"] == "read")
    moved = Renames(renames(timeline, 0, moment.last))
    for step, op in ops:
        path, how, call = moved.later_path(op["path"]), op["how"], op.get("call")
        fewest = FEWEST_OF_SEVERAL if call is not None and shown[call] > 1 else FEWEST
        now, then = moment.version(path), timeline.sources.at(op["path"], step)
        if now is None or then is None or not then.content or not now.content:
            continue
        reason = f"{'read' if how == 'read' else 'edited'} at step {step:,}"
        for span in _spans(pages, op, step, then, fewest):
            if lines := _lines(pages, (op["path"], then), (path, now), span):
                yield Region(path, lines, step, how, reason)


def _ops(timeline: Timeline, moment: Moment, contexts: Sequence[int]) -> list[tuple[int, Plain]]:
    """The ops that showed or changed a file, the newest first, with their steps."""
    steps = timeline.journal.steps
    touched = np.isin(steps["how"][: moment.last], [HOW_CODES[how] for how in TOUCHES])
    theirs = np.isin(steps["context"][: moment.last], contexts)
    found = np.nonzero(touched & theirs)[0][::-1][:FARTHEST] + 1
    return [(step, timeline.op(step)) for step in found.tolist()]


def _lines(pages: _Pages, then: Known, now: Known, span: Span) -> tuple[int, ...]:
    """Where lines of a file as it was then stand now."""
    first, last = span
    if then[1].row == now[1].row:
        text = pages.sources.text(*then) or ""
        return tuple(range(first, min(last, text.count("\n") + 1) + 1))  # a slice may say more than there is
    found: list[int] = []
    for start, begins, size in pages.alike(now, then):
        found += range(start + max(0, first - begins), start + min(size, last - begins + 1))
    return tuple(found)


def _spans(pages: _Pages, op: Plain, step: int, then: Version, fewest: int) -> list[Span]:
    """The lines an op showed, or those it changed with what stands around them."""
    if op["how"] == "read":
        text = pages.sources.text(op["path"], then) or ""
        first, last = op.get("slice", (1, text.count("\n") + 1))
        return [(first, last)] if last - first + 1 >= fewest else []
    first, last = op.get("slice", (0, 0))
    changed = [(first, last)] if first else _changed(pages, op["path"], step, then)
    return [(max(1, first - BESIDE), last + BESIDE) for first, last in changed]


def _changed(pages: _Pages, path: str, step: int, then: Version) -> list[Span]:
    """The lines a whole new text changed, place by place; all of them where nothing was known before."""
    after, before = pages.sources.sheet(path, then), pages.sources.at(path, step - 1)
    known = pages.sources.sheet(path, before) if before is not None else None
    if after is None:
        return []
    if known is None or before is None:
        return [(1, len(after.lines))]
    if not before.content:
        return sheets.changed_lines(known, after)
    same = pages.alike((path, then), (path, before))
    return _between(same, len(after.lines)) or sheets.changed_lines(known, after)


def _between(blocks: Sequence[Block], size: int) -> list[Span]:
    """The runs of so many lines that are in none of these blocks; those hardly apart as one."""
    found: list[Span] = []
    ends = 0
    for first, _, length in (*blocks, (size + 1, 0, 0)):
        if first > ends + 1:
            begins = found.pop()[0] if found and ends - found[-1][1] < HARDLY_APART else ends + 1
            found.append((begins, first - 1))
        ends = max(ends, first + length - 1)
    return found


class _Pages:
    """Files as they were, and what they have in common: each is asked for by many of the ops that are looked at."""

    def __init__(self, timeline: Timeline) -> None:
        self.sources = timeline.sources
        self._pages: dict[int, Page] = {}
        self._alike: dict[tuple[int, int], tuple[Block, ...]] = {}

    def alike(self, after: Known, before: Known) -> tuple[Block, ...]:
        """The lines two versions have in common, in the order of the later one."""
        rows = after[1].row, before[1].row
        if rows not in self._alike:
            self._alike[rows] = alike(self._page(*after), self._page(*before))
        return self._alike[rows]

    def _page(self, path: str, version: Version) -> Page:
        if version.row not in self._pages:
            source = self.sources.source(path, version)
            self._pages[version.row] = page_of(source.nesting, version.content, source.text, composed=False)
        return self._pages[version.row]
