"""Who is said to be in a window about a text, or not to be, is so by the ranking of all; exact bounds tell all, and
what everybody has."""

from typing import Any

import numpy as np
import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from ccos_core.replay.identity import life
from ccos_core.replay.residency import nearing
from ccos_core.replay.residency.about import HYBRID, About
from ccos_core.replay.residency.lens import unheard
from ccos_core.replay.residency.prospects import WithAll
from ccos_core.replay.residency.walks import InHybrid
from ccos_core.replay.timeline import Timeline
from ccos_core.text.syntax.resolution import Target
from ccos_core.window import ranking
from ccos_core.window.lenses import live
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.ranking import ranked
from ccos_core.window.task import admitted, for_hybrid
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale
from tests.laws.test_named import documents

TEXTS = [
    "invoice total of a request",
    "KeyError in store.py load",
    "the due days of `parse`",
    "dates.py: load",
    "nobody knows größe",
    "",
]
HANDLING = "from service import invoice\n\n\ndef handle(request):\n    return invoice(request)\n"
HANDLING += "\n\ndef health():\n    return 'ok'\n"
LOADING = "from store import load\n\n\ndef invoice(request):\n    return load(request).total\n"
Story = list[tuple[Any, ...]]


@settings(deadline=None, max_examples=60)
@example([], "dates.py: load", 139, 1, (1, 2))
@example(
    [
        ("read", "api.py", HANDLING, [1, 1], {}),
        ("read", "api.py", LOADING, [1, 1], {}),
        ("read", "invoice_words.py", LOADING, [1, 1], {}),
    ],
    "KeyError in store.py load",
    39,
    1000,
    (1, 2),
)
@given(
    stories,
    st.sampled_from(TEXTS),
    st.integers(30, 600) | st.sampled_from([1, 2**40]),
    st.sampled_from([1, 5, 1_000]),
    st.sampled_from([(20, 200), (2, 4), (1, 2)]),
)
def test_a_glance_tells_what_a_ranking_does(
    story: Story, text: str, budget: int, many: int, best: tuple[int, int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearing, "MANY", many)
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
        walk = moments.walk(budget)
        assert isinstance(walk, InHybrid)
        self.walk, self.text, self.budget = walk, moments.text, budget
        self.timeline: Timeline = moments.timeline
        self._prospects = [self._looking(wording) for wording in range(len(walk.wordings.born))]

    def agrees(self, step: int) -> None:
        """Whatever is told of a document is true of it."""
        walk, wordings = self.walk, self.walk.wordings
        walk.state(step)
        upto, holder = walk.going.upto, walk.going.holder
        alive = np.flatnonzero((wordings.born < upto) & (wordings.died >= upto))
        targets, scores = self._ranked(step)
        told = zip(alive.tolist(), documents(wordings, alive), strict=True)
        members = {wording for wording, target in told if target in targets}
        for bounds in walk.nearing.looks(upto):
            walk.look(bounds, False)
            for wording in alive.tolist():
                found = walk.closely.is_in(np.array([wording]))
                event(f"a document is in: {found}")
                assert found == (wording in members) or (found is None and not bounds.is_exact)
                assert wording not in members or self._prospects[wording].may_be_in(bounds, holder)
            for some in (alive[::2], alive[1::3]):
                if len(some):
                    found = walk.closely.is_in(some)
                    is_in = not members.isdisjoint(some.tolist())
                    assert found == is_in or (found is None and not bounds.is_exact)
        assert bounds.is_exact
        self._scores_are(dict(zip(alive.tolist(), scores, strict=True)), bounds.enough)

    def _scores_are(self, scores: dict[int, int], enough: int) -> None:
        """What exact bounds give together with failures and links is what a ranking gives; who isn't told has less than
        it takes."""
        standing = self.walk.closely.standing
        wordings = standing.wordings.tolist()
        for bound in (standing.low, standing.high):
            assert bound.tolist() == [scores[wording] for wording in wordings]
        assert all(score < enough for wording, score in scores.items() if wording not in wordings)

    def _ranked(self, step: int) -> tuple[set[Target], list[int]]:
        """(who is in by the window itself, the score of each document)."""
        moment = self.timeline.at(step)
        view = Lexicon(moment).view()
        found = ranked(self.text, view, live(moment))
        members = admitted(for_hybrid(view, found), self.budget).members
        within = {Target(member.candidate.source.path, member.candidate.symbol) for member in members}
        return within, found.scores.tolist()

    def _looking(self, wording: int) -> WithAll:
        walk = self.walk
        return WithAll(walk.stretches, np.array([wording]), walk.wordings, walk.journal, walk.pressed)
