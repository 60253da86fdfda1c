"""The timeline: a whole session on a few rows. How hot it was, how full the host's window was, and in lanes what
happened where; over all of it the cursor, the step to compare with, and which steps the list below shows.

A band is a row that stays the same while the cursor moves; `line` puts the cursor over it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from ccos_core.present.cells import clip
from ccos_core.present.rows import Span, clean
from ccos_tui.present.said import AGAIN as REPEATED
from ccos_tui.present.said import LOST, SAID, SUPERSEDED
from ccos_tui.present.same import Same
from ccos_tui.present.scale import Scale

if TYPE_CHECKING:
    from ccos_core.query.overview import Overview

Cell: TypeAlias = tuple[str, str]
"""A sign one column wide, and its role."""

EIGHTHS = " ▁▂▃▄▅▆▇█"
HOTS = 5
"""Roles of heat, from `hot-1` on."""
WATCHED = "watch"
"""The lane that isn't part of the answer: the screen says what is watched."""
COMMITS = "commit"
"""One that is asked for by itself: commits are read from what was printed, which takes longer than the rest."""
AXIS = "steps"
HELD = "window"
"""Name of the rows that tell how full the agent's window was."""
LEGEND = "legend"
"""Name of rows that say what signs mean; no cursor is drawn over them."""
READING = "reading …"
CROWD = "▁▂▃▄▅▆"
"""Lower than a row, so that lanes don't run together."""
MANY = 9
"""From more than so many in one column on, a lane shows how many there are by height."""
RARE = 4
"""One column of so many may be cut for a cut to stand out; where there are more of them their lane tells it."""
CURSOR_LINE, MARK_LINE, RULE = "┃", "┊", "─"
POINTER, MARK = "▲", "A"
NUMBERED, NAMED = 140, 100
"""Columns of the screen from which on lanes have their numbers, and their names."""


@dataclass(frozen=True, slots=True)
class Sort:
    """A lane: its sign, its name, its role, and the rows of the screen from which on it is shown."""

    sign: str
    name: str
    role: str
    tall: int = 0


LANES: Mapping[str, Sort] = {
    "failure": Sort("!", "failures", "bad"),
    "error": Sort("x", "errors", "left", 36),
    "prompt": Sort("u", "prompts", "prompt"),
    "compaction": Sort("C", "compactions", "compaction"),
    "edit": Sort("e", "edits", "edit", 42),
    SAID: Sort("s", "said", "prompt", 32),
    COMMITS: Sort("*", "commits", "entered"),
    WATCHED: Sort("w", "watched", "changed"),
    "mark": Sort("b", "bookmarks", "number"),
}
"""From the gravest to the reader's own. The signs are those of `overview`."""
SELDOM = (WATCHED, COMMITS, SAID, "mark")
"""Lanes that few sessions have."""
FALL = Sort("~", "falls", "uncertain")
"""A fall stands in the lane of compactions: something left the window, and nothing says why."""
AGAIN = Sort('"', "failures", "left")
"""What is known to fail, and did so once more, stands among the failures."""
SAID_AGAIN = Sort("r", "said", "note")
SAID_LOST = Sort("L", "said", "out")
SAID_SUPERSEDED = Sort("-", "said", "changed")
SORTS: Mapping[str, Sequence[tuple[str, Sort]]] = {
    "compaction": (("compaction", LANES["compaction"]), ("fall", FALL)),
    "failure": (("failure", LANES["failure"]), ("again", AGAIN)),
    SAID: ((LOST, SAID_LOST), (SUPERSEDED, SAID_SUPERSEDED), (REPEATED, SAID_AGAIN), (SAID, LANES[SAID])),
}
"""Lane → what stands in it, each with a sign of its own, the gravest first; another lane has one sort."""


@dataclass(frozen=True, slots=True)
class Room:
    """What there is room for."""

    width: int
    gutter: int
    heat: int
    """Rows of heat, ..."""

    held: int
    """... and of the host's window."""

    lanes: tuple[str, ...]
    axis: bool

    @property
    def columns(self) -> int:
        """Columns of the strip; one on the right stays free."""
        return max(self.width - self.gutter - 1, 1)


@dataclass(frozen=True, slots=True)
class Band:
    """A row of the timeline, without what moves."""

    name: str
    label: tuple[Span, ...]
    cells: tuple[Cell, ...]
    there: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Of a lane: column → its steps."""

    sorts: Mapping[int, str] = field(default_factory=dict)
    """Of a lane with several sorts: step → which of them it is."""


@dataclass(frozen=True, slots=True)
class Stand:
    """What moves: where the reader is, the step compared with, and the first and last step the list shows."""

    cursor: int = 0
    mark: int | None = None
    view: tuple[int, int] | None = None


def room(width: int, height: int, *, lanes: bool) -> Room:
    """How much of a screen the timeline may take."""
    gutter = 20 if width >= NUMBERED else 15 if width >= NAMED else 6
    if not lanes:
        return Room(width, gutter, 1, 1 if height >= 16 else 0, (), False)
    shown = tuple(name for name, sort in LANES.items() if height >= sort.tall)
    return Room(width, gutter, 3 if height >= 40 else 2, 2 if height >= 40 else 1, shown, True)


def bands(
    overview: Overview | None,
    space: Room,
    scale: Scale,
    *,
    watched: Sequence[int] = (),
    committed: Sequence[int] = (),
    said: Mapping[str, Sequence[int]] = MappingProxyType({}),
    note: str = "",
) -> tuple[Band, ...]:
    """All rows, from the top. Lanes with nothing in them are left out."""
    if overview is not None and overview.begins:
        return (
            *_strips(Same(overview), space, scale),
            *_lane_bands({**_happened(overview, watched, committed), **said}, space, scale),
        )
    heat = _unheated(note or (READING if overview is None else "no steps yet"), space)
    awaited = _awaited(space) if overview is None and not note else ()
    return (*heat, *awaited, *_lane_bands({WATCHED: watched}, space, scale))


def line(band: Band, space: Room, scale: Scale, stand: Stand) -> tuple[Span, ...]:
    """A row as it is drawn, exactly as wide as the screen."""
    cells = _axis(scale, stand) if band.name == AXIS else _over(band, scale, stand)
    spans = [Span("".join(sign for sign, _ in group), role) for role, group in groupby(cells, key=lambda each: each[1])]
    return _exactly((*band.label, *spans), space.width)


def touched(scale: Scale, stand: Stand) -> set[int]:
    """The columns in which something of what moves stands."""
    return {scale.cell(step) for step in (stand.cursor, stand.mark) if step is not None}


def changes(watched: Any) -> list[int]:
    """The steps at which something became of a watched node, of the answer about it; of both windows in either."""
    return _changes(Same(watched))


@lru_cache(maxsize=32)
def _changes(watched: Same[Any]) -> list[int]:
    sides = [side for side in (watched.it.suggested, watched.it.agent) if side is not None]
    return sorted({run.first for side in sides for run in side.runs[1:]})


# ---- strips ----


@lru_cache(maxsize=2)
def _strips(overview: Same[Overview], space: Room, scale: Scale) -> tuple[Band, ...]:
    return tuple(_figures(overview.it, space, scale))


def _figures(overview: Overview, space: Room, scale: Scale) -> Iterable[Band]:
    heat = _sampled(overview, overview.heat, scale)
    if overview.hottest is None:
        yield from _unheated("nothing was warm", space)
    else:
        yield from _strip("heat", heat, [_hot(each, max(heat)) for each in heat], reads(max(heat)), space.heat, space)
    if overview.fullest is None or not space.held:
        return
    held = _sampled(overview, _carried(overview), scale)
    cut = {scale.cell(step) for step in overview.cliffs}
    shown = cut if len(cut) * RARE <= len(held) else ()
    roles = ["compaction" if at in shown else "link" for at in range(len(held))]
    yield from _strip(HELD, held, roles, compact(max(held)), space.held, space)


def _strip(name: str, figures: Sequence[int], roles: Sequence[str], most: str, rows: int, space: Room) -> list[Band]:
    """Figures as heights, against the largest of them; of several rows the lowest has the name."""
    top = max(figures)
    heights = [-(-len(EIGHTHS[1:]) * rows * each // top) if top else 0 for each in figures]
    made: list[Band] = []
    for at in reversed(range(rows)):
        signs = [EIGHTHS[min(max(height - 8 * at, 0), 8)] for height in heights]
        cells = tuple(zip(signs, roles, strict=True))
        made.append(Band(name, band_label("", name, "heading", most if at == 0 else "", space, shown=at == 0), cells))
    return made


def _sampled(overview: Overview, figures: Sequence[int | None], scale: Scale) -> list[int]:
    """The figure of each column of the screen; nothing behind the last step that is known."""
    known = [step for step in map(scale.step, range(scale.width)) if step <= overview.last]
    found = [figures[max(bisect_right(overview.begins, step) - 1, 0)] or 0 for step in known]
    return found + [0] * (scale.width - len(found))


def _carried(overview: Overview) -> list[int | None]:
    """How full the window was: as the host said last, until it is cut. After that nobody knows until it says it."""
    found: list[int | None] = []
    last: int | None = None
    ends = (*overview.begins[1:], overview.last + 1)
    for figure, begin, end in zip(overview.held, overview.begins, ends, strict=True):
        last = figure if figure is not None else last
        found.append(last)
        if figure is None and _any_in(overview.cliffs, begin, end):
            last = None
    return found


def _any_in(steps: Sequence[int], begin: int, end: int) -> bool:
    return bisect_right(steps, end - 1) > bisect_right(steps, begin - 1)


def _hot(figure: int, most: int) -> str:
    return f"hot-{max(-(-HOTS * figure // most), 1)}" if most else "hot-1"


# ---- lanes ----


def _happened(overview: Overview, watched: Sequence[int], committed: Sequence[int]) -> dict[str, Sequence[int]]:
    return {lane.name: lane.steps for lane in overview.lanes} | {WATCHED: watched, COMMITS: committed}


def _lane_bands(happened: Mapping[str, Sequence[int]], space: Room, scale: Scale) -> Iterable[Band]:
    for name in space.lanes:
        found = [Same(happened.get(sort, ())) for sort, _ in _sorts(name)]
        if any(each.it for each in found):
            yield _lane(name, tuple(found), space, scale)
    if space.axis:
        yield Band(AXIS, band_label("", AXIS, "quiet", compact(scale.last), space), ())


@lru_cache(maxsize=16)
def _lane(name: str, happened: tuple[Same[Sequence[int]], ...], space: Room, scale: Scale) -> Band:
    sorts = _sorts(name)
    signs = dict(sorts)
    named = {step: sort for (sort, _), steps in reversed([*zip(sorts, happened, strict=True)]) for step in steps.it}
    there = scale.cells(sorted(named))
    few, most = min(map(len, there.values())), max(map(len, there.values()))
    cells = [(" ", "")] * scale.width
    for cell, found in there.items():
        sort = next(signs[each] for each, _ in sorts if any(named[step] == each for step in found))
        cells[cell] = (_sign(sort.sign, len(found), few, most), sort.role)
    sort = LANES[name] if name in named.values() else next(signs[each] for each, _ in sorts if each in named.values())
    label = band_label(sort.sign, sort.name, sort.role, compact(len(named)), space)
    return Band(name, label, tuple(cells), there, named if len(sorts) > 1 else {})


def _sorts(name: str) -> Sequence[tuple[str, Sort]]:
    return SORTS.get(name, ((name, LANES[name]),))


def _sign(sign: str, count: int, few: int, most: int) -> str:
    """One by its sign, a few by their number, and where there are many all by their height, from fewest to most."""
    if most > MANY:
        return CROWD[(count - few) * (len(CROWD) - 1) // max(most - few, 1)]
    return sign if count == 1 else str(count)


# ---- what moves ----


def _over(band: Band, scale: Scale, stand: Stand) -> list[Cell]:
    cells = list(band.cells)
    if band.name == LEGEND:
        return cells
    for step, sign, role in ((stand.mark, MARK_LINE, "link"), (stand.cursor, CURSOR_LINE, "cursor")):
        if step is not None and cells:
            at = scale.cell(step)
            stays = at in band.there and cells[at][0] not in CROWD
            cells[at] = (cells[at][0], "mark") if stays else (sign, role)
    return cells


def _axis(scale: Scale, stand: Stand) -> list[Cell]:
    """`─────[==▲=]─ 51 ────`."""
    cells = [(RULE, "quiet")] * scale.width
    at = first = last = scale.cell(stand.cursor)
    if stand.view is not None and scale.width > 1:
        first, last = scale.cell(stand.view[0]), scale.end(stand.view[1])
        if first <= at <= last:  # around the pointer
            first, last = min(first, max(at - 1, 0)), max(last, min(at + 1, scale.width - 1))
        first = min(first, scale.width - 2)
        last = max(last, first + 1)
        cells[first : last + 1] = [("[", "link"), *[("=", "link")] * (last - first - 1), ("]", "link")]
    if stand.mark is not None:
        cells[scale.cell(stand.mark)] = (MARK, "mark")
    cells[at] = (POINTER, "cursor")
    said = f" {stand.cursor:,} "
    for begin in (max(last, at) + 1, min(first, at) - len(said), at + 1, at - len(said)):  # rather outside the bracket
        free = cells[max(begin, 0) : begin + len(said)]
        if len(free) == len(said) and all(sign in (RULE, "=") for sign, _ in free):
            cells[begin : begin + len(said)] = [(sign, "cursor") for sign in said]
            break
    return cells


# ---- words ----


def compact(number: int) -> str:
    """`9,999`, `168k`, `12M`: at most five columns."""
    if number < 10_000:
        return f"{number:,}"
    return f"{(number + 500) // 1_000}k" if number < 999_500 else f"{(number + 500_000) // 1_000_000}M"


def reads(hundredths: int) -> str:
    """`12.43`: heat in reads, at most five columns."""
    return f"{hundredths // 100}.{hundredths % 100:02}" if hundredths < 10_000 else compact(hundredths // 100)


def band_label(sign: str, name: str, role: str, number: str, space: Room, *, shown: bool = True) -> tuple[Span, ...]:
    """What stands to the left of a row, as wide as there is room for."""
    if not shown:
        return (Span(" " * space.gutter),)
    if space.gutter >= 15:
        spans = (Span(f" {sign or ' '} ", role), Span(f"{name:<11}", role), Span(f"{number:>5}", "quiet"), Span(" "))
        return spans if space.gutter >= 20 else (*spans[:2], Span(" "))
    short = {HELD: "win", AXIS: "step"}.get(name, name[:4])
    return (Span(f" {sign or short:>4} "[: space.gutter], role),)


def _awaited(space: Room) -> Iterable[Band]:
    """What most sessions have stands there from the first, empty, so that little moves when the answer comes."""
    for at in range(space.held):
        yield _blank(HELD, space, at == space.held - 1)
    for name in space.lanes:
        if name not in SELDOM:
            label = band_label(LANES[name].sign, LANES[name].name, "quiet", "", space)
            yield Band(name, label, ((" ", ""),) * space.columns)


def _unheated(said: str, space: Room) -> list[Band]:
    """Words in the place of the heat."""
    rows = [_blank("heat", space, at == space.heat - 1) for at in range(space.heat)]
    return [*rows[:-1], replace(rows[-1], cells=_text(said, space.columns))]


def _blank(name: str, space: Room, shown: bool) -> Band:
    label = band_label("", name, "heading", "", space, shown=shown)
    return Band(name, label, ((" ", ""),) * space.columns)


def _text(text: str, width: int) -> tuple[Cell, ...]:
    said = clip(" " + "".join(char if char.isascii() or char == "…" else "?" for char in clean(text)), width)
    return tuple((char, "quiet") for char in f"{said:<{width}}")


def _exactly(spans: Sequence[Span], width: int) -> tuple[Span, ...]:
    """Cut to, or filled up to, so many columns; every sign in here is one column wide."""
    cut: list[Span] = []
    left = width
    for span in spans:
        if left <= 0:
            break
        cut.append(span if len(span.text) <= left else Span(span.text[:left], span.role))
        left -= len(span.text)
    return (*cut, Span(" " * left)) if left > 0 else tuple(cut)
