"""What failures pressed on most in any stretch: documents of which it matters what a text gives them besides."""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers, ranges
from ccos_core.replay.journal import Journal
from ccos_core.replay.residency.pressed import Pressed
from ccos_core.replay.residency.stretches import Stretch, Stretches
from ccos_core.replay.residency.wordings import Wordings

MOST = 200
"""Nodes that are pressed on most, at each moment. What is given to those behind them is so little that bounds of many
moments do."""


class Foremost:
    """Of all moments; nothing here depends on a text."""

    def __init__(self, journal: Journal, wordings: Wordings, stretches: Stretches) -> None:
        found = np.unique(wordings.nodes.astype(np.int64) * (len(wordings.born) + 2) + wordings.wording + 2)
        self._nodes, self._held = divmod(found, len(wordings.born) + 2)
        self._held -= 2
        """Pairs of nodes and wordings that ever held them, in order."""
        pressed, steps, self._found = Pressed(journal), [], [np.zeros(0, np.int32)]
        for step in np.unique(journal.failures["step"]).tolist():
            if pressed.move(step):
                steps.append(journal.last_moment(step))
                self._found.append(_strongest(*pressed.nodes()))
        upto = np.searchsorted(journal.versions["step"], np.array(steps, np.int32), side="right")
        self._places = np.searchsorted(stretches.marks, upto)
        """Where failures became others; each is followed by what they pressed on most from there on."""

    def within(self, stretch: Stretch) -> Numbers:
        """The wordings that ever held such a node of any moment of a stretch."""
        first, end = np.searchsorted(self._places, np.array([stretch.first, stretch.end])).tolist()
        nodes = np.unique(np.concatenate(self._found[first : end + 1]))
        begins, ends = np.searchsorted(self._nodes, nodes), np.searchsorted(self._nodes, nodes, side="right")
        found: Numbers = self._held[ranges(begins, ends)]
        held: Numbers = found[found >= 0]
        return held


def foremost_of(journal: Journal, wordings: Wordings, stretches: Stretches) -> Foremost:
    """Those of a journal."""
    found: Foremost = journal.once("foremost", lambda: Foremost(journal, wordings, stretches))
    return found


def _strongest(nodes: Numbers, strengths: Numbers) -> Numbers:
    if len(nodes) <= MOST:
        return nodes
    found: Numbers = nodes[np.argpartition(strengths, len(strengths) - MOST)[-MOST:]]
    return found
