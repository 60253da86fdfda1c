"""What a line names: steps, paths and symbols, each where it stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.query.step_text import Part
from ccos_tui.present.followed import targets_in
from ccos_tui.present.matches import marked, matches
from tests.tui.hostile import WORDS

TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=40), max_size=6).map(" ".join)

FILE = Part("edit", "src/db.py", "", "diff", "src/db.py", 3)


def test_steps_come_before_paths_and_paths_before_symbols() -> None:
    found = targets_in("load_rows failed in /home/ann/shop/src/db.py:12, see step 1,204")
    assert [(each.text, each.step) for each in found[:2]] == [("step 1,204", 1_204), ("/home/ann/shop/src/db.py", None)]
    assert found[1].names == ("home/ann/shop/src/db.py", "ann/shop/src/db.py", "shop/src/db.py", "src/db.py", "db.py")
    assert found[2].names == ("load_rows",)


def test_a_symbol_is_looked_for_in_the_file_it_stands_in_first() -> None:
    (found,) = targets_in("+    return load_rows(1)", FILE)
    assert found.names == ("src/db.py#load_rows", "load_rows")


def test_a_line_of_words_that_every_language_has_names_nothing() -> None:
    assert targets_in("if not self: return None") == []


@given(TEXTS)
def test_a_target_is_what_stands_there(line: str) -> None:
    for each in targets_in(line, FILE):
        assert each.step is not None or each.names
        assert line[each.begin : each.end] == each.text


@given(TEXTS, TEXTS)
def test_marking_changes_no_text(text: str, word: str) -> None:
    found = matches(text, word)
    spans = marked([(text[:5], "a"), (text[5:], "b")], found)
    assert "".join(each for each, _ in spans) == text
    hit = "".join(each for each, role in spans if role == "found")
    assert len(hit) == sum(end - begin for begin, end in found)


def test_a_word_in_lower_case_is_found_in_any_case() -> None:
    assert matches("Load load", "load") == [(0, 4), (5, 9)]
    assert matches("Load load", "Load") == [(0, 4)]
