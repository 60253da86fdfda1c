"""What is said to hold for many moments in a row holds at each of them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.residency import stretches
from ccos_core.replay.residency.bounds import Bounds, Weighing
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.going import Going, Lengths
from ccos_core.replay.residency.lens import unheard
from ccos_core.replay.residency.naming import Naming
from ccos_core.replay.residency.sight import Asked, Sight
from ccos_core.replay.residency.stretches import Stretches, marks_of
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import Wordings, wordings_of
from ccos_core.replay.timeline import Timeline
from ccos_core.text.retrieval.fusion import added, shares
from ccos_core.text.retrieval.mentions import mentions
from ccos_core.text.retrieval.report import report
from ccos_core.window.ranking import WEIGHTS, looked, query
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale

TEXTS = [
    "invoice total of a request",
    "KeyError in store.py load, and `parse` of dates.py",
    'File "service.py", line 5, in invoice: due days',
]
Story = list[tuple[Any, ...]]


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(TEXTS), st.integers(1, 8), st.integers(1, 4))
def test_a_text_gives_each_document_so_much(story: Story, text: str, marks: int, turned: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "MOST_MARKS", marks)
        patch.setattr(stretches, "FEWEST_TURNED", 2 * turned)
        timeline = timeline_of(told_tale(story))
        asking = _Asking(timeline, text)
        every = Stretches(asking.wordings, timeline.journal)
        naming = Naming(Called(timeline, asking.wordings, asking.told), timeline.journal.versions["path"], asking.told)
        weighing = Weighing(asking.asked, asking.terms, every, naming)
        number = -1
        for upto in range(len(timeline.journal.versions) + 1):
            if upto not in marks_of(timeline.journal):
                continue
            if every.at(upto) != number:
                number = every.at(upto)
                bounds = weighing.at(number)
            assert upto in bounds.stretch.marks
            asking.agrees(bounds, upto)


class _Asking:
    """A text, moment after moment, every document weighed."""

    def __init__(self, timeline: Timeline, text: str) -> None:
        self.wordings: Wordings = wordings_of(timeline, unheard)
        said = report(text)
        self.told, self.terms = mentions(said.text), query(said)
        self.asked = Asked(self.wordings, list(self.terms))
        self._lengths = Lengths(self.wordings)
        self._called = Called(timeline, self.wordings, self.told)
        self._going = Going(self.wordings, len(timeline.journal.names))
        self._using = Using(timeline.journal)

    def agrees(self, bounds: Bounds, upto: int) -> None:
        """Nobody is given less, or more, than is said."""
        self._lengths.move(upto)
        self._called.move(upto)
        documents = self._lengths.documents()
        collection = self.asked.collection(documents)
        sight = Sight(self.wordings, documents, collection, self._called, self._using, self._going.holder)
        given = added([shares(WEIGHTS[name], look) for name, look in looked(self.terms, self.told, sight).items()])
        alive, some = documents.alive, bounds.stretch.some
        at = np.searchsorted(some, alive)
        assert (some[at] == alive).all()
        assert (bounds.least[at] <= given).all()
        assert set(np.flatnonzero(bounds.least)) <= set(at.tolist())  # those alone that are there throughout
        for wording, each in zip(alive.tolist(), given.tolist(), strict=True):
            assert bounds.most(np.array([wording])) >= each
