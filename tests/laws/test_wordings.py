"""What is kept up with from version to version is what a project that is learnt afresh at each step says."""

from random import Random
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency import reading
from ccos_core.replay.residency.joining import _last_said, learn_on, put_behind
from ccos_core.replay.residency.learning import Share, learn
from ccos_core.replay.residency.learnt import Words
from ccos_core.replay.residency.reading import in_shares, read
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES
from tests.laws.test_folding import stories, told_tale

REPLACED = [
    ("look", "service.py", INVOICES["api.py"]),
    ("read", "api.py", INVOICES["api.py"], [1, 1], {}),
    ("read", "service.py", INVOICES["service.py"], [1, 1], {}),
]
"""What nobody ever sees of a file, for within a look it is another one, has nodes that others see later."""


@settings(deadline=None, max_examples=60)
@example([("read", "api.py", INVOICES["api.py"], [line, line], {}) for line in (1, 1, 2, 1)], 3)
@example(REPLACED, 2)
@given(stories, st.integers(0, 30))
def test_what_was_learnt_goes_on_as_if_it_had_been_learnt_at_one_go(story: list[tuple[Any, ...]], end: int) -> None:
    begun, whole = timeline_of(told_tale(story[:end])), timeline_of(told_tale(story))
    assume(not begun.journal.solid)  # a look that goes on is written otherwise, and nothing of it is kept
    words, at_once = Words(), Words()
    for each, timeline in ((words, begun), (words, whole), (at_once, whole)):
        learn_on(timeline, each, lambda done, total: None)
    assert columns(words) == columns(at_once)


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(1, 9), st.integers(1, 4), st.integers(1, 3), st.randoms(use_true_random=False))
def test_words_learnt_in_shares_are_those_learnt_version_by_version(
    story: list[tuple[Any, ...]], most: int, sweep: int, turn: int, chance: Random
) -> None:
    """However large shares are, and in whichever order they come."""
    timeline = timeline_of(told_tale(story))
    files, one_by_one, together = timeline.journal.versions["path"], Words(), Words()
    for row in range(len(files)):
        said = _last_said(one_by_one, files[: row + 1])
        put_behind(one_by_one, [learn(Share(read(timeline, [[row]]), said, len(one_by_one.wordings)))])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "SHARE", most)
        patch.setattr(reading, "SWEEP", sweep)
        patch.setattr(reading, "ROUND", turn)
        shares = list(in_shares(files.tolist(), 0))
        chance.shuffle(shares)
        put_behind(together, [learn(Share(read(timeline, each), {}, 0)) for each in shares])
    assert columns(together) == columns(one_by_one)


def columns(words: Words) -> list[tuple[str, bytes]]:
    return [piece for table in words.tables() for piece in table.pieces(0)]
