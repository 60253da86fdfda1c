"""What failures give is handed on only where documents follow each other one for one."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ccos_core.replay.residency.failing import Failing
from ccos_core.replay.residency.learnt import WORDLESS
from ccos_core.replay.residency.wordings import NOBODY


@pytest.mark.parametrize(
    ("before", "after", "handed"),
    [
        ([0, 1, 1], [2, 1, 1], ([0], [2])),
        ([0, 1, 1], [0, 2, 2], ([1], [2])),
        ([0, 1, 1], [0, 2, 1], None),  # one of two stays
        ([0, 1, 2], [0, 3, 3], None),  # two become one
        ([0, 1, 1], [0, 2, 3], None),
        ([0, 1, 1], [1, 1, 1], None),
        ([WORDLESS, 1, 1], [2, 1, 1], None),  # it was given nothing
        ([0, 1, 1], [WORDLESS, 1, 1], None),
        ([0, 1, 1], [NOBODY, 1, 1], None),
        ([NOBODY, 1, 1], [0, 1, 1], None),
    ],
)
def test_who_follows_whom(before: list[int], after: list[int], handed: tuple[list[int], list[int]] | None) -> None:
    pressed: Any = SimpleNamespace(size=3, nodes=_once(np.arange(3), np.array([9, 5, 5])))
    fitting: Any = SimpleNamespace(wordings=SimpleNamespace(born=np.zeros(4)), places=np.zeros(4, np.int64))
    failing = Failing(fitting, pressed)
    failing.move(np.array(before), np.arange(3))
    found = failing.hand_on(np.array(after), np.arange(3))
    assert handed == (found and tuple(each.tolist() for each in found))


def _once(*found: Any) -> Any:
    return lambda: found
