"""Whether a node can be in a window about a text at all, by bounds alone: mostly it can't, for hundreds of moments in a
row, and nobody has to put anything in order to say so.

It can't as long as what certainly stands above all of it takes more than there is room for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.bounds import Bounds
from ccos_core.replay.residency.pressed import Pressed, most_given
from ccos_core.replay.residency.stretches import Stretches
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE
from ccos_core.window import ranking
from ccos_core.window.ranking import FAILING, NEAR, WEIGHTS

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal

NEAREST = WEIGHTS[NEAR] * WHOLE // (STEEPNESS + 1)
"""The most that links give."""


class Prospects:
    """Of the documents of one node, in one stretch after another."""

    def __init__(self, stretches: Stretches, mine: Numbers) -> None:
        self.stretches = stretches
        self.mine = mine
        self._bounds: Bounds | None = None
        self._most = 0

    def may_be_in(self, bounds: Bounds, _holder: Numbers) -> bool:
        """Whether any can be in by the text alone, where wordings hold nodes so."""
        if bounds is not self._bounds:
            self._bounds, self._most = bounds, self._given(bounds)
        return self._most >= bounds.over

    def _given(self, bounds: Bounds) -> int:
        """The most that any is given throughout the stretch, whatever fails."""
        return self._text_gives(bounds, self.mine)

    def _text_gives(self, bounds: Bounds, wordings: Numbers) -> int:
        """The most the text gives any of some documents."""
        there = wordings[self.stretches.are_in(wordings, bounds.stretch)]
        return int(bounds.of(there)[1].max(initial=0))


class WithAll(Prospects):
    """The same where failures and links speak for documents too."""

    def __init__(
        self, stretches: Stretches, mine: Numbers, wordings: Wordings, journal: Journal, pressed: Pressed
    ) -> None:
        super().__init__(stretches, mine)
        self._pressed = pressed
        nodes = _held(wordings, mine, len(journal.names))
        linked = np.unique(wordings.wording[_beside(journal, nodes)[wordings.nodes]])
        self._linked = linked[linked >= 0]
        """Documents that ever were linked to one of these."""
        self._most_given = most_given(journal, nodes)
        self._may_be_near = bool((wordings.aside[mine] == 0).any())

    def may_be_in(self, bounds: Bounds, holder: Numbers) -> bool:
        """The same with what presses as it does now."""
        return super().may_be_in(bounds, holder) or self._most + self._by_failures(holder) >= bounds.over

    def _given(self, bounds: Bounds) -> int:
        """With what links give, if any that one of them was linked to may be among the best."""
        is_near = self._may_be_near and self._text_gives(bounds, self._linked) >= bounds.score_at(ranking.ANCHORS)
        return super()._given(bounds) + NEAREST * is_near

    def _by_failures(self, holder: Numbers) -> int:
        """The most that failures give now."""
        strength = int(self._most_given[self._pressed.upto])
        if not strength:
            return 0
        return WEIGHTS[FAILING] * WHOLE // (STEEPNESS + 1 + self._pressed.stronger(holder, strength))


def _held(wordings: Wordings, some: Numbers, size: int) -> Numbers:
    """Node → whether some wordings ever held it."""
    found = np.zeros(size, bool)
    which = np.zeros(len(wordings.born) + 2, bool)  # whose last two are for those that no wording holds
    which[some] = True
    found[wordings.nodes[which[wordings.wording]]] = True
    return found


def _beside(journal: Journal, nodes: Numbers) -> Numbers:
    """Node → whether it ever was linked to any of some."""
    owners, targets = journal.uses["owner"], journal.uses["target"]
    found = np.zeros(len(nodes), bool)
    found[targets[nodes[owners]]] = True
    found[owners[nodes[targets]]] = True
    return found
