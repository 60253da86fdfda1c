"""What somebody said becomes statements without losing a word, and they are found again wherever they are repeated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.carried import NONE, PART, WHOLE, Carrier
from ccos_core.text.retrieval.carried import normalised_words as words_of
from ccos_core.text.statements import MOST_STATEMENTS, Statement, statements_of

PLAIN = st.sampled_from(
    ["we", "must", "tabs", "push", "to", "it's", "`a.py`", "--force", "C++", "3.5", "naïve", "数字", "…or"]
)
MARKS = st.sampled_from(
    [" ", ". ", "! ", "?\n", "\n", "\n\n", "\n- ", "\n* [ ] ", "\n1. ", "\n# ", ", ", ";\n> ", "。"]
)
TEXTS = st.lists(st.tuples(PLAIN, MARKS), max_size=30).map(lambda pairs: "".join(word + mark for word, mark in pairs))


def said(text: str) -> list[str]:
    return [each.text for each in statements_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Always use tabs. Never push to `main`!", ["Always use tabs.", "Never push to `main`!"]),
        ("- use tabs\n- [x] no  pushes\n\n1. tests first", ["use tabs", "no  pushes", "tests first"]),
        ("fix the login\nnever push", ["fix the login", "never push"]),
        (
            "This line is long enough that an editor broke it somewhere in\nthe middle of the sentence.",
            ["This line is long enough that an editor broke it somewhere in\nthe middle of the sentence."],
        ),
        ("Use e.g. ruff, v. 3.5 of it. Mr. X said so.", ["Use e.g. ruff, v. 3.5 of it.", "Mr. X said so."]),
        ("# Rules\nOne.\n```py\nx = 1. # two\n\ny\n```\nThree", ["Rules", "One.", "x = 1. # two\n\ny", "Three"]),
        ("> quoted\n> too\n| a | b |\n|---|---|", ["> quoted\n> too", "| a | b |"]),
        ("必ずタブを使う。mainへ押さない。", ["必ずタブを使う。", "mainへ押さない。"]),
        ("---\n***\n\n- \n...", []),
        ("```\nnever closed", ["never closed"]),
        ("", []),
    ],
)
def test_how_texts_are_split(text: str, expected: list[str]) -> None:
    assert said(text) == expected


def test_lines_are_those_of_the_text() -> None:
    text = "One. Two\n\n- three is so long a line that it goes on in the next one,\n  four\n```\nfive\nsix\n```"
    assert [(each.first, each.last) for each in statements_of(text)] == [(1, 1), (1, 1), (3, 4), (6, 7)]


def test_the_same_said_twice_has_the_same_words() -> None:
    for again in (
        "never push to MAIN",
        "- **Never** push to “main”.",
        "NEVER push\nto main!!",
        "(never push to `main`)",
    ):
        assert [list(each.words) for each in statements_of(again)] in (
            [["never", "push", "to", "main"]],
            [["never", "push"], ["to", "main"]],
        )


@given(TEXTS)
def test_no_word_is_lost_or_said_twice(text: str) -> None:
    """In order, but for the numbers and letters that mark items."""
    found = [word for each in statements_of(text) for word in each.words]
    marks = ("1",)
    assert [word for word in found if word not in marks] == [word for word in words_of(text) if word not in marks]


@given(TEXTS)
def test_statements_of_a_statement(text: str) -> None:
    for each in statements_of(text):
        assert 1 <= each.first <= each.last <= text.count("\n") + 1
        assert list(each.words) == words_of(each.text)
        assert each.text in text


@given(TEXTS, TEXTS, TEXTS)
def test_what_is_repeated_is_found(before: str, text: str, after: str) -> None:
    carrier = Carrier(f"{before}\n{text}\n{after}")
    for each in statements_of(text):
        assert carrier.compare(each.words).state == WHOLE


@given(TEXTS, TEXTS)
def test_a_statement_is_whole_only_word_for_word(text: str, other: str) -> None:
    held, carrier = words_of(text), Carrier(text)
    for each in statements_of(other):
        runs = [held[at : at + len(each.words)] for at in range(len(held))]
        assert (carrier.compare(each.words).state == WHOLE) == (list(each.words) in runs)


def test_a_part_is_told() -> None:
    carrier = Carrier("The user wants tabs. They said to never push to main without asking.")
    assert carrier.compare(words_of("Never push to main")).state == WHOLE
    assert carrier.compare(words_of("Please never push to main again")).state == PART
    assert carrier.compare(words_of("use spaces")).state == NONE


def test_one_paragraph_has_no_more_than_the_most() -> None:
    found = statements_of("Do it. " * 80_000)
    assert len(found) == MOST_STATEMENTS
    assert found[-1].text.count("Do it.") == 80_000 - MOST_STATEMENTS + 1
    assert len(statements_of("e.g. " * 80_000)) == 1


def test_what_follows_the_most_statements_is_one_block() -> None:
    found = statements_of("Do it.\n" * 5_000)
    assert len(found) == MOST_STATEMENTS + 1
    assert (found[-1].first, len(found[-1].words)) == (MOST_STATEMENTS + 1, 2 * (5_000 - MOST_STATEMENTS))
    assert found[-1].pasted


def test_only_line_feeds_end_a_line() -> None:
    assert [each.first for each in statements_of("One.\x0c\nTwo.\u2028Still two.\nThree.")] == [1, 2, 2, 3]


def test_long_texts_are_split_in_linear_time() -> None:
    assert len(statements_of("a " * 50_000 + "\n- b" * 5_000)) <= 5_001


def test_statements_are_values() -> None:
    assert statements_of("One.") == (Statement("One.", ("one",), 1, 1),)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Improve part 29. Never edit it.", ["Improve part 29.", "Never edit it."]),
        ("Warte bis zum 29. März, bitte.", ["Warte bis zum 29. März, bitte."]),
        ("It takes 3. and more.", ["It takes 3. and more."]),
        ("Use v2. Then 1. Do it.", ["Use v2.", "Then 1.", "Do it."]),
    ],
)
def test_a_number_ends_a_sentence_where_a_capital_follows(text: str, parts: list[str]) -> None:
    assert [each.text for each in statements_of(text)] == parts


def test_what_stands_for_hidden_characters_is_no_word() -> None:
    (hidden,) = statements_of("never[U+200B ZWSP]push")
    assert hidden.words == ("never", "push")


HISTORY = """\
Prompt #1:
Timestamp: 2025-11-22T21:48:36+01:00
Prompt: I want to make a chess variant. Any piece with a ready cooldown can be moved.
But first, let's make a basic board.
Response:
[no response captured]

----------------------------------------

Prompt #2:
Timestamp: 2025-11-22T22:09:11+01:00
Prompt: Nothing happens when I press new game. It should start a new game.
Response:
[no response captured]"""
GIT_LOG = """\
commit 1a2b3c4d5e
Author: Ann <ann@example.org>
Date:   Mon Feb 9 10:11:12 2026 +0100

    Always use tabs."""


@pytest.mark.parametrize("log", [HISTORY, GIT_LOG])
def test_entries_of_a_log_with_labelled_fields_are_pasted(log: str) -> None:
    found = statements_of(f"The history is wrong. Eg:\n\n{log}\n\nMake sure that responses are included.")
    assert [each.text for each in found if not each.pasted] == [
        "The history is wrong.",
        "Eg:",
        "Make sure that responses are included.",
    ]
    assert "\n".join(each.text for each in found if each.pasted).count("\n") >= log.count("\n") - 2


@pytest.mark.parametrize(
    "said",
    [
        "Date: 2026-02-09 is when we ship.\nPlease fix the login first.",
        "Time: be back by 10:30.\nThen deploy.",
        "Timestamp: keep it in UTC.\nPrompt: ask before a push.",
        "Timestamp: 2026-02-09T10:00:00Z is what I expect.",
    ],
)
def test_a_label_alone_is_no_log(said: str) -> None:
    assert not any(each.pasted for each in statements_of(said))
