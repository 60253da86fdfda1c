"""A sheet knows of each line how it is known, and pieces, edits and whole texts lead to the same file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values import sheet as sheets
from ccos_core.values.canon import digest
from ccos_core.values.sheet import BLANK, DELIVERED, INFERRED, PATCHED, UNKNOWN, Sheet

FILE = "one\ntwo\nthree\nfour\nfive"
lines = st.lists(st.sampled_from(["", "a", "b", "def f():", "  x"]), min_size=1, max_size=12)
texts = lines.map("\n".join)


def kinds(sheet: Sheet) -> list[str]:
    return [kind for first, last, kind in sheet.runs for _ in range(first, last + 1)]


def test_a_file_given_in_full_is_delivered_and_named_like_its_content() -> None:
    whole = sheets.shown(FILE)
    assert whole.runs == ((1, 5, DELIVERED),)
    assert whole.name == digest(FILE.encode()).hex()
    assert whole.whole


def test_a_part_alone_leaves_the_rest_unknown() -> None:
    part = sheets.read_in_part(BLANK, 3, "three\nfour\n")
    assert part.lines == ("", "", "three", "four")
    assert part.runs == ((1, 2, UNKNOWN), (3, 4, DELIVERED))
    assert not part.whole


def test_parts_make_the_whole() -> None:
    part = sheets.read_in_part(BLANK, 4, "four\nfive")
    part = sheets.read_in_part(part, 1, "one\ntwo\nthree\n")
    assert (part.text, part.runs) == (FILE, ((1, 5, DELIVERED),))


def test_a_part_that_is_as_known_changes_nothing() -> None:
    assert sheets.read_in_part(sheets.shown(FILE), 2, "two\nthree\n") == sheets.shown(FILE)


def test_a_part_that_is_otherwise_makes_the_rest_inferred() -> None:
    after = sheets.read_in_part(sheets.shown(FILE), 2, "TWO\n")
    assert after.lines == ("one", "TWO", "three", "four", "five")
    assert kinds(after) == [INFERRED, DELIVERED, INFERRED, INFERRED, INFERRED]


def test_what_is_appended_beyond_the_end_is_no_contradiction() -> None:
    after = sheets.read_in_part(sheets.shown("one\ntwo"), 2, "two\nthree")
    assert (after.text, kinds(after)) == ("one\ntwo\nthree", [DELIVERED] * 3)


def test_an_edit_of_a_part_patches_it_and_only_guesses_what_follows() -> None:
    after = sheets.edited_in_part(sheets.shown(FILE), 2, "two\nTHREE\n")
    assert after.lines == ("one", "two", "THREE", "four", "five")
    assert kinds(after) == [DELIVERED, DELIVERED, PATCHED, INFERRED, INFERRED]


def test_a_whole_text_after_an_edit_shows_what_was_patched() -> None:
    after = sheets.edited(sheets.shown(FILE), "one\nTWO\nand more\nthree\nfour\nfive")
    assert kinds(after) == [DELIVERED, PATCHED, PATCHED, DELIVERED, DELIVERED, DELIVERED]


@pytest.mark.parametrize("old", ["", "missing", "o"])
def test_an_edit_that_cant_be_retraced_isnt_guessed(old: str) -> None:
    assert sheets.replaced(sheets.shown(FILE), old, "x") is None


def test_replacing_patches_the_lines_it_leaves() -> None:
    after = sheets.replaced(sheets.shown(FILE), "two\nthree", "2\n2.5\n3")
    assert after is not None
    assert after.lines == ("one", "2", "2.5", "3", "four", "five")
    assert kinds(after) == [DELIVERED, PATCHED, PATCHED, PATCHED, DELIVERED, DELIVERED]


def test_replacing_everywhere() -> None:
    after = sheets.replaced(sheets.shown("a b\nc\na"), "a", "x", everywhere=True)
    assert after is not None
    assert (after.text, kinds(after)) == ("x b\nc\nx", [PATCHED, DELIVERED, PATCHED])


@given(texts, st.text("ab\n", min_size=1, max_size=4), st.text("xy\n", max_size=4))
def test_replacing_gives_the_text_that_replacing_gives(text: str, old: str, new: str) -> None:
    after = sheets.replaced(sheets.shown(text), old, new, everywhere=True)
    assert (after is None) == (old not in text)
    if after is not None:
        assert after.text == text.replace(old, new)
        assert len(kinds(after)) == len(after.lines)


@given(texts, st.integers(1, 14), st.integers(0, 6))
def test_reading_any_part_of_what_is_known_changes_nothing(text: str, first: int, more: int) -> None:
    all_lines = text.split("\n")
    part = all_lines[first - 1 : first + more]
    if part and part[-1]:
        assert sheets.read_in_part(sheets.shown(text), first, "\n".join(part)) == sheets.shown(text)


@given(texts, st.lists(st.tuples(st.integers(1, 12), st.integers(0, 11)), max_size=8))
def test_parts_in_any_order_never_say_what_isnt_there(text: str, parts: list[tuple[int, int]]) -> None:
    all_lines = text.split("\n")
    known = BLANK
    for first, more in parts:
        part = all_lines[first - 1 : first + more]
        if part and part[-1]:
            known = sheets.read_in_part(known, first, "\n".join(part))
    for line, kind, real in zip(known.lines, kinds(known), all_lines, strict=False):
        assert (kind, line) in ((DELIVERED, real), (UNKNOWN, ""))


@given(texts, texts)
def test_changed_lines_hold_everything_that_is_new(before: str, after: str) -> None:
    one, other = sheets.shown(before), sheets.shown(after)
    spans = sheets.changed_lines(one, other)
    assert bool(spans) == (before != after)
    for first, last in spans:
        assert 1 <= first <= last <= len(other.lines)
        assert one.lines[: first - 1] == other.lines[: first - 1] or first == len(other.lines)


@given(texts, st.integers(-5, 5_000_000), texts)
def test_no_claim_about_lines_breaks_it(text: str, first: int, part: str) -> None:
    after = sheets.edited_in_part(sheets.shown(text), min(first, 5_000) if first < 10**6 else first, part)
    assert len(kinds(after)) == len(after.lines)
