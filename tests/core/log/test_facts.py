"""A fact's digest covers what it is about and whose it is, not only what it says."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.log.facts import fact_digest

FACTS = st.tuples(
    st.binary(min_size=32, max_size=32), st.text(max_size=8), st.integers(0, 2**63 - 1), st.binary(max_size=20)
)


@given(FACTS, FACTS)
def test_two_facts_have_two_digests(one: Any, other: Any) -> None:
    assert (fact_digest(*one) == fact_digest(*other)) == (one == other)


def test_parts_cannot_slide_into_each_other() -> None:
    key = bytes(32)
    digests = {
        fact_digest(key, "a", 1, b"2]b"),
        fact_digest(key, "a", 12, b"]b"),
        fact_digest(key, 'a",1', 2, b"b"),
        fact_digest(key + b'["a",1]', "a", 1, b""),
        fact_digest(key, "a", 1, b'["a",1]'),
    }
    assert len(digests) == 5
