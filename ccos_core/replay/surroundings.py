"""What nodes stand in, as the journal has it: which are there, what uses what, what files are, what fails, what rules.

Notes after each moment what it has changed of that. Called before the warm nodes are noted, and reads their notices
without taking them away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ccos_core.replay.codes import name_of
from ccos_core.replay.columns import Numbers, Table
from ccos_core.replay.journal import STATES, Journal
from ccos_core.state.failures import Key, Live
from ccos_core.state.fold import Facts
from ccos_core.state.graph import Edge
from ccos_core.state.holding import OUT
from ccos_core.state.host import Context
from ccos_core.state.world import World
from ccos_core.values.canon import canonical, parse
from ccos_core.values.ids import file_node, path_of

NOBODY = bytes(32)
STATE_CODES = {state: code for code, state in enumerate(STATES)}
NOT_HELD = (STATE_CODES[OUT], 0, 0)


class Surroundings:
    """Everything but the heat of nodes, as it was noted last."""

    def __init__(self, journal: Journal, world: World, facts: Facts) -> None:
        self.journal = journal
        self.world = world
        self.facts = facts
        self._ids = journal.ids
        self._nodes: dict[str, dict[str, None]] = {}
        """Path → the nodes that are there."""
        self._uses: dict[str, dict[Edge, int]] = {}
        """Path → its edges → how often each is used there."""
        self._reach: dict[int, tuple[int, int]] = {}
        """Number of a failure's key → the rows of what it reaches."""
        self._pages: dict[str, tuple[int, int]] = {}
        self._known_versions: dict[str, int] = {}
        self._held: dict[Context, dict[str, tuple[int, int, int]]] = {}
        """What each context holds: the code of its state, tokens, and the step of the delivery."""
        self._remember()

    def number(self, name: str) -> int:
        """The number of a name, a new one if it has none."""
        at = self._ids.get(name)
        if at is None:
            at = self._ids[name] = self.journal.names.add(name.encode("utf-8", "surrogatepass"))
        return at

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
            host, session, name = parse(journal.name(context).encode("utf-8", "surrogatepass"))
            world.hosts.moved[(host, session, name), journal.name(item)] = None
        for number in journal.failures["key"][solid["failures"] :].tolist():
            runner, test, part = parse(journal.name(number).encode("utf-8", "surrogatepass"))
            world.failures.turned[runner, test, part] = None

    # -- helpers --------------------------------------------------------------------------------------------------

    def _note_there(self, step: int, paths: Iterable[str]) -> None:
        rows: list[tuple[int, ...]] = []
        for path in paths:
            nesting = self.world.graph.files.get(path)
            now = dict.fromkeys((file_node(path), *nesting.nodes)) if nesting is not None else {}
            before = self._nodes.get(path, {})
            rows += [(step, self.number(node), 0) for node in sorted(before) if node not in now]
            rows += [(step, self.number(node), 1) for node in now if node not in before]
            self._nodes[path] = now
        self._extend(self.journal.there, rows)

    def _note_versions(self, paths: Iterable[str]) -> None:
        versions = self.journal.versions
        rows = []
        for path in paths:
            number = self.number(file_node(path))
            known = self._known_versions.get(path, 0)
            for version in self.world.versions[path][known:]:
                content = bytes.fromhex(version.content) if version.content else NOBODY
                rows.append((version.step, number, content, self.number(version.why)))
            self._known_versions[path] = len(self.world.versions[path])
        rows.sort(key=lambda row: row[0])
        if rows:
            contents = np.frombuffer(b"".join(content for _, _, content, _ in rows), "V32")
            steps, numbers, whys = zip(*((step, number, why) for step, number, _, why in rows), strict=True)
            versions.extend(step=steps, path=numbers, content=contents, why=whys)

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
        self._extend(self.journal.uses, rows)

    def _note_failure(self, step: int, key: Key, live: Live | None) -> None:
        number = self.number(canonical(list(key)).decode())
        failures = self.journal.failures
        if live is None:
            if self._reach.pop(number, None) is not None:
                failures.add(step, number, -1, 0, 0, 0, 0, 0)
            return
        begin, end = self._reached(number, live.strengths)
        failure = live.failure
        frames = [[frame.path, frame.line, frame.name] for frame in failure.frames]
        said = [failure.runner, failure.test, frames, failure.message, failure.part]
        told = self.journal.tell([said, list(live.anchors)])
        failures.add(step, number, told, live.since, live.step, live.unit, begin, end)

    def _reached(self, number: int, strengths: Mapping[str, int]) -> tuple[int, int]:
        """The rows that say what a failure reaches; those it had, if it reaches what it reached."""
        reached = self.journal.reached
        nodes = np.array([self.number(node) for node in strengths], np.int32)
        parts = np.array(list(strengths.values()), np.int32)
        begin, end = self._reach.get(number, (0, 0))
        same = end - begin == len(nodes) and number in self._reach
        if not same or not (
            np.array_equal(reached["node"][begin:end], nodes) and np.array_equal(reached["strength"][begin:end], parts)
        ):
            begin = len(reached)
            reached.extend(node=nodes, strength=parts)
            end = len(reached)
        self._reach[number] = begin, end
        return begin, end

    def _note_pages(self, step: int) -> None:
        pinned, away = self.world.pinned, self.world.away
        for node in sorted(self.world.moved):
            now = pinned.get(node, 0), away.get(node, 0)
            if now != self._pages.get(node, (0, 0)):
                self._pages[node] = now
                self.journal.pages.add(step, self.number(node), *now)

    def _note_held(self, step: int) -> None:
        rows: list[tuple[int, ...]] = []
        for context, item in sorted(self.world.hosts.moved):
            state, tokens, delivered = self.world.hosts.held(context).state(item)
            now = STATE_CODES[state], tokens, delivered
            known = self._held.setdefault(context, {})
            if now != known.get(item, NOT_HELD):
                known[item] = now
                rows.append((step, self.number(name_of(context)), self.number(item), *now))
        self._extend(self.journal.held, rows)

    def _extend(self, table: Table, rows: list[tuple[int, ...]]) -> None:
        if rows:
            table.extend(**dict(zip(table.columns, zip(*rows, strict=True), strict=True)))

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
                self._reach[int(failures["key"][at])] = int(failures["begin"][at]), int(failures["end"][at])
        pages = journal.pages
        for at in last_of(pages["node"]).tolist():
            self._pages[journal.name(int(pages["node"][at]))] = int(pages["pinned"][at]), int(pages["away"][at])
        held = journal.held
        for at in last_of(held["context"], held["item"]).tolist():
            host, session, name = parse(journal.name(int(held["context"][at])).encode("utf-8", "surrogatepass"))
            known = self._held.setdefault((host, session, name), {})
            known[journal.name(int(held["item"][at]))] = (
                int(held["state"][at]),
                int(held["tokens"][at]),
                int(held["delivered"][at]),
            )
        for number, count in zip(*np.unique(journal.versions["path"], return_counts=True), strict=True):
            self._known_versions[path_of(journal.name(int(number))) or ""] = int(count)


def last_of(*keys: Numbers) -> Numbers:
    """The last row of each key, in the order of the rows."""
    size = len(keys[0])
    order = np.lexsort((np.arange(size), *keys[::-1]))
    changes = np.zeros(size, bool)
    for key in keys:
        inner = key[order]
        changes[:-1] |= inner[1:] != inner[:-1]
    if size:
        changes[-1] = True
    return np.sort(order[changes])
