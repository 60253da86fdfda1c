"""A map of the project for a session that has just begun: files by how many others use them, with what they define.

    window(timeline, at, 2_048).text    # `# src/db.py`, then the first lines of its definitions, and so on

Nothing is warm yet then, so a working set would be empty. Files without users come last, by their names. Only the files
that are shown are read. No question of the catalogue: the server for agents asks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.text.syntax.resolution import LINK
from ccos_core.values.code import MODULE
from ccos_core.values.ids import file_node, spelled_path
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, cheapest, enrich, fill

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.timeline import Timeline

LENS = "map"
SHARE = (9, 10)
"""The part of the budget that decides which files are in; the rest shows some of them more fully."""


def window(timeline: Timeline, at: int, budget: int) -> Window:
    """The map at a step, within a budget."""
    found = admit(_candidates(timeline.at(at)), budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, fill(budget), cheapest)
    return linearize(LENS, budget, found.members, found.missed)


def users_of_files(journal: Journal, step: int) -> dict[str, int]:
    """Spelled path → how many other files use it or anything in it, at a step; files without a user are left out."""
    owners, targets, roles = _holding(journal, step)
    code = ~np.isin(roles, [at for at in np.unique(roles).tolist() if journal.name(at) == LINK])
    owners, targets = owners[code], targets[code]  # that a document links to a file makes it no more important
    numbers = np.unique(np.concatenate([owners, targets]))
    paths: dict[str, int] = {}
    file_of = np.array(
        [paths.setdefault(spelled_path(name), len(paths)) for name in journal.spelled(numbers)], np.int64
    )
    users = file_of[np.searchsorted(numbers, owners)]
    used = file_of[np.searchsorted(numbers, targets)]
    pairs = np.unique((used * len(paths) + users)[used != users])
    counts = np.bincount(pairs // max(len(paths), 1), minlength=len(paths)).tolist()
    return {path: counts[at] for path, at in paths.items() if counts[at]}


def _candidates(moment: Moment) -> Iterator[Candidate]:
    users = users_of_files(moment.journal, moment.last)
    by_use = sorted(moment.paths(), key=lambda path: (-users.get(_spelled(path), 0), path))
    for path in by_use:
        many = users.get(_spelled(path), 0)
        yield Candidate(moment.source(path), MODULE, many, f"{many} other files use it" if many else "no file uses it")


def _spelled(path: str) -> str:
    return spelled_path(file_node(path))


def _holding(journal: Journal, step: int) -> tuple[Numbers, Numbers, Numbers]:
    """(owners, targets, roles) of the uses that hold at a step: by what was told last of each."""
    uses = journal.uses
    upto = uses.upto(step)
    owners, targets, roles, counts = (uses[name][:upto] for name in ("owner", "target", "role", "count"))
    order = np.lexsort((roles, targets, owners))  # stable: the last of equals was told last
    ends = np.zeros(upto, bool)
    ends[-1:] = True
    for column in (owners[order], targets[order], roles[order]):
        ends[:-1] |= column[1:] != column[:-1]
    last = order[ends]
    last = last[counts[last] > 0]
    return owners[last], targets[last], roles[last]
