"""Pause the cyclic garbage collector: it finds almost nothing here and takes time. Imports next to nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unsearched() -> Iterator[None]:
    """Disable the cyclic garbage collector meanwhile."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@contextmanager
def uncollected(*, stays: bool = False) -> Iterator[None]:
    """Disable the cyclic garbage collector while a record is folded or asked; it took a sixth of the time. What is left
    counts as old at once (all of it if it `stays`), or the collector would go through it twice more in the middle of
    the next questions."""
    collecting = gc.isenabled()
    with unsearched():
        try:
            yield
        finally:
            if stays:  # else the next allocation has all of it looked through
                _count_as_old()
            if collecting:
                gc.collect(0)
                _count_as_old()


def _count_as_old() -> None:
    """Move all objects to the oldest generation without looking at them: what was frozen thaws there."""
    gc.freeze()
    gc.unfreeze()
