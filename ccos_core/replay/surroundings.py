"""What nodes stand in, as the journal has it: which are there, what uses what, what files are, what fails, what rules.

Notes after each moment what it has changed of that. Called before the warm nodes are noted, and reads their notices
without taking them away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ccos_core.replay.codes import context_of, name_of
from ccos_core.replay.columns import last_of
from ccos_core.replay.holdings import standing_of
from ccos_core.replay.journal import STATES, Journal
from ccos_core.replay.past import key_of
from ccos_core.replay.reaches import Numbering, Reach, Reaches
from ccos_core.state.failures import Key, Live
from ccos_core.state.graph import Edge
from ccos_core.state.holding import ABSENT, Standing
from ccos_core.state.host import Context
from ccos_core.state.world import World
from ccos_core.values.canon import canonical
from ccos_core.values.ids import file_node, path_of
from ccos_core.values.outcome import Failure

NOBODY = bytes(32)
CODE = {state: code for code, state in enumerate(STATES)}

Said = tuple[int, int, Reach | None]
"""The rows that say what a failure reaches, from and to, and what they were made of, where that was here."""


class Surroundings:
    """Everything but the heat of nodes, as it was noted last."""

    def __init__(self, journal: Journal, world: World, numbering: Numbering, reaches: Reaches) -> None:
        self.journal = journal
        self.world = world
        self.number = numbering.number
        self.numbers = numbering.numbers
        self._reaches = reaches
        self._nodes: dict[str, dict[str, None]] = {}
        """Path → the nodes that are there."""
        self._uses: dict[str, dict[Edge, int]] = {}
        """Path → its edges → how often each is used there."""
        self._keys: dict[Key, int] = {}
        """The numbers of failures' keys."""
        self._reach: dict[int, Said] = {}
        """Number of a failure's key → the rows of what it reaches."""
        self._told: dict[int, tuple[tuple[Failure, tuple[str, ...]], int]] = {}
        """Number of a failure's key → what it says and where it is felt, and the number of that."""
        self._pages: dict[str, tuple[int, int]] = {}
        self._known_versions: dict[str, int] = {}
        self._held: dict[Context, dict[str, Standing]] = {}
        """How what each context holds stands there."""
        self._remember()

    def note(self, step: int) -> list[str]:
        """Note what has changed; gives the paths that were read again."""
        world = self.world
        paths = sorted(world.reread)  # not as they came: nobody is to see when somebody asked
        if paths:
            self._note_there(step, paths)
            self._note_versions(paths)
        if world.graph.rewired:
            self._note_uses(step)
        if world.failures.turned:
            for key in sorted(world.failures.turned):
                self._note_failure(step, key, world.failures.live.get(key))
        if world.pinned or world.away or self._pages:
            self._note_pages(step)
        if world.hosts.moved:
            self._note_held(step)
        world.reread.clear()
        world.graph.rewired.clear()
        world.hosts.moved.clear()
        return paths

    def note_rules(self, step: int) -> None:
        """Other rules hold from a step on."""
        rules, pins = self.world.rules, self.world.pins
        told = [dict(rules.ticks), dict(rules.weights), dict(rules.caps), [[at, each] for at, each in pins[-1:]]]
        self.journal.rules.add(step, self.journal.tell([told, list(self.world.paced)]))

    def note_again(self, solid: Mapping[str, int]) -> None:
        """What was noted behind there is to be noted anew."""
        journal, world = self.journal, self.world
        for number in journal.versions["path"][solid["versions"] :].tolist():
            world.reread[path_of(journal.name(number)) or ""] = None
        for number in dict.fromkeys(journal.uses["file"][solid["uses"] :].tolist()):
            world.graph.rewired[path_of(journal.name(number)) or ""] = None
        held = journal.held
        for context, item in zip(*(held[each][solid["held"] :].tolist() for each in ("context", "item")), strict=True):
            world.hosts.moved.setdefault(context_of(journal.name(context)), {})[journal.name(item)] = None
        for row in range(solid["failures"], len(journal.failures)):
            world.failures.turned[key_of(journal, row)] = None
        for number in journal.pages["node"][solid["pages"] :].tolist():
            world.moved[journal.name(number)] = None  # what was pinned and isn't there has no change that tells of it

    # -- helpers --------------------------------------------------------------------------------------------------

    def _note_there(self, step: int, paths: Iterable[str]) -> None:
        rows: list[tuple[int, int, int]] = []
        for path in paths:
            nesting = self.world.graph.files.get(path)
            now = dict.fromkeys((nesting.file, *nesting.nodes)) if nesting is not None else {}
            before = self._nodes.get(path, {})
            self._nodes[path] = now
            if now.keys() == before.keys():
                continue
            rows += [(step, number, 0) for number in self.numbers(sorted(node for node in before if node not in now))]
            rows += [(step, number, 1) for number in self.numbers(node for node in now if node not in before)]
        self.journal.there.add_all(rows)

    def _note_versions(self, paths: Iterable[str]) -> None:
        rows: list[tuple[int, int, bytes, int]] = []
        for path in paths:
            number = self.number(file_node(path))
            known = self._known_versions.get(path, 0)
            for version in self.world.versions[path]:
                if version.step > known:
                    content = bytes.fromhex(version.content) if version.content else NOBODY
                    rows.append((version.step, number, content, self.number(version.why)))
            self._known_versions[path] = self.world.versions[path][-1].step
        rows.sort(key=lambda row: row[0])
        self.journal.versions.add_all(rows)

    def _note_uses(self, step: int) -> None:
        rows: list[tuple[int, ...]] = []
        for path in sorted(self.world.graph.rewired):
            now = self.world.graph.counts.get(path, {})
            before = self._uses.get(path, {})
            gone = [(*edge, 0) for edge in before if edge not in now]
            new = [(*edge, count) for edge, count in now.items() if before.get(edge) != count]
            file = self.number(file_node(path))
            number = self.number
            rows += [(step, file, number(a), number(b), number(role), n) for a, b, role, n in sorted(gone + new)]
            if now:
                self._uses[path] = now
            else:
                self._uses.pop(path, None)
        self.journal.uses.add_all(rows)

    def _note_failure(self, step: int, key: Key, live: Live | None) -> None:
        if key not in self._keys:
            self._keys[key] = self.number(canonical(list(key)).decode())
        number = self._keys[key]
        failures = self.journal.failures
        reach = self._reaches.turn(key, live)
        if live is None or reach is None:
            self._told.pop(number, None)
            if self._reach.pop(number, None) is not None:
                failures.add(step, number, -1, 0, 0, 0, 0, 0)
            return
        begin, end = self._reached(number, reach)
        failures.add(step, number, self._tell(number, live), live.since, live.step, live.unit, begin, end)

    def _tell(self, number: int, live: Live) -> int:
        """The number of what a failure says; it goes on saying the same, as a rule."""
        failure, anchors = said = live.failure, live.anchors
        known = self._told.get(number)
        if known is None or known[0] != said:
            frames = [[frame.path, frame.line, frame.name] for frame in failure.frames]
            told = [failure.runner, failure.test, frames, failure.message, failure.part]
            known = self._told[number] = said, self.journal.tell([told, list(anchors)])
        return known[1]

    def _reached(self, number: int, reach: Reach) -> tuple[int, int]:
        """The rows that say what a failure reaches; those it had, if it reaches what it reached."""
        known = self._reach.get(number)
        if known is None or not self._is_said(reach, known):
            reached, begin = self.journal.reached, len(self.journal.reached)
            reached.extend(node=reach.nodes, strength=reach.strengths)
            known = begin, len(reached), reach
        begin, end, _ = known
        self._reach[number] = begin, end, reach
        return begin, end

    def _is_said(self, reach: Reach, known: Said) -> bool:
        begin, end, said = known
        if said is reach:
            return True
        reached = self.journal.reached
        return np.array_equal(reached["node"][begin:end], reach.nodes) and np.array_equal(
            reached["strength"][begin:end], reach.strengths
        )

    def _note_pages(self, step: int) -> None:
        pinned, away, pages = self.world.pinned, self.world.away, self._pages
        for node in sorted([node for node in self.world.moved if node in pinned or node in away or node in pages]):
            now = pinned.get(node, 0), away.get(node, 0)
            if now != self._pages.get(node, (0, 0)):
                self._pages[node] = now
                self.journal.pages.add(step, self.number(node), *now)

    def _note_held(self, step: int) -> None:
        for context, items in sorted(self.world.hosts.moved.items()):
            self._note_held_by(step, context, sorted(items))

    def _note_held_by(self, step: int, context: Context, items: Iterable[str]) -> None:
        known = self._held.setdefault(context, {})
        states = self.world.hosts.held(context).states(items)
        changed = [(item, now) for item, now in states if now != known.get(item, ABSENT)]
        if changed:
            known.update(changed)
            number, whose = self.number, self.number(name_of(context))
            rows = [(step, whose, number(item), CODE[state], size, at) for item, (state, size, at) in changed]
            self.journal.held.add_all(rows)

    def _remember(self) -> None:
        """Know what the journal says of everything last."""
        journal = self.journal
        for at in last_of(journal.there["node"]).tolist():
            if journal.there["there"][at]:
                node = journal.name(int(journal.there["node"][at]))
                self._nodes.setdefault(path_of(node) or "", {})[node] = None
        uses = journal.uses
        for at in last_of(uses["owner"], uses["target"], uses["role"]).tolist():
            file, owner, target, role = (journal.name(int(uses[name][at])) for name in list(uses.columns)[1:5])
            if count := int(uses["count"][at]):
                self._uses.setdefault(path_of(file) or "", {})[owner, target, role] = count
        failures = journal.failures
        for at in last_of(failures["key"]).tolist():
            if failures["told"][at] >= 0:
                self._reach[int(failures["key"][at])] = int(failures["begin"][at]), int(failures["end"][at]), None
        pages = journal.pages
        for at in last_of(pages["node"]).tolist():
            self._pages[journal.name(int(pages["node"][at]))] = int(pages["pinned"][at]), int(pages["away"][at])
        held = journal.held
        for at in last_of(held["context"], held["item"]).tolist():
            known = self._held.setdefault(context_of(journal.name(int(held["context"][at]))), {})
            known[journal.name(int(held["item"][at]))] = standing_of(journal, at)
        for at in last_of(journal.versions["path"]).tolist():
            path = path_of(journal.name(int(journal.versions["path"][at]))) or ""
            self._known_versions[path] = int(journal.versions["step"][at])
