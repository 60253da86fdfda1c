"""The sentences of a step's text: where each stands, and that they are what `statements` would list."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.sentences import LONGEST_WATCHED, Sentence, sentence_at, sentences_of, watched_words
from ccos_core.text.statements import statements_of

TEXTS = st.lists(
    st.one_of(
        st.text(alphabet="ab .!?-*#`\t", max_size=30), st.sampled_from(["", "- Use tabs. Never push.", "1. a. b"])
    ),
    max_size=8,
)


def test_an_item_of_two_sentences_is_two() -> None:
    assert sentences_of(["- Use tabs. Never push to main."]) == [
        Sentence("Use tabs.", (0, 2), (0, 11)),
        Sentence("Never push to main.", (0, 12), (0, 31)),
    ]


@given(TEXTS)
def test_they_are_the_statements_in_order_and_stand_where_they_say(lines: list[str]) -> None:
    found = sentences_of(lines)
    assert [each.text for each in found] == [each.text for each in statements_of("\n".join(lines))]
    for each in found:
        (first, begin), (last, end) = each.begin, each.end
        within = lines[first : last + 1]
        cut = "\n".join(within)
        assert cut[begin : len(cut) - len(within[-1]) + end] == each.text
    assert all(one.end <= other.begin for one, other in pairwise(found))


def test_of_a_row_the_first_that_begins_there_is_marked_else_the_one_that_goes_on() -> None:
    found = sentences_of(["One goes on here. Two begins."])
    assert sentence_at(found, (0, 0), (0, 8)) == 0
    assert sentence_at(found, (0, 8), (0, 17)) == 0
    assert sentence_at(found, (0, 8), (0, 29)) == 1
    assert sentence_at(found, (1, 0), (1, 5)) is None


@given(st.text(max_size=LONGEST_WATCHED * 3))
def test_watched_words_are_one_line_and_not_too_long(text: str) -> None:
    words = watched_words(text)
    assert len(words) <= LONGEST_WATCHED
    assert " ".join(words.split()) == words
