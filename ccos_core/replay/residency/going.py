"""Which document holds each node at one step after another: kept up with from version to version."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.wordings import NOBODY, Wordings


class Going:
    """Where each node stands in which document, as of so many versions."""

    def __init__(self, wordings: Wordings, size: int) -> None:
        self.wordings = wordings
        self.holder = np.full(size, NOBODY, np.int32)
        """Node → the wording that holds it."""
        self.itself = np.full(size, NOBODY, np.int32)
        """Node → the wording of itself."""
        self._version = np.full(size, -1, np.int32)
        """Node of a file → its version."""
        self.upto = 0

    def move(self, files: list[int], upto: int) -> Numbers:
        """Go on to where so many versions have been; `files` has the files' nodes, version by version. Gives the nodes
        that another wording holds, or none any more."""
        turned = [np.zeros(0, np.int32)]
        for row in range(self.upto, upto):
            before = int(self._version[files[row]])
            here = self.wordings.nodes_of(row)
            nodes, holders = self.wordings.nodes[here], self.wordings.wording[here]
            was = self.holder[nodes]
            if before >= 0:
                gone = self.wordings.nodes[self.wordings.nodes_of(before)]
                self.holder[gone] = self.itself[gone] = NOBODY
            self.holder[nodes] = holders
            self.itself[nodes] = np.where(self.wordings.own[here], holders, NOBODY)
            self._version[files[row]] = row
            turned.append(nodes[was != holders])
            if before >= 0:
                turned.append(gone[self.holder[gone] == NOBODY])
        self.upto = upto
        return np.concatenate(turned)
