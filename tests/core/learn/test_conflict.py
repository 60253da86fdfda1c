"""Rules that contradict each other: by words that they share, and by the value they choose for one subject."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.conflict import (
    OVERLAP_MARKED,
    OVERLAP_UNMARKED,
    conflict_of,
    conflicts_among,
    kind_by_words,
    overlap,
)
from ccos_core.learn.directive import Directive, read_directive

FOLDER = Path(__file__).parent
WORDS = st.frozensets(st.sampled_from("abcdefghij"), max_size=10)


def pairs(name: str) -> list[tuple[str, str]]:
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    return [(one, other) for line in lines if line[0] != "#" for one, other in [line.split(" | ")]]


def by_kind() -> list[tuple[str, str, str]]:
    kind, found = "", []
    for line in (FOLDER / "pairs_by_words.txt").read_text("utf-8").splitlines()[1:]:
        if line.startswith("# "):
            kind = line[2:]
        else:
            one, other = line.split(" | ")
            found.append((kind, one, other))
    return found


@pytest.mark.parametrize(("kind", "one", "other"), by_kind())
def test_each_kind_is_found_either_way_round(kind: str, one: str, other: str) -> None:
    for found in (conflict_of(one, other), conflict_of(other, one)):
        assert found is not None
        assert found.kind == kind


def test_there_are_twenty_pairs_of_each_kind() -> None:
    kinds = [kind for kind, _, _ in by_kind()]
    assert {kind: kinds.count(kind) for kind in kinds} == {"negation": 20, "opposite": 20, "scope": 20}


@pytest.mark.parametrize(("suffix", "size"), [("", 100), ("_unseen", 40)])
def test_subject_and_value_tell_what_no_shared_word_does(suffix: str, size: int) -> None:
    conflicting, compatible = pairs(f"pairs_conflicting{suffix}.txt"), pairs(f"pairs_compatible{suffix}.txt")
    assert (len(conflicting), len(compatible)) == (size, size)
    found = sum(conflict_of(*pair) is not None for pair in conflicting)
    wrong = sum(conflict_of(*pair) is not None for pair in compatible)
    assert found * 100 >= 80 * size
    assert wrong * 100 <= 5 * size
    by_words = sum(bool(kind_by_words(*map(read_directive, pair))) for pair in conflicting)
    assert by_words * 100 <= 5 * size  # so it isn't their words


def test_the_pair_of_the_specification() -> None:
    found = conflict_of("Prefer PostgreSQL", "Use SQLite")
    assert found is not None
    assert (found.kind, found.subject, found.values) == ("value", "database", ("postgresql", "sqlite"))


def test_another_place_or_a_wider_rule_is_no_conflict() -> None:
    assert conflict_of("Use SQLite in tests", "Use PostgreSQL in production") is None
    assert conflict_of("Use SQLite in tests", "Use PostgreSQL")
    assert conflict_of("Use PostgreSQL or SQLite", "Use SQLite") is None
    assert conflict_of("Avoid SQLite", "Use PostgreSQL") is None
    assert conflict_of("Never skip failing tests", "Always run tests") is None


def test_one_value_by_two_names_is_one() -> None:
    assert conflict_of("Use Postgres", "Prefer PostgreSQL") is None
    found = conflict_of("Never use Postgres", "Prefer PostgreSQL")
    assert found is not None
    assert found.kind == "opposite"


def directive(words: frozenset[str], *, negative: bool) -> Directive:
    return Directive(words, negative, positive=False, always=False, excepted=False, scope=frozenset())


@given(WORDS, WORDS, st.booleans(), st.booleans())
def test_overlap_is_jaccard_with_both_thresholds(
    one: frozenset[str], other: frozenset[str], first: bool, second: bool
) -> None:
    mine, theirs = directive(one, negative=first), directive(other, negative=second)
    union = one | other
    assert overlap(mine, theirs) == (1_000 * len(one & other) // len(union) if union else 0)
    least = OVERLAP_MARKED if first and second else OVERLAP_UNMARKED
    expected = first != second and bool(union) and overlap(mine, theirs) >= least
    assert bool(kind_by_words(mine, theirs)) == expected
    assert kind_by_words(mine, theirs) == kind_by_words(theirs, mine)


RULES = [text for pair in pairs("pairs_conflicting.txt")[:30] for text in pair] + ["Never use npm", "Avoid tabs"]


@given(st.lists(st.sampled_from(RULES), max_size=12, unique=True))
def test_among_many_all_pairs_are_found(texts: list[str]) -> None:
    plain = {
        (at, later)
        for later in range(len(texts))
        for at in range(later)
        if conflict_of(texts[at], texts[later]) is not None
    }
    assert {(at, later) for at, later, _ in conflicts_among(texts)} == plain


@given(st.sampled_from(RULES), st.sampled_from(RULES))
def test_a_conflict_is_one_either_way_round(one: str, other: str) -> None:
    assert (conflict_of(one, other) is None) == (conflict_of(other, one) is None)
    assert conflict_of(one, one) is None
