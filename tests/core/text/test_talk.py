"""Finding what was said, by the words of a question."""

import random

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval.talk import ENOUGH, Talk, Turn, said_terms

TALK = [
    Turn("ann", "What did you buy at the market?"),
    Turn("ben", "A red bike, it was cheap."),
    Turn("ann", "Nice!"),
    *(Turn(("ann", "ben")[n % 2], f"Something else, number {n}.") for n in range(20)),
    Turn("ben", "The deploy key went missing yesterday."),
    Turn("ann", "Use pnpm, never npm."),
]
WORDS = st.lists(
    st.sampled_from(["key", "deploy", "bike", "red", "npm", "what", "use", "went", "never", "market", "else"]),
    max_size=8,
)
TURNS = st.lists(
    st.builds(Turn, st.sampled_from(["ann", "ben"]), st.builds(" ".join, WORDS), st.just(0)), min_size=1, max_size=30
)


def test_an_answer_is_found_by_the_words_of_its_question() -> None:
    assert Talk(TALK).find("What did Ben buy?", 2)[0] == 1


def test_forms_of_a_word_count_as_one() -> None:
    known = Talk(TALK)
    assert known.find("where do deploy keys go", 1) == [23]
    assert said_terms("went goes gone") == ["go"] * 3
    assert said_terms("What is the of") == []


def test_a_turn_of_another_conversation_is_never_beside() -> None:
    turns = [Turn("ann", "Where is the key?", 0), Turn("ben", "Under the mat.", 1)]
    assert Talk(turns).find("key", 5) == [0]
    assert sorted(Talk([turn._replace(group=0) for turn in turns]).find("key", 5)) == [0, 1]


def test_nothing_is_found_for_words_that_nobody_said() -> None:
    assert Talk(TALK).find("kubernetes", 5) == []
    assert Talk(TALK).find("", 5) == []
    assert Talk([]).find("key", 5) == []


@given(TURNS, st.builds(" ".join, WORDS), st.integers(1, 30))
def test_more_of_them_begin_with_the_same(turns: list[Turn], question: str, most: int) -> None:
    known = Talk(turns)
    assert known.find(question, most) == known.find(question, most + 5)[:most]


@given(TURNS, st.builds(" ".join, WORDS))
def test_what_is_found_has_a_word_of_the_question_within_its_passage(turns: list[Turn], question: str) -> None:
    asked = set(said_terms(question))
    has = [bool(asked & set(said_terms(f"{turn.speaker} {turn.text}"))) for turn in turns]
    near = {n for n in range(len(turns)) if any(has[max(n - 6, 0) : n + 7])}
    assert set(Talk(turns).find(question, len(turns))) == near


def test_among_very_many_turns_the_rarest_terms_say_where_to_look() -> None:
    chance = random.Random(3)
    turns = [Turn("ann", "deploy " * chance.randint(1, 3)) for _ in range(3 * ENOUGH)]
    turns[4_000] = Turn("ben", "the deploy failed because of zebras")
    known = Talk(turns)
    assert known.find("deploy zebras", 1) == [4_000]
    assert len(known.find("deploy", 10 * ENOUGH)) == len(turns)
