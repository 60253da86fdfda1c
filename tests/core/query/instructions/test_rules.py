"""Which sentences are instructions, and what they are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.failures.arguments import words_of
from ccos_core.query.instructions.rule import ASKED, NEVER, OPEN, Rule
from ccos_core.query.instructions.rules import rules_of


def only(text: str) -> Rule:
    (found,) = rules_of(text)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "It's never used for embedding, but it shows up in search results.",
        "I don't see the board.",
        "We don't need to commit.",
        "I've still got a shadow, no condensation commit",
        "Don't worry about it.",
        "Why do you never run the tests?",
        "Should we use pnpm instead of npm?",
        "no wait, so this branch adds agent to logging",
        "don't fix anything, but just validate it works",
        "Don't check this in",
        "The rest of it is fine.",
        "This means no checkpoint commit is created at all.",
        "Make it so there is no AI, but all pieces are controlled by the user",
        "",
        "```",
    ],
)
def test_what_is_no_instruction(text: str) -> None:
    assert rules_of(text) == ()


def test_a_condition_that_the_user_can_fulfil_and_one_that_no_step_shows() -> None:
    assert only("Never push to main without asking me.").condition == ASKED
    assert only("Ask me before you change anything in infra/.").condition == ASKED
    assert only("Don't edit the tests unless they are wrong.").condition == OPEN
    assert only("If the build is red, never push to main.").condition == OPEN


def test_where_it_holds_and_what_is_excepted() -> None:
    assert [term.text for term in only("Never use `any` in TypeScript.").where] == ["TypeScript"]
    assert [term.text for term in only("Don't edit anything in src/ except src/api/.").excepted] == ["src/api/"]


def test_several_objects_are_alternatives() -> None:
    rule = only("Don't edit or delete anything in fixtures/ or data/.")
    assert rule.sense == NEVER
    assert {"edit", "delet"} <= rule.verbs
    assert [[term.text for term in part] for part in rule.objects] == [["fixtures/"], ["data/"]]


WORDS = st.sampled_from(
    sorted(
        words_of(
            "never don't use not only always before after must be npm `git push` src/ --force commit tests , . ; :"
            " ( ) 30 instead of main unless when to run with \" ' “ ” no files in"
        )
    )
)


@given(st.lists(WORDS, max_size=24).map(" ".join) | st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    for rule in rules_of(text):
        assert rule.objects
