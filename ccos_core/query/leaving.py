"""How a node left a working set and came into it: by which op, crowded out by whom, how many tokens short.

What `missing`, `last` and `next` tell alike. A file is told by that of it which stood highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.telling import Looked
from ccos_core.query.whereby import Telling
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.renames import name_at
from ccos_core.replay.residency.lens import Sampled
from ccos_core.replay.residency.order import NOWHERE, Look, budget_for, look_at, newly_above, taken_by
from ccos_core.replay.residency.runs import GONE, NOT_LOOKED_AT, STATES, WITHIN, InWorkingSet
from ccos_core.state.world import AWAY
from ccos_core.values.tokens import tokens

if TYPE_CHECKING:
    from ccos_core.query.telling import Told
    from ccos_core.replay.residency.lens import Watched
    from ccos_core.replay.residency.runs import Run
    from ccos_core.replay.timeline import Timeline

MOST_TAKERS = 5
"""Those who took a place that are named."""
REWEIGHING = (KIND_CODES["retune"], KIND_CODES["epoch"])


@dataclass(frozen=True, slots=True)
class Taker:
    """A node that ranks above another and didn't before."""

    node: str
    tokens: int
    """What it takes to show it at all, the header of its file aside."""

    rank: int
    """Its place in the order, from 1."""


@dataclass(frozen=True, slots=True)
class Eviction:
    """A node left a window."""

    step: int
    """From which step on it was out; what a look at the tree changed, it changed at its first step."""

    op: Told
    """By what: of a look the op that was about the node, or about who took its place."""

    state: str
    """What it was from there on: `out` or `gone`."""

    what: str
    """`crowded out`: others came above it. `cooled`: it is below the stop rule, for others are so much warmer. `fell`:
    heat was taken from it. `grew`: it takes more itself. `squeezed`: those above it take more. `reweighed`: other rules
    hold. `sent away`, `gone`. Of other lenses than the working set, `left`."""

    until: int | None
    """The step at which something of it was in again."""

    node: str
    """What is told of here: of a file that of it which stands highest."""

    rank: int | None
    """Its place in the order then, from 1; nothing where it was no candidate any more."""

    entry: int | None
    """The smallest budget at which it would have been in."""

    short: int | None
    """How many tokens larger than the budget that is."""

    takers: tuple[Taker, ...]
    """Those who newly stood above it, the first in the order first, ..."""

    more_takers: int
    """... and how many there were besides."""

    kept: int | None
    """How many nodes were in the window then, ..."""

    kept_tokens: int | None
    """... and what they took as they came in; the rest of the budget shows them more fully."""

    after: int | None = None
    """The last step that was looked at before `step`, where those between were not: it happened at one of these, or at
    `step`. None where it is known that it was at `step`."""


@dataclass(frozen=True, slots=True)
class Entrance:
    """A node came into a window."""

    step: int
    op: Told
    state: str
    """What it was from there on: `in`, or `partial`."""

    what: str
    """`rose`: it got warmer. `back`: it was gone, or sent away. `made room`: others left, or take less. `warm again`:
    the best is colder, so that it is above the stop rule. `reweighed`: other rules hold. Of other lenses, `came`."""

    node: str
    rank: int | None
    """Its place in the order then."""

    entry: int | None
    """The smallest budget at which it was in."""

    after: int | None = None
    """The last step that was looked at before `step`, where those between were not: it happened at one of these, or at
    `step`. None where it is known that it was at `step`."""


@dataclass(frozen=True, slots=True)
class Left:
    """Something of a node was in a window, and is not any more."""

    step: int
    state: int
    until: int | None
    """Where it is in again."""
    after: int | None = None
    """The last step looked at before, where those between were not."""


@dataclass(frozen=True, slots=True)
class Came:
    """Nothing of a node was in a window, and now something is."""

    step: int
    state: int
    after: int | None = None


def crossed(stretches: Sequence[Run]) -> tuple[list[Left], list[Came]]:
    """Where a node went out of a window, and where it went in."""
    left: list[Left] = []
    came: list[Came] = []
    for before, now in pairwise(each for each in stretches if each[2] != NOT_LOOKED_AT):
        after = before[1] if before[1] + 1 < now[0] else None
        if now[2] in WITHIN and before[2] not in WITHIN:
            came.append(Came(now[0], now[2], after))
            if left:
                left[-1] = replace(left[-1], until=now[0])
        elif before[2] in WITHIN and now[2] not in WITHIN:
            left.append(Left(now[0], now[2], None, after))
    return left, came


def looked_at(seen: Watched) -> Looked | None:
    """How much was looked at; None for windows that are known at every step."""
    residency = seen.residency
    return Looked(len(residency.looked), residency.moments) if isinstance(residency, Sampled) else None


def witness_of(timeline: Timeline, seen: Watched, budget: int) -> Witness | Bystander:
    """Return the witness that can tell most of a node in the windows of a lens."""
    if isinstance(seen.residency, InWorkingSet):
        return Witness(timeline, seen.residency, budget)
    return Bystander(timeline, seen)


class Bystander:
    """Saw that a node came and went, and by which op."""

    def __init__(self, timeline: Timeline, seen: Watched) -> None:
        self.seen = seen
        self.telling = Telling(timeline)

    def evicted(self, left: Left) -> Eviction:
        """It left."""
        node = self.seen.name(left.step)
        what = "gone" if left.state == GONE else "left"
        op = self.telling.of(left.step, node)
        nothing = (None, None, None)
        state = STATES[left.state]
        return Eviction(left.step, op, state, what, left.until, node, *nothing, (), 0, None, None, left.after)

    def entered(self, came: Came) -> Entrance:
        """It came in."""
        node = self.seen.name(came.step)
        op = self.telling.of(came.step, node)
        return Entrance(came.step, op, STATES[came.state], "came", node, None, None, came.after)


class Standing(NamedTuple):
    """Where a node stood at a step."""

    node: str
    """Itself, or of a file that of it which stood highest."""
    at: int | None
    """Its position in the order, from 0; none where it was no candidate."""
    need: int
    """What there must be room for before it is in."""

    @property
    def rank(self) -> int | None:
        """Its place, from 1."""
        return self.at + 1 if self.at is not None else None

    @property
    def entry(self) -> int | None:
        """The smallest budget at which it is in."""
        return budget_for(self.need) if self.at is not None else None


class Witness:
    """Saw why as well: one node in the working sets of one budget."""

    def __init__(self, timeline: Timeline, residency: InWorkingSet, budget: int) -> None:
        self.residency = residency
        self.budget = budget
        self.journal = timeline.journal
        self.telling = Telling(timeline)
        self._looks: dict[int, Look] = {}

    def evicted(self, left: Left) -> Eviction:
        """It left."""
        step = left.step
        now, look = self.standing(step), self.look(step)
        overtaking = self._overtaking(step, now)
        what = self._left(left, now, overtaking)
        takers = [self._taker(look, at) for at in overtaking]
        kept = look.members(self.budget)
        return Eviction(
            step=step,
            op=self.telling.of(step, takers[0].node if what == "crowded out" else now.node),
            state=STATES[left.state],
            what=what,
            until=left.until,
            node=now.node,
            rank=now.rank,
            entry=now.entry,
            short=now.entry - self.budget if now.entry is not None else None,
            takers=tuple(takers[:MOST_TAKERS]),
            more_takers=max(len(takers) - MOST_TAKERS, 0),
            kept=kept,
            kept_tokens=look.taken(kept),
        )

    def entered(self, came: Came) -> Entrance:
        """It came in."""
        now = self.standing(came.step)
        op = self.telling.of(came.step, now.node)
        return Entrance(came.step, op, STATES[came.state], self._came(came.step), now.node, now.rank, now.entry)

    def look(self, step: int) -> Look:
        """The order at a step."""
        if step not in self._looks:
            self._looks[step] = look_at(self.residency.order, step)
        return self._looks[step]

    def standing(self, step: int) -> Standing:
        """Where it stood at a step."""
        row = int(self.residency.highest.row[step])
        if row < 0 or self._place(step) == NOWHERE:
            return Standing(name_at(self.residency.names, step), None, 0)
        number = int(self.journal.changes["node"][row])
        at = self.look(step).position(number)
        return Standing(self.journal.name(number), at, int(self.look(step).needs[at]) if at is not None else 0)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _left(self, left: Left, now: Standing, overtaking: Sequence[int]) -> str:
        """What happened to it, in a word."""
        step, course = left.step, self.residency.highest
        if left.state == GONE:
            return "gone"
        if self._place(step) == NOWHERE:
            return "sent away" if self.journal.changes["tier"][course.row[step]] == AWAY else "gone"
        if self._reweighed(step):
            return "reweighed"
        fell = self._place(step) < self._place(step - 1)
        if now.at is None:
            return "fell" if fell and self._place(step - 1) >= self._least(step) else "cooled"
        if fell:
            return "fell"
        came = taken_by(self.residency.order, self.look(step), overtaking, now.at) if overtaking else 0
        own = int(course.cost[step] - course.cost[step - 1])
        others = now.need - self.standing(step - 1).need - came - own
        return max((came, "crowded out"), (own, "grew"), (others, "squeezed"), key=lambda each: each[0])[1]

    def _came(self, step: int) -> str:
        if self._reweighed(step):
            return "reweighed"
        if self._place(step - 1) == NOWHERE and self.residency.highest.row[step - 1] >= 0:
            return "back"
        if self._place(step) > self._place(step - 1):
            return "rose"
        return "warm again" if self._place(step - 1) < self._least(step - 1) else "made room"

    def _reweighed(self, step: int) -> bool:
        return int(self.journal.steps["kind"][step - 1]) in REWEIGHING

    def _overtaking(self, step: int, now: Standing) -> list[int]:
        """Positions of those who newly stand above it."""
        if now.at is None:
            return []
        return newly_above(self.look(step - 1), self.standing(step - 1).at, self.look(step), now.at)

    def _taker(self, look: Look, at: int) -> Taker:
        return Taker(self.journal.name(int(look.nodes[at])), tokens(int(look.costs[at])), at + 1)

    def _place(self, step: int) -> int:
        return int(self.residency.highest.place[step])

    def _least(self, step: int) -> int:
        return int(self.residency.order.least[step])
