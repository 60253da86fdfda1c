"""What each reduction keeps, that nothing is lost without being named, and that the same question keeps the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.memory.asking import matcher, read
from ccos_core.memory.entry import Entry
from ccos_core.memory.impact import impact_of
from ccos_core.memory.reductions import METHODS, SCORINGS, Reduced, recency, reduce, strategy_of
from tests.core.memory.drawn import DAY, NOW, many_entries

ENTRY = Entry("memo:0", "tool", "Call nlp.sentiment", "Call nlp.sentiment on batch 0", intent="prompt:1")


def made(number: int, **more: Any) -> list[Entry]:
    return [replace(ENTRY, id=f"memo:{at:04}", first=at + 1, last=at + 1, at=NOW - (number - at) * 1_000,
                    last_at=NOW - (number - at) * 1_000, **more) for at in range(number)]  # fmt: skip


def ids(reduced: Reduced) -> list[str]:
    return [each.entry.id for each in reduced.rows]


def test_none_is_the_identity() -> None:
    rows = made(30)
    reduced = reduce(rows, strategy_of("none"), now=NOW)
    assert (ids(reduced), reduced.dropped, reduced.trigger) == ([each.id for each in rows], (), "")


def test_ten_like_calls_become_one_row_with_their_members() -> None:
    calls = [replace(each, words=f"Call nlp.sentiment on batch {at}") for at, each in enumerate(made(10))]
    other = replace(ENTRY, id="memo:other", cls="prompt", last=99)
    reduced = reduce([*calls, other], strategy_of({":type": ":summarization", "similarity_threshold": 0.5}), now=NOW)
    one, two = reduced.rows
    assert (one.count, one.members, one.entry.cls) == (10, tuple(each.id for each in calls), "tool")
    assert (two.count, two.members, reduced.dropped) == (1, (), ())
    wanted = matcher(read("id=" + ",".join(one.members)), None)
    assert [each for each in calls if wanted(each)] == calls, "members can be pulled back"


def test_a_summary_joins_only_one_intent_and_class_and_what_is_alike() -> None:
    rows = [ENTRY, replace(ENTRY, id="memo:1", intent="prompt:2"), replace(ENTRY, id="memo:2", cls="prompt"),
            replace(ENTRY, id="memo:3", title="Read", words="Something else entirely")]  # fmt: skip
    assert len(reduce(rows, strategy_of({"type": "summarization"}), now=NOW).rows) == 4
    loose = strategy_of({"type": "summarization", "similarity_threshold": 0.0})
    assert len(reduce(rows, loose, now=NOW).rows) == 3


def test_a_summary_takes_in_at_most_max_length() -> None:
    reduced = reduce(made(10), strategy_of({"type": "summarization", "max_length": 4}), now=NOW)
    assert (reduced.rows[0].count, len(reduced.dropped)) == (4, 6)


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_has_its_size_and_is_the_same_each_time(method: str) -> None:
    rows = made(200)
    strategy = strategy_of({"type": "sampling", "sample_size": 50, "method": f":{method}"})
    one, two = (reduce(rows, strategy, now=NOW, seed="head query") for _ in range(2))
    assert one == two
    assert (len(one.rows), len(one.dropped)) == (50, 150)
    assert ids(one) == sorted(ids(one)), "in the order in which they came"
    if method == "recent":
        assert ids(one) == [each.id for each in rows[-50:]]
    else:
        assert reduce(rows, strategy, now=NOW, seed="another head") != one


def test_what_is_recent_and_matters_is_sampled_more_often() -> None:
    heavy = [replace(each, cls="correction") for each in made(50)]
    light = [replace(each, id=f"{each.id}x", last_at=NOW - 90 * DAY) for each in made(50)]
    drawn = [ids(reduce([*heavy, *light], strategy_of({"type": "sampling", "size": 10, "method": "weighted"}), now=NOW,
                        seed=str(seed))) for seed in range(40)]  # fmt: skip
    of_heavy = sum(not each.endswith("x") for sample in drawn for each in sample)
    assert of_heavy >= 300, "of 400"
    assert any(each.endswith("x") for sample in drawn for each in sample)


def test_a_recent_decision_comes_before_an_old_call() -> None:
    old = replace(ENTRY, cls="tool", at=NOW - 30 * DAY, last_at=NOW - 30 * DAY)
    decision = replace(ENTRY, id="memo:1", cls="governed", at=NOW, last_at=NOW)
    for scoring in ("recency", "impact", ["recency", "impact"]):
        strategy = strategy_of({"type": "prioritization", "max_count": 1, "scoring": scoring})
        assert ids(reduce([old, decision], strategy, now=NOW)) == ["memo:1"]


def test_the_table_of_impacts() -> None:
    table = {"correction": 1_000, "failed": 900, "decision": 800, "passed": 600, "tool": 300, "seen": 200}
    assert {cls: impact_of(replace(ENTRY, cls=cls)) for cls in table} == table
    assert impact_of(replace(ENTRY, cls="seen", tags=("file-change",))) == 600, "an edit"


def test_recency_halves_with_each_half_life() -> None:
    week = 7 * DAY
    assert [recency(age) for age in (-5, 0, week, 2 * week, 1_000 * week)] == [
        1_000_000,
        1_000_000,
        500_000,
        250_000,
        0,
    ]
    ages = [recency(age) for age in range(0, 3 * week, week // 50)]
    assert ages == sorted(ages, reverse=True)


def test_relevance_needs_a_text() -> None:
    strategy = strategy_of({"type": "prioritization", "max_count": 2, "scoring": "relevance"})
    with pytest.raises(Usage, match="relevant to"):
        reduce(made(3), strategy, now=NOW)
    assert ids(reduce(made(3), strategy, now=NOW, relevance={"memo:0001": 9, "memo:0002": 3})) == [
        "memo:0001",
        "memo:0002",
    ]


def test_the_example_of_the_specification() -> None:
    """1,000 entries, a limit of 50, prioritization by recency: the last 50, the latest first."""
    rows = made(1_000)
    asked = strategy_of({":type": ":prioritization", ":max-count": 50, ":scoring": ":recency"})
    reduced = reduce(rows, asked, now=NOW, limit=50)
    assert ids(reduced) == [f"memo:{at:04}" for at in range(999, 949, -1)]
    assert (reduced.strategy, reduced.trigger, reduced.entries_in, reduced.rows_out) == (
        "prioritization",
        "asked",
        1_000,
        50,
    )
    assert set(reduced.dropped) == {each.id for each in rows[:950]}
    unasked = reduce(rows, strategy_of(None), now=NOW, limit=50)
    assert (ids(unasked), unasked.trigger) == (ids(reduced), "limit")


def test_too_many_entries_are_reduced_unasked() -> None:
    rows = made(12)
    reduced = reduce(rows, strategy_of(None), now=NOW, most_entries=10)
    assert (reduced.strategy, reduced.trigger, len(reduced.rows), len(reduced.dropped)) == (
        "prioritization",
        "count",
        10,
        2,
    )
    assert reduce(rows, strategy_of(None), now=NOW, most_entries=12).trigger == ""


STRATEGIES = st.one_of(
    st.just({"type": "none"}),
    st.builds(lambda most, share: {"type": "summarization", "max_length": most, "similarity_threshold": share},
              st.integers(1, 20), st.sampled_from((0, 0.3, 0.8, 1))),
    st.builds(lambda size, method: {"type": "sampling", "size": size, "method": method},
              st.integers(1, 15), st.sampled_from(METHODS)),
    st.builds(lambda most, scoring: {"type": "prioritization", "max_count": most, "scoring": scoring},
              st.integers(1, 15), st.lists(st.sampled_from(SCORINGS), min_size=1, unique=True)),
)  # fmt: skip


@given(many_entries(20), STRATEGIES, st.integers(0, 10), st.integers(1, 25))
@settings(max_examples=300)
def test_every_entry_is_in_a_row_or_named_as_dropped(entries: list[Entry], said: Any, limit: int, most: int) -> None:
    relevance = {each.id: each.tokens for each in entries}
    reduced = reduce(entries, strategy_of(said), now=NOW, seed="s", relevance=relevance, limit=limit, most_entries=most)
    kept = [id_ for row in reduced.rows for id_ in (row.members or (row.entry.id,))]
    assert sorted([*kept, *reduced.dropped]) == sorted(each.id for each in entries)
    assert len(reduced.rows) == reduced.rows_out <= (limit or len(entries))
    assert reduced.entries_in == len(entries)


@pytest.mark.parametrize(
    "said",
    ["best", 7, {"type": "sampling"}, {"type": "sampling", "size": 0}, {"type": "sampling", "size": 3, "method": "odd"},
     {"type": "prioritization", "max_count": 3, "scoring": "luck"}, {"type": "none", "size": 3},
     {"type": "summarization", "similarity_threshold": 2}],
)  # fmt: skip
def test_what_is_no_reduction_is_refused(said: Any) -> None:
    with pytest.raises(Usage):
        strategy_of(said)
