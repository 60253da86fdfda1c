"""What the files of a step use, by the numbers of nodes, at one step after another."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.edges import holding
from ccos_core.replay.journal import Journal

Uses = tuple[Numbers, Numbers]
"""Nodes, and what each of them uses."""


class Using:
    """The uses of a step that moves on."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._changed = journal.uses["file"]
        self._rows = np.argsort(self._changed, kind="stable")
        """What was told of each file, one file after another."""
        self._files = self._changed[self._rows]
        self._upto = 0

    def move(self, last: int) -> list[int]:
        """Go on to a step; gives the files of which anything changed."""
        before, self._upto = self._upto, self._journal.uses.upto(last)
        found: list[int] = self._changed[before : self._upto].tolist()
        return found

    def edges_of(self, file: int) -> Uses:
        """Those of one file: by what was told last of each, if it is there at all."""
        begin, end = np.searchsorted(self._files, np.array([file, file + 1], self._files.dtype)).tolist()
        rows = self._rows[begin:end]
        held = holding(self._journal, rows[: int(np.searchsorted(rows, self._upto))])
        pairs = np.array([each[:2] for each in held], np.int32).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]
