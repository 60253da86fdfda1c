"""What failures give documents in a `hybrid` window, at one moment after another."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.fitting import Fitting
from ccos_core.replay.residency.kinds import firsts
from ccos_core.replay.residency.pressed import Pressed
from ccos_core.replay.residency.wordings import NOBODY
from ccos_core.text.retrieval.fusion import shares_in_order
from ccos_core.window.ranking import FAILING, WEIGHTS

Handed = tuple[Numbers, Numbers]
"""Wordings that held something, and those that hold it instead."""


class Failing:
    """Wordings by how strongly failures press on what they hold."""

    def __init__(self, fitting: Fitting, pressed: Pressed) -> None:
        self._fitting = fitting
        self._pressed = pressed
        self.given = np.zeros(len(fitting.wordings.born), np.int64)
        """Wording → what it is given, ..."""
        self.wordings = np.zeros(0, np.int64)
        """... and those that are given anything, the most first."""
        self._nodes = self._order = np.zeros(0, np.int32)
        self._strengths = np.zeros(0, np.int64)
        """What failures press on, as of when that was taken in; the same with the strongest first, and how strongly."""
        self._is_pressed = np.zeros(pressed.size, bool)
        """Node → whether it is one of these, ..."""
        self._holders = np.full(pressed.size, NOBODY, np.int32)
        """... and who held it when somebody asked last."""

    def move(self, holder: Numbers, turned: Numbers) -> bool:
        """Go on to a moment, where other wordings hold the nodes that turned since the last one; gives whether anything
        is given anew."""
        nodes, strengths = self._pressed.nodes()
        if nodes is not self._nodes:
            self._press(nodes, strengths)
        elif not self.is_on(turned):
            return False
        holders = holder[self._order]
        held = np.flatnonzero(holders >= 0)
        held = held[firsts(holders[held], self._fitting.places)]
        self._holders[self._order] = holders
        self.given[self.wordings] = 0
        self.wordings = holders[held]
        self.given[self.wordings] = shares_in_order(WEIGHTS[FAILING], self._strengths[held])
        return True

    def is_on(self, nodes: Numbers) -> bool:
        """Whether failures press on any of some nodes, as of the last move."""
        return bool(self._is_pressed[nodes].any())

    def hand_on(self, holder: Numbers, turned: Numbers) -> Handed | None:
        """Where a file was written anew, others hold what is pressed on; where each of them holds all of that which
        one held before, it is given as much. None where it isn't as simple as that."""
        nodes = turned[self._is_pressed[turned]]
        nodes = nodes[self._holders[nodes] != holder[nodes]]
        handed = dict.fromkeys(zip(nodes.tolist(), self._holders[nodes].tolist(), holder[nodes].tolist(), strict=True))
        pairs = Counter((was, now) for _, was, now in handed)
        holding = self._holders[self._nodes]
        is_simple = len({was for was, _ in pairs}) == len({now for _, now in pairs}) == len(pairs)
        if not is_simple or any(min(pair) < 0 for pair in pairs):
            return None
        if any(np.count_nonzero(holding == was) > size or (holding == now).any() for (was, now), size in pairs.items()):
            return None
        self._holders[nodes] = holder[nodes]
        every = np.array([*pairs], np.int64).reshape(-1, 2)
        return every[:, 0], every[:, 1]

    def _press(self, nodes: Numbers, strengths: Numbers) -> None:
        self._is_pressed[self._nodes] = False
        self._is_pressed[nodes] = True
        order = np.argsort(-strengths)
        self._nodes, self._order, self._strengths = nodes, nodes[order], strengths[order].astype(np.int64)
