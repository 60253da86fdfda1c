"""A sort of statement that is switched on holds the bar on the hand labels."""

import pytest

from ccos_core.text.sorts import HOLDS, SORTS, TABLES, sort_of
from tests.bench.told.sorts import SHARED, Score, main, scores


def test_a_sort_that_is_switched_on_holds() -> None:
    if not SHARED.exists():
        pytest.skip(f"NO RECORDINGS IN {SHARED}: no sort of statement was measured")
    main()
    for language, sorts in HOLDS.items():
        found = scores(language, left_out=True)
        assert [sort for sort in sorts if not found[sort].holds] == []


def test_what_holds_needs_enough_hits() -> None:
    assert [Score(*each).holds for each in ((3, 3, 9), (17, 20, 40), (16, 20, 40), (0, 0, 0))] == [False, True] + [
        False
    ] * 2


@pytest.mark.parametrize(
    ("words", "sort"),
    [
        ("Never push to main without asking me.", "preference"),
        ("I'd prefer tabs", "preference"),
        ("no, we removed the session commands on purpose", "correction"),
        ("No need to hurry.", ""),
        ("ok, let's go with the second one", "decision"),
        ("undo the last change", "failed-attempt"),
        ("Don't forget to bump the version.", "todo"),
        ("my github user is kim", "fact"),
        ("Should we never push to main?", ""),
        ("Never " + "x" * 400, ""),
        ("", ""),
    ],
)
def test_forms_of_english(words: str, sort: str) -> None:
    assert sort_of(words, {"english": SORTS}) == sort
    assert set(TABLES["english"]) == set(SORTS)


def test_a_sort_that_is_off_gives_nothing() -> None:
    assert sort_of("Never push to main.", {"english": ()}) == ""
    assert sort_of("Never push to main.", {}) == ""
