"""Watched nodes as rows: where in the session each was in the window, what it is at the cursor, how often it left.

A strip covers the whole session in as many cells as there is room for. Where a cell stands for several steps it shows
the state that is the rarest in the whole, so that the shortest absence can be seen; at the cursor it shows what the
node is there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size

from ccos_core.present.cells import clip, clip_path
from ccos_core.present.parts import node_name
from ccos_core.present.rows import Moment, Row, Span, clean, row
from ccos_core.present.words import STATES, is_spoken
from ccos_tui.keys import BY_THEMSELVES, Keys
from ccos_tui.present.same import Same
from ccos_tui.present.scale import Scale

if TYPE_CHECKING:
    from ccos_core.query.telling import Run

EMPTY = (
    "Nothing is watched.",
    "",
    "{watch} watches what is selected, here or in any other pane;",
    "{change-back} and {change-on} then run back and on to where it came in or left.",
)
"""What is shown where there is nothing, with the actions in place of their keys."""
ENOUGH = 20
"""Cells of a strip that is worth standing beside its name; with less room the name stands above it."""
LABEL = 7
"""Columns of `agent  `."""
BRIEF = {"unborn": "not yet", "not looked at": "not seen"}
FEWEST = 8
"""Cells of a strip, however little room there is."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A watched node and what is known of it."""

    node: str
    answer: Any = None
    """A `Watch`; None before it has come."""

    refused: str = ""
    """Why there is none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where strips stand: from which column on, in how many cells."""

    begins: int
    cells: int
    state: int
    """Columns of what it is at the cursor, ..."""

    left: int
    """... and of how often it left."""

    name: int
    """Columns of the name, where that stands beside the strip; else it stands above."""

    end: bool
    """Whether state and count stand behind the strip; else they have a line of their own."""

    def step(self, x: int, head: int) -> int | None:
        """The step of a column; None beside the strips."""
        if not self.begins <= x < self.begins + self.cells:
            return None
        return Scale(0, head, self.cells).step(x - self.begins)


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    runs: Sequence[Run]
    left: int


def rows_of(watched: Sequence[Seen], at: int, width: int, keys: Keys = BY_THEMSELVES) -> list[Row]:
    """Everything there is to see of them."""
    if not watched:
        lines = [line for each in EMPTY for line in wrap(keys.told(each), max(width - 2, 20)) or [""]]
        return [row(Span(f" {line}", "quiet")) for line in lines]
    place = place_of(watched, width)
    rows = [each for seen in watched for each in _seen(seen, at, width, place)]
    return [*rows, *_legend(watched)]


def place_of(watched: Sequence[Seen], width: int) -> Place:
    """Where the strips stand: what names and states leave over. The same wherever the cursor is."""
    lines = [line for seen in watched for line in _lines(seen)]
    label = LABEL if any(line.label for line in lines) else 0
    state = max((cell_len(_state(state).text) for line in lines for state in _there(Same(line.runs))), default=0)
    left = max((cell_len(_left(line)) for line in lines), default=0)
    ends = state + left + 3
    name = min(max(cell_len(node_name(seen.node)) for seen in watched), width * 3 // 10)
    if width - name - 2 - label - ends >= ENOUGH:
        return Place(2 + name + label, width - name - 2 - label - ends, state, left, name, end=True)
    if label and width - 1 - label - ends >= ENOUGH:
        return Place(1 + label, width - 1 - label - ends, state, left, 0, end=True)
    return Place(1 + label, max(width - 2 - label, FEWEST), state, left, 0, end=False)


def strip(runs: Sequence[Run], cells: int, at: int) -> list[Span]:
    """A strip of so many cells, the cursor's marked."""
    scale = Scale(runs[0].first, runs[-1].last, cells)
    states, cursor = list(_cells(Same(runs), scale)), scale.cell(at)
    states[cursor] = state_at(runs, at)
    spans: list[Span] = []
    for cell, state in enumerate(states):
        role = "mark" if cell == cursor else state
        sign = STATES[state][0]
        if spans and spans[-1].role == role:
            spans[-1] = Span(spans[-1].text + sign, role)
        else:
            spans.append(Span(sign, role))
    return spans


def state_at(runs: Sequence[Run], step: int) -> str:
    """What it is at a step."""
    return runs[max(bisect_right(runs, step, key=lambda run: run.first) - 1, 0)].state


def nearest(answer: Any, step: int, *, forward: bool) -> str:
    """Of both windows that in whose the next change is nearer: `working-set` or `host`; of equals the host's."""
    apart = {lens: _apart(each.runs, step, forward=forward) for lens, each in
             (("host", answer.agent), ("working-set", answer.suggested))}  # fmt: skip
    return min(apart, key=lambda lens: apart[lens])


def _apart(runs: Sequence[Run], step: int, *, forward: bool) -> int:
    """How far away the next change on that side is; farther than anything where there is none."""
    steps = [abs(run.first - step) for run in runs[1:] if (run.first > step if forward else run.first < step)]
    return min(steps, default=1 << 62)


@lru_cache(maxsize=64)
def _cells(held: Same[Sequence[Run]], scale: Scale) -> tuple[str, ...]:
    """The state of each cell."""
    total: dict[str, int] = {}
    for run in held.it:
        total[run.state] = total.get(run.state, 0) + run.last - run.first + 1
    found = [""] * scale.width
    for run in held.it:
        for cell in range(scale.cell(run.first), scale.end(run.last) + 1):
            if not found[cell] or total[run.state] < total[found[cell]]:
                found[cell] = run.state
    return tuple(found)


@lru_cache(maxsize=64)
def _there(held: Same[Sequence[Run]]) -> frozenset[str]:
    """All that it ever was."""
    return frozenset(run.state for run in held.it)


def _lines(seen: Seen) -> list[_Line]:
    """One strip, or of both windows two."""
    answer = seen.answer
    if answer is None:
        return []
    both = answer.suggested is not None and answer.agent is not None
    lines = []
    if answer.suggested is not None:
        lines.append(_Line("sugg." * both, answer.suggested.runs, answer.suggested.evicted))
    if answer.agent is not None:
        lines.append(_Line("agent" * both, answer.agent.runs, answer.agent.lost))
    return lines


def _seen(seen: Seen, at: int, width: int, place: Place) -> Iterator[Row]:
    """The rows of one node."""
    leads, node, lines = Moment(node=seen.node), seen.node, _lines(seen)
    if not lines:
        said = Span(clean(seen.refused) if seen.refused else "…", "note" if seen.refused else "quiet")
        yield Row((Span(f" {_shortened(node, max(width // 2, 1))} "), said), leads=leads)
    elif place.name:
        for line in lines:
            named = set_cell_size(_shortened(node, place.name) if line is lines[0] else "", place.name)
            yield Row((Span(f" {named} "), *_labelled(line, at, place), *_end(line, at, place)), leads=leads)
    else:
        yield from _below(node, lines, at, width, place, leads)


def _shortened(node: str, columns: int) -> str:
    """The name of a node; of a long path the end is shown, of words the beginning."""
    return (clip if is_spoken(node) else clip_path)(node_name(node), columns)


def _below(node: str, lines: Sequence[_Line], at: int, width: int, place: Place, leads: Moment) -> Iterator[Row]:
    """The strips below the name: with their ends behind them, or where there is no room, on lines of their own; that
    of a single one stands behind the name."""
    alone = len(lines) == 1 and not place.end
    end = (_state(state_at(lines[0].runs, at)), Span(f"{_left(lines[0])} ", "number")) if alone else ()
    room = width - sum(cell_len(span.text) for span in end) - 3
    yield Row((Span(f" {_shortened(node, max(room, width // 2, 1))}"),), end, leads)
    for line in lines:
        ends = _end(line, at, place)
        yield Row((Span(" "), *_labelled(line, at, place), *(ends if place.end else ())), leads=leads)
        if not place.end and not alone:
            yield Row((Span(" " * LABEL), *ends), leads=leads)


def _labelled(line: _Line, at: int, place: Place) -> list[Span]:
    label = [Span(f"{line.label:<{LABEL}}", "quiet")] if line.label else []
    return [*label, *strip(line.runs, place.cells, at)]


def _end(line: _Line, at: int, place: Place) -> tuple[Span, ...]:
    """`○ out  left 3x`."""
    state = _state(state_at(line.runs, at))
    gap = " " * (place.state - cell_len(state.text))
    return Span(" "), state, Span(f"{gap}{_left(line):>{place.left}} ", "number")


def _state(state: str) -> Span:
    """`● in`; the longest of the words is cut short, for the legend has it whole."""
    return Span(f"{STATES[state][0]} {BRIEF.get(state, STATES[state][1])}", state)


def _left(line: _Line) -> str:
    return f"  left {line.left:,}x" if line.left else ""


def _legend(watched: Sequence[Seen]) -> Iterator[Row]:
    """What the signs mean, as far as there are any."""
    there = {state for seen in watched for line in _lines(seen) for state in _there(Same(line.runs))}
    spans = [Span(f" {sign} {word} ", state) for state, (sign, word) in STATES.items() if state in there]
    if spans:
        yield Row()
        yield Row(tuple(spans))
