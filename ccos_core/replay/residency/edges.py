"""What the documents of files depend on at one moment after another: kept file by file, until one becomes another."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import Wordings

Pairs = tuple[Numbers, Numbers]
"""Pairs of wordings, and how many there are of each of some files."""
NONE: Pairs = np.zeros((2, 0), np.int64), np.zeros(0, np.int64)


class Edges:
    """Pairs of wordings, for as long as they hold."""

    def __init__(self, wordings: Wordings, using: Using) -> None:
        self.wordings = wordings
        self._using = using
        self._known: dict[int, Numbers] = {}
        """Node of a file → the pairs of what stands in it and what that depends on, ..."""
        self._ends: dict[int, list[int]] = {}
        """... and the nodes that were looked at for them, ..."""
        self._files: dict[int, dict[int, None]] = {}
        """... and the other way round."""
        self._last: tuple[list[int], Pairs] = [], NONE
        """What was asked for last, as long as it holds."""

    def move(self, last: int, turned: Numbers) -> bool:
        """Go on to a step, where other wordings hold the nodes that turned since; gives whether what was asked for last
        became another."""
        stale = dict.fromkeys(file for file in self._using.move(last) if file in self._known)
        for node in turned.tolist():
            stale.update(self._files.get(node, {}))
        for file in stale:
            del self._known[file]
            for node in self._ends.pop(file):
                del self._files[node][file]
        is_other = not stale.keys().isdisjoint(self._last[0])
        if is_other:
            self._last = [], NONE
        return is_other

    def of(self, files: list[int], holder: Numbers) -> Pairs:
        """(what the documents of some files, given by their nodes, depend on, each pair once; how many pairs there are
        of each); `holder` says which wording holds a node. The very same as before, where nothing became another."""
        if files != self._last[0]:
            known = self._known
            found = [known[file] if file in known else self._of(file, holder) for file in files]
            sizes = np.array([each.shape[1] for each in found], np.int64)
            self._last = files, (np.concatenate(found, axis=1) if found else NONE[0], sizes)
        return self._last[1]

    def _of(self, file: int, holder: Numbers) -> Numbers:
        owners, targets = self._using.edges_of(file)
        one, to = holder[owners], holder[targets]
        there = (one >= 0) & (to >= 0) & (one != to)
        size = len(self.wordings.born)
        pairs = np.unique(one[there].astype(np.int64) * size + to[there])
        self._ends[file] = ends = list(dict.fromkeys([*owners.tolist(), *targets.tolist()]))
        for node in ends:
            self._files.setdefault(node, {})[file] = None
        self._known[file] = found = np.array([pairs // size, pairs % size])
        return found
