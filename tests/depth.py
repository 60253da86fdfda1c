"""How much a run tries: a deep one everything, any other a share that finds the coarse mistakes."""

import os
from typing import TypeVar

T = TypeVar("T")

DEEP = os.environ.get("CCOS_DEEP") == "1"
"""`start.py test --deep`"""

MOST_EXAMPLES = 25
FEWEST_EXAMPLES = 8
EXAMPLES_DIVISOR = 4


def at_depth(usual: T, deep: T) -> T:
    """Choose how many rounds, bits or files a test goes through, or which."""
    return deep if DEEP else usual


def examples_of(deep: int) -> int:
    """How many examples a law tries that asks for `deep` of them: a quarter, as dear laws ask for few."""
    usual = min(deep, max(FEWEST_EXAMPLES, min(MOST_EXAMPLES, deep // EXAMPLES_DIVISOR)))
    return at_depth(usual, deep)
