"""Wordings that are counted together have the counts each has by itself."""

from collections import defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.residency.counting import Counts, counts_of
from ccos_core.replay.residency.passages import Passages, by_number, numbered
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.tokenize import counted

LINES = st.lists(st.text(max_size=20) | st.text(alphabet="abA_-1 \n", max_size=20), max_size=4)


def counts(wordings: list[tuple[list[str], list[str]]], terms: defaultdict[str, int]) -> Counts:
    """The counts of wordings, given the lines of their bodies and of their heads."""
    texts, numbers = numbered([text for halves in wordings for lines in halves for text in lines])
    sizes = np.array([len(lines) for halves in wordings for lines in halves], np.int64)
    halves = Passages(numbers, np.cumsum(sizes))
    own, heads = (halves.of(np.arange(at, len(sizes), 2)) for at in (0, 1))
    return counts_of(texts, own, heads, terms)


@given(st.lists(st.tuples(LINES, LINES), max_size=8), st.integers(0, 8))
def test_each_has_its_own_counts_in_the_order_its_terms_are_met(
    wordings: list[tuple[list[str], list[str]]], first: int
) -> None:
    """However many are counted at one go."""
    terms: defaultdict[str, int] = by_number()
    both = [counts(some, terms) for some in (wordings[:first], wordings[first:])]
    found, told = Counts(*map(np.concatenate, zip(*both, strict=True))), list(terms)
    ends = np.cumsum(found.size).tolist()
    assert len(found.term) == len(found.head) == len(found.body) == (ends or [0])[-1]
    for (own, head), begin, end in zip(wordings, [0, *ends], ends, strict=False):
        body, above = counted("\n".join(own)), counted("\n".join(head))
        met = [told[term] for term in found.term[begin:end].tolist()]
        assert met == list({**body, **above})
        assert found.body[begin:end].tolist() == [body.get(term, 0) for term in met]
        assert found.head[begin:end].tolist() == [above.get(term, 0) for term in met]


def test_what_occurs_very_often_counts_as_far_as_that_goes() -> None:
    found = counts([(["alpha " * (MOST + 2)], [])], by_number())
    assert [column.tolist() for column in found] == [[1], [0], [0], [MOST]]
