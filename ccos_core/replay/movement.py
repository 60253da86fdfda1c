"""Which heat moved between two steps, of which nodes and by which steps, and how warm one node was column by column.

Figures are hundredths of a read at the later step, by the node's name there: what it was called before belongs to it,
so a rename moves nothing. Both ends are worked out by columns for all nodes at once, the steps between for those asked
for. In a column of the curve a node is warmest where the column begins, where something touched it, or where other
rules came to hold; only those steps are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import NO_CAUSE
from ccos_core.replay.measure import Gauge
from ccos_core.replay.renames import END, Origin, Renames, life, renames
from ccos_core.replay.residency.entries import rows_of
from ccos_core.state.heat import total
from ccos_core.state.rules import CAUSES
from ccos_core.values.ids import escape

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.timeline import Timeline


def warmth(timeline: Timeline, node: str, at: int, columns: int) -> tuple[int, ...]:
    """The most a node's score came to in each column, in hundredths of a fresh read of a plain function at each step.

    The node is the one that is called so at a step, under all its names. With 0 columns each step has its own; there
    are no more of them than steps."""
    journal = timeline.journal
    head = journal.head
    count = min(columns or head, head)
    if not count:
        return ()
    begins = np.arange(count, dtype=np.int64) * head // count + 1
    found = np.zeros(count, np.int64)
    for name in life(timeline, node, at):
        rows = np.asarray(rows_of(journal, journal.id(name.node))[::-1], np.int64)
        steps = _looked_at(timeline, name, begins, journal.stamps[rows])
        last = np.searchsorted(journal.stamps[rows], steps, side="right") - 1
        steps, last = steps[last >= 0], last[last >= 0]
        scores = Gauge(journal).scored(steps, journal.changes["score"][rows[last]])
        np.maximum.at(found, np.searchsorted(begins, steps, side="right") - 1, scores)
    return tuple(found.tolist())


def _looked_at(timeline: Timeline, name: Name, begins: Numbers, touched: Numbers) -> Numbers:
    """The steps in the time of a name at which the node may be warmer than at any other of their column."""
    rules = timeline.journal.rules["step"].astype(np.int64)
    first = max(name.first, 1)
    steps = np.unique(np.concatenate([begins, touched.astype(np.int64), rules, [first]]))
    found: Numbers = steps[(steps >= first) & (steps <= name.last)]
    return found


COLD = (0,) * len(CAUSES)
Spans = dict[int, list[tuple[int, int]]]
"""Number of a name → from which moment on, and up to which, a node is meant by it."""


class Push(NamedTuple):
    """A step that moved heat of a node."""

    step: int
    moved: tuple[int, ...]
    """By cause, in the order of CAUSES."""


class Movement:
    """The heat that moved behind one moment and up to another."""

    def __init__(self, timeline: Timeline, first: int, last: int) -> None:
        self.timeline = timeline
        self.journal = journal = timeline.journal
        self.reads = Gauge(journal).at(last)
        self._done = Renames(renames(timeline, first, last))
        changes, begin, end = journal.changes, journal.rows(first), journal.rows(last)
        rows = np.nonzero(changes["cause"][begin:end] < NO_CAUSE)[0] + begin
        nodes = changes["node"][rows]
        seen = np.zeros(len(journal.names), bool)
        seen[nodes] = True
        self.numbers = np.nonzero(seen)[0]
        """The nodes they are of; what follows is of these, in the same order."""
        self._place = np.full(len(journal.names), -1, np.int32)
        self._place[self.numbers] = np.arange(len(self.numbers), dtype=np.int32)
        self.heats = self._heats(begin)
        now = self.heats.copy()
        places = self._place[nodes]
        _lay(now, places, changes["cause"][rows], changes["value"][rows])
        self._begin = begin
        self._last = np.full(len(self.numbers), -1, np.int64)
        """The last change of each."""
        self._last[places] = rows
        self.before, self.after = self._figures(self.heats), self._figures(now)
        self._origins = self._family()
        for node, names in self._origins.items():
            self.before[self._place[journal.id(node)]] = self._figure(self._begun(self._spans(names)))

    def most(self, limit: int) -> list[str]:
        """The nodes that moved most, by name where they moved the same; so many, or with 0 all."""
        by = self.after - self.before
        moved = np.abs(by.sum(axis=1))
        rows = np.nonzero(np.any(by != 0, axis=1))[0]
        if limit and len(rows) > limit:
            rows = rows[moved[rows] >= np.partition(moved[rows], -limit)[-limit]]
        found = [(-int(moved[row]), self.journal.name(int(self.numbers[row]))) for row in rows.tolist()]
        return [node for _, node in sorted(found)][: limit or None]

    def ends(self, node: str) -> tuple[list[int], list[int]]:
        """A node's figures by cause, before and after."""
        at = self._place[self.journal.id(node)]
        return self.before[at].tolist(), self.after[at].tolist()

    def pushes(self, node: str) -> Iterator[Push]:
        """The steps that moved it, in order; their figures add up to what moved in all."""
        spans = self._spans(self._done.origins(node))
        heats = {number: self._heat(number) for number in spans}
        before = self._figure(self._begun(spans))
        for step, changed in self._steps(spans):
            after = list(before)
            for number, cause, value in changed:
                heats[number][cause] = value
            meant = [heats[number] for number in _meant(spans, step)]
            for cause in self._touched(spans, step, changed):
                after[cause] = self.reads.of(CAUSES[cause], total(each[cause] for each in meant))
            if after != before:
                yield Push(step, tuple(now - was for was, now in zip(before, after, strict=True)))
            before = after

    # -- helpers --------------------------------------------------------------------------------------------------

    def _heats(self, upto: int) -> Numbers:
        """The heats by cause of the nodes that moved, by the first rows."""
        changes = self.journal.changes
        place = self._place[changes["node"][:upto]]
        rows = np.nonzero(place >= 0)[0]
        found = np.zeros((len(self.numbers), len(CAUSES) + 1), np.int64)
        _lay(found, place[rows], changes["cause"][:upto][rows], changes["value"][:upto][rows])
        return found

    def _figures(self, heats: Numbers) -> Numbers:
        return np.stack([self.reads.column(cause, heats[:, at]) for at, cause in enumerate(CAUSES)], axis=1)

    def _figure(self, heats: Sequence[Sequence[int]]) -> list[int]:
        """The figures of all names of a node together."""
        return list(self.reads.each([total(each) for each in zip(*heats, strict=True)] or COLD))

    def _heat(self, number: int) -> list[int]:
        """A name's heats at the beginning."""
        return list(self.heats[self._place[number], :-1].tolist())

    def _begun(self, spans: Spans) -> list[list[int]]:
        """The heats of all names by which a node was meant at the beginning."""
        return [self._heat(number) for number in _meant(spans, 0)]

    def _family(self) -> dict[str, list[Origin]]:
        """Nodes that have another name than before, or whose name another one had; with all their
        names."""
        heads = self.journal.heads if self._done.done else {}
        names = [name for path in self._done.paths for name in heads.get(escape(path), ()) if self._knows(name)]
        nodes = dict.fromkeys(each for name in names for each in (name, self._done.later(name)))
        return {node: self._done.origins(node) for node in nodes if self._knows(node)}

    def _knows(self, node: str) -> bool:
        number = self.journal.id(node)
        return number >= 0 and bool(self._place[number] >= 0)

    def _spans(self, names: Sequence[Origin]) -> Spans:
        """Number of a name → when the node was meant by it. In the moment in which one file gives a name up another may
        take it, and the journal says of a moment only how it ended."""
        found: Spans = {}
        for each in names:
            number = self.journal.id(each.node)
            if number >= 0 and self._place[number] >= 0:
                found.setdefault(number, []).append((each.after, each.upto))
        return found

    def _steps(self, spans: Spans) -> list[tuple[int, list[tuple[int, int, int]]]]:
        """(step, changes of the heat of any of these names), in order; and the steps where a name changed hands."""
        changes, ends = self.journal.changes, self.journal.steps["rows"]
        found: dict[int, list[tuple[int, int, int]]] = {
            step: [] for each in spans.values() for span in each for step in span if 0 < step < END
        }
        for number in spans:
            rows = self._rows_of(number)
            steps = np.searchsorted(ends, rows.astype(np.int32), side="right") + 1
            columns = steps, changes["cause"][rows], changes["value"][rows]
            for step, cause, value in zip(*(column.tolist() for column in columns), strict=True):
                if cause != NO_CAUSE:
                    found.setdefault(step, []).append((number, cause, value))
        return sorted(found.items())

    def _touched(self, spans: Spans, step: int, changed: list[tuple[int, int, int]]) -> Iterable[int]:
        """The causes whose figure may be another."""
        if any(step in span for each in spans.values() for span in each):
            return range(len(CAUSES))
        return dict.fromkeys(cause for _, cause, _ in changed)

    def _rows_of(self, number: int) -> Numbers:
        """The changes of a node in between, from the last one back to the first."""
        place = int(self._place[number]) if number >= 0 else -1
        row = int(self._last[place]) if place >= 0 else -1
        found, before, begin = [], self.journal.changes["before"], self._begin
        while row >= begin:
            found.append(row)
            row = int(before[row])
        return np.array(found[::-1], np.int64)


def _meant(spans: Spans, step: int) -> list[int]:
    """The names by which the node is meant at a step."""
    return [number for number, each in spans.items() if any(after <= step < upto for after, upto in each)]


def _lay(heats: Numbers, places: Numbers, causes: Numbers, values: Numbers) -> None:
    """Write values where they belong, later ones over earlier ones. Flat, for that takes half as long."""
    heats.reshape(-1)[places * np.int32(heats.shape[1]) + causes] = values
