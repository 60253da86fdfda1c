"""What is kept up with from version to version is what a project that is learnt afresh at each step says."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency import going, reading
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.going import Going, Lengths
from ccos_core.replay.residency.joining import _last_said, learn_on, put_behind
from ccos_core.replay.residency.learning import Share, learn
from ccos_core.replay.residency.learnt import Words
from ccos_core.replay.residency.pressed import Pressed
from ccos_core.replay.residency.reading import in_shares, read
from ccos_core.replay.residency.sight import Asked, Sight
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import wordings_of
from ccos_core.replay.timeline import Timeline
from ccos_core.text.retrieval.mentions import mentions
from ccos_core.text.retrieval.report import report
from ccos_core.text.syntax.resolution import Target
from ccos_core.window.layout import entry
from ccos_core.window.lenses import live
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.ranking import query, ranked, weighed
from ccos_core.window.source import SIGNATURE
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES
from tests.laws.test_folding import stories, told_tale

REPLACED = [
    ("look", "service.py", INVOICES["api.py"]),
    ("read", "api.py", INVOICES["api.py"], [1, 1], {}),
    ("read", "service.py", INVOICES["service.py"], [1, 1], {}),
]
"""What nobody ever sees of a file, for within a look it is another one, has nodes that others see later."""
TEXTS = [
    "invoice total of a request",
    "KeyError in store.py load, line 5",
    "`due` days in api.py:5 of service.invoice",
    "store.py:2 and lib/store.py:6, then app/api.py:4 in health",
]


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(TEXTS), st.integers(1, 3), st.sampled_from([0, 1, 3_000]), st.sampled_from([0, 4, 999]))
def test_a_ranking_is_that_of_whoever_learns_all_afresh(
    story: list[tuple[Any, ...]], text: str, stride: int, rows: int, few: int
) -> None:
    """However many versions are followed one by one, and however much is counted anew."""
    timeline = timeline_of(told_tale(story))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(going, "MOST_ROWS", rows)
        patch.setattr(going, "FEW", few)
        follower = Follower(timeline, text)
        for step in range(0, timeline.head + 1, stride):
            moment = timeline.at(step)
            view = Lexicon(moment).view()
            targets, costs, scores = follower.ranked(moment.last)
            sources = [moment.source(target.path) for target in targets]
            assert targets == list(view.targets)
            assert scores == ranked(text, view, live(moment)).scores.tolist()
            assert costs == [
                entry(source, source.shown(target.symbol, SIGNATURE))
                for source, target in zip(sources, targets, strict=True)
            ]


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
@given(stories, st.integers(1, 9), st.integers(1, 4), st.randoms(use_true_random=False))
def test_words_learnt_in_shares_are_those_learnt_version_by_version(
    story: list[tuple[Any, ...]], most: int, sweep: int, chance: Random
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
        shares = list(in_shares(files.tolist(), 0))
        chance.shuffle(shares)
        put_behind(together, [learn(Share(read(timeline, each), {}, 0)) for each in shares])
    assert columns(together) == columns(one_by_one)


def columns(words: Words) -> list[tuple[str, bytes]]:
    return [piece for table in words.tables() for piece in table.pieces(0)]


class Follower:
    """Goes from step to step."""

    def __init__(self, timeline: Timeline, text: str) -> None:
        self.text, journal = text, timeline.journal
        self.wordings = wordings_of(timeline, lambda done, total: None)
        self.files = journal.versions["path"].tolist()
        self.steps = journal.versions["step"]
        told = report(text)
        self.asked = Asked(self.wordings, list(query(told)))
        self.going, self.lengths = Going(self.wordings, len(journal.names)), Lengths(self.wordings)
        self.called, self.using = Called(timeline, self.wordings, mentions(told.text)), Using(journal)
        self.pressed = Pressed(journal)

    def ranked(self, last: int) -> tuple[list[Target], list[int], list[int]]:
        """(documents, what each takes at all, its score) at the last step of a moment."""
        upto = int(np.searchsorted(self.steps, last, side="right"))
        self.going.move(self.files, upto)
        for each in (self.called, self.lengths):
            each.move(upto)
        for later in (self.using, self.pressed):
            later.move(last)
        documents = self.lengths.documents()
        collection = self.asked.collection(documents)
        sight = Sight(self.wordings, documents, collection, self.called, self.using, self.going.holder)
        scores = weighed(self.text, sight, self.pressed.weights(self.going.holder, documents)).scores
        alive = documents.alive.tolist()
        return [self.wordings.targets[at] for at in alive], self.wordings.cost[alive].tolist(), scores.tolist()
