"""When nobody looks for objects that hold each other in a circle: what we do makes hardly any, and to look takes time.
Imports next to nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unsearched() -> Iterator[None]:
    """Nobody looks for cycles meanwhile."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def uncollected(*, stays: bool = False) -> Iterator[None]:
    """While a record is folded or asked, nobody looks for cycles: that makes hardly any, and what a fold makes stays.
    To look at all of it again and again took a sixth of the time. What is left of it counts as old at once: as young it
    would be looked at twice more, in the middle of one of the next questions, for longer than that takes."""
    collecting = gc.isenabled()
    with unsearched():
        try:
            yield
        finally:
            if stays:  # it is as old as what was there, or whoever makes anything next has all of it looked through
                _count_as_old()
            if collecting:
                gc.collect(0)
                _count_as_old()


def _count_as_old() -> None:
    """There is no other way to the oldest generation that doesn't look at all of it: what was frozen thaws there."""
    gc.freeze()
    gc.unfreeze()
