"""What became of the surroundings between two steps: edges, files, failures. What came and went in between is counted
as nothing, but for files, of which each version counts.

Each is a few looks at the rows of the journal that were written in between; what was before is looked up for those
alone. Nodes go by the names they have at the later step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.replay.past import failure_told
from ccos_core.replay.renames import Renames
from ccos_core.values.ids import path_of


class Edge(NamedTuple):
    """One node depends on another."""

    owner: str
    target: str
    role: str


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
    before, after = np.searchsorted(uses["step"], [first, last], side="right").tolist()
    if before == after:
        return [], []
    owners = uses["owner"]
    changed = np.zeros(len(journal.names), bool)
    changed[owners[before:after]] = True
    then = _holding(journal, np.nonzero(changed[owners[:before]])[0], done.later)
    now = _holding(journal, np.nonzero(changed[owners[:after]])[0], str)
    return sorted(edge for edge in now if edge not in then), sorted(edge for edge in then if edge not in now)


def files_between(journal: Journal, first: int, last: int, done: Renames) -> list[Turn]:
    """The files that came, went, or are another text than before; sorted by path."""
    versions = journal.versions
    before, after = np.searchsorted(versions["step"], [first, last], side="right").tolist()
    paths = versions["path"]
    counts = dict(zip(*(each.tolist() for each in np.unique(paths[before:after], return_counts=True)), strict=True))
    then, now = (_rows_of(counts, paths[:upto], journal) for upto in (before, after))
    was = {done.later_path(path): path for path, row in then.items() if _is_there(journal, row)}
    found = []
    for number, count in counts.items():
        path = _path(journal, number)
        there, old = _is_there(journal, now[path]), was.get(path, "")
        same = there and old == path and _content(journal, then[path]) == _content(journal, now[path])
        if (there or old) and not same:
            found.append(Turn(path, old, count, int(versions["step"][now[path]]), there))
    return sorted(found)


def failures_between(journal: Journal, first: int, last: int) -> tuple[list[Fate], list[Fate]]:
    """The failures that live at the later step and didn't at the first, and those that have ended; as they came."""
    rows = journal.failures
    before, after = np.searchsorted(rows["step"], [first, last], side="right").tolist()
    if before == after:
        return [], []
    then, now = (_latest(rows["key"][:upto], len(journal.names)) for upto in (before, after))
    keys = np.unique(rows["key"][before:after])
    lived = (then[keys] >= 0) & (rows["told"][then[keys]] >= 0)
    lives = rows["told"][now[keys]] >= 0
    begun = [Fate(row, int(rows["step"][row])) for row in sorted(now[keys[lives & ~lived]].tolist())]
    over = sorted(zip(now[keys[lived & ~lives]].tolist(), then[keys[lived & ~lives]].tolist(), strict=True))
    ended = [Fate(row, int(rows["step"][end])) for end, row in over]
    since = {fate: failure_told(journal, fate.row)[1].since for fate in (*begun, *ended)}
    moved = [since[fate] for fate in begun if since[fate] <= first]  # a rename ends a failure, and another name has it
    return [fate for fate in begun if since[fate] > first], [fate for fate in ended if since[fate] not in moved]


# ---- looking up ----


def _holding(journal: Journal, rows: Numbers, later: Callable[[str], str]) -> dict[Edge, None]:
    """The edges that hold by these rows, under the names they get."""
    uses, name = journal.uses, journal.name
    owners, targets, roles, counts = (uses[column][rows].tolist() for column in ("owner", "target", "role", "count"))
    held = dict(zip(zip(owners, targets, roles, strict=True), counts, strict=True))
    return {
        Edge(later(name(owner)), later(name(target)), name(role)): None
        for (owner, target, role), count in held.items()
        if count
    }


def _rows_of(numbers: Iterable[int], paths: Numbers, journal: Journal) -> Mapping[str, int]:
    """Path → its last version among the first rows, of the files with these numbers; -1 where there is none."""
    last = _latest(paths, len(journal.names))
    return {_path(journal, number): int(last[number]) for number in numbers}


def _latest(numbers: Numbers, size: int) -> Numbers:
    """Number → the last row that has it, or -1."""
    found = np.full(size, -1, np.int64)
    found[numbers] = np.arange(len(numbers))
    return found


def _path(journal: Journal, number: int) -> str:
    return path_of(journal.name(number)) or ""


def _is_there(journal: Journal, row: int) -> bool:
    return row >= 0 and int(journal.versions["why"][row]) != journal.id("gone")


def _content(journal: Journal, row: int) -> tuple[bytes, int]:
    return bytes(journal.versions["content"][row]), int(journal.versions["why"][row])
