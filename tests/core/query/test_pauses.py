"""`pauses`: each gap longer than the minutes asked for, the longest first, between the two steps around it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.rows import View
from ccos_core.query.pauses import MINUTE_MILLIS, Pauses
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MINUTE = MINUTE_MILLIS
TIMES = st.lists(st.none() | st.integers(1, 9 * MINUTE) | st.integers(1, 9).map(lambda n: n * MINUTE), max_size=10)
FIRST_STEP = 2
"""Step of the first time; step 1 is an epoch without one."""


def recorded(times: list[int | None]) -> Timeline:
    tale = Tale()
    for at in times:
        op: dict[str, Any] = {"kind": "usage", "window": 1}
        tale.tell(op if at is None else {**op, "at": at})
    return timeline_of(tale)


def around(answer: Pauses) -> list[tuple[int, int, int]]:
    return [(each.millis, each.before.step, each.after.step) for each in answer.pauses]


@given(TIMES, st.integers(0, 5), st.integers(0, 4), st.integers(0, 11))
def test_they_are_those_of_a_plain_count(times: list[int | None], minutes: int, limit: int, at: int) -> None:
    timeline = recorded(times)
    at = min(at, timeline.head)
    timed = [(step, time) for step, time in enumerate(times, FIRST_STEP) if time is not None and step <= at]
    gaps = [(later - earlier, before, after) for (before, earlier), (after, later) in pairwise(timed)]
    ordered = sorted(gaps, key=lambda gap: (-gap[0], gap[2]))
    found = [gap for gap in ordered if gap[0] > minutes * MINUTE]
    answer = ask(timeline, "pauses", at, minutes=minutes, limit=limit)
    assert around(answer) == found[: limit or None]
    assert (answer.found, answer.millis) == (len(found), sum(gap[0] for gap in found))
    assert (answer.longest and answer.longest.millis) == (ordered[0][0] if ordered else None)


def test_a_step_without_a_time_lies_within_a_pause() -> None:
    answer = ask(recorded([1, None, 1 + 7 * MINUTE]), "pauses", 4)
    assert around(answer) == [(7 * MINUTE, 2, 4)]


def test_where_none_is_long_enough_the_longest_is_shown() -> None:
    answer = ask(recorded([1, 2 * MINUTE, 5 * MINUTE]), "pauses", 4)
    title, heading, pause = (row.text for row in answer.as_rows(View()))
    assert (title, heading) == ("no pause over 5 min up to step 4", "the longest:")
    assert "step 3" in pause


def test_a_limit_beyond_any_number_finds_nothing() -> None:
    assert ask(recorded([1, 9 * MINUTE]), "pauses", 3, minutes=10**18).found == 0
