"""Whether a text is carried by another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.carried import GROUP, NONE, PART, WHOLE, carried, normalised_words
from tests.growth import assert_linear_cpu

WORDS = st.lists(st.sampled_from(["the", "a", "fix", "test", "due", "7", "naïve", "x"]), min_size=1, max_size=25)
MARKS = st.sampled_from([" ", "\n", ", ", " **", "-", "… "])


@pytest.mark.parametrize(
    ("text", "carrier", "state", "words"),
    [
        ("Fix the flaky test, please!", "All user messages:\n - \"fix the FLAKY test please\"", WHOLE, 5),
        ("fix it up", "We fixed it up.", NONE, 0),
        ("yes", "yes-man", WHOLE, 1),
        ("", "anything", NONE, 0),
        ("anything", "", NONE, 0),
        ("please fix the flaky test in the store", "… the user wants: fix the flaky test of dates", PART, 4),
        ("one two three four five six seven", "five six seven, but one two three four", PART, 4),
        ("one two three four five six seven eight nine", "nine eight seven one two three", NONE, 3),
        ("Straße prüfen jetzt", "STRASSE PRU\u0308FEN JETZT", WHOLE, 3),
        ("STRASSE prüfen jetzt", "straße prüfen jetzt", WHOLE, 3),
    ],
)  # fmt: skip
def test_words_in_order_decide(text: str, carrier: str, state: str, words: int) -> None:
    found = carried(text, carrier)
    assert (found.state, found.words) == (state, words)


def test_it_is_told_where_it_stands() -> None:
    carrier = "Before. Fix the flaky TEST in store.py! Behind."
    found = carried("fix the flaky test in store.py", carrier)
    assert carrier[found.start : found.end] == "Fix the flaky TEST in store.py"


@given(WORDS, WORDS, WORDS, MARKS)
def test_what_is_put_into_a_text_is_carried_whole(
    words: list[str], before: list[str], behind: list[str], mark: str
) -> None:
    carrier = mark.join([*before, *[word.upper() for word in words], *behind])
    found = carried(" ".join(words), carrier)
    assert (found.state, found.words, found.of) == (WHOLE, len(words), len(words))
    assert normalised_words(carrier[found.start : found.end]) == words


@given(WORDS, WORDS)
def test_it_is_what_comparing_every_chain_says(words: list[str], given_words: list[str]) -> None:
    """Against a slow count: a chain of groups covers no more words than any other of the most groups."""
    found = carried(" ".join(words), " ".join(given_words))
    whole = any(given_words[at : at + len(words)] == words for at in range(len(given_words)))
    assert (found.state == WHOLE) == whole
    if not whole:
        assert found.words <= 3 * longest(words, given_words)
        assert (found.state == PART) == (2 * found.words >= len(words))
        assert (found.words == 0) == (longest(words, given_words) == 0)


def longest(one: list[str], other: list[str]) -> int:
    """Groups in the longest common subsequence of groups."""
    groups = [[tuple(words[at : at + GROUP]) for at in range(len(words) - GROUP + 1)] for words in (one, other)]
    row = [0] * (len(groups[1]) + 1)
    for group in groups[0]:
        before, row = row, [0]
        for at, each in enumerate(groups[1]):
            row.append(before[at] + 1 if each == group else max(row[-1], before[at + 1]))
    return row[-1]


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_two_texts_can_be_compared(text: str, carrier: str) -> None:
    found = carried(text, carrier)
    assert 0 <= found.words <= found.of == len(normalised_words(text))
    assert 0 <= found.start <= found.end <= len(carrier)


def test_no_text_takes_long() -> None:
    def work(texts: tuple[str, str, str]) -> None:
        text, carrier, state = texts
        assert carried(text, carrier).state == state

    assert_linear_cpu(lambda size: ("a b c " * size, "a b c " * size, WHOLE), work, 1_000)
    assert_linear_cpu(lambda size: ("a b " * size + "c", "b a a " * size, NONE), work, 1_000)
