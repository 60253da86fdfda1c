"""Steps as people say them."""

import contextlib
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.errors import CcosError, NotFound, Usage
from ccos_core.query.steps import SHORTEST_HASH, is_free, span_of, step_of
from ccos_core.replay.timeline import Timeline
from ccos_core.values.marks import Mark
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

SECOND = 1_000
TIMES = (None, 5 * SECOND, 20 * SECOND, None, 65 * SECOND, 3_700 * SECOND, 3_700 * SECOND, 9_000 * SECOND, None)
MARKS = (Mark(3, "broke", ""), Mark(5, "beef", "why"), Mark(6, "", "a note"))


def told(times: tuple[int | None, ...] = TIMES) -> Timeline:
    """A timeline of ten steps, after an epoch without a time."""
    tale = Tale()
    for at in times:
        op: dict[str, Any] = {"kind": "usage", "window": 1}
        tale.tell(op if at is None else {**op, "at": at})
    return timeline_of(tale)


TIMELINE = told()


def step(said: str, at: int = 4) -> int:
    return step_of(said, TIMELINE, at, MARKS)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("0", 0), ("10", 10), ("@7", 7), ("start", 0), ("end", 10), ("@end", 10),
        ("50%", 5), ("100%", 10), ("0%", 0), ("99.9%", 9),
        ("+3", 7), ("-3", 1), ("-99", 0), ("+99", 10),
        ("broke", 3), ("@broke", 3), ("beef", 5),
        ("@0s", 3), ("@15s", 4), ("@16s", 6), ("1m", 6), ("@1h", 7), ("1h1m35s", 7), ("2h", 9),
    ],
)  # fmt: skip
def test_a_step_is_found(said: str, found: int) -> None:
    assert step(said) == found


def test_a_step_is_found_by_the_start_of_its_hash() -> None:
    hashes = {TIMELINE.hash(each): each for each in range(1, 11)}
    for hash_, each in hashes.items():
        assert step(hash_) == each
    with pytest.raises(NotFound, match="no hash begins with it"):
        step("abcdef")


def test_several_hashes_that_begin_alike_are_told() -> None:
    many = told((None,) * 1_000)
    starts = Counter(many.hash(each)[:SHORTEST_HASH] for each in range(1, many.head + 1))
    start = next(start for start, times in starts.items() if times > 1 and not start.isdigit())
    with pytest.raises(Usage, match="several hashes begin with it"):
        step_of(start, many, 0)


@pytest.mark.parametrize("said", ["11", "100000000000000000000", "@99999", "9" * 64])
def test_a_number_beyond_the_end_is_no_step(said: str) -> None:
    with pytest.raises(NotFound, match="there is no"):
        step(said)


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("11", "The last step is 10."),
        ("101%", ""),
        ("brok", "Did you mean broke?"),
        ("@3h", "It lasted"),
        ("", "Write a step as"),
        ("@", "Write a step as"),
        ("x" * 100_000, "Write a step as"),
        ("1.5", "Write a step as"),
        ("٣", "Write a step as"),
    ],
)
def test_what_is_no_step_is_said(said: str, hint: str) -> None:
    with pytest.raises(CcosError) as refused:
        step(said)
    assert hint in refused.value.hint


def test_where_no_time_is_known_it_is_said() -> None:
    with pytest.raises(NotFound, match="no step has a recorded time"):
        step_of("@1s", told((None, None)), 0)


@given(st.integers(0, 10), st.integers(-20, 20))
def test_the_ends_are_walls(at: int, by: int) -> None:
    assert step(f"{by:+}", at) == min(max(at + by, 0), 10)


def test_a_span_is_two_steps_in_the_order_they_were_said() -> None:
    assert span_of("2..7", TIMELINE, 4) == (2, 7)
    assert span_of("end..start", TIMELINE, 4) == (10, 0)
    assert span_of("2", TIMELINE, 4) == (2, 4)
    assert span_of("..7", TIMELINE, 4) == (0, 7)
    assert span_of("7..", TIMELINE, 4) == (7, 10)
    assert span_of("-1..+1", TIMELINE, 4) == (3, 5)


@given(st.text(max_size=30))
def test_no_word_crashes_and_a_free_name_is_found_again(said: str) -> None:
    with contextlib.suppress(CcosError):
        assert 0 <= step(said) <= 10
    if is_free(said) and said == said.strip():
        assert step_of(said, TIMELINE, 0, [Mark(8, said, "")]) == 8


@pytest.mark.parametrize("name", ["", "12", "57%", "+3", "start", "@x", "a..b", "5m", "12m30s", "x" * 200])
def test_names_that_mean_another_step_are_not_free(name: str) -> None:
    assert not is_free(name)
