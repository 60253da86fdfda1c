"""Whether a node can be in a window about a text at all, by bounds alone: mostly it can't, for hundreds of moments in a
row, and nobody has to put anything in order to say so.

It can't as long as what certainly stands above all of it takes more than there is room for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.bounds import Bounds, Weighing
from ccos_core.replay.residency.pressed import Pressed, most_given
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.fusion import STEEPNESS, WHOLE
from ccos_core.window import ranking
from ccos_core.window.ranking import FAILING, NEAR, WEIGHTS

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal

NEAREST = WEIGHTS[NEAR] * WHOLE // (STEEPNESS + 1)
"""The most that links give."""


@dataclass(slots=True)
class _Stretch:
    """What holds in one."""

    number: int
    bounds: Bounds
    over: int
    """What documents are given at least that together take more than there is room for."""
    best: int
    """What it takes at least to be among the best, of which others may be near."""
    mine: int
    """The most the text gives any document of the node, ..."""
    linked: int
    """... and any that is linked to one."""


class Prospects:
    """Of the documents of one node, at one step after another."""

    def __init__(self, weighing: Weighing, mine: Numbers, room: int) -> None:
        self.weighing = weighing
        self.wordings = weighing.wordings
        self.room = room
        self._mine = mine
        self._stretch: _Stretch | None = None
        self._linked = np.zeros(0, np.int64)

    def may_be_in(self, upto: int, _holder: Numbers) -> bool:
        """Whether any can be in by the text alone, where so many versions have been and wordings hold nodes so."""
        now = self._at(upto)
        return now.mine >= now.over

    def bounds(self, upto: int) -> Bounds:
        """Of the stretch this is in."""
        return self._at(upto).bounds

    def _at(self, upto: int) -> _Stretch:
        number = self.weighing.stretches.at(upto)
        if self._stretch is None or number != self._stretch.number:
            bounds = self.weighing.at(number)
            over = bounds.score_over(self.wordings.cost, self.room)
            mine, linked = bounds.most(self._mine), bounds.most(self._linked)
            self._stretch = _Stretch(number, bounds, over, bounds.score_at(ranking.ANCHORS), mine, linked)
        return self._stretch


class WithAll(Prospects):
    """The same where failures and links speak for documents too."""

    def __init__(self, weighing: Weighing, mine: Numbers, room: int, journal: Journal, pressed: Pressed) -> None:
        super().__init__(weighing, mine, room)
        self._pressed = pressed
        wordings = self.wordings
        nodes = _held(wordings, mine, len(journal.names))
        beside = _beside(journal, nodes)
        self._linked = np.unique(wordings.wording[beside[wordings.nodes]])
        self._linked = self._linked[self._linked >= 0]
        self._given = most_given(journal, nodes)
        self._given_linked = most_given(journal, _held(wordings, self._linked, len(journal.names)))
        self._may_be_near = bool((wordings.aside[mine] == 0).any())

    def may_be_in(self, upto: int, holder: Numbers) -> bool:
        """The same with what presses as it does now."""
        now = self._at(upto)
        most = now.mine + self._by_failures(self._given, holder)
        if most >= now.over:
            return True
        if most + NEAREST < now.over or not self._may_be_near:
            return False
        return now.linked + self._by_failures(self._given_linked, holder) >= now.best

    def _by_failures(self, given: Numbers, holder: Numbers) -> int:
        """The most that failures give now where they gave so much at all times."""
        strength = int(given[self._pressed.upto])
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
