"""What is said to hold for many moments in a row holds at each of them, and of a single one it is said exactly."""

from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ccos_core.replay.identity import life
from ccos_core.replay.moment import Moment
from ccos_core.replay.residency import nearing
from ccos_core.replay.residency.about import About
from ccos_core.replay.residency.bounds import Bounds
from ccos_core.replay.residency.lens import unheard
from ccos_core.replay.residency.stretches import stretches_of
from ccos_core.replay.residency.walks import Walk
from ccos_core.replay.residency.wordings import wordings_of
from ccos_core.window import ranking
from ccos_core.window.layout import entry
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.ranking import ranked
from ccos_core.window.source import SIGNATURE
from tests.core.replay.told import timeline_of
from tests.laws import test_named
from tests.laws.test_folding import stories, told_tale

TEXTS = [
    "invoice total of a request",
    "KeyError in store.py load, and `parse` of dates.py",
    'File "service.py", line 5, in invoice: due days',
    "`due` days in api.py:5 of service.invoice",
    "store.py:2 and lib/store.py:6, then app/api.py:4 in health",
    "nobody knows größe",
    "",
]
Story = list[tuple[Any, ...]]


@settings(deadline=None, max_examples=60)
@given(
    stories,
    st.sampled_from(TEXTS),
    st.sampled_from(["task", "hybrid"]),
    st.integers(30, 600) | st.sampled_from([1, 2**40]),
    st.sampled_from([1, 5, 1_000]),
    st.sampled_from([200, 2]),
)
def test_a_text_gives_each_document_so_much(
    story: Story, text: str, lens: str, budget: int, many: int, best: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearing, "MANY", many)
        patch.setattr(ranking, "AROUND_THEM", best)
        timeline = timeline_of(told_tale(story))
        about = About(timeline, life(timeline, "file:api.py", timeline.head), lens, text, unheard)
        walk = about.walk(budget)
        for step in [0, *about._changed(0, timeline.head)]:
            walk.state(step)
            moment = timeline.at(step)
            truth = _Truth(walk, text, moment)
            looks = list(walk.nearing.looks(walk.going.upto))
            event(f"{len(looks)} looks")
            for each in looks:
                truth.agrees(each)
            assert looks[-1].is_exact
            assert (truth.given == looks[-1].of(truth.documents)).all()


@settings(deadline=None)
@given(test_named.stories)
def test_in_a_stretch_documents_are_never_more_than_twice_as_many(story: Story) -> None:
    """And each goes on for as long as that is so."""
    timeline = timeline_of(test_named.told_tale(story))
    every = stretches_of(wordings_of(timeline, unheard), timeline.journal)
    counts, first = every.counts.tolist(), 0
    while first < len(counts):
        stretch = every.steady(first)
        assert stretch.first == first
        assert all(every.steady(place) == stretch for place in range(first, stretch.end))
        within, further = counts[first : stretch.end], counts[first : stretch.end + 1]
        assert max(within) <= 2 * min(within)
        assert within == further or max(further) > 2 * min(further)
        first = stretch.end


class _Truth:
    """The documents of a moment, weighed by whoever learns all of them afresh."""

    def __init__(self, walk: Walk, text: str, moment: Moment) -> None:
        view = Lexicon(moment).view()
        born, died = walk.wordings.born, walk.wordings.died
        self.walk = walk
        self.documents = np.flatnonzero((born < walk.going.upto) & (died >= walk.going.upto))
        self.given = ranked(text, view, nearness=False).scores
        self.costs = walk.wordings.cost[self.documents]
        sources = [moment.source(target.path) for target in view.targets]
        assert test_named.documents(walk.wordings, self.documents) == list(view.targets)
        assert self.costs.tolist() == [
            entry(source, source.shown(target.symbol, SIGNATURE))
            for source, target in zip(sources, view.targets, strict=True)
        ]

    def agrees(self, said: Bounds) -> None:
        """Nobody is given less, or more, than is said; and nobody is left out who might be in."""
        low, high = said.of(self.documents)
        assert (low <= self.given).all()
        assert (self.given <= high).all()
        others = ~np.isin(self.documents, said.first)
        assert (self.given[others] < said.enough).all()
        before = self.given >= said.over
        assert not said.over or self.costs[before].sum() > self.walk.fitting.room
        assert np.count_nonzero(self.given >= said.score_at(3)) >= min(3, len(self.documents))
