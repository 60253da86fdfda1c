"""Who is said to be in a window about a text, or not to be, without ranking anything, is so by the ranking of all."""

from typing import Any

import numpy as np
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from ccos_core.replay.identity import life
from ccos_core.replay.residency import about, stretches
from ccos_core.replay.residency.about import HYBRID, About
from ccos_core.replay.residency.lens import unheard
from ccos_core.replay.residency.prospects import WithAll
from ccos_core.text.retrieval.fusion import shares
from ccos_core.window import ranking
from ccos_core.window.ranking import WEIGHTS, looked, together
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale

TEXTS = ["invoice total of a request", "KeyError in store.py load", "the due days of `parse`", "dates.py: load"]
Story = list[tuple[Any, ...]]


@settings(deadline=None, max_examples=60)
@example([], "dates.py: load", 139, 1, (1, 2))
@given(
    stories,
    st.sampled_from(TEXTS),
    st.integers(30, 600),
    st.sampled_from([1, 2, 5, 400]),
    st.sampled_from([(20, 200), (2, 4), (1, 2)]),
)
def test_a_glance_tells_what_a_ranking_does(
    story: Story, text: str, budget: int, marks: int, best: tuple[int, int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "MOST_MARKS", marks)
        for name, value in zip(("ANCHORS", "AROUND_THEM"), best, strict=True):
            patch.setattr(ranking, name, value)
        timeline = timeline_of(told_tale(story))
        moments = About(timeline, life(timeline, "file:api.py", timeline.head), HYBRID, text, unheard)
        each = _Each(moments, budget)
        for step in [0, *moments._changed(0, timeline.head)]:
            each.agrees(step)


class _Each:
    """Every document, moment after moment."""

    def __init__(self, moments: About, budget: int) -> None:
        self.walk = about._Walk(moments, budget)
        self._prospects = [self._looking(wording) for wording in range(len(self.walk.wordings.born))]

    def agrees(self, step: int) -> None:
        """Whatever is told of a document is true of it."""
        walk, wordings = self.walk, self.walk.wordings
        walk.state(step)
        last, upto, holder = walk.journal.last_moment(step), walk._going.upto, walk._going.holder
        walk._look_closely(last)
        members = set(self._members())
        alive = np.flatnonzero((wordings.born < upto) & (wordings.died >= upto))
        for wording in alive.tolist():
            found = walk._closely.is_in(np.array([wording]))
            event(f"a document is in: {found}")
            assert found in (None, wording in members)
            assert wording not in members or self._prospects[wording].may_be_in(upto, holder)
        for some in (alive[::2], alive[1::3]):
            if len(some):
                assert walk._closely.is_in(some) in (None, not members.isdisjoint(some.tolist()))

    def _members(self) -> list[int]:
        walk, sight = self.walk, self.walk._look()
        said = {name: shares(WEIGHTS[name], look) for name, look in looked(walk._terms, walk.named, sight).items()}
        pressed = walk._pressed.weights(walk._going.holder, sight.documents)
        order = np.array(together(sight, said, pressed).order(), np.int64)
        found: list[int] = walk._admitted(sight.documents.alive[order])[0].tolist()
        return found

    def _looking(self, wording: int) -> WithAll:
        walk = self.walk
        return WithAll(self._weighing(), np.array([wording]), walk.room, walk.journal, walk._pressed)

    def _weighing(self) -> Any:
        fresh = self.walk._looking_ahead(self.walk.about.timeline)
        return fresh.weighing
