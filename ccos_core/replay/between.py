"""What became of the surroundings between two steps: edges, files, failures. What came and went in between is counted
as nothing, but for files, of which each version counts.

Each is a few looks at the rows of the journal that were written in between; what was before is looked up for those
alone. Nodes go by the names they have at the later step.
"""

from __future__ import annotations

from heapq import nsmallest
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.renames import Renames
from ccos_core.values.ids import file_node, path_of

Each = TypeVar("Each")


class Edge(NamedTuple):
    """One node depends on another."""

    owner: str
    target: str
    role: str


class Some(NamedTuple, Generic[Each]):
    """The first of some."""

    told: list[Each]
    all: int
    """How many there are."""


class Turn(NamedTuple):
    """A file that isn't what it was."""

    path: str
    was: str
    """Its path before; empty where it wasn't there."""
    versions: int
    """How many it has had since."""
    step: int
    """The step of the last one."""
    there: bool


class Fate(NamedTuple):
    """A failure that began, or ended."""

    row: int
    """Of the journal's failures: the last that tells what failed."""
    step: int
    """When it was told last, or ended."""


def edges_between(
    journal: Journal, first: int, last: int, done: Renames, most: int = 0
) -> tuple[Some[Edge], Some[Edge]]:
    """The edges that hold at the later step and not at the first one, and those that held then and don't any more."""
    uses = journal.uses
    before, after = uses.upto(first), uses.upto(last)
    if before == after:
        return Some([], 0), Some([], 0)
    turned = np.arange(before, after)
    earlier = _alike(journal, before, turned, done)
    keys = _Keys(journal, np.concatenate([earlier, turned]))
    then = keys.renamed(keys.holding(len(earlier)), done)
    now = keys.holding(len(keys.keys))  # of two nodes, one use may go on while another ends
    return (
        keys.spelled(np.setdiff1d(now, then, assume_unique=True), most),
        keys.spelled(np.setdiff1d(then, now, assume_unique=True), most),
    )


def files_between(journal: Journal, first: int, last: int, done: Renames, most: int = 0) -> Some[Turn]:
    """The files that came, went, or are another text than before; by path."""
    versions = journal.versions
    before, after = versions.upto(first), versions.upto(last)
    paths = versions["path"]
    numbers, counts = np.unique(paths[before:after], return_counts=True)
    then, now = (_latest(journal, paths[:upto], numbers) for upto in (before, after))
    there = _are_there(journal, now)
    old = _are_there(journal, then)
    was = _moved(journal, numbers[old], done)
    turned: list[tuple[str, str, int]] = []
    for at in np.nonzero(~_same(journal, then, now))[0].tolist():
        path = path_of(journal.name(int(numbers[at]))) or ""
        before_it = was.get(path, "") if path in done.paths else path if old[at] else ""
        if there[at] or before_it:
            turned.append((path, before_it, at))
    told = [
        Turn(path, before_it, int(counts[at]), int(versions["step"][now[at]]), bool(there[at]))
        for path, before_it, at in sorted(turned)[: most or None]
    ]
    return Some(told, len(turned))


def failures_between(journal: Journal, first: int, last: int, most: int = 0) -> tuple[Some[Fate], Some[Fate]]:
    """The failures that live at the later step and didn't at the first, and those that have ended; as they came."""
    rows = journal.failures
    before, after = rows.upto(first), rows.upto(last)
    if before == after:
        return Some([], 0), Some([], 0)
    keys = np.unique(rows["key"][before:after])
    then, now = (_latest(journal, rows["key"][:upto], keys) for upto in (before, after))
    lived = (then >= 0) & (rows["told"][then] >= 0)
    lives = rows["told"][now] >= 0
    begun = [Fate(row, int(rows["last"][row])) for row in sorted(now[lives & ~lived].tolist())]
    over = sorted(zip(now[lived & ~lives].tolist(), then[lived & ~lives].tolist(), strict=True))
    ended = [Fate(row, int(rows["step"][end])) for end, row in over]
    since = rows["since"]
    # A rename ends a failure, and another one by another name has it.
    moved = [int(since[fate.row]) for fate in begun if since[fate.row] <= first]
    ended = [fate for fate in ended if since[fate.row] not in moved]
    begun = [fate for fate in begun if since[fate.row] > first]
    return Some(begun[: most or None], len(begun)), Some(ended[: most or None], len(ended))


# ---- looking up ----


def _alike(journal: Journal, before: int, turned: Numbers, done: Renames) -> Numbers:
    """The first rows that are about the same two nodes as some later ones; or, where a file took the place of another,
    about what these nodes are called since: both may have depended on the same."""
    owners, targets, size = journal.uses["owner"], journal.uses["target"], len(journal.names)
    one, to = owners[turned].astype(np.int64), targets[turned].astype(np.int64)
    if done.done:
        one, to = (np.concatenate([each, _later(journal, each, done)]) for each in (one, to))
        one, to = (each[(one >= 0) & (to >= 0)] for each in (one, to))
    rows = journal.among(owners[:before], one)
    return rows[np.isin(owners[rows].astype(np.int64) * size + targets[rows], one * size + to)]


def _later(journal: Journal, nodes: Numbers, done: Renames) -> Numbers:
    """The numbers of what some nodes are called later; less than 0 where nobody is called so."""
    different, at = np.unique(nodes, return_inverse=True)
    found: Numbers = np.array([journal.id(done.later(name)) for name in journal.spelled(different)], np.int64)[at]
    return found


class _Keys:
    """Some uses, each as one number that says owner, target and role."""

    def __init__(self, journal: Journal, rows: Numbers) -> None:
        self._journal = journal
        owners, targets, roles = (journal.uses[column][rows] for column in ("owner", "target", "role"))
        numbers, ends = np.unique(np.concatenate([owners, targets]), return_inverse=True)
        self._numbers = numbers
        self._further: list[str] = []
        """Names that some get later and that none has by now; their places follow those of the numbers."""
        self._roles, whose = np.unique(roles, return_inverse=True)
        self._most = 2 * len(numbers)
        """Names there may be in the end, at most: its own, and one more for each."""
        self.keys = self._packed(ends[: len(rows)], ends[len(rows) :], whose)
        self._counts = journal.uses["count"][rows]

    def holding(self, upto: int) -> Numbers:
        """The edges that hold by the first rows."""
        found, back = np.unique(self.keys[:upto][::-1], return_index=True)
        held: Numbers = found[self._counts[upto - 1 - back] > 0]
        return held

    def renamed(self, keys: Numbers, done: Renames) -> Numbers:
        """The same edges by the names their ends have later."""
        if not done.done:
            return keys
        to = self._renamed(done)
        owners, targets, roles = self._unpacked(keys)
        return np.unique(self._packed(to[owners], to[targets], roles))

    def spelled(self, keys: Numbers, most: int) -> Some[Edge]:
        """The first of some edges, in the order of their names; 0 for all."""
        owners, targets, roles = self._unpacked(keys)
        words = self._journal.spelled(self._roles)
        named = zip(self._names(owners), self._names(targets), map(words.__getitem__, roles.tolist()), strict=True)
        found = nsmallest(most, named) if most else sorted(named)
        return Some([Edge(*each) for each in found], len(keys))

    def _names(self, places: Numbers) -> list[str]:
        name, own = self._journal.name, self._numbers.tolist()
        return [name(own[at]) if at < len(own) else self._further[at - len(own)] for at in places.tolist()]

    def _renamed(self, done: Renames) -> Numbers:
        """Where a node stands among the numbers → where what it is called later does."""
        nodes = self._journal.spelled(self._numbers)
        stands = {node: at for at, node in enumerate(nodes)}
        new: dict[str, int] = {}
        to = []
        for node in nodes:
            later = done.later(node)
            at = stands.get(later)
            to.append(at if at is not None else new.setdefault(later, len(nodes) + len(new)))
        self._further = list(new)
        return np.array(to, np.int64)

    def _packed(self, owners: Numbers, targets: Numbers, roles: Numbers) -> Numbers:
        packed: Numbers = (owners.astype(np.int64) * self._most + targets) * len(self._roles) + roles
        return packed

    def _unpacked(self, keys: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        ends, roles = np.divmod(keys, len(self._roles))
        owners, targets = np.divmod(ends, self._most)
        return owners, targets, roles


def _moved(journal: Journal, files: Numbers, done: Renames) -> dict[str, str]:
    """Path a file has later → the one it had, for those of some files that renames have to do with."""
    numbers = sorted(filter(set(files.tolist()).__contains__, (journal.id(file_node(path)) for path in done.paths)))
    paths = [path_of(journal.name(number)) or "" for number in numbers]
    return {done.later_path(path): path for path in paths}


def _are_there(journal: Journal, rows: Numbers) -> Numbers:
    found: Numbers = (rows >= 0) & (journal.versions["why"][rows] != journal.id("gone"))
    return found


def _same(journal: Journal, then: Numbers, now: Numbers) -> Numbers:
    """Whether versions are there, and say the same."""
    versions = journal.versions
    alike = (versions["content"][then] == versions["content"][now]) & (versions["why"][then] == versions["why"][now])
    found: Numbers = alike & _are_there(journal, then) & _are_there(journal, now)
    return found


def _latest(journal: Journal, column: Numbers, numbers: Numbers) -> Numbers:
    """Of some numbers, in their order, the last row of a column that has each, or -1."""
    rows = journal.among(column, numbers)
    found = np.full(len(numbers), -1, np.int64)
    found[np.searchsorted(numbers, column[rows])] = rows
    return found
