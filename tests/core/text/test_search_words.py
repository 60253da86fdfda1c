"""Words to search for: SQLite's full-text search is the oracle for what is found, and marks stand where it found it."""

from __future__ import annotations

import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.rows import clean
from ccos_core.text.search_words import FIRST_LOOK, LENGTH, Query, Term, composed, marks, parse_query, quote, searchable

WORDS = st.sampled_from(
    [
        "red",
        "Redder",
        "tests",
        "täst",
        "TÄST",
        "x1",
        "2026",
        "東京",
        "京",
        "한국",
        "É",
        "e",
        "ß",
        "fail",
        "ta\u0308st",
        "e\u0301",
        "x\u0331y",
        "\u1112\u1161\u11ab\u1100\u116e\u11a8",
    ]
)
GAPS = st.sampled_from([" ", "/", "_", ".", "\n", '"', "-", "…"])
TEXTS = st.lists(st.tuples(WORDS, GAPS), min_size=1, max_size=12).map(lambda pairs: "".join(w + g for w, g in pairs))
QUERIES = st.lists(
    st.one_of(
        WORDS, WORDS.map("{}*".format), st.lists(WORDS, min_size=1, max_size=3).map(lambda each: f'"{" ".join(each)}"')
    ),
    min_size=1,
    max_size=3,
).map(" ".join)


def found_by_sqlite(text: str, query: Query) -> bool:
    with sqlite3.connect(":memory:") as database:
        database.execute(
            "CREATE VIRTUAL TABLE word USING fts5(text, content='', tokenize='unicode61 remove_diacritics 2')"
        )
        database.execute("INSERT INTO word (rowid, text) VALUES (1, ?)", (searchable(text),))
        return bool(database.execute("SELECT rowid FROM word WHERE word MATCH ?", (query.expression,)).fetchall())


@given(text=TEXTS, said=QUERIES)
def test_marks_stand_where_sqlite_finds_the_words(text: str, said: str) -> None:
    query = parse_query(said)
    terms_found = {number for _, _, number in marks(composed(text), query)}
    assert found_by_sqlite(text, query) == (terms_found == set(range(len(query.terms))))


@given(text=TEXTS, said=QUERIES)
def test_every_word_of_a_text_is_found(text: str, said: str) -> None:
    query = parse_query(text)
    assert found_by_sqlite(text + " " + said, query)
    assert marks(composed(text + " " + said), query)


def test_queries_are_words_phrases_and_prefixes() -> None:
    assert parse_query('Red "still FAILS" total* "not yet"*').terms == (
        Term(("red",)),
        Term(("still", "fails")),
        Term(("total",), True),
        Term(("not", "yet"), True),
    )
    assert parse_query("src/db.py").terms == (Term(("src", "db", "py")),)
    assert parse_query('"open phrase').terms == (Term(("open", "phrase")),)
    assert parse_query("twice twice").terms == (Term(("twice",)),)
    assert parse_query('*** " ').terms == ()


def test_a_word_that_is_being_typed_may_go_on() -> None:
    assert parse_query("still fai", unfinished=True).terms == (Term(("still",)), Term(("fai",), True))
    assert parse_query("still fai ", unfinished=True).terms[-1] == Term(("fai",))
    assert parse_query("", unfinished=True).terms == ()


@pytest.mark.parametrize("said", ['a" OR "b', "NEAR(a b)", "{text}: a", "a AND NOT b", "^a + b", "a:b", "-a", '""" x'])
def test_no_sign_of_the_query_language_is_obeyed(said: str) -> None:
    query = parse_query(said)
    assert found_by_sqlite(" ".join(token for term in query.terms for token in term.tokens), query)


def test_a_quotation_shows_the_place_with_most_words() -> None:
    text = "the cause " + "x " * 400 + "here is the cause of the failure " + "y " * 400
    piece, where = quote(text, parse_query("cause failure"))
    assert [piece[begin:end] for begin, end in where] == ["cause", "failure"]
    assert piece.startswith("…")
    assert piece.endswith("…")
    assert len(piece) <= LENGTH + 2


def test_a_quotation_is_harmless() -> None:
    text = "a\x1b[31m red\x07 word\u202e and\nmore\ttext"
    piece, where = quote(text, parse_query("word"), clean)
    assert not any(char in piece for char in "\x1b\x07\u202e\n\t")
    assert [piece[begin:end] for begin, end in where] == ["word"]


def test_a_word_far_down_is_quoted_and_a_text_without_one_from_its_beginning() -> None:
    text = "first words " + "x " * FIRST_LOOK + "the failure"
    piece, where = quote(text, parse_query("failure"))
    assert [piece[begin:end] for begin, end in where] == ["failure"]
    assert quote(text, parse_query("nonesuch"))[0].startswith("first words x x")


def test_accents_and_case_make_no_difference() -> None:
    piece, where = quote("Un Café très cher", parse_query("CAFE tres"))
    assert [piece[begin:end] for begin, end in where] == ["Café", "très"]


def test_colours_are_no_part_of_a_word() -> None:
    text = "[U+001B ESC][1;31mFAILED[U+001B ESC][0m test_due"
    assert found_by_sqlite(text, parse_query("failed test_due"))
    assert [text[begin:end] for begin, end, _ in marks(text, parse_query("failed"))] == ["FAILED"]
    assert not marks(text, parse_query("31mFAILED"))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_word_is_found_and_marked_composed_and_decomposed(form: str) -> None:
    text = unicodedata.normalize(form, "the Résumé of café 한국 is late")
    for asked in ("NFC", "NFD"):
        query = parse_query(unicodedata.normalize(asked, "résumé CAFÉ 한국"))
        assert found_by_sqlite(text, query)
        piece, where = quote(text, query)
        assert [piece[begin:end] for begin, end in where] == ["Résumé", "café", "한국"]
