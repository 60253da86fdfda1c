"""The numbers of `resume` that were chosen on real sessions, and others they might have been."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import NamedTuple
from unittest.mock import patch

from ccos_core.window import resume


class Setting(NamedTuple):
    """Named like the constants of `ccos_core.window.resume`."""

    TURN: tuple[int, int]
    LEFT_BEHIND: tuple[int, int]
    FIRST_TURNS: tuple[int, ...]
    AT_ONCE: int


LANDED = Setting(resume.TURN, resume.LEFT_BEHIND, resume.FIRST_TURNS, resume.AT_ONCE)
OTHERS = [
    Setting(turn, left, first, at_once)
    for turn, left, (first, at_once) in product(
        ((3, 2), (7, 4), (9, 4)), ((1, 1), (3, 2), (4, 1)), (((2,), 50), ((2, 2), 30))
    )
]
SETTINGS = {repr(setting): setting for setting in (*(each for each in OTHERS if each != LANDED), LANDED)}
"""By name. The landed one is last, and of equals the first is chosen: a draw doesn't speak for it."""


@contextmanager
def set_to(setting: Setting) -> Iterator[None]:
    """`resume` with these numbers."""
    with patch.multiple(resume, **setting._asdict()):
        yield
