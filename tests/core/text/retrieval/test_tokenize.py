"""Words as a search compares them: both sides cut alike, compounds found whole and in parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.text.retrieval import tokenize
from ccos_core.text.retrieval.tokenize import LONGEST, LONGEST_PIECE, WHOLE, counted, pieces, stem, terms, terms_of

TEXTS = st.text(max_size=200) | st.text(alphabet="aB_-1 é\n", max_size=200)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("prepare", ["prepar"]),
        ("prepare_url", ["prepar", "url", "=prepareurl"]),
        ("prepareURL", ["prepar", "url", "=prepareurl"]),
        ("--prepare-url", ["prepar", "url", "=prepareurl"]),
        ("HTTPDigestAuth", ["http", "digest", "auth", "=httpdigestauth"]),
        ("_private", ["privat"]),
        ("utf8", ["utf", "=utf8"]),
        ("x", []),
        ("404", ["404"]),
        ("größe", ["gr", "größe"[2:4], "=größe"]),
        ("名前", ["名前"]),
    ],
)
def test_what_a_word_counts_as(word: str, parts: list[str]) -> None:
    assert list(counted(word)) == parts


@pytest.mark.parametrize(
    "alike",
    [
        ("test", "tests", "testing", "tested"),
        ("parse", "parses", "parsing", "parsed"),
        ("query", "queries"),
        ("class", "classes"),
        ("run", "running", "runs"),
        ("skip", "skipped", "skipping"),
        ("cache", "cached", "caches", "caching"),
    ],
)
def test_forms_of_a_word_meet(alike: tuple[str, ...]) -> None:
    assert len({stem(word) for word in alike}) == 1


@pytest.mark.parametrize(("one", "other"), [("bus", "bu"), ("red", "r"), ("ring", "r"), ("need", "ne")])
def test_short_words_keep_their_endings(one: str, other: str) -> None:
    assert stem(one) != other


def test_counts_add_up_over_spellings() -> None:
    assert counted("readFile read_file, READ") == {"read": 3, "fil": 2, "=readfile": 2}


def test_data_is_no_word() -> None:
    assert counted("a" * (LONGEST + 1)) == {}
    assert counted("ab" * (LONGEST // 2)) != {}


@given(TEXTS)
def test_any_text_has_terms_without_case_joints_or_space(text: str) -> None:
    for term, count in counted(text).items():
        assert count > 0
        assert term.removeprefix(WHOLE)
        assert not set(term.removeprefix(WHOLE)) & set("_- \n")
        assert term == term.lower()


@given(TEXTS, TEXTS)
def test_what_stands_apart_is_counted_apart(one: str, other: str) -> None:
    together = counted(f"{one} {other}")
    assert dict(together) == {
        term: counted(one).get(term, 0) + counted(other).get(term, 0) for term in {**counted(one), **counted(other)}
    }


@given(st.text(max_size=30))
def test_a_stem_is_never_longer_nor_empty(word: str) -> None:
    assert len(stem(word)) <= len(word)
    assert stem(word) or not word


def test_terms_are_the_same_each_time() -> None:
    assert terms("parseHTTPUrl") == terms("parseHTTPUrl") == ("pars", "http", "url", "=parsehttpurl")


@given(st.lists(TEXTS | TEXTS.map(lambda text: text * 30), max_size=6).map("\n".join))
def test_terms_are_those_of_its_words_one_after_the_other(text: str) -> None:
    slowly = [term for word in tokenize._WORD.findall(text) for term in terms(word)]
    assert [term for piece in pieces(text) for term in terms_of(piece)] == slowly
    assert list(counted(text).items()) == [(term, slowly.count(term)) for term in dict.fromkeys(slowly)]


def test_a_file_that_is_one_piece_is_not_remembered() -> None:
    tokenize._remembered.clear()
    assert counted("alpha," * LONGEST_PIECE) == {"alpha": LONGEST_PIECE}
    assert len(tokenize._remembered) == 0
    assert counted("alpha," * 3) == {"alpha": 3}
    assert len(tokenize._remembered) == 1
