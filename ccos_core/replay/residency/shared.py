"""Going through moment after moment, piece by piece, each piece by whoever is free.

What is said of a moment never rests on what was said of those before. Whoever leaves pieces out only has more to take
in at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ccos_core.replay.residency.lens import Progress

PIECES = 16
"""Fewer are hardly shared out evenly; of more each is so short that what holds for many moments is found out twice."""

State = Callable[[int], int]
"""What something is at a step, not before the last one that was asked for."""
Heard = Callable[[int], None]
"""Hears at which moment somebody is, and may put an end to it."""
Work = Callable[[int, Heard], bytes]
"""What comes of a piece."""


class Helper(Protocol):
    """Whoever has other processes help."""

    def share(self, work: Work, pieces: int, moments: int, heard: Heard) -> list[bytes] | None:
        """What comes of each of some pieces of so many moments. Each process takes them in their order, and only this
        one is heard. None, where another came to nothing."""


def gone_through(begin: Callable[[], State], steps: Sequence[int], helper: Helper | None, progress: Progress) -> bytes:
    """What something is at each of some steps, from the first to the last. Whoever has gone through any can't go back:
    so where another came to nothing, all is begun anew."""

    def heard(at: int) -> None:
        progress(at, len(steps))

    found = _together(begin(), steps, helper, heard) if helper is not None else None
    return found if found is not None else _told(begin(), steps, range(len(steps)), heard)


def _together(state: State, steps: Sequence[int], helper: Helper, heard: Heard) -> bytes | None:
    every, size = range(len(steps)), -(-len(steps) // PIECES)

    def told(at: int, heard: Heard) -> bytes:
        return _told(state, steps, every[at * size : (at + 1) * size], heard)

    found = helper.share(told, PIECES, len(steps), heard)
    return b"".join(found) if found is not None else None


def _told(state: State, steps: Sequence[int], which: range, heard: Heard) -> bytes:
    found = bytearray()
    for at in which:
        heard(at)
        found.append(state(steps[at]))
    return bytes(found)
