"""Wordings that are counted together have the counts each has by itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.residency import counting
from ccos_core.replay.residency.counting import Counting
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.tokenize import counted

TEXTS = st.text(max_size=60) | st.text(alphabet="abA_-1 \n", max_size=60)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8), st.integers(1, 200))
def test_each_has_its_own_counts_in_the_order_its_terms_are_met(wordings: list[tuple[str, str]], many: int) -> None:
    """However many are counted at one go."""
    each = Counting()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "MANY", many)
        for own, head in wordings:
            each.add(own, head)
    counts, terms = each.counts(), list(each.terms)
    ends = np.cumsum(counts.size).tolist()
    assert len(counts.term) == len(counts.head) == len(counts.body) == (ends or [0])[-1]
    for (own, head), begin, end in zip(wordings, [0, *ends], ends, strict=False):
        body, above = counted(own), counted(head)
        told = [terms[term] for term in counts.term[begin:end].tolist()]
        assert told == list({**body, **above})
        assert counts.body[begin:end].tolist() == [body.get(term, 0) for term in told]
        assert counts.head[begin:end].tolist() == [above.get(term, 0) for term in told]


def test_what_occurs_very_often_counts_as_far_as_that_goes() -> None:
    each = Counting()
    each.add("alpha " * (MOST + 2), "")
    assert [column.tolist() for column in each.counts()] == [[1], [0], [0], [MOST]]
