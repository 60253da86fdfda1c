"""A harmful rule as an anti-pattern."""

from __future__ import annotations

import pytest

from ccos_core.learn.inversion import bare_words, inverted, meaning
from ccos_core.learn.rule import Feedback, Rule

HARM = tuple(Feedback(step, step, -1, session=f"s{step}") for step in (1, 2, 3))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Use global fixtures.", "AVOID: Use global fixtures. Marked harmful 3 times"),
        ("Always use global fixtures", "AVOID: use global fixtures. Marked harmful 3 times"),
        ("AVOID: Use mocks. Marked harmful 2 times.", "AVOID: Use mocks. Marked harmful 3 times"),
    ],
)
def test_the_words(content: str, words: str) -> None:
    assert inverted(Rule("memo:1", content, feedback=HARM)).words == words


def test_what_counts_is_counted_and_tags_are_kept() -> None:
    made = inverted(Rule("memo:1", "Use mocks", tags=("category:testing", "inverted"), feedback=(*HARM[:1], *HARM[:1])))
    assert made.harmful == 1
    assert made.words.endswith("Marked harmful 1 time")
    assert made.tags == ("category:testing", "inverted", "anti-pattern")


def test_an_anti_pattern_means_what_to_avoid() -> None:
    words = "AVOID: Use mocks. Marked harmful 2 times"
    assert bare_words(words) == "Use mocks"
    assert meaning(Rule("memo:1", words, "anti-pattern")) == "Avoid Use mocks"
    assert meaning(Rule("memo:1", "Never use mocks", "anti-pattern")) == "Never use mocks"
    assert meaning(Rule("memo:1", "Use mocks")) == "Use mocks"
