"""Write the journal: look at a world after each moment, and note what changed, of the nodes and of what they stand in.

A moment is closed when the next one begins, because only then nothing can be added to it. For a question in between
the last look is written as well; should it go on, that is taken back and written anew. Surroundings (which nodes are
there, edges, files, failures, rules) are noted before the warm nodes, and leave the notices these need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.codes import Code, code_of, context_of, name_of
from ccos_core.replay.columns import last_of
from ccos_core.replay.journal import STATES, Journal
from ccos_core.replay.measure import standing_of
from ccos_core.replay.past import key_of
from ccos_core.replay.reaches import Numbering, Reach, Reaches
from ccos_core.replay.standing import Facts, Standing, Sums
from ccos_core.state.failures import Key, Live
from ccos_core.state.fold import is_looking
from ccos_core.state.graph import Edge
from ccos_core.state.holding import ABSENT
from ccos_core.state.holding import Standing as HeldStanding
from ccos_core.state.host import Context
from ccos_core.state.rules import Rules
from ccos_core.state.world import World
from ccos_core.values.canon import canonical
from ccos_core.values.ids import file_node, path_of
from ccos_core.values.outcome import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_core.ops.plain import Plain

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
        self._held: dict[Context, dict[str, HeldStanding]] = {}
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


BUFFERED_LOOKS, BUFFERED_STEPS = 20_000, 2_000
"""Looks at nodes that are worked out at a time, and steps: where each looks at few nodes, 13,000 of them took 8 MB."""


class Scribe:
    """One world's journal in the making. The world stands where the journal's solid part ends."""

    def __init__(self, journal: Journal, world: World, facts: Facts) -> None:
        self.journal = journal
        self.world = world
        self.facts = facts
        self._moment: list[Code] = []
        """The ops of the moment that is open, ..."""
        self._waiting: list[tuple[Code, int, int]] = []
        """... and those of closed ones that aren't written: what they are, the clock, the first step of their look."""
        self._sizes: list[int] = []
        """Ops of each of the closed ones."""
        self._provisional: list[Code] = []
        """The ops of a look that was written before its end."""
        if journal.solid:
            journal.cut(journal.solid)
            journal.solid = {}
        self._begin()

    def before(self, op: Plain, heard: Callable[[], None] = lambda: None) -> None:
        """An op is about to be folded: what came before it may be complete. After a look at many files that takes
        long; `heard` is called now and then, and what raises there leaves the moment open."""
        going_on = is_looking(op) and self.world.looking > 0
        if self._provisional:
            if going_on:
                self._take_back()
            self._provisional, self.journal.solid = [], {}
        if self._moment and not going_on:
            self.world.graph.settle(heard)
            self._close(self.world.looking)

    def after(self, op: Plain) -> None:
        """It has been folded."""
        self._moment.append(code_of(op, self._around.number))
        if self._standing.looks.waiting > BUFFERED_LOOKS or len(self._waiting) > BUFFERED_STEPS:
            self._work_out()

    def finish(self) -> None:
        """Somebody wants to ask: everything is written down."""
        self.world.graph.settle()
        if self.world.looking and self._moment:
            self._work_out()
            self.journal.solid = self.journal.sizes()
            self._provisional = list(self._moment)
        self._close(self.world.looking)
        self._work_out()

    def leave(self) -> bool:
        """Somebody has had enough: everything is written down but a look that is open, for what it changed takes long
        to find out. Gives whether the world stands where the journal ends."""
        if self.world.looking and self._moment:
            self._work_out()
            return False
        self.finish()
        return True

    # -- helpers --------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Know what the journal says."""
        numbering = Numbering(self.journal)
        reaches = Reaches(self.journal, self.world.failures, numbering)
        self._around = Surroundings(self.journal, self.world, numbering, reaches)
        self._standing = Standing(self.journal, self.world, self.facts, numbering, reaches)
        self._sums = Sums(self.journal)
        self._rules: Rules = self.world.rules

    def _take_back(self) -> None:
        """A look goes on that was written already: forget it, and remember what it had changed."""
        self._moment = self._provisional
        journal, world = self.journal, self.world
        solid = journal.solid
        for row in journal.changes["node"][solid["changes"] :].tolist():
            node = journal.name(row)
            world.moved[node] = world.graph.recounted[node] = None  # it may have been only its prior
        self._around.note_again(solid)
        journal.cut(solid)
        self._begin()

    def _close(self, look: int) -> None:
        """The moment is over: note what it changed, under its first step."""
        if not self._moment:
            return
        self.world.graph.settle()
        first = self.journal.head + len(self._waiting) + 1
        if self.world.rules is not self._rules:
            self._work_out()
            self._rules = self.world.rules
            self._around.note_rules(first)
            self._standing.reconsider()
        self._standing.note(self._around.note(first))
        self._sizes.append(len(self._moment))
        self._waiting += [(code, self.world.clock, look) for code in self._moment]
        self._moment = []

    def _work_out(self) -> None:
        """Write what was noted."""
        if not self._waiting:
            return
        steps = self.journal.steps
        rows = len(self.journal.changes)
        changes, changed = self._standing.looks.take()
        counts = [each for count, size in zip(changed, self._sizes, strict=True) for each in (count, *[0] * (size - 1))]
        best = self._sums.write(changes, counts, self._rules)
        codes = list(zip(*(code for code, _, _ in self._waiting), strict=True))
        totals = []
        for count in counts:
            rows += count
            totals.append(rows)
        steps.extend(
            rows=totals,
            best=best,
            clock=[clock for _, clock, _ in self._waiting],
            look=[look for _, _, look in self._waiting],
            **dict(zip(Code._fields, codes, strict=True)),
        )
        self._waiting, self._sizes = [], []
