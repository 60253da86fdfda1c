"""Coverage of the ten categories: tiers grow with the rules, and a rule's own category comes before its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.categories import category_hits
from ccos_core.learn.coverage import LEAST_RULES, NEED, TIERS, category_in, rules_by_category, tier_of, worth
from ccos_core.learn.rule import CATEGORIES, Rule

TEXTS = st.text(max_size=60)


@given(st.integers(0, 50), st.integers(0, 50))
def test_more_rules_never_cover_a_category_less(one: int, more: int) -> None:
    assert TIERS.index(tier_of(one)) <= TIERS.index(tier_of(one + more))
    assert NEED[tier_of(one)] >= NEED[tier_of(one + more)]


@pytest.mark.parametrize("tier", TIERS)
def test_each_tier_begins_where_it_says(tier: str) -> None:
    assert tier_of(LEAST_RULES[tier]) == tier
    assert LEAST_RULES[tier] == 0 or tier_of(LEAST_RULES[tier] - 1) != tier


@given(st.lists(st.builds(Rule, id=st.just("memo:1"), content=TEXTS), max_size=8))
def test_every_rule_counts_once(rules: list[Rule]) -> None:
    counted = rules_by_category(rules)
    assert tuple(counted) == CATEGORIES
    assert sum(counted.values()) == len(rules)


def test_the_category_that_was_given_comes_before_the_words() -> None:
    assert category_in(Rule("memo:1", "Run the tests before you commit.")) in ("testing", "git")
    assert category_in(Rule("memo:1", "Run the tests before you commit.", tags=("category:security",))) == "security"


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_category_is_found_by_a_sentence_about_it(category: str) -> None:
    sentences = {
        "debugging": "It crashed with a traceback.", "testing": "Write a fixture in pytest.",
        "architecture": "Keep each module apart.", "workflow": "Run the linter.",
        "documentation": "Update the readme.", "integration": "Call the webhook.",
        "collaboration": "Ask a teammate for a review.", "git": "Never rebase a shared branch.",
        "security": "Keep a password out of it.", "performance": "Run the benchmark, it is slow.",
    }  # fmt: skip
    assert category in category_hits(sentences[category])
    assert category not in category_hits("Blue is nicer than green.")


def test_a_text_about_a_gap_is_worth_more() -> None:
    tiers = dict.fromkeys(CATEGORIES, "well-covered")
    assert worth({"git": 2}, tiers) == 0
    assert worth({"git": 2}, {**tiers, "git": "critical"}) > worth({"git": 2}, {**tiers, "git": "adequate"}) > 0
