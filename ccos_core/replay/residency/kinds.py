"""Which of some numbers come up first, or last, of their kind: by room to note where each was met.

Sorting them would take longer than all else that is done with so few. `places` has room for any of the numbers, and
needn't be left as it was found.
"""

from __future__ import annotations

import numpy as np

from ccos_core.replay.columns import Numbers


def firsts(numbers: Numbers, places: Numbers) -> Numbers:
    """Whether each of some numbers is the first of its kind among them."""
    return lasts(numbers[::-1], places)[::-1]


def lasts(numbers: Numbers, places: Numbers) -> Numbers:
    """Whether each of some numbers is the last of its kind among them."""
    every = np.arange(len(numbers))
    places[numbers] = every
    found: Numbers = places[numbers] == every
    return found
