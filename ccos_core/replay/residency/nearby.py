"""Residency in the windows of `around:X`: which nodes are near X, at every step.

Membership depends on X's own file, on what it uses, on the failures felt inside X and what these reach, and on the
cost of all of that. So it is decided anew at the steps at which one of these changed, and at no other. `Then` knows a
few files going forward from step to step, where a `Moment` knows everything at one step; failures felt in a file are
found without reading all others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.renames import name_at
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, presence
from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.canon import canonical, parse_known
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.ids import escape, file_node, path_of
from ccos_core.window.around import admitted
from ccos_core.window.layout import Candidate
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.residency.lens import Progress
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline


class Then:
    """The files at a step that moves on."""

    def __init__(self, timeline: Timeline) -> None:
        self._sources = timeline.sources
        self.last = 0
        """The last step of the moment that is looked at."""
        self._versions: dict[str, tuple[list[int], list[Version]]] = {}
        self._shown: dict[str, tuple[int, Source]] = {}
        self._paths: dict[str, str] = {}

    def version(self, path: str) -> Version | None:
        """What a file is; None if it isn't there."""
        steps, versions = self._all(path)
        at = bisect_right(steps, self.last)
        return versions[at - 1] if at and versions[at - 1].why != "gone" else None

    def source(self, path: str) -> Source:
        """A file as a window shows it."""
        version = self.version(path)
        if version is None:
            return Source(path, "", Outline())
        known = self._shown.get(path)
        if known is None or known[0] != version.row:
            known = self._shown[path] = version.row, self._sources.source(path, version)
        return known[1]

    def find(self, node: str) -> Target | None:
        """The file or symbol a node is, if it is there."""
        path = self.path(node)
        if self.version(path) is None:
            return None
        at = self.source(path).nesting.places.get(node)
        return Target(path, at) if at is not None else None

    def path(self, node: str) -> str:
        """The file a node is in."""
        found = self._paths.get(node)
        if found is None:
            found = self._paths[node] = path_of(node) or ""
        return found

    def steps(self, path: str) -> list[int]:
        """The steps at which a file became another."""
        return self._all(path)[0]

    def _all(self, path: str) -> tuple[list[int], list[Version]]:
        if path not in self._versions:
            versions = self._sources.versions(path)
            self._versions[path] = [version.step for version in versions], versions
        return self._versions[path]


class Felt(NamedTuple):
    """What a failure was from a step on."""

    step: int
    key: int
    anchors: frozenset[str]
    """Where it was felt; nowhere, where it has ended."""
    reached: tuple[int, int]
    """The rows of what it reaches."""


def felt_in(journal: Journal, paths: Iterable[str]) -> list[Felt]:
    """All that became of failures that ever were felt in one of these files, in order."""
    rows = journal.failures
    told = rows["told"]
    named = np.isin(told, _naming(journal, paths)) & (told >= 0)
    mine = np.nonzero(np.isin(rows["key"], rows["key"][named]))[0]
    columns = (rows[name][mine].tolist() for name in ("step", "key", "told", "begin", "end"))
    return [
        Felt(step, key, _anchors(journal, said), (begin, end))
        for step, key, said, begin, end in zip(*columns, strict=True)
    ]


def strongest(journal: Journal, felt: Iterable[Felt]) -> dict[str, int]:
    """Node → the most that any of these failures gives it."""
    found: dict[int, int] = {}
    reached, strengths = journal.reached["node"], journal.reached["strength"]
    for each in felt:
        here = slice(*each.reached)
        for node, strength in zip(reached[here].tolist(), strengths[here].tolist(), strict=True):
            found[node] = max(found.get(node, 0), strength)
    return {journal.name(node): strength for node, strength in found.items()}


def _naming(journal: Journal, paths: Iterable[str]) -> list[int]:
    """Which of the told values have one of these paths in them."""
    whole, ends = journal.told.body["byte"].tobytes(), journal.told.ends["end"]
    found: dict[int, None] = {}
    for path in paths:
        said = canonical(escape(path))[1:-1]
        at = whole.find(said)
        while at >= 0:
            number = int(np.searchsorted(ends, at, side="right"))
            found[number] = None
            at = whole.find(said, int(ends[number]))
    return list(found)


def _anchors(journal: Journal, told: int) -> frozenset[str]:
    return frozenset(parse_known(journal.told[told])[1]) if told >= 0 else frozenset()


Use = tuple[int, int, int]
"""Owner, target, role."""


@dataclass(frozen=True)
class Nearby:
    """The residency of a node in the windows around another."""

    timeline: Timeline
    names: Sequence[Name]
    """What the node was called, from step 0 to the head."""
    anchor: Sequence[Name]
    """What the one in the middle was called."""
    progress: Progress

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """A file is in when its own node is, and partial when only symbols of it are."""
        found = presence(self.timeline.journal, self.names)[first : last + 1]
        near = np.full(len(found), OUT, np.uint8)
        walk = _Walk(self, budget)
        for step, changed in self._changed(first, last):
            self.progress(step - first, last - first)
            if walk.matters(changed):
                near[step - first :] = walk.state(step)
        found[found == OUT] = near[found == OUT]
        return found

    @cached_property
    def paths(self) -> list[str]:
        """The files the one in the middle was."""
        return list(dict.fromkeys(path_of(name.node) or "" for name in self.anchor))

    @cached_property
    def felt(self) -> list[Felt]:
        """What became of failures felt in them."""
        return felt_in(self.timeline.journal, self.paths)

    @cached_property
    def uses(self) -> dict[int, _Uses]:
        """Number of a file that it was → what that used."""
        return {number: _Uses(self.timeline.journal, number) for number in self._numbers}

    @cached_property
    def steps(self) -> dict[int, set[str]]:
        """Step at which anything may have changed → the files that did."""
        journal, then = self.timeline.journal, Then(self.timeline)
        named = (journal.name(number) for number in self._involved())
        found: dict[int, set[str]] = {}
        for path in dict.fromkeys([*self.paths, *(path_of(name) or "" for name in named)]):
            for step in then.steps(path):
                found.setdefault(step, set()).add(path)
        own = [step for uses in self.uses.values() for step in uses.steps] + [each.step for each in self.felt]
        for step in own + [name.first for name in (*self.anchor, *self.names)]:
            found.setdefault(step, set()).add(self.paths[0])
        looks = journal.steps["look"]
        begun: dict[int, set[str]] = {}
        for step in sorted(found):
            begun.setdefault(int(looks[step - 1]) or step if step else 0, set()).update(found[step])
        return begun

    def _changed(self, first: int, last: int) -> Iterator[tuple[int, set[str]]]:
        yield first, set(self.paths)
        yield from ((step, self.steps[step]) for step in sorted(self.steps) if first < step <= last)

    @property
    def _numbers(self) -> list[int]:
        return [self.timeline.journal.id(file_node(path)) for path in self.paths]

    def _involved(self) -> list[int]:
        """The numbers of all nodes that ever were used there, or reached by what was felt there."""
        reached = self.timeline.journal.reached["node"]
        nodes = [reached[slice(*each.reached)] for each in self.felt]
        found = np.concatenate([*nodes, *(uses.targets for uses in self.uses.values()), np.empty(0, np.int32)])
        return [int(node) for node in np.unique(found)]


class _Uses:
    """What a file used, row by row."""

    def __init__(self, journal: Journal, file: int) -> None:
        rows = np.nonzero(journal.uses["file"] == file)[0]
        self.steps: list[int] = journal.uses["step"][rows].tolist()
        self.targets = journal.uses["target"][rows]
        columns = (journal.uses[name][rows].tolist() for name in ("owner", "target", "role"))
        self.rows: list[tuple[Use, int]] = list(
            zip(zip(*columns, strict=True), journal.uses["count"][rows].tolist(), strict=True)
        )


class _Walk:
    """Going forward through the steps at which something changed."""

    def __init__(self, about: Nearby, budget: int) -> None:
        self.about = about
        self.budget = budget
        self.journal = about.timeline.journal
        self.then = Then(about.timeline)
        self._involved: set[str] = set(about.paths)
        """The files on which it depends who is in, as it was decided last."""
        self._held: dict[int, tuple[int, dict[Use, int]]] = {number: (0, {}) for number in about.uses}
        """Number of a file → how many rows of its uses are taken in, and what they come to."""
        self._taken = 0
        self._live: dict[int, Felt] = {}
        """Number of a failure → what it is, as far as they are taken in."""
        self._pressing: tuple[Felt, ...] = ()
        self._pressed: list[str] = []
        """What these press on."""

    def matters(self, changed: set[str]) -> bool:
        """Whether that may be another answer than the last one."""
        return not self._involved.isdisjoint(changed)

    def state(self, step: int) -> int:
        """What the node is at a step."""
        self.then.last = self.journal.last_moment(step)
        members = self._members(step)
        node = name_at(self.about.names, step)
        if node in members:
            return IN
        is_part = node.startswith("file:") and self.then.path(node) in [self.then.path(each) for each in members]
        return PARTIAL if is_part else OUT

    def _members(self, step: int) -> list[str]:
        then = self.then
        self._involved = set(self.about.paths)
        target = then.find(name_at(self.about.anchor, step))
        if target is None:
            return []
        links = list(self._links(target))
        further = self._further(target)
        found, _ = admitted(target.path, then.source, links, self.budget, target.symbol, (), further)
        return [each.candidate.source.node(each.candidate.symbol) for each in found]

    def _links(self, anchor: Target) -> Iterator[Link]:
        """What it uses itself, and outside of itself where it is a file."""
        number = self.journal.id(file_node(anchor.path))
        uses, (taken, held) = self.about.uses[number], self._held[number]
        upto = bisect_right(uses.steps, self.then.last)
        held.update(uses.rows[taken:upto])
        self._held[number] = upto, held
        source = self.then.source(anchor.path)
        places, inside = source.nesting.places, source.inside(anchor.symbol)
        for (owner, to, role), count in held.items():
            if not count or (anchor.symbol != MODULE and places.get(self.journal.name(owner)) not in inside):
                continue
            if (target := self._find(self.journal.name(to))) is not None:
                yield Link(places[self.journal.name(owner)], target, self.journal.name(role), 0, count)

    def _further(self, anchor: Target) -> Iterator[Candidate]:
        """What is pressed on by the failures felt there, the most first."""
        while self._taken < len(self.about.felt) and self.about.felt[self._taken].step <= self.then.last:
            each = self.about.felt[self._taken]
            self._live[each.key] = each
            self._taken += 1
        source = self.then.source(anchor.path)
        inside = {source.node(at) for at in source.inside(anchor.symbol)}
        felt = tuple(each for each in self._live.values() if not inside.isdisjoint(each.anchors))
        if felt != self._pressing:
            self._pressing, pressed = felt, strongest(self.journal, felt)
            self._pressed = sorted(pressed, key=lambda node: (-pressed[node], node))
        for node in self._pressed:
            if node not in inside and (there := self._find(node)) is not None:
                yield Candidate(self.then.source(there.path), there.symbol, 0, "")

    def _find(self, node: str) -> Target | None:
        """The file or symbol a node is; whatever becomes of its file may decide another way."""
        self._involved.add(self.then.path(node))
        return self.then.find(node)
