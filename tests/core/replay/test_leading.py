"""The first of a ranking, found without putting all in order, are the first of the ranking."""

from collections.abc import Sequence
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency import leading
from ccos_core.replay.residency.leading import Leading
from ccos_core.text.retrieval.fusion import shares
from ccos_core.text.retrieval.shelf import Numbers
from ccos_core.window import ranking
from ccos_core.window.ranking import BODIES, FILES, HEADS, WEIGHTS, Sight, together

COUNT = 300
chances = st.integers(0, 2**32 - 1)


class Linked:
    """Documents that are in a file each, and what depends on what."""

    def __init__(self, pairs: Sequence[tuple[int, int]]) -> None:
        self.pairs = sorted({(one, to) for one, to in pairs if one != to})
        self.aside = (np.arange(COUNT) % 7 == 0).astype(np.int64)

    def linked(self, documents: Sequence[int]) -> tuple[Numbers, Numbers]:
        found = np.array([pair for pair in self.pairs if pair[0] in documents], np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]


@settings(deadline=None, max_examples=300)
@given(chances, st.sampled_from([3, 40, 10**6]), st.integers(20, 150), st.booleans(), st.integers(1, 3))
def test_the_first_are_those_of_all(seed: int, different: int, deep: int, nearness: bool, turns: int) -> None:
    """Whatever presses on them next, and however short the heads are that are put in order."""
    chance = np.random.default_rng(seed)
    pairs = chance.integers(0, COUNT, (chance.integers(0, 200), 2)) * (1, chance.integers(0, 2))
    view = cast(
        Sight, Linked(np.concatenate([pairs, pairs[::2, ::-1], [(at, 0) for at in range(0, COUNT, 2)]]).tolist())
    )
    liked = chance.integers(0, different, COUNT) * chance.integers(0, 2, COUNT)
    liked[0] = different  # what many link to is often the best
    looks = {name: scores(chance, different, liked) for name in (HEADS, BODIES, FILES)}
    said = {name: shares(WEIGHTS[name], look) for name, look in looks.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leading, "DEEP", deep)
        for name, value in (("AT_FIRST", 6), ("AROUND_THEM", 4), ("ANCHORS", 2), ("STOP", 20)):
            patch.setattr(ranking, name, value)
        found = Leading(view, looks)
        for _ in range(turns):
            pressed = scores(chance, different, liked) * (chance.integers(0, 10, COUNT) == 0)
            best = together(view, said, pressed, nearness=False).order()[1:4]
            mine = chance.choice([*pairs[:, 0], *best * len(pairs), 1], 1)
            whole = together(view, said, pressed, nearness)
            above = found.above(mine, pressed, nearness)
            assert (whole.scores[above] > whole.scores[mine].max()).all()
            parts = [list(part) for part in found.parts(pressed, nearness)]
            assert parts[-1] == whole.order()
            assert all(part == next(whole.parts()) for part in parts[:-1])


def scores(chance: np.random.Generator, different: int, liked: Numbers) -> Numbers:
    """Some have none; what is liked in one list is so in others, as a rule."""
    found: Numbers = (chance.integers(0, different, COUNT) + 2 * liked) * chance.integers(0, 3, COUNT) // 2
    return found
