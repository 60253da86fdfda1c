"""The order of a working set, in columns: which change puts a node above which other, and until when.

A place is one number: the tier, and within it the score, so that higher is nearer to the top; a node outside the order
has none. Equal places are told apart by the names of their nodes. Worked out once for a journal. `Look` is the order at
one step, and how far a budget goes in it; the part of a budget that decides is counted in parts of a token.

A floor is a place so low that no node there is in, whatever else happens for a span of steps: nodes that stand in the
order when the span begins, and lose neither place nor cost in it, stay above every node that is ever lower. Once the
costs of the highest of them fill a budget, nothing below needs a look.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.past import rules_at
from ccos_core.state.heat import BITS
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import ANCHOR, AWAY, NORMAL, PINNED
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import UNIT, tokens
from ccos_core.window.layout import opening
from ccos_core.window.working_set import SHARE


def firsts(numbers: Numbers, places: Numbers) -> Numbers:
    """Whether each of some numbers is the first of its kind among them."""
    return lasts(numbers[::-1], places)[::-1]


def lasts(numbers: Numbers, places: Numbers) -> Numbers:
    """Whether each of some numbers is the last of its kind among them."""
    every = np.arange(len(numbers))
    places[numbers] = every
    found: Numbers = places[numbers] == every
    return found


def room_in(budget: int) -> int:
    """What there is room for in a budget."""
    return budget * UNIT * SHARE[0] // SHARE[1]


def budget_for(need: int) -> int:
    """The smallest budget in which there is room for that."""
    return -(-need * SHARE[1] // (UNIT * SHARE[0]))


NOWHERE = -1
"""The place of a node that isn't in the order: gone, or sent away."""
TOP = 2**63 - 1
"""Above every place."""
ROOM = 2**61
"""Scores below this leave room for the tiers; where a clock ran wild, they are numbered in their order instead."""


class Order:
    """Columns beside those of the changes, row by row, and others by step and by node."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        changes = journal.changes
        self._levels = _levels(changes["score"])
        before = changes["before"]
        place = _placed(self._level(changes["score"]), changes["tier"], self.above_all)
        self.was = np.where(before >= 0, place[before], NOWHERE)
        """The place of the same node before."""
        self.ends, again = _ends(journal)
        """The step from which the next change of the same node holds."""
        self.was[again] = NOWHERE
        place[again] = NOWHERE
        self.recosted = np.nonzero((before >= 0) & (changes["cost"] != changes["cost"][before]))[0]
        """Rows of nodes that take more than before, or less."""
        self.place = place
        """Of several rows of a node in one moment only the first has one: they say the same of it."""
        self._record, self._highest = _records(np.where(place < self.above_all, place, NOWHERE))
        """Rows at which a place of the lowest tier is higher than all before, and these places."""
        self._special = np.nonzero(place >= self.above_all)[0]
        """Rows of the other tiers, ..."""
        self._special_ends, self._special_place = self.ends[self._special], place[self._special]
        """... with what is asked of them again and again."""
        self.least = self._least()
        """Step → what place it takes to be a candidate then."""
        self._files: dict[str, int] = {}
        self._spelled: dict[str, int] = {}
        """The same by how symbols spell them."""
        self._file_of = np.full(len(journal.names), -1, np.int32)
        self._opening = np.zeros(len(journal.names) + 1, np.int64)
        self._places = np.zeros(len(journal.names) + 1, np.int64)
        """Room to note where each file comes up."""

    @property
    def above_all(self) -> int:
        """Where the places of the second tier begin."""
        return int(self._levels[-1]) + 1 if len(self._levels) == 1 else len(self._levels)

    @property
    def ranks(self) -> Numbers:
        """Number of a node → its place among all names."""
        found: Numbers = self.journal.once("ranks", self._ranks)
        return found

    def rows(self, steps: Numbers) -> Numbers:
        """How many changes there are up to each of some steps."""
        found: Numbers = self._rows[steps]
        return found

    def alive(self, first: int, last: int, least: int) -> Numbers:
        """Rows that hold at some time from `first` on, came before `last`, and have at least that place."""
        end = self.journal.rows(max(last - 1, 0))
        first_above = int(np.searchsorted(self._highest, least))
        begin = min(int(self._record[first_above]), end) if first_above < len(self._record) else end
        near = slice(begin, end)
        rows = np.nonzero((self.place[near] >= least) & (self.ends[near] > first))[0] + begin
        far = slice(0, int(np.searchsorted(self._special, begin)))
        held = np.nonzero((self._special_ends[far] > first) & (self._special_place[far] >= least))[0]
        found: Numbers = np.concatenate([self._special[held], rows])
        return found

    def standing(self, step: int) -> Numbers:
        """The rows of all candidates at a step, the first in the order first."""
        rows = self.alive(step, step + 1, int(self.least[step]))
        ranks = self.ranks[self.journal.changes["node"][rows]]
        found: Numbers = rows[np.lexsort((ranks, -self.place[rows]))]
        return found

    def taken(self, rows: Numbers) -> Numbers:
        """What each of some nodes takes in that order: itself, and the header of its file if it is the first of it."""
        found: Numbers = self.journal.changes["cost"][rows].astype(np.int64)
        files = self.files(self.journal.changes["node"][rows])
        first = firsts(files, self._places)
        found[first] += self.openings(files[first])
        return found

    def files(self, nodes: Numbers) -> Numbers:
        """The numbers, given here, of the files nodes are in."""
        found: Numbers = self._file_of[nodes]
        if (found < 0).any():
            for node in np.sort(nodes[found < 0]).tolist():
                if self._file_of[node] < 0:
                    self._file_of[node] = self._file_with(self.journal.name(node))
            found = self._file_of[nodes]
        return found

    def file(self, path: str) -> int:
        """The number of one file."""
        if path not in self._files:
            at = self._files[path] = len(self._files)
            self._opening[at] = opening(path)
        return self._files[path]

    def openings(self, files: Numbers) -> Numbers:
        """What the headers of files take."""
        found: Numbers = self._opening[files]
        return found

    def placed(self, rows: Numbers) -> Numbers:
        """The places of rows, those that repeat another included."""
        changes = self.journal.changes
        return _placed(self._level(changes["score"][rows]), changes["tier"][rows], self.above_all)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _file_with(self, node: str) -> int:
        """The number of the file a node is in; most are symbols, and a file has many."""
        spelled = node.partition("#")[0]
        found = self._spelled.get(spelled)
        if found is None:
            found = self.file(path_of(node) or "")
            if node.startswith("sym:"):
                self._spelled[spelled] = found
        return found

    @property
    def _rows(self) -> Numbers:
        found: Numbers = self.journal.once("rows", lambda: np.concatenate([[0], self.journal.steps["rows"]]))
        return found

    def _ranks(self) -> Numbers:
        known = sorted_names(self.journal)
        found = np.empty(len(known), np.int32)
        found[known] = np.arange(len(known), dtype=np.int32)
        return found

    def _level(self, scores: Numbers) -> Numbers:
        if len(self._levels) == 1:
            return scores
        found: Numbers = np.searchsorted(self._levels, scores)
        return found

    def _least(self) -> Numbers:
        """The stop rule: what the best score is worth once halved so many times; what has no heat is never in."""
        best, rules = self.journal.steps["best"], self.journal.rules["step"]
        found = np.empty(len(best) + 1, np.int64)
        begins = [0, *rules.tolist(), len(best) + 1]
        for begin, end in pairwise(begins):
            stop = rules_at(self.journal, begin).caps["stop"]
            found[begin:end] = (np.concatenate([[0], best])[begin:end]) - (stop << BITS)
        return self._level(np.maximum(found, 1))


def order_of(journal: Journal) -> Order:
    """The order of a journal."""
    found: Order = journal.once("order", lambda: Order(journal))
    return found


def sorted_names(journal: Journal) -> list[int]:
    """The numbers of all names, in the order of the names."""
    found: list[int] = journal.once("sorted names", lambda: sorted(range(len(journal.names)), key=journal.name))
    return found


def _levels(scores: Numbers) -> Numbers:
    """All scores there are, where they leave no room for the tiers; else only the highest."""
    highest = scores.max(initial=0)
    return np.asarray([highest], np.int64) if highest < ROOM else np.unique(np.append(scores, [0, 1]))


def _placed(levels: Numbers, tiers: Numbers, above_all: int) -> Numbers:
    raised = np.asarray([2 * above_all, above_all, 0, 0, 0], np.int64)
    assert (PINNED, ANCHOR, NORMAL) == (0, 1, 2)
    found: Numbers = np.where(tiers < AWAY, levels + raised[tiers], NOWHERE)
    return found


def _records(values: Numbers) -> tuple[Numbers, Numbers]:
    """(the rows at which a value is higher than all before it, these values); the first row is one."""
    most = np.maximum.accumulate(values)
    rows = np.nonzero(np.append(True, most[1:] > most[:-1])[: len(most)])[0]
    return rows, most[rows]


def _ends(journal: Journal) -> tuple[Numbers, Numbers]:
    """(until when each row holds, the rows that repeat what one before them says of the same moment)."""
    stamps, before = journal.stamps, journal.changes["before"]
    after = np.minimum(journal.after, len(stamps))
    ends = np.append(stamps, np.int32(journal.head + 1))[after]
    again = np.nonzero((before >= 0) & (stamps[before] == stamps))[0]
    for _ in CAUSES:  # there are no more rows of a node in one moment
        ends[before[again]] = ends[again]
    return ends, again


@dataclass(frozen=True, slots=True)
class Look:
    """The candidates of a working set, the first in the order first."""

    step: int
    rows: Numbers
    """Of the changes."""
    nodes: Numbers
    files: Numbers
    """The file each is in, as the order numbers it."""
    costs: Numbers
    """What each takes at all, the header of its file aside, in parts of a token."""
    needs: Numbers
    """What there must be room for before each is in."""

    def members(self, budget: int) -> int:
        """How many are in."""
        return int(np.searchsorted(self.needs, room_in(budget), side="right"))

    def taken(self, members: int) -> int:
        """The tokens so many of them take as they come in; the rest of a budget shows them more fully."""
        return tokens(int(self.needs[members - 1])) if members else 0

    def position(self, node: int) -> int | None:
        """Where a node stands, from 0 on."""
        found = np.nonzero(self.nodes == node)[0]
        return int(found[0]) if len(found) else None


def look_at(order: Order, step: int) -> Look:
    """The order at a step."""
    rows = order.standing(step)
    changes = order.journal.changes
    nodes, costs = changes["node"][rows], changes["cost"][rows].astype(np.int64)
    return Look(step, rows, nodes, order.files(nodes), costs, np.cumsum(order.taken(rows)))


def newly_above(before: Look, was: int | None, now: Look, at: int) -> list[int]:
    """Positions of those who stand above the position `at` now, and stood not above `was` before."""
    stood = before.nodes[: was if was is not None else len(before.nodes)]
    found: list[int] = np.nonzero(~np.isin(now.nodes[:at], stood))[0].tolist()
    return found


def taken_by(order: Order, look: Look, some: Sequence[int], at: int) -> int:
    """What some of those above a position take, with the headers of files that only they are in."""
    others = np.delete(look.files[: at + 1], some)
    files = np.setdiff1d(look.files[list(some)], others)
    return int(look.costs[list(some)].sum() + order.openings(files).sum())


SPAN = 128
"""Steps of a span."""
BUDGETS = (256, 512, 1_024, 1_536, 2_048, 3_072, 4_096, 6_144, 8_192, 12_288)
"""Budgets floors are kept for; another goes by the next larger one."""


class Floors:
    """The floors of all spans, as far as somebody asked."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.rooms = np.asarray([room_in(budget) for budget in BUDGETS], np.int64)
        lowered = order.place < order.was
        lowered[order.recosted] = True
        self._lowered = np.nonzero(lowered)[0]
        """Rows of nodes that lost place, or take another amount."""
        self._marked = np.zeros(len(order.journal.names), bool)
        """Room to mark some nodes; left as it was found."""
        spans = order.journal.head // SPAN + 1
        self._floors = np.full((spans, len(self.rooms)), NOWHERE, np.int64)
        self._known = np.zeros(spans, bool)

    def at(self, steps: Numbers, room: int) -> Numbers | int:
        """The floor at each of some steps, for whoever asks about so much room."""
        column = int(np.searchsorted(self.rooms, room))
        if column == len(self.rooms):
            return NOWHERE
        spans = steps // SPAN
        needed = np.zeros(len(self._known), bool)
        needed[spans] = True
        for span in np.nonzero(needed & ~self._known)[0].tolist():
            self._floors[span] = self._floors_of(span)
            self._known[span] = True
        found: Numbers = self._floors[spans, column]
        return found

    def _floors_of(self, span: int) -> Numbers:
        """The place of the first with whom each room is more than full."""
        order, changes = self.order, self.order.journal.changes
        first, last = max(span * SPAN, 1), min(span * SPAN + SPAN - 1, order.journal.head)
        rows = order.alive(first, first + 1, int(order.least[first]))
        begin, end = order.rows(np.asarray([first, last])).tolist()
        lowered = self._lowered[slice(*np.searchsorted(self._lowered, [begin, end]).tolist())]
        if len(lowered):
            self._marked[changes["node"][lowered]] = True
            rows = rows[~self._marked[changes["node"][rows]]]
            self._marked[changes["node"][lowered]] = False
        rows = rows[np.argsort(-order.place[rows])]
        full = np.searchsorted(np.cumsum(order.taken(rows)), self.rooms, side="right")
        found: Numbers = np.append(order.place[rows], NOWHERE)[full]
        return found


def floors_of(order: Order) -> Floors:
    """The floors of an order."""
    found: Floors = order.journal.once("floors", lambda: Floors(order))
    return found


def room_above(room: int) -> int:
    """The most room for which the floors are those of this much."""
    return next((most for budget in BUDGETS if (most := room_in(budget)) >= room), 2**62)
