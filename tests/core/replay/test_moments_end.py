"""A moment that nobody holds any more is gone at once: a screen never looks for circles."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from ccos_core.replay.timeline import KEPT, Timeline
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale


@pytest.fixture
def nobody_collects() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("nobody_collects")
@pytest.mark.parametrize("lens", ["working-set", "around:api.py", "task:handle"])
def test_only_the_last_moments_are_held(lens: str) -> None:
    tale = Tale(INVOICES)
    for number in range(2 * KEPT):
        tale.run(f"{number} failed\n")
    timeline = timeline_of(tale)
    steps = range(timeline.head - 2 * KEPT + 1, timeline.head + 1)
    seen = {step: _looked_at(timeline, step, lens) for step in steps}
    assert [step for step in steps if seen[step]() is not None] == [*steps][-KEPT:]


def _looked_at(timeline: Timeline, step: int, lens: str) -> "weakref.ref[object]":
    moment = timeline.at(step)
    list(moment.look_ahead(2_000))
    moment.window(lens, 300)
    moment.places(300)
    return weakref.ref(moment)
