"""What the files of a step use, by the numbers of nodes, at one step after another."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal

Uses = tuple[Numbers, Numbers]
"""Nodes, and what each of them uses."""


class Using:
    """The uses of a step that moves on."""

    def __init__(self, journal: Journal) -> None:
        self._uses = journal.uses
        self._changed = self._uses["file"]
        self._rows = np.argsort(self._changed, kind="stable")
        """What was told of each file, one file after another."""
        self._files = self._changed[self._rows]
        self._size = len(journal.names)
        self._roles = np.unique(self._uses["role"])
        self._upto = 0

    def move(self, last: int) -> list[int]:
        """Go on to a step; gives the files of which anything changed."""
        before, self._upto = self._upto, self._uses.upto(last)
        found: list[int] = self._changed[before : self._upto].tolist()
        return found

    def edges_of(self, file: int) -> Uses:
        """Those of one file: by what was told last of each, if it is there at all."""
        begin, end = np.searchsorted(self._files, np.array([file, file + 1], self._files.dtype)).tolist()
        rows = self._rows[begin:end]
        rows = rows[: int(np.searchsorted(rows, self._upto))][::-1]
        owners, targets, roles = (self._uses[name][rows] for name in ("owner", "target", "role"))
        each = owners.astype(np.int64) * self._size + targets
        last = np.unique(each * len(self._roles) + np.searchsorted(self._roles, roles), return_index=True)[1]
        last = last[self._uses["count"][rows[last]] > 0]
        return owners[last], targets[last]
