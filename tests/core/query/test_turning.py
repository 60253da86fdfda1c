"""`last` and `next` stand still at every change of a node's residency, and at no other step."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.query import turning
from ccos_core.query.missing import missing
from ccos_core.query.turning import turned
from ccos_core.replay.renames import life
from ccos_core.replay.timeline import Timeline
from tests.core.replay.residencies import Slow
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

LENS = "working-set"


@settings(deadline=None, max_examples=80)
@given(stories, st.sampled_from(NODES), st.integers(20, 150), st.integers(0, 40), st.booleans(), st.integers(1, 9))
def test_it_stops_where_the_state_became_another(
    story: list[tuple[Any, ...]], node: str, budget: int, at: int, forward: bool, fewest: int
) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    at = min(at, timeline.head)
    states = Slow(tale, timeline).states(life(timeline, node, at), LENS, budget)
    turns = [step for step in range(1, len(states)) if states[step] != states[step - 1]]
    there = [step for step in turns if (step > at if forward else step < at)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(turning, "FEWEST", fewest)
        found = turned(timeline, at, node, forward=forward, lens=LENS, budget=budget)
    if not there:
        assert (found.step, found.wall) == (None, "end" if forward else "start")
        assert found.suggested is not None
        assert found.suggested.op is None
        assert found.before == found.after == states[at]
        return
    step = there[0] if forward else there[-1]
    assert (found.step, found.wall) == (step, "")
    assert (found.before, found.after) == (states[step - 1], states[step])
    every = missing(
        timeline, at, node=node, budget=budget, lens=LENS, limit=0, progress=lambda done, total: None
    ).suggested
    assert every is not None
    assert found.suggested is not None
    assert found.suggested.eviction == next((each for each in every.evictions if each.step == step), None)
    assert found.suggested.entrance == next((each for each in every.entrances if each.step == step), None)


def test_running_back_and_on_again() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).read("store.py", INVOICES["store.py"]).prompt()
    timeline = timeline_of(tale)
    assert walk(timeline, "file:api.py", False) == [8, 7, 2]
    assert walk(timeline, "file:api.py", True) == [2, 7, 8]


def walk(timeline: Timeline, node: str, forward: bool) -> list[int]:
    at, found = 0 if forward else timeline.head, []
    while (step := turned(timeline, at, node, forward=forward, lens=LENS, budget=40).step) is not None:
        found.append(step)
        at = step
    return found
