"""Heats looked up in the sorted column are those a pass over all changes gives."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay import heat_columns
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 3))
def test_a_look_gives_what_a_pass_gives(story: list[tuple[Any, ...]], few: int) -> None:
    journal = timeline_of(told_tale(story)).journal
    every = list(range(len(journal.names)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heat_columns, "FEW", few)
        for step in range(journal.head + 1):
            for nodes in (every, every[:1], []):
                assert heat_columns.latest_heats(journal, nodes, step) == journal.heats_of(nodes, step)
