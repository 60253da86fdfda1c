"""An observation survives being written down."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.observed import KINDS, Observation, as_json, from_json

WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
OBSERVATIONS = st.builds(
    Observation,
    kind=st.sampled_from(KINDS),
    key=WORDS,
    words=WORDS,
    session=WORDS,
    project=WORDS,
    agent=WORDS,
    at=st.integers(0, 2**53),
    steps=st.lists(st.integers(0, 2**31), max_size=4).map(tuple),
    detail=WORDS,
    times=st.integers(0, 9),
    of=st.integers(0, 9),
)


@given(OBSERVATIONS)
def test_what_is_written_is_read_again(observation: Observation) -> None:
    assert from_json(as_json(observation)) == observation
    assert as_json(from_json(as_json(observation))) == as_json(observation)
