"""Why what was in a window isn't in it any more, or what is in it wasn't: as far as that can be told from both ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.query.telling import Told
from ccos_core.query.whereby import Telling, lowered, raised, step_of
from ccos_core.replay.journal import GONE
from ccos_core.replay.residency.lens import WORKING_SET
from ccos_core.state.heat import within
from ccos_core.state.world import ANCHOR, AWAY, NORMAL
from ccos_core.values.tokens import tokens
from ccos_core.window.around import candidates
from ccos_core.window.working_set import SHARE, admitting

if TYPE_CHECKING:
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.linearize import Item, Place

WHY = {
    "gone": "it isn't there any more",
    "sent away": "somebody sent it away",
    "cold": "nothing presses on it any more",
    "cooled": "what matters more left it below the stop rule",
    "crowded out": "what matters more took its room",
    "not linked": "nothing leads there any more",
    "outranked": "the text is more about others",
}
"""Why a node isn't in, and what that means."""


class Seen(NamedTuple):
    """What there is to know of a window where its text doesn't matter."""

    lens: str
    """As the window spells it."""
    budget: int
    tokens: int
    items: Sequence[Item | Place]
    short: Mapping[str, int]
    """Near miss → tokens that the budget lacks for it, as far as that was worked out with the window."""


class Departures:
    """Two moments, and the window of the later one."""

    def __init__(self, timeline: Timeline, before: Moment, now: Moment, seen: Seen, telling: Telling) -> None:
        self.timeline = timeline
        self.before = before
        self.now = now
        self.seen = seen
        self.telling = telling
        self._since = timeline.journal.rows(before.last)
        self._taking = iter(now.taking())
        self._room = admitting(seen.budget)
        """What is left for who comes next in the order of the window."""
        self._left: dict[str, int] = {}
        """Node → what is left behind it, as far as it was looked up."""
        self._moved: dict[str, int] = {}
        """Node → the step by which it came up or went down in the order; 0 where it didn't in between."""

    def have_ready(self, entered: Sequence[str], left: Sequence[str], steps: Iterable[int]) -> None:
        """Prepare for questions by which op each of some nodes came up, why others aren't in any more, and for the
        ops of these steps."""
        cold = [node for node in left if self.seen.lens == WORKING_SET and self._is_cold(node)]
        for nodes, turned in ((entered, raised), (cold, lowered)):
            rows = [self.now.row(node) for node in nodes]
            found = zip(nodes, turned(self.timeline.journal, rows, self._since), strict=True)
            self._moved |= {node: step_of(self.timeline, step, node) if step else 0 for node, step in found}
        self.telling.have_ready([*filter(None, self._moved.values()), *steps])

    def mover(self, node: str) -> Told | None:
        """The last op in between by which a node itself came up in the order, or where it has left, went down."""
        step = self._moved[node]
        return self.telling.at(step) if step else None

    def why(self, node: str) -> tuple[str, int | None, Told | None]:
        """(word, tokens short, op) of a node that isn't in at the later moment."""
        if self.seen.lens == WORKING_SET:
            return self._unranked(node)
        if self.now.find(node) is None:
            return self._gone(node)
        if node in self.seen.short:
            return "crowded out", self.seen.short[node], None
        return self._unlinked(node)

    def _is_cold(self, node: str) -> bool:
        """Whether nothing presses on it; what has come again is cold, or has another name."""
        tier, score = self._stands(node)
        return not score and (tier == NORMAL or (tier == GONE and self.now.find(node) is not None))

    def _stands(self, node: str) -> tuple[int, int]:
        """Its tier and its score."""
        changes, row = self.timeline.journal.changes, self.now.row(node)
        return (int(changes["tier"][row]), int(changes["score"][row])) if row >= 0 else (GONE, 0)

    def _gone(self, node: str) -> tuple[str, int | None, Told | None]:
        return "gone", None, self._turned("there", "there", node, 0)

    def _unranked(self, node: str) -> tuple[str, int | None, Told | None]:
        """By the journal: of what is warm it says that it is there, so no file is read for that."""
        tier, score = self._stands(node)
        if tier == GONE and self.now.find(node) is None:
            return self._gone(node)
        if self._is_cold(node):
            return "cold", None, self.mover(node)
        if tier == AWAY:
            return "sent away", None, self._turned("pages", "pinned", node, 0)
        if tier <= ANCHOR:
            return "crowded out", self._lacking(node), None
        if not within(score, self.now.ranking()[0], self.now.rules.caps["stop"]):
            return "cooled", None, None
        return "crowded out", self._lacking(node), None

    def _unlinked(self, node: str) -> tuple[str, int | None, Told | None]:
        if not self.seen.lens.startswith("around:"):
            return "outranked", None, None
        return ("crowded out" if node in self._linked else "not linked"), None, None

    def _turned(self, table: str, column: str, node: str, value: int) -> Told | None:
        """The last op in between at which a table of the journal says that of a node."""
        rows = getattr(self.timeline.journal, table)
        begin, end = rows.upto(self.before.last), rows.upto(self.now.last)
        number = self.timeline.journal.id(node)
        found = np.nonzero((rows["node"][begin:end] == number) & (rows[column][begin:end] == value))[0]
        return self.telling.of(int(rows["step"][begin + int(found[-1])]), node) if len(found) else None

    def _lacking(self, node: str) -> int | None:
        """The tokens the budget lacks for a node that the stop rule lets in; looked for as far as it is."""
        while node not in self._left:
            further, taken = next(self._taking, (None, 0))
            if further is None:
                return None
            self._room -= taken
            self._left[further] = self._room
        return max(0, tokens(-(self._left[node] * SHARE[1] // SHARE[0])))

    @cached_property
    def _linked(self) -> dict[str, None]:
        """All that the window could be made of, had it room."""
        now, node = self.now, self.timeline.node(self.seen.lens.removeprefix("around:"), self.now.step)
        there = now.find(node)
        if there is None:
            return {}
        source = now.source(there.path)
        inside = {source.node(at) for at in source.inside(there.symbol)}
        linked = [
            each.source.node(each.symbol)
            for each in candidates(now.source, now.links(there.path), there.path, there.symbol)
        ]
        pressed = now.failures.pressed(lambda live: not inside.isdisjoint(live.anchors))
        return dict.fromkeys((*linked, *pressed))
