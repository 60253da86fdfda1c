"""What each boundary lets through, alone and combined: privacy and regions hold whatever stands around them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.memory.boundaries import boundaries_of, within_budget
from ccos_core.memory.entry import LEVELS, Entry, entry_bytes
from tests.core.memory.drawn import DAY, NOW, many_entries, nested

ENTRY = Entry("memo:1", "said", "t", "words", at=NOW, last_at=NOW, tokens=10)


def allows(said: Any, entry: Entry = ENTRY, **other: Any) -> bool:
    return boundaries_of(said, NOW).allow(replace(entry, **other))


def test_time_is_half_open() -> None:
    for since, before, expected in (
        (NOW, None, True),
        (NOW + 1, None, False),
        (None, NOW, False),
        (None, NOW + 1, True),
    ):
        assert allows({"temporal": {"since": since, "before": before}}) is expected
    assert allows({"temporal": {"since": "2024-10-04"}})
    assert not allows({"temporal": {"before": "2024-10-04"}})
    assert not allows({"temporal": {"since": 0}}, at=0, last_at=0), "what has no time is in no span"


def test_a_duration_counts_back_from_now() -> None:
    assert allows({"temporal": {"duration": "7d"}}, at=NOW - 7 * DAY, last_at=NOW - 7 * DAY)
    assert not allows({"temporal": {"duration": "7d"}}, at=NOW - 7 * DAY - 1, last_at=NOW - 7 * DAY - 1)
    with pytest.raises(Usage, match="with since"):
        boundaries_of({"temporal": {"duration": "7d", "since": 3}}, NOW)
    with pytest.raises(Usage, match="count back from"):
        boundaries_of({"temporal": {"duration": "7d"}}, None)


def test_privacy_has_an_order_and_unlabelled_is_medium() -> None:
    for cap, level in enumerate(LEVELS):
        assert [allows({"privacy": level}, privacy=each) for each in range(5)] == [each <= cap for each in range(5)]
    assert allows({"privacy": {"max_level": ":medium"}})
    assert not allows({"privacy": "low"})


def test_deny_beats_allow_and_unlabelled_fails_an_allow_list() -> None:
    rule = {"jurisdiction": {"allowed": ["EU", "US"], "denied": ["US"]}}
    assert [allows(rule, regions=each) for each in ((), ("EU",), ("EU", "US"), ("US",))] == [False, True, False, False]
    assert allows({"jurisdiction": {"denied": ["US"]}}, regions=())


def test_a_scope_is_an_and_and_a_plan_has_its_intents() -> None:
    mine = replace(ENTRY, session="s", context="sub", intent="prompt:1", call="c")
    assert allows({"scope": {"plan_id": "s", "intent_id": "prompt:1", "step_id": "c"}}, mine)
    assert allows({"scope": {"plan": "s/sub"}}, mine)
    assert not allows({"scope": {"plan": "s/other"}}, mine)
    assert not allows({"scope": {"plan": "s", "intent": "prompt:2"}}, mine)
    assert not allows({"scope": {"plan": "t", "intent": "prompt:1"}}, mine), "an intent of another plan"


def test_the_example_of_the_specification_is_no_way_around() -> None:
    said = {":or": [{":type": ":privacy", ":max-level": ":medium"},
                    {":type": ":jurisdictional", ":allowed-regions": ["US", "EU"]}]}  # fmt: skip
    assert allows(said, regions=("EU",))
    assert not allows(said, regions=("EU",), privacy=3)
    assert not allows(said, privacy=0), "no region"


@pytest.mark.parametrize(
    "said",
    [{"privcy": "low"}, {"privacy": "secret"}, {"temporal": {"until": 3}}, {"not": {"privacy": "low"}}, {"or": []},
     {"token_limit": 0}, {"token_limit": True}, {"semantic_limit": 2}, {"jurisdiction": {"allowed": []}}, 7,
     {"privacy": {"max_level": None}}, {"token_limit": {"max_tokens": None}}, {"temporal": {"since": "1" * 5_000}},
     {"privacy": "low", ":privacy": "critical"}, {"privacy": {"max_level": "low", ":max-level": "critical"}},
     {"jurisdiction": {"denied": ["US"], "denied_regions": ["EU"]}}, {"scope": {"plan": "s1", "plan_id": "s2"}},
     nested("not", {"scope": {"plan": "s1"}}), nested("and", {"scope": {"plan": "s1"}})],
)  # fmt: skip
def test_what_is_no_boundary_is_refused(said: Any) -> None:
    with pytest.raises(Usage):
        boundaries_of(said, NOW)


LEAVES = st.one_of(
    st.sampled_from(LEVELS).map(lambda level: {"privacy": level}),
    st.sampled_from(({"allowed": ["EU"]}, {"denied": ["US"]})).map(lambda each: {"jurisdiction": each}),
    st.sampled_from(({"plan": "s1"}, {"intent": "prompt:1"})).map(lambda each: {"scope": each}),
    st.sampled_from(({"duration": "7d"}, {"before": NOW})).map(lambda each: {"temporal": each}),
)
TREES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from(({"or": parts}, {"and": parts}))), max_leaves=6,
)  # fmt: skip


def _all(tree: Any, name: str) -> list[Any]:
    """Return what a tree says of a boundary, wherever it stands."""
    if isinstance(tree, list):
        return [found for part in tree for found in _all(part, name)]
    if not isinstance(tree, dict):
        return []
    return [found for key, each in tree.items() for found in ([each] if key == name else _all(each, name))]


@given(TREES, many_entries())
@settings(max_examples=400)
def test_nothing_above_the_cap_comes_through_any_tree(tree: Any, entries: list[Entry]) -> None:
    bounds = boundaries_of(tree, NOW)
    caps = [LEVELS.index(each) for each in _all(tree, "privacy")]
    rules = _all(tree, "jurisdiction")
    for entry in filter(bounds.allow, entries):
        assert all(entry.privacy <= cap for cap in caps)
        assert not any(set(entry.regions) & set(rule.get("denied", ())) for rule in rules)
        assert all(set(entry.regions) & set(rule["allowed"]) for rule in rules if "allowed" in rule)


def test_a_token_limit_counts_tokens_and_not_rows() -> None:
    rows = [replace(ENTRY, id=f"memo:{number}", tokens=10) for number in range(5)]
    budget = boundaries_of({"token_limit": {"max_tokens": 29}}, NOW).budget
    fits, dropped = within_budget(rows, budget, None)
    assert [each.id for each in fits] == ["memo:0", "memo:1"]
    assert dropped == ["memo:2", "memo:3", "memo:4"]


def test_a_memory_limit_counts_the_bytes_of_entries() -> None:
    rows = [replace(ENTRY, id=f"memo:{number}") for number in range(3)]
    size = len(entry_bytes(rows[0]))
    for most, expected in ((2 * size, 2), (2 * size - 1, 1)):
        assert len(within_budget(rows, boundaries_of({"memory_limit": most}, NOW).budget, None)[0]) == expected


def test_a_time_limit_has_both_ends_in() -> None:
    assert allows({"time_limit": {"from_ts": NOW, "to_ts": NOW}})
    assert not allows({"time_limit": {"to_ts": NOW - 1}})


def test_a_semantic_limit_needs_relevance() -> None:
    rows = [replace(ENTRY, id=f"memo:{number}") for number in range(3)]
    budget = boundaries_of({"semantic_limit": 0.5}, NOW).budget
    with pytest.raises(Usage, match="relevant to"):
        within_budget(rows, budget, None)
    fits, dropped = within_budget(rows, budget, {"memo:0": 100, "memo:1": 50, "memo:2": 49})
    assert ([each.id for each in fits], dropped) == (["memo:0", "memo:1"], ["memo:2"])


@given(many_entries(), st.integers(1, 200), st.integers(1, 200))
def test_a_larger_limit_never_loses_an_entry(entries: list[Entry], one: int, other: int) -> None:
    small, large = (
        within_budget(entries, boundaries_of({"token_limit": most}, NOW).budget, None)[0]
        for most in sorted((one, other))
    )
    assert large[: len(small)] == small
