"""By which ops something came, of many at once, against one after another."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Unavailable
from ccos_core.query.telling import told, told_all
from ccos_core.query.whereby import Telling, lowered, raised
from ccos_core.replay.journal import GONE, Journal
from ccos_core.replay.timeline import Timeline
from tests.core.query.tales import Told
from tests.core.query.test_falls import SAID, TWICE
from tests.core.replay.told import timeline_of
from tests.laws.test_folding import stories, told_tale

Is = Callable[[int, int, int, int], bool]


@settings(deadline=None, max_examples=60)
@given(stories, st.data())
def test_all_that_came_up_or_went_down_are_found_together(story: list[tuple[Any, ...]], data: st.DataObject) -> None:
    journal = timeline_of(told_tale(story)).journal
    since = data.draw(st.integers(0, len(journal.changes)))
    rows = list(range(-1, len(journal.changes)))
    up = [slowly(journal, row, since, lambda score, was, tier, had: score > was or tier < had) for row in rows]
    down = [slowly(journal, row, since, lambda score, was, tier, had: score < was or tier > had) for row in rows]
    assert (raised(journal, rows, since), lowered(journal, rows, since)) == (up, down)


@settings(deadline=None, max_examples=60)
@given(stories)
def test_many_ops_are_told_as_each_is(story: list[tuple[Any, ...]]) -> None:
    timeline = timeline_of(told_tale(story))
    steps = range(1, timeline.head + 1)
    assert told_all(timeline, steps) == {step: told(timeline, step) for step in steps}


def test_what_fell_is_told_among_many() -> None:
    found = told_all(TWICE, range(1, TWICE.head + 1))
    assert {step: each.notes for step, each in found.items() if each.notes} == SAID


def test_what_they_say_is_read_in_one_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = spoken()
    steps = range(1, timeline.head + 1)
    expected = told_all(timeline, steps)
    assert any(each.says for each in expected.values() if each.kind == "prompt")
    with monkeypatch.context() as patch:
        patch.setattr(timeline, "content", None)
        assert told_all(timeline, steps) == expected

    def busy(*_: object) -> None:
        raise Unavailable("somebody writes")

    monkeypatch.setattr(timeline.ops, "contents", busy)
    assert told_all(timeline, steps) == expected, "and one by one where that can't be"


def test_what_is_ready_is_told_without_another_look(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = spoken()
    telling = Telling(timeline)
    telling.have_ready([2, 3, 2])
    monkeypatch.setattr(timeline, "op", None)
    assert [telling.at(step).step for step in (2, 3)] == [2, 3]


def spoken() -> Timeline:
    found = Told()
    for line in ("prompt", "see api/cart.py", "edit api/cart.py", "prompt"):
        found.one(line)
    return found.timeline()


def slowly(journal: Journal, row: int, since: int, is_so: Is) -> int:
    scores, tiers, before = (journal.changes[name].tolist() for name in ("score", "tier", "before"))
    while row >= since and row >= 0:
        was = before[row]
        if is_so(scores[row], scores[was] if was >= 0 else 0, tiers[row], tiers[was] if was >= 0 else GONE):
            return next(step for step in range(1, journal.head + 1) if journal.rows(step) > row)
        row = was
    return 0
