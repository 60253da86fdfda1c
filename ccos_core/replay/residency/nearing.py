"""A text at one moment after another: looked at in stretches within stretches, no more closely than it takes."""

from __future__ import annotations

from collections.abc import Iterator

from ccos_core.replay.residency.bounds import Bounds, Weighing

MANY = 1_000
"""Where more than so many may be among the first, whoever they are isn't looked at: closer bounds come cheaper."""


class Nearing:
    """The stretches that hold a moment, each within the one before."""

    def __init__(self, weighing: Weighing) -> None:
        self._weighing = weighing
        self._stretches = weighing.stretches
        self._within: list[Bounds] = []

    def looks(self, upto: int) -> Iterator[Bounds]:
        """The bounds of a moment at which there were so many versions, from those at hand to exact ones."""
        place = self._stretches.place(upto)
        while self._within and place not in self._within[-1].stretch:
            self._within.pop()
        if not self._within:
            self._within.append(self._weighing.afresh(self._stretches.steady(place)))
        while not self._within[-1].stretch.is_one():
            if len(self._within[-1].first) <= MANY:
                yield self._within[-1]
            self._within.append(self._weighing.part(self._within[-1], place))
        yield self._within[-1]
        if not self._within[-1].is_exact:
            self._within.append(self._weighing.afresh(self._within[-1].stretch))
            yield self._within[-1]
