"""What one context holds of one file: which of its lines were delivered to it, and where what it holds has gone by.

A holding stands on a page, and lines are lines of that page. When the file becomes another page the holding is carried
over: what reads as before is held as before, wherever it stands now; where held text was changed, taken away or put
apart there is a wound, until what stands there now is delivered. Values only: each change is another holding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ccos_core.state.page import Block, Page, alike
from ccos_core.values.tokens import by_size

IN, PATCHED, PARTIAL, STALE, UNCERTAIN, OUT = "in", "patched", "partial", "stale", "uncertain", "out"
"""All of it was delivered and is so still; all of it, some by an edit; some of it; it was delivered, and has changed
since without a word of that; it depends on whether older results are still there; none of it."""

MOST = 4
"""Deliveries of the same lines that are remembered, for a host that keeps an earlier one and drops the later."""

NEVER = 2**62
"""A line no page has."""

Marks = tuple[int, ...]
"""Deliveries, newest first: each the step twice, plus one where it was an edit."""
Run = tuple[int, int, Marks]
"""First line, last line, how they came."""
Slice = tuple[int, int, int]
"""First line, last line, by which mark."""


class Wound(NamedTuple):
    """A place where the file isn't any more what a context holds of it."""

    first: int
    last: int
    """The lines that stand there now; `last` is one less than `first` where none do."""

    nodes: tuple[str, ...]
    """Whose text it was."""

    marks: Marks
    """How that had come."""

    lost: int
    """Bytes of the held lines that aren't there any more."""

    since: int
    """The step at which it was too late to have known better; 0 where nothing was delivered since."""


class Holding(NamedTuple):
    """What is held of a page."""

    page: Page
    runs: tuple[Run, ...] = ()
    """In order; neighbours differ."""

    wounds: tuple[Wound, ...] = ()


class Standing(NamedTuple):
    """How an item stands in a context."""

    state: str
    tokens: int
    """What was delivered of it, and still counts."""

    step: int
    """The step of the last delivery that counts; 0 where none does."""


ABSENT = Standing(OUT, 0, 0)


def mark_of(step: int, patched: bool = False) -> int:
    """How a delivery is written in a run."""
    return 2 * step + patched


def laid(holding: Holding, slices: Iterable[Slice]) -> Holding:
    """These lines were delivered, as they stand on the page."""
    runs: Sequence[Run] = holding.runs
    for each in slices:
        runs = list(_overlaid(runs, *each))
    return _healed(Holding(holding.page, _joined(runs), holding.wounds))


def carried(holding: Holding, page: Page) -> Holding:
    """The file is another page now, and nobody told."""
    blocks = alike(page, holding.page)
    runs = _joined(_moved_runs(holding.runs, blocks))
    wounds = [_moved_wound(each, blocks) for each in holding.wounds]
    return Holding(page, runs, (*wounds, *_wounds(holding, page, blocks)))


def patched(holding: Holding, page: Page, mark: int) -> Holding:
    """The file is another page now, by an edit of this very context: it knows what it changed."""
    blocks = alike(page, holding.page)
    runs = _joined(_moved_runs(holding.runs, blocks))
    wounds = tuple([_moved_wound(each, blocks) for each in holding.wounds])
    return laid(Holding(page, runs, wounds), [(first, last, mark) for first, last in _gaps(blocks, page.size)])


def dated(holding: Holding, step: int) -> Holding:
    """Something is about to be delivered: what heals a wound comes from now on."""
    if all(each.since for each in holding.wounds):
        return holding
    wounds = tuple([each if each.since else each._replace(since=step) for each in holding.wounds])
    return holding._replace(wounds=wounds)


def kept(holding: Holding, survives: Callable[[int], bool]) -> Holding:
    """Of all deliveries only some are still there, by step."""

    def left(marks: Marks) -> Marks:
        return tuple([mark for mark in marks if survives(mark >> 1)])

    runs = _joined((first, last, marks) for first, last, before in holding.runs if (marks := left(before)))
    wounds = tuple([each._replace(marks=marks) for each in holding.wounds if (marks := left(each.marks))])
    return Holding(holding.page, runs, wounds)


def respelled(holding: Holding, page: Page, spelled: Callable[[str], str]) -> Holding:
    """The same, on the same page under other names."""
    wounds = tuple([each._replace(nodes=tuple(map(spelled, each.nodes))) for each in holding.wounds])
    return Holding(page, holding.runs, wounds)


def standing(holding: Holding, node: str, fell: int) -> Standing:
    """How a node stands, when of what came before the step `fell` nobody knows whether it is there."""
    found = _standing(holding, node, fell)
    if holding.page.doubted and found.state in (IN, PATCHED, PARTIAL) and _is_doubted(holding, node):
        return found._replace(state=UNCERTAIN)
    return found


def _is_doubted(holding: Holding, node: str) -> bool:
    """Whether any line that is held of a node may have been changed since."""
    first, last = holding.page.nodes.get(node, (1, 0))
    spans = ((max(begins, first), min(ends, last)) for begins, ends in holding.page.doubted)
    return any(begins <= ends and _held(holding.runs, begins, ends) for begins, ends in spans)


def _standing(holding: Holding, node: str, fell: int) -> Standing:
    first, last = holding.page.nodes.get(node, (1, 0))
    sums = holding.page.sums
    open_ended = holding.page.may_go_on(node)
    held = sure = size = newest = edits = 0
    for begins, ends, marks in holding.runs:
        if begins > last:
            break
        if ends >= first:
            mark = marks[0]
            if begins <= first and last <= ends and not holding.wounds:  # as nearly always
                state = UNCERTAIN if mark >> 1 < fell else PARTIAL if open_ended else PATCHED if mark & 1 else IN
                return Standing(state, by_size(sums[last] - sums[first - 1]), mark >> 1)
            begins = begins if begins > first else first
            ends = ends if ends < last else last
            held += ends - begins + 1
            size += sums[ends] - sums[begins - 1]
            newest = mark if mark > newest else newest
            edits |= mark & 1
            if mark >> 1 >= fell:
                sure += ends - begins + 1
    wounds = [each for each in holding.wounds if node in each.nodes] if holding.wounds else ()
    for wound in wounds:
        size += wound.lost
        newest = max(newest, wound.marks[0])
    lines = last - first + 1 + open_ended
    state = _state(held, lines, bool(wounds))
    if fell and state != _state(sure, lines, any(each.marks[0] >> 1 >= fell for each in wounds)):
        return Standing(UNCERTAIN, by_size(size), newest >> 1)
    return Standing(PATCHED if state == IN and edits else state, by_size(size), newest >> 1)


def held_nodes(holding: Holding) -> Iterator[str]:
    """The nodes of which anything is held, some of them more than once."""
    for first, last, _ in holding.runs:
        yield from holding.page.among(first, last)
    for wound in holding.wounds:
        yield from wound.nodes


def _state(held: int, size: int, wounded: bool) -> str:
    if wounded:
        return STALE
    return OUT if held == 0 else IN if held == size else PARTIAL


def _overlaid(runs: Sequence[Run], first: int, last: int, mark: int) -> Iterator[Run]:
    at = first
    """The first line that wasn't given out yet."""
    for begins, ends, marks in runs:
        if ends < first or begins > last:
            if begins > last and at <= last:
                yield at, last, (mark,)
                at = last + 1
            yield begins, ends, marks
            continue
        if begins < first:
            yield begins, first - 1, marks
        elif begins > at:
            yield at, begins - 1, (mark,)
        yield max(begins, first), min(ends, last), _with(mark, marks)
        at = min(ends, last) + 1
        if ends > last:
            yield last + 1, ends, marks
    if at <= last:
        yield at, last, (mark,)


def _with(mark: int, marks: Marks) -> Marks:
    return (mark, *marks[: MOST - 1]) if marks[0] != mark else marks


def _joined(runs: Iterable[Run]) -> tuple[Run, ...]:
    """Neighbours that came alike are one."""
    found: list[Run] = []
    for run in runs:
        if found and found[-1][1] + 1 == run[0] and found[-1][2] == run[2]:
            found[-1] = found[-1][0], run[1], run[2]
        else:
            found.append(run)
    return tuple(found)


def _healed(holding: Holding) -> Holding:
    """Without the wounds where everything that stands there has been delivered."""
    if not holding.wounds:
        return holding
    return holding._replace(wounds=tuple([each for each in holding.wounds if not _is_healed(each, holding)]))


def _is_healed(wound: Wound, holding: Holding) -> bool:
    runs = [(first, last) for first, last, marks in holding.runs if marks[0] >> 1 >= wound.since]
    if wound.last < wound.first:  # whoever sees what stands on one side of it now, sees what doesn't
        return any(first <= wound.first and wound.last <= last for first, last in runs)
    return _covered(runs, wound.first, wound.last) == wound.last - wound.first + 1


def _covered(runs: Iterable[tuple[int, int]], first: int, last: int) -> int:
    """How many of these lines are in runs."""
    return sum(max(0, min(ends, last) - max(begins, first) + 1) for begins, ends in runs)


def _moved_runs(runs: Sequence[Run], blocks: Sequence[Block]) -> Iterator[Run]:
    for first, was, size in blocks:
        for begins, ends, marks in runs:
            if begins < was + size and was <= ends:
                shift = first - was
                yield max(begins, was) + shift, min(ends, was + size - 1) + shift, marks


def _moved_wound(wound: Wound, blocks: Sequence[Block]) -> Wound:
    """Around what is left of its lines, or at the place where it was."""
    spans = [
        (max(was, wound.first) + first - was, min(was + size - 1, wound.last) + first - was)
        for first, was, size in blocks
        if was <= wound.last and wound.first < was + size
    ]
    if spans:
        return wound._replace(first=min(spans)[0], last=max(last for _, last in spans))
    before = [(was, first, size) for first, was, size in blocks if was < wound.first]
    was, first, size = max(before, default=(0, 0, 1))
    place = first + min(size, wound.first - was) - 1 if before else 0
    return wound._replace(first=place + 1, last=place)


def _gaps(blocks: Sequence[Block], size: int) -> Iterator[tuple[int, int]]:
    """The lines that are new."""
    at = 1
    for first, _, lines in (*blocks, (size + 1, 0, 0)):
        if first > at:
            yield at, first - 1
        at = first + lines


def _wounds(holding: Holding, page: Page, blocks: Sequence[Block]) -> Iterator[Wound]:
    """Where a node doesn't read as it did, and the context holds what was changed. Nodes that lost the same lines at
    the same place have one wound."""
    found: dict[tuple[int, int, int, int], list[str]] = {}
    open_end = _open_end(holding.page)
    for node, span in holding.page.nodes.items():
        if _held(holding.runs, *span):
            for place in _breaks(holding.runs, span, page.nodes.get(node), blocks, open_end):
                found.setdefault(place, []).append(node)
    for (first, last, begins, ends), nodes in found.items():
        runs = [run for run in holding.runs if run[0] <= ends and begins <= run[1]]
        marks = sorted(dict.fromkeys(mark for _, _, each in runs for mark in each), reverse=True)[:MOST]
        yield Wound(first, last, tuple(nodes), tuple(marks), _lost(holding, begins, ends, blocks), 0)


def _breaks(
    runs: Sequence[Run], before: tuple[int, int], after: tuple[int, int] | None, blocks: Sequence[Block], open_end: int
) -> Iterator[tuple[int, int, int, int]]:
    """(first and last line of what stands there now, first and last line of what was held) where the text of a node
    goes on otherwise than it did; what comes behind `open_end` was always to be expected."""
    if after is None:
        there = _moved_wound(Wound(*before, (), (), 0, 0), blocks)
        yield there.first, there.last, *before
        return
    line, was = after[0] - 1, before[0] - 1
    for first, begins, size in (*_clipped(blocks, before, after), (after[1] + 1, before[1] + 1, 0)):
        place, put_between = (line + 1, first - 1), first > line + 1
        if begins > was + 1:
            if _held(runs, was + 1, begins - 1):
                yield *place, was + 1, begins - 1
        elif begins <= was:
            if _held(runs, was, was):
                yield *place, was, was
        elif put_between and was < open_end:
            sides = max(was, before[0]), min(begins, before[1])
            if all(_held(runs, side, side) for side in sides):
                yield *place, *sides
        line, was = first + size - 1, begins + size - 1


def _open_end(page: Page) -> int:
    """The last line of a page whose end nobody has seen. An empty one at the end may be just that end. Beyond any line
    where the end is known."""
    if page.ended or page.text is None:
        return NEVER
    return page.size - (not page.text or page.text.endswith("\n"))


def _clipped(blocks: Sequence[Block], before: tuple[int, int], after: tuple[int, int]) -> Iterator[Block]:
    """What a node has in common with what it was."""
    for first, begins, size in blocks:
        low = max(0, after[0] - first, before[0] - begins)
        high = min(size, after[1] - first + 1, before[1] - begins + 1)
        if low < high:
            yield first + low, begins + low, high - low


def _held(runs: Sequence[Run], first: int, last: int) -> bool:
    """Whether any of these lines is held."""
    for begins, ends, _ in runs:
        if ends >= first:
            return begins <= last
    return False


def _lost(holding: Holding, first: int, last: int, blocks: Sequence[Block]) -> int:
    """Bytes of those of these lines that were held, and stand nowhere any more."""
    sums = holding.page.sums
    there = sorted((was, was + size - 1) for _, was, size in blocks)
    size = 0
    for begins, ends, _ in holding.runs:
        at, until = max(begins, first), min(ends, last)
        if at > until:
            continue  # most runs of a page lie elsewhere, and each would walk all that is common
        for low, high in (*there, (until + 1, until)):
            if at <= until and at < low:
                size += sums[min(low - 1, until)] - sums[at - 1]
            at = max(at, high + 1)
    return size
