"""Which document holds each node at one step after another: kept up with from version to version."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.wordings import NOBODY, Wordings


class Going:
    """Where each node stands in which document, as of so many versions."""

    def __init__(self, wordings: Wordings, size: int) -> None:
        self.holder = np.full(size, NOBODY, np.int32)
        """Node → the wording that holds it."""
        self.itself = np.full(size, NOBODY, np.int32)
        """Node → the wording of itself."""
        self._nodes, self._holders = wordings.nodes, wordings.wording
        self._own = np.where(wordings.own, wordings.wording, NOBODY)
        self._ends = [*wordings.ends.tolist(), 0]  # there is none before the first
        self._before: dict[int, Numbers] = {}
        """Node of a file → the nodes of its version."""
        self.upto = 0

    def move(self, files: list[int], upto: int) -> Numbers:
        """Go on to where so many versions have been; `files` has the files' nodes, version by version. Gives the nodes
        that another wording holds, or none any more."""
        turned = [np.zeros(0, np.int32)]
        for row in range(self.upto, upto):
            here = slice(self._ends[row - 1], self._ends[row])
            nodes, holders = self._nodes[here], self._holders[here]
            was = self.holder[nodes]
            gone = self._before.get(files[row])
            if gone is not None and np.array_equal(gone, nodes):
                gone = None  # they stay
            if gone is not None:
                self.holder[gone] = self.itself[gone] = NOBODY
            self.holder[nodes] = holders
            self.itself[nodes] = self._own[here]
            self._before[files[row]] = nodes
            turned.append(nodes[was != holders])
            if gone is not None:
                turned.append(gone[self.holder[gone] == NOBODY])
        self.upto = upto
        return np.concatenate(turned)
