"""`recall`, `around`, `task`, `hybrid` show at any step what a replay up to there shows."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound, Usage
from ccos_core.query.windows import window_at
from ccos_core.window.linearize import Window
from tests.core.query.asked import ask
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import LENSES, is_there, stories, told_tale

TEXTS = ["task:handle the invoice", "hybrid:KeyError in load, store.py line 5"]


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40), st.integers(20, 400), st.sampled_from([*LENSES, *TEXTS]))
def test_a_window_is_that_of_a_replay(story: list[tuple[Any, ...]], step: int, budget: int, lens: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    slow = as_of(tale, timeline.at(step).last)
    name, _, about = lens.partition(":")
    if name in ("task", "hybrid"):
        assert_same(ask(timeline, name, step, text=about, budget=budget), slow.window(lens, budget), step)
    if is_there(slow, lens) or name in ("task", "hybrid"):
        assert_same(ask(timeline, "recall", step, lens=lens, budget=budget), slow.window(lens, budget), step)
    else:
        with pytest.raises(NotFound):
            ask(timeline, "recall", step, lens=lens, budget=budget)


@settings(deadline=None, max_examples=40)
@given(stories, st.lists(st.integers(0, 40), max_size=5), st.sampled_from(TEXTS))
def test_what_was_learnt_at_one_step_serves_another(story: list[tuple[Any, ...]], steps: list[int], lens: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    for step in steps:
        at = min(step, timeline.head)
        slow = as_of(tale, timeline.at(at).last)
        assert_same(ask(timeline, "recall", at, lens=lens, budget=200), slow.window(lens, 200), at)


def test_who_has_seen_enough_stops_it() -> None:
    def enough(done: int, total: int) -> None:
        raise KeyboardInterrupt

    timeline = timeline_of(Tale(INVOICES))
    with pytest.raises(KeyboardInterrupt):
        window_at(timeline, 6, "task:handle", 200, enough)
    assert window_at(timeline, 6, "task:handle", 200).items


def assert_same(answer: Any, window: Window, step: int) -> None:
    assert (answer.lens, answer.budget, answer.tokens, answer.text) == (
        window.lens,
        window.budget,
        window.tokens,
        window.text,
    )
    assert (answer.items, answer.missed, answer.step) == (window.items, window.missed, step)


def test_what_isnt_there_then_has_no_window() -> None:
    tale = Tale(INVOICES).prompt().tell({"kind": "gone", "path": "dates.py"})
    timeline = timeline_of(tale)
    assert ask(timeline, "around", 7, node="file:dates.py").items
    with pytest.raises(NotFound, match="doesn't exist at step 8"):
        ask(timeline, "around", 8, node="file:dates.py")


def test_a_text_of_nothing_is_refused() -> None:
    with pytest.raises(Usage, match="there is no text to search for"):
        ask(timeline_of(Tale(INVOICES)), "task", 3, text="  ")


def test_at_the_start_there_is_nothing() -> None:
    answer = ask(timeline_of(Tale(INVOICES)), "recall", 0)
    assert (answer.items, answer.text, answer.tokens) == ((), "", 0)
