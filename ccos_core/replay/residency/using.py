"""What the files of a step use, by the numbers of nodes, at one step after another."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal

Edges = tuple[Numbers, Numbers]
"""Nodes, and what each of them uses."""
COLUMNS = ("file", "owner", "target", "role", "count")


class Using:
    """The uses of a step that moves on."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._held: dict[int, dict[tuple[int, int, int], int]] = {}
        """Node of a file → (owner, target, role) → how often, where it is at all."""
        self._edges: dict[int, Edges] = {}
        """The same as columns, as far as somebody asked."""
        self._upto = 0

    def move(self, last: int) -> list[int]:
        """Go on to a step; gives the files of which anything changed."""
        uses = self.journal.uses
        before, self._upto = self._upto, uses.upto(last)
        files: list[int]
        files, *columns = (uses[name][before : self._upto].tolist() for name in COLUMNS)
        for file, owner, target, role, count in zip(files, *columns, strict=True):
            held = self._held.setdefault(file, {})
            if count:
                held[owner, target, role] = count
            else:
                held.pop((owner, target, role), None)
            self._edges.pop(file, None)
        return files

    def edges_of(self, file: int) -> Edges:
        """Those of one file."""
        if file not in self._edges:
            pairs = np.array([key[:2] for key in self._held.get(file, ())], np.int32).reshape(-1, 2)
            self._edges[file] = pairs[:, 0], pairs[:, 1]
        return self._edges[file]
