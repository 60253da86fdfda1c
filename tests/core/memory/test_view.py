"""A principal sees what the owner gave it, and a query only narrows that."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Refused, Usage
from ccos_core.memory.boundaries import boundaries_of
from ccos_core.memory.entry import LEVELS, Entry
from ccos_core.memory.view import Policy, policy_of, view_of
from tests.core.memory.drawn import CLASSES, NOW, REGIONS, TAGS, many_entries

ENTRY = Entry("memo:1", "said", "t", "words")


def test_the_default_caps() -> None:
    agent, owner = view_of(Policy(), "agent"), view_of(Policy(), "owner")
    for level in range(len(LEVELS)):
        assert agent.sees(replace(ENTRY, privacy=level)) is (LEVELS[level] in ("public", "low", "medium"))
        assert owner.sees(replace(ENTRY, privacy=level))


@pytest.mark.parametrize("principal", ["http", "bob", "", "Owner", "agents"])
def test_a_principal_that_nobody_named_is_refused(principal: str) -> None:
    with pytest.raises(Refused):
        view_of(Policy(), principal)


def test_an_agent_sees_nothing_of_another_without_a_grant() -> None:
    mine, other = (replace(ENTRY, author="agent", provider=f"{host}/m") for host in ("codex", "claude-code"))
    view = view_of(Policy(), "agent:codex")
    assert (view.sees(mine), view.sees(other), view.sees(ENTRY)) == (True, False, True)
    granted = policy_of(json.dumps({"principals": {"agent:codex": {"agents": ["claude-code"]}}}))
    assert view_of(granted, "agent:codex").sees(other)
    assert view_of(Policy(), "agent").sees(other)
    unknown = replace(mine, provider="")
    narrowed = policy_of('{"principals": {"agent": {"agents": ["codex"]}}}')
    assert not view_of(narrowed, "agent").sees(unknown), "whose it is isn't known"
    assert not view_of(Policy(), "agent:").sees(unknown)


def test_classes_tags_and_regions_of_a_grant() -> None:
    policy = policy_of(
        '{"principals": {"agent": {"level": "high", "classes": ["said"], "denied_tags": ["db"], "regions": ["EU"]}}}'
    )
    view = view_of(policy, "agent")
    kept = replace(ENTRY, privacy=3, regions=("EU",))
    assert view.sees(kept)
    for other in ({"cls": "tool"}, {"tags": ("db",)}, {"regions": ()}, {"privacy": 4}):
        assert not view.sees(replace(kept, **other)), other


def test_a_policy_is_canonical_and_reads_back() -> None:
    said = '{"lifetimes": {"diary": "90d"}, "principals": {"agent": {"level": "low", "tags": ["b", "a", "b"]}}}'
    policy = policy_of(said)
    assert policy_of(json.dumps(policy.as_json())) == policy
    assert policy.hash == policy_of('{"principals": {"agent": {"tags": ["a", "b"], "level": "low"}},'
                                    '"lifetimes": {"diary": 7776000000}}').hash  # fmt: skip
    assert policy.hash != Policy().hash


@pytest.mark.parametrize(
    "said",
    ["", "[]", '{"principal": {}}', '{"principals": {"agent": {"level": "secret"}}}', '{"budgets": {"x": -1}}',
     '{"principals": {"owner": {"level": "low"}}}', '{"principals": {"a": {"tags": "x"}}}',
     '{"lifetimes": {"a": "soon"}}', '{"schema": "ccos.policy/9"}', '{"budgets": {"\\ud800": 1}}',
     '{"principals": {"a": {"tags": ["\\ud800"]}}}'],
)  # fmt: skip
def test_what_is_no_policy_is_refused(said: str) -> None:
    with pytest.raises(Usage):
        policy_of(said)


GRANTS = st.fixed_dictionaries(
    {},
    optional={
        "level": st.sampled_from(LEVELS),
        "regions": st.lists(st.sampled_from(REGIONS), max_size=2),
        "denied_regions": st.lists(st.sampled_from(REGIONS), max_size=1),
        "classes": st.lists(st.sampled_from(CLASSES), max_size=2),
        "denied_tags": st.lists(st.sampled_from(TAGS), max_size=1),
    },
)


@given(GRANTS, st.sampled_from(LEVELS), many_entries())
@settings(max_examples=300)
def test_a_boundary_never_shows_more_than_the_policy(grant: Any, level: str, entries: list[Entry]) -> None:
    view = view_of(policy_of(json.dumps({"principals": {"agent": grant}})), "agent")
    narrowed = view.within(boundaries_of({"or": [{"privacy": level}, {"scope": {"plan": "s1"}}]}, NOW))
    allowed = {each.id for each in entries if view.sees(each)}
    assert {each.id for each in entries if narrowed.sees(each)} <= allowed
    for entry in entries:
        if entry.id in allowed:
            assert entry.privacy <= LEVELS.index(grant.get("level", "medium"))
            assert not set(entry.regions) & set(grant.get("denied_regions", ()))
