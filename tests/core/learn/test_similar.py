"""Rules that say the same, and when one that is found again reinforces the one that is there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.rule import Rule
from ccos_core.learn.similar import EXACT, NEAR, content_hash, find_match, likeness_of, similarity

LINES = Path(__file__).with_name("pairs_alike.txt").read_text("utf-8").splitlines()[1:]
RULE = Rule("memo:1", "Run the tests before you commit.", source_sessions=("s1",))
SAME, NEARLY = "run the TESTS, before you commit", "Always run the tests before committing"


def test_nearly_all_rewordings_are_found_and_nothing_else() -> None:
    pairs = [(line[0] == "=", *line[2:].split(" | ")) for line in LINES]
    assert [alike for alike, _, _ in pairs].count(True) == 20 == len(pairs) - 20
    found = [(alike, bool(likeness_of(one, other))) for alike, one, other in pairs]
    assert found.count((True, True)) >= 18
    assert found.count((False, True)) == 0


def test_the_same_words_have_one_hash() -> None:
    assert content_hash(SAME) == content_hash(RULE.content) != content_hash(NEARLY)
    assert likeness_of(SAME, RULE.content) == EXACT
    assert likeness_of(NEARLY, RULE.content) == NEAR


@pytest.mark.parametrize("words", [SAME, NEARLY])
def test_only_another_session_reinforces(words: str) -> None:
    found = [find_match(words, session, [RULE]) for session in ("s1", "s2", "")]
    assert [each is not None and each.reinforces for each in found] == [False, True, False]


@pytest.mark.parametrize("standing", ["retracted", "superseded", "expired"])
def test_a_rule_that_was_taken_back_is_known_and_stays_dead(standing: str) -> None:
    found = find_match(SAME, "s2", [replace(RULE, standing=standing)])
    assert found is not None
    assert not found.reinforces


def test_an_exact_one_comes_before_near_ones_and_a_live_one_before_dead_ones() -> None:
    near = Rule("memo:2", NEARLY)
    dead = replace(RULE, id="memo:3", standing="retracted")
    for rules in ([near, dead, RULE], [RULE, dead, near]):
        found = find_match(SAME, "s2", rules)
        assert found is not None
        assert found.rule == RULE
    assert find_match("Use tabs in Makefiles", "s2", [near, RULE]) is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_similarity_is_symmetric_and_whole_for_itself(one: str, other: str) -> None:
    assert similarity(one, other) == similarity(other, one)
    assert likeness_of(one, one) == EXACT
    assert bool(likeness_of(one, other)) == bool(likeness_of(other, one))
