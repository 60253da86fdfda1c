"""What the documents of files depend on at one moment after another: kept file by file, until one becomes another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import Wordings


class Edges:
    """Pairs of wordings, for as long as they hold."""

    def __init__(self, wordings: Wordings, held_in: Numbers, files: Numbers, using: Using) -> None:
        self.wordings = wordings
        self._held_in = held_in
        """Node → the node of the file it ever was in."""
        self._files = files
        """Version → the node of its file."""
        self._using = using
        self._known: dict[int, Numbers] = {}
        """Node of a file → the pairs of what stands in it and what that depends on, ..."""
        self._users: dict[int, dict[int, None]] = {}
        """... and the files of which it is known that they depend on something in it."""
        self._upto = 0

    def move(self, upto: int, last: int) -> None:
        """Go on to where so many versions have been, and to a step."""
        for file in self._using.move(last):
            self._known.pop(file, None)
        for file in self._files[self._upto : upto].tolist():
            for user in self._users.pop(file, ()):
                self._known.pop(user, None)
        self._upto = upto

    def of(self, files: Sequence[int], holder: Numbers) -> tuple[Numbers, list[int]]:
        """(what the documents of some files, given by their nodes, depend on, each pair once; how many pairs there are
        of each); `holder` says which wording holds a node."""
        known = self._known
        for file in files:
            if file not in known:
                known[file] = self._of(file, holder)
        found = [known[file] for file in files]
        whole = np.concatenate(found, axis=1) if found else np.zeros((2, 0), np.int64)
        return whole, [each.shape[1] for each in found]

    def _of(self, file: int, holder: Numbers) -> Numbers:
        nodes = self._using.edges_of(file)
        one, to = (holder[each] for each in nodes)
        there = (one >= 0) & (to >= 0) & (one != to)
        size = len(self.wordings.born)
        pairs = np.unique(one[there].astype(np.int64) * size + to[there])
        for other in np.unique(self._held_in[np.concatenate(nodes)]).tolist():
            self._users.setdefault(other, {})[file] = None
        return np.array([pairs // size, pairs % size])
