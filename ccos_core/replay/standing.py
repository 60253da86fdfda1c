"""What each warm node is worth and costs, as the fold has it now, which of them a moment may have changed.

Nodes stand in a table by their numbers. What a moment touched is written there one by one; what failures give to
hundreds at a time is asked for, and `Looks` finds what became different. All nodes of a file are costed together,
because reading its text takes the time. Noted changes become rows many at a time: scores, the best of each step, and
which row of a node comes before which.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.heat_columns import scores
from ccos_core.replay.journal import GONE, NO_CAUSE, Journal
from ccos_core.replay.reaches import PRESSURE, PRIOR, TIER, UNKNOWN, Looks, Numbering, Reaches, with_room
from ccos_core.state import fold
from ccos_core.state.rules import CAUSES, Rules
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import AWAY, World
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entries
from ccos_core.window.source import Source


class Facts(fold.Facts, Protocol):
    """What is known of contents, and of how they are shown."""

    def entries(self, content: str, path: str) -> Sequence[int] | None:
        """What `window.layout.entries` counts of a content as the file at that path, by the outline that was given for
        it last; None where nobody has counted it."""


class Costs:
    """The costs in the files of one world, as they are now."""

    def __init__(self, world: World, facts: Facts) -> None:
        self._world = world
        self._facts = facts
        self._known: dict[str, Sequence[int]] = {}
        """Path → the cost of each symbol, and last that of the file itself."""

    def of(self, path: str, symbol: int) -> int:
        """What it takes to show a symbol of a file, or the file itself."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._counted(path)
        return known[symbol]  # MODULE being -1

    def forget(self, path: str) -> None:
        """The file may be another one."""
        self._known.pop(path, None)

    def _counted(self, path: str) -> Sequence[int]:
        world, nesting = self._world, self._world.graph.files[path]
        version, unknown = world.version(path), unknown_lines(world, path)
        if version is not None and version.content and not unknown and path not in world.sheets:
            known = self._facts.entries(version.content, path)
            if known is not None and len(known) == len(nesting.outline.symbols) + 1:
                return known
        return entries(Source.of(nesting, text_of(world, path, self._facts) or "", unknown))


Nodes = dict[str, None]
TOUCHED = slice(0, PRESSURE)
"""The heats that are kept by node; that of failures is asked for."""


class Standing:
    """The warm nodes."""

    def __init__(self, journal: Journal, world: World, facts: Facts, numbering: Numbering, reaches: Reaches) -> None:
        self.world = world
        self.looks = Looks(journal, numbering)
        self._numbering = numbering
        self._reaches = reaches
        self._costs = Costs(world, facts)
        self._now = self.looks.said.copy()
        """Node → what is so of it, but for the pressure on it."""
        self._warm: dict[str, int] = {}
        """The nodes of which anything was noted → their numbers."""
        self._within: dict[str, Nodes] = {}
        """Path → those of them that are in it."""
        self._anchors: Nodes = {}
        self._anew = False
        self._remember()

    def reconsider(self) -> None:
        """Other rules hold: every score is another."""
        self._anew = True

    def note(self, paths: Sequence[str]) -> None:
        """Note what may have changed, in files that were seen again and elsewhere."""
        world = self.world
        if not (paths or world.moved or world.failures.turned or world.graph.recounted or self._anew):
            self.looks.note_nothing()  # as after most ops
            return
        for path in paths:
            self._costs.forget(path)
        touched, pressed = {**world.moved}, self._reaches.take_turned()
        if world.failures.turned:
            self._find_anchors(touched)
        self._begin(touched, pressed)
        self._reread(paths, touched)
        self._recount(world.graph.recounted, touched)
        self._touch(touched)
        self._look(touched, pressed)
        for each in (world.moved, world.failures.turned, world.graph.recounted):
            each.clear()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _begin(self, touched: Nodes, pressed: Numbers) -> None:
        """Those of these nodes that were cold become warm, unless they still are."""
        self._now = with_room(self._now, len(self._numbering))
        new = [node for node in touched if node not in self._warm]
        if len(pressed):
            new += self._numbering.names(pressed[self._now[pressed, TIER] == UNKNOWN].tolist())
        for node in sorted(filter(self._is_warm, new)):
            path = path_of(node) or ""
            number = self._warm[node] = self._numbering.number(node)
            self._within.setdefault(path, {})[node] = None
            self._now = with_room(self._now, len(self._numbering))
            self._now[number, PRIOR:] = self._worth(node, path)

    def _is_warm(self, node: str) -> bool:
        world = self.world
        if node in world.heats or node in world.pinned or node in world.away:
            return True
        return node in world.failures.on and world.failures.pressure(node) > 0

    def _worth(self, node: str, path: str) -> tuple[int, int, int]:
        """Prior, cost and tier."""
        graph = self.world.graph
        at = graph.place(node, path)
        if at is None:
            return 0, 0, GONE
        prior = self.world.prior_in(graph.files[path], at, node)
        return prior, self._costs.of(path, at), self.world.tier(node, self._anchors)

    def _reread(self, paths: Iterable[str], touched: Nodes) -> None:
        """Files were seen again: what of their warm nodes is worth something else has been touched."""
        for path in paths:
            for node in self._within.get(path, ()):
                number, worth = self._warm[node], self._worth(node, path)
                if worth != tuple(self._now[number, PRIOR:].tolist()):
                    self._now[number, PRIOR:] = worth
                    touched[node] = None

    def _recount(self, nodes: Iterable[str], touched: Nodes) -> None:
        """More or fewer depend on these, or other rules hold: they have another prior, where they are there."""
        graph, warm = self.world.graph, self._warm
        for node in warm if self._anew else nodes:
            if node in warm and (at := graph.place(node, path := path_of(node) or "")) is not None:
                self._now[warm[node], PRIOR] = self.world.prior_in(graph.files[path], at, node)
                touched[node] = None

    def _touch(self, nodes: Iterable[str]) -> None:
        """These may have other heats, or stand in another tier."""
        world, now = self.world, self._now
        for node in nodes:
            if (number := self._warm.get(node)) is not None:
                now[number, TOUCHED] = world.heats.get(node, 0)
                if now[number, TIER] != GONE:
                    now[number, TIER] = world.tier(node, self._anchors)

    def _look(self, touched: Nodes, pressed: Numbers) -> None:
        """Lay down what is so now of what was touched or pressed; by other rules, of everything."""
        warm = self._warm
        if not touched and not len(pressed) and not self._anew:
            self.looks.note_nothing()
            return
        nodes = np.array([warm[node] for node in (warm if self._anew else touched) if node in warm], np.int64)
        if len(pressed):
            pressed = pressed[self._now[pressed, TIER] != UNKNOWN]
            nodes = self._reaches.each_once(np.concatenate([nodes, pressed])) if len(nodes) else pressed
        self.looks.note(nodes, self._now[nodes], self._reaches.gifts(nodes), anew=self._anew)
        self._anew = False

    def _find_anchors(self, touched: Nodes) -> None:
        now = self._felt_at()
        if now.keys() != self._anchors.keys():
            touched.update(dict.fromkeys(sorted(now.keys() ^ self._anchors.keys())))
            self._anchors = now

    def _felt_at(self) -> Nodes:
        """The nodes failures are felt at."""
        live = self.world.failures.live.values()
        return dict.fromkeys(each.anchors[0] for each in live if each.anchors)

    def _remember(self) -> None:
        """Know which nodes the journal has noted, and where failures are felt. That the tiers don't tell: what is gone,
        sent away or pinned may be such a node or not."""
        self._anchors = self._felt_at()
        noted = np.nonzero(self._now[:, TIER] != UNKNOWN)[0].tolist()
        for number, node in zip(noted, self._numbering.names(noted), strict=True):
            self._warm[node] = number
            self._within.setdefault(path_of(node) or "", {})[node] = None


class Sums:
    """What rows are worked out from, besides themselves."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        changes = journal.changes
        self._latest: Numbers = np.full(len(journal.names), -1, np.int32)
        self._latest[changes["node"]] = np.arange(len(changes), dtype=np.int32)
        self._now: Numbers = np.zeros(len(journal.names), np.int64)
        """Node → its score; 0 where it isn't there, or was sent away."""
        known = np.nonzero(self._latest >= 0)[0]
        rows = self._latest[known]
        self._now[known] = _counting(changes["score"][rows], changes["tier"][rows])
        self._best = int(self._now.max(initial=0))

    def write(self, rows: Numbers, counts: Sequence[int], rules: Rules) -> list[int]:
        """Write changes, as `Looks` has them; `counts` says how many of them each step has. Gives the best score at
        each step."""
        node, cause, prior, cost, tier = (rows[:, at] for at in (0, 1, -3, -2, -1))
        heats = [np.ascontiguousarray(rows[:, 2 + at]) for at in range(len(CAUSES))]
        score = scores(heats, np.ascontiguousarray(prior), rules.weights)
        self._make_room()
        before, here = self._before(node), _counting(score, tier)
        base = len(self.journal.changes)
        was = self._now[node]
        inside = np.nonzero(before >= base)[0]
        was[inside] = here[before[inside] - base]
        best = self._best_of(node, here, was, counts)
        self._now[node] = here
        value = np.choose(np.minimum(cause, NO_CAUSE), [*heats, np.zeros(len(rows), np.int64)])
        self.journal.changes.extend(
            node=node, cause=cause, value=value, prior=prior, cost=cost, tier=tier, score=score, before=before
        )
        return best

    def _make_room(self) -> None:
        missing = len(self.journal.names) - len(self._latest)
        if missing > 0:
            missing = max(missing, len(self._latest) // 4)
            self._latest = np.concatenate([self._latest, np.full(missing, -1, np.int32)])
            self._now = np.concatenate([self._now, np.zeros(missing, np.int64)])

    def _before(self, node: Numbers) -> Numbers:
        """Of each new row the row of the same node before it."""
        base = len(self.journal.changes)
        order = np.argsort(node, kind="stable")
        again = node[order[1:]] == node[order[:-1]]
        found = self._latest[node]
        found[order[1:][again]] = order[:-1][again] + base
        self._latest[node] = np.arange(base, base + len(node), dtype=np.int32)
        return found

    def _best_of(self, node: Numbers, here: Numbers, was: Numbers, counts: Sequence[int]) -> list[int]:
        """The best score after each step. It only falls where a node falls that had it."""
        sizes = np.asarray(counts, np.int64)
        ends = np.cumsum(sizes)
        some = np.nonzero(sizes)[0]
        begins = (ends - sizes)[some]
        risen = np.zeros(len(sizes), np.int64)
        fallen = np.zeros(len(sizes), np.int64)
        if len(some):
            risen[some] = np.maximum.reduceat(here, begins)
            fallen[some] = np.maximum.reduceat(np.where(here < was, was, 0), begins)
        done, best, found = 0, self._best, []
        for up, down, end in zip(risen.tolist(), fallen.tolist(), ends.tolist(), strict=True):
            if down and down >= best:
                self._now[node[done:end]] = here[done:end]
                done = end
                best = int(self._now.max())
            elif up > best:
                best = up
            found.append(best)
        self._best = best
        return found


def _counting(score: Numbers, tier: Numbers) -> Numbers:
    """The scores that others are measured by."""
    return np.where(tier < AWAY, score, 0)
