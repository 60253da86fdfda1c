"""What became of the surroundings between two steps: edges, files, failures. What came and went in between is counted
as nothing, but for files, of which each version counts.

Each is a few looks at the rows of the journal that were written in between; what was before is looked up for those
alone. Nodes go by the names they have at the later step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.renames import Renames
from ccos_core.values.ids import escape, path_of


class Edge(NamedTuple):
    """One node depends on another."""

    owner: str
    target: str
    role: str


Triple = tuple[int | str, int | str, int]
"""Owner, target and role by their numbers."""


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


def edges_between(journal: Journal, first: int, last: int, done: Renames) -> tuple[list[Edge], list[Edge]]:
    """The edges that hold at the later step and not at the first one, and those that held then and don't any more;
    sorted."""
    uses = journal.uses
    before, after = np.searchsorted(uses["step"], np.array([first, last], np.int32), side="right").tolist()
    if before == after:
        return [], []
    turned = np.arange(before, after)
    earlier = _alike(journal, before, turned)
    then = _holding(journal, earlier)
    now = _holding(journal, np.concatenate([earlier, turned]))  # of two nodes, one use may go on while another ends
    moved = _moved(journal, done)
    was = {(moved.get(owner, owner), moved.get(target, target), role): None for owner, target, role in then}
    begun = [_edge(journal, key) for key in now if key not in was]
    return sorted(begun), sorted(_edge(journal, key) for key in was if key not in now)


def files_between(journal: Journal, first: int, last: int, done: Renames) -> list[Turn]:
    """The files that came, went, or are another text than before; sorted by path."""
    versions = journal.versions
    before, after = np.searchsorted(versions["step"], np.array([first, last], np.int32), side="right").tolist()
    paths = versions["path"]
    numbers, counts = np.unique(paths[before:after], return_counts=True)
    then, now = (_latest(paths[:upto], len(journal.names))[numbers] for upto in (before, after))
    there = _are_there(journal, now)
    was = dict(zip(map(done.later_path, _paths(journal, numbers, then)), _paths(journal, numbers, then), strict=True))
    changed = ~_same(journal, then, now)
    found = []
    for at in np.nonzero(changed)[0].tolist():
        path = path_of(journal.name(int(numbers[at]))) or ""
        old = was.get(path, "")
        if there[at] or old:
            step = int(versions["step"][now[at]])
            found.append(Turn(path, old, int(counts[at]), step, bool(there[at])))
    return sorted(found)


def failures_between(journal: Journal, first: int, last: int) -> tuple[list[Fate], list[Fate]]:
    """The failures that live at the later step and didn't at the first, and those that have ended; as they came."""
    rows = journal.failures
    before, after = np.searchsorted(rows["step"], np.array([first, last], np.int32), side="right").tolist()
    if before == after:
        return [], []
    then, now = (_latest(rows["key"][:upto], len(journal.names)) for upto in (before, after))
    keys = np.unique(rows["key"][before:after])
    lived = (then[keys] >= 0) & (rows["told"][then[keys]] >= 0)
    lives = rows["told"][now[keys]] >= 0
    begun = [Fate(row, int(rows["step"][row])) for row in sorted(now[keys[lives & ~lived]].tolist())]
    over = sorted(zip(now[keys[lived & ~lives]].tolist(), then[keys[lived & ~lives]].tolist(), strict=True))
    ended = [Fate(row, int(rows["step"][end])) for end, row in over]
    since = rows["since"]
    # A rename ends a failure, and another one by another name has it.
    moved = [int(since[fate.row]) for fate in begun if since[fate.row] <= first]
    ended = [fate for fate in ended if since[fate.row] not in moved]
    return [fate for fate in begun if since[fate.row] > first], ended


# ---- looking up ----


def _alike(journal: Journal, before: int, turned: Numbers) -> Numbers:
    """The first rows that are about the same two nodes as some later ones."""
    owners, targets = journal.uses["owner"], journal.uses["target"]
    near = np.zeros(len(journal.names), bool)
    near[owners[turned]] = True
    rows = np.nonzero(near[owners[:before]])[0]
    size = len(journal.names)
    pairs, wanted = (owners[each].astype(np.int64) * size + targets[each] for each in (rows, turned))
    return rows[np.isin(pairs, wanted)]


def _holding(journal: Journal, rows: Numbers) -> dict[Triple, None]:
    """The edges that hold by these rows, by numbers."""
    owners, targets, roles, counts = (
        journal.uses[column][rows].tolist() for column in ("owner", "target", "role", "count")
    )
    held = dict(zip(zip(owners, targets, roles, strict=True), counts, strict=True))
    return {key: None for key, count in held.items() if count}


def _moved(journal: Journal, done: Renames) -> dict[int | str, int | str]:
    """Number of a node that has another name since → the number of that, or itself where the journal has none."""
    heads = journal.heads if done.done else {}
    found: dict[int | str, int | str] = {}
    for path in done.paths:
        for node in heads.get(escape(path), ()):
            name = done.later(node)
            if name != node:
                found[journal.id(node)] = journal.ids.get(name, name)
    return found


def _edge(journal: Journal, key: Triple) -> Edge:
    owner, target, role = key
    return Edge(_name(journal, owner), _name(journal, target), journal.name(role))


def _name(journal: Journal, node: int | str) -> str:
    return node if isinstance(node, str) else journal.name(node)


def _paths(journal: Journal, numbers: Numbers, rows: Numbers) -> list[str]:
    """The paths of the files that are there by these rows."""
    here = numbers[_are_there(journal, rows)].tolist()
    return [path_of(journal.name(number)) or "" for number in here]


def _are_there(journal: Journal, rows: Numbers) -> Numbers:
    found: Numbers = (rows >= 0) & (journal.versions["why"][rows] != journal.id("gone"))
    return found


def _same(journal: Journal, then: Numbers, now: Numbers) -> Numbers:
    """Whether versions are there, and say the same."""
    versions = journal.versions
    alike = (versions["content"][then] == versions["content"][now]) & (versions["why"][then] == versions["why"][now])
    found: Numbers = alike & _are_there(journal, then) & _are_there(journal, now)
    return found


def _latest(numbers: Numbers, size: int) -> Numbers:
    """Number → the last row that has it, or -1."""
    found = np.full(size, -1, np.int64)
    found[numbers] = np.arange(len(numbers))
    return found
