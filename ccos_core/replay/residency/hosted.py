"""The residency of a node in the windows a host's conversation really had: what it held, and what of ours it got.

Both know no budget. What was never shown to a context is not there yet for it, whether or not it is in the graph; what
it was shown once and doesn't hold any more is out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import STATES, Journal
from ccos_core.replay.measure import standing_of
from ccos_core.replay.residency import runs
from ccos_core.replay.residency.runs import presence
from ccos_core.state import holding
from ccos_core.state.holding import ABSENT, Standing
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.timeline import Timeline

SEEN_AS = {
    holding.OUT: runs.OUT,
    holding.IN: runs.IN,
    holding.PATCHED: runs.IN,
    holding.PARTIAL: runs.PARTIAL,
    holding.STALE: runs.STALE,
    holding.UNCERTAIN: runs.UNCERTAIN,
}
"""How an item is held → what that is in a strip. What an edit showed is in."""
CODES = tuple(SEEN_AS[state] for state in STATES)
"""The same by the number the journal has for it."""
NONE = -1
"""No row: nothing was held under that name."""


class Hosted:
    """What one context held of a node, at every step."""

    def __init__(self, journal: Journal, names: Sequence[Name], context: int) -> None:
        self.journal = journal
        self.names = names
        self.context = context

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """Its state at each of these steps, whatever the budget."""
        return self._whole[first : last + 1]

    def standing(self, step: int) -> Standing:
        """How it is held at a step."""
        row = self.row(step)
        return standing_of(self.journal, row) if row != NONE else ABSENT

    def row(self, step: int) -> int:
        """The row of the journal that says so; `NONE` where nothing does."""
        begins, rows = self._rows
        at = bisect_right(begins, step) - 1
        return rows[at] if at >= 0 else NONE

    def lately(self, step: int) -> tuple[int, int, int]:
        """(its state at a step, since when, the state before), for who knows that it is in the graph all that time."""
        begins, rows = self._rows
        at = bisect_right(begins, step) - 1
        states = self._spelled(rows[: at + 1])
        while at and states[at - 1] == states[at]:
            at -= 1
        return (states[at], begins[at], states[at - 1] if at else runs.UNBORN) if states else (runs.UNBORN, 0, 0)

    @property
    def course(self) -> list[tuple[int, int]]:
        """(step, from there on its state), in order."""
        begins, rows = self._rows
        return list(zip(begins, self._spelled(rows), strict=True))

    # -- helpers --------------------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> tuple[list[int], list[int]]:
        """(steps, from each of them on the row that counts), whatever it was called."""
        begins, rows = [], []
        for name in self.names:
            own = _rows_of(self.journal, self.context, self.journal.id(name.node))
            steps = self.journal.held["step"][own]
            first, last = np.searchsorted(steps, np.array([name.first, name.last], np.int32), side="right").tolist()
            begins += [name.first, *steps[first:last].tolist()]
            rows += [int(own[first - 1]) if first else NONE, *own[first:last].tolist()]
        return begins, rows

    def _spelled(self, rows: Sequence[int]) -> list[int]:
        """What rows say, as states of a strip; what never was held before is not there yet."""
        states = self.journal.held["state"]
        found, ever = [], False
        for row in rows:
            state = CODES[int(states[row])] if row != NONE else runs.OUT
            ever = ever or state != runs.OUT
            found.append(state if ever else runs.UNBORN)
        return found

    @cached_property
    def _whole(self) -> Numbers:
        begins, rows = self._rows
        return _with_presence(self.journal, self.names, _spread(begins, self._spelled(rows), self.journal.head))


class Graph:
    """Which nodes are in the graph at a step. A context may hold the text of one that isn't any more."""

    def __init__(self, journal: Journal, step: int) -> None:
        self._journal = journal
        self._there = np.zeros(len(journal.names), bool)
        upto = journal.there.upto(journal.last_moment(step))
        self._there[journal.there["node"][:upto]] = journal.there["there"][:upto]

    def lacks(self, node: str) -> bool:
        """Whether a node of the code isn't there; what is no code never was in it."""
        number = self._journal.id(node)
        return node.startswith(("file:", "sym:")) and not (number >= 0 and self._there[number])


class Handed(NamedTuple):
    """A window of ours that went to a context."""

    step: int
    lens: str
    budget: int
    items: tuple[tuple[str, str, int], ...]
    """Node, level, tokens."""


class Delivered:
    """Whether the last window of ours that a context was handed had a node in it, at every step. A file is in when it
    is an item itself, and partial when only symbols of it are."""

    def __init__(self, timeline: Timeline, names: Sequence[Name], context: int) -> None:
        self.journal = timeline.journal
        self.names = names
        self.context = context
        self._handed = handed(timeline, context)

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """Its state at each of these steps."""
        return self._whole[first : last + 1]

    def standing(self, step: int) -> Standing:
        """How it was shown at a step; the step is that of the window."""
        at = bisect_right(self._handed, step, key=lambda each: each.step)
        return self._shown(self._handed[at - 1], step) if at else ABSENT

    # -- helpers --------------------------------------------------------------------------------------------------

    @cached_property
    def _whole(self) -> Numbers:
        begins = sorted({*(each.step for each in self._handed), *(name.first for name in self.names)})
        states, ever = [], False
        for step in begins:
            state = SEEN_AS[self.standing(step).state]
            ever = ever or state != runs.OUT
            states.append(state if ever else runs.UNBORN)
        return _with_presence(self.journal, self.names, _spread(begins, states, self.journal.head))

    def _shown(self, window: Handed, step: int) -> Standing:
        """How a window that was handed out earlier shows it, by the name it had then."""
        node = next(name.node for name in self.names if name.first <= window.step <= name.last)
        own = [tokens for item, _, tokens in window.items if item == node]
        if own:
            return Standing(holding.IN, sum(own), window.step)
        path = path_of(node) if node.startswith("file:") else None
        parts = [tokens for item, _, tokens in window.items if path is not None and path_of(item) == path]
        return Standing(holding.PARTIAL, sum(parts), window.step) if parts else ABSENT


def handed(timeline: Timeline, context: int) -> list[Handed]:
    """The windows of ours that a context was handed, in order."""
    known: dict[int, list[Handed]] = timeline.journal.once("handed", lambda: _all_handed(timeline))
    return known.get(context, [])


def _all_handed(timeline: Timeline) -> dict[int, list[Handed]]:
    """Context → the windows."""
    steps = timeline.journal.steps
    found: dict[int, list[Handed]] = {}
    for step in (np.nonzero(steps["kind"] == KIND_CODES["recall"])[0] + 1).tolist():
        op: dict[str, Any] = dict(timeline.op(step))
        items = tuple((node, level, tokens) for node, level, tokens in op["items"])
        window = Handed(step, str(op["lens"]), int(op["budget"]), items)
        found.setdefault(int(steps["context"][step - 1]), []).append(window)
    return found


def _rows_of(journal: Journal, context: int, item: int) -> Numbers:
    """The rows that say how a context holds an item, in order."""
    known: dict[int, tuple[Numbers, Numbers]] = journal.once("held by item", dict)
    if context not in known:
        rows = np.nonzero(journal.held["context"] == context)[0]
        rows = rows[np.argsort(journal.held["item"][rows], kind="stable")]
        known[context] = rows, journal.held["item"][rows]
    rows, items = known[context]
    begin, end = np.searchsorted(items, np.array([item, item + 1], items.dtype)).tolist()
    return rows[begin:end]


def _spread(begins: Sequence[int], states: Sequence[int], head: int) -> Numbers:
    """A state for each step, of those that hold from some steps on."""
    found = np.full(head + 1, runs.UNBORN, np.uint8)
    for at, (begin, state) in enumerate(zip(begins, states, strict=True)):
        found[begin : begins[at + 1] if at + 1 < len(begins) else head + 1] = state
    return found


def _with_presence(journal: Journal, names: Sequence[Name], found: Numbers) -> Numbers:
    """What isn't in the graph any more is gone, whatever is still held of it."""
    found[presence(journal, names) == runs.GONE] = runs.GONE
    return found
