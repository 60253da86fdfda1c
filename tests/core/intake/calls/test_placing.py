"""Where edits are placed among the lines that are known, and where they aren't."""

import pytest

from ccos_core.intake.calls.effects import Hunk, Patched, Replaced, Rewrote
from ccos_core.intake.calls.placing import Edit, edits_of
from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import BLANK, Sheet

WHOLE = sheets.shown("a\nb\nc\n")


def parts(*known: tuple[int, str]) -> Sheet:
    """A file of which these lines are known."""
    sheet = BLANK
    for first, text in known:
        sheet = sheets.read_in_part(sheet, first, text)
    return sheet


def patched(sheet: Sheet, *hunks: Hunk, whole: bool = False) -> list[Edit] | None:
    return edits_of(sheet, Patched("f", hunks), whole)


def replaced(sheet: Sheet, old: str, new: str, everywhere: bool = False, line: int | None = None) -> list[Edit] | None:
    return edits_of(sheet, Replaced("f", old, new, everywhere, line=line), whole=sheet is WHOLE)


def test_a_text_that_stands_in_one_place() -> None:
    assert replaced(WHOLE, "b", "x\ny") == [Edit(2, ("x", "y"), 1)]
    assert replaced(WHOLE, "b\n", "") == [Edit(1, ("a",), 2)]
    assert replaced(WHOLE, "a\n", "") == [Edit(1, ("b",), 2)]
    assert replaced(WHOLE, "a\nb\nc\n", "z") == [Edit(1, ("z",), 4)]
    assert replaced(WHOLE, "b", "b") == []
    assert replaced(WHOLE, "", "x") is None
    assert replaced(WHOLE, "q", "x") is None
    assert replaced(sheets.shown("a\na\n"), "a", "x") is None
    assert edits_of(sheets.shown(""), Replaced("f", "", "x\n"), whole=True) == [Edit(1, ("x",), 0)]


def test_a_text_that_overlaps_itself_stands_in_one_place_of_a_whole_file() -> None:
    overlapping = Replaced("f", "aaa", "b")
    assert edits_of(sheets.shown("aaaa"), overlapping, whole=True) == [Edit(1, ("ba",), 1)]
    assert edits_of(parts((1, "aaaa")), overlapping) is None
    assert edits_of(sheets.shown("aaaaaa"), overlapping, whole=True) is None


def test_lines_nobody_has_seen_are_no_text() -> None:
    some = parts((2, "b"), (4, "d"))
    assert replaced(some, "b", "x") == [Edit(2, ("x",), 1)]
    assert replaced(some, "b\n\nd", "x") is None
    assert replaced(some, "b\n", "x\n") == [Edit(2, ("x",), 1)]
    assert replaced(some, "b\n", "x") is None
    assert replaced(some, "\nd", "d") is None


def test_a_text_that_stands_everywhere() -> None:
    assert replaced(sheets.shown("a\nb\na"), "a", "x", everywhere=True) == [Edit(1, ("x", "b", "x"), 3)]
    assert replaced(parts((1, "a\nb")), "a", "x", everywhere=True) == [Edit(1, ("x",), 1)]
    assert replaced(parts((1, "a\nb")), "b", "x", everywhere=True) == [Edit(2, ("x",), 1)]
    assert replaced(parts((1, "a\nb")), "b\nc", "x", everywhere=True) is None
    assert replaced(parts((1, "a\nab")), "ba", "x", everywhere=True) is None
    assert replaced(parts((1, "a\nb")), "\n", "", everywhere=True) is None
    assert replaced(parts((2, "a\nb")), "a", "x", everywhere=True) is None


def test_a_text_of_which_only_the_line_is_known() -> None:
    assert replaced(BLANK, "a\nb\n", "x\n", line=7) == [Edit(7, ("x",), 2, likely=True)]
    assert replaced(BLANK, "a", "x", line=0) is None
    assert replaced(BLANK, "a", "x") is None


def test_lines_by_their_numbers() -> None:
    assert edits_of(BLANK, Rewrote("f", 3, 4, "x\n\n")) == [Edit(3, ("x", ""), 2)]
    assert edits_of(BLANK, Rewrote("f", 3, 2, "x\n")) == [Edit(3, ("x",), 0)]
    assert edits_of(WHOLE, Rewrote("f", 2, 2, ""), whole=True) == [Edit(1, ("a",), 2)]
    assert edits_of(WHOLE, Rewrote("f", 2, 2, "b\n"), whole=True) == []
    assert edits_of(BLANK, Rewrote("f", 3, 4, "")) is None
    assert edits_of(BLANK, Rewrote("f", 0, 4, "x")) is None
    assert edits_of(BLANK, Rewrote("f", 9, 4, "x")) is None
    assert edits_of(BLANK, Rewrote("f", 1, sheets.FARTHEST, "x")) is None


def test_a_place_with_a_number() -> None:
    assert patched(BLANK, Hunk(("a",), ("x", "y"), 5), Hunk(("c",), ("z",), 8)) == [
        Edit(5, ("x", "y"), 1),
        Edit(9, ("z",), 1),
    ]
    assert patched(BLANK, Hunk(("a",), (), 5)) is None
    assert patched(parts((4, "q")), Hunk(("a",), (), 5)) == [Edit(4, ("q",), 2)]
    assert patched(parts((6, "q")), Hunk(("a",), (), 5)) == [Edit(5, ("q",), 2)]
    assert patched(BLANK, Hunk((), ("x",), 5)) == [Edit(5, ("x",), 0)]
    assert patched(BLANK, Hunk(("a",), ("a",), 5)) == []


def test_a_number_that_what_is_known_speaks_against() -> None:
    assert patched(WHOLE, Hunk(("b",), ("x",), 1), whole=True) == [Edit(2, ("x",), 1)]
    assert patched(WHOLE, Hunk(("q",), ("x",), 1), whole=True) is None


def test_a_place_without_a_number_is_the_first_that_fits() -> None:
    twice = sheets.shown("f\n a\ng\n a\n")
    assert patched(twice, Hunk((" a",), (" x",)), whole=True) == [Edit(2, (" x",), 1)]
    assert patched(twice, Hunk((" a",), (" x",)), Hunk((" a",), (" y",)), whole=True) == [
        Edit(2, (" x",), 1),
        Edit(4, (" y",), 1),
    ]
    assert patched(twice, Hunk((" a",), (" x",), beside=("g",)), whole=True) == [Edit(4, (" x",), 1)]
    assert patched(twice, Hunk((" a",), (" x",), at_end=True), whole=True) == [Edit(4, (" x",), 1)]
    assert patched(twice, Hunk(("a ",), (" x",)), whole=True) == [Edit(2, (" x",), 1)]
    assert patched(twice, Hunk(("q",), (" x",)), whole=True) is None


def test_what_only_adds_lines_adds_them_at_the_end() -> None:
    assert patched(WHOLE, Hunk((), ("x",)), whole=True) == [Edit(4, ("x",), 0)]
    assert patched(sheets.shown("a"), Hunk((), ("x",)), whole=True) == [Edit(2, ("x",), 0)]
    assert patched(parts((1, "a")), Hunk((), ("x",))) is None


@pytest.mark.parametrize(
    ("sheet", "hunk", "likely"),
    [
        (parts((1, "a\nb")), Hunk(("b",), ("x",)), False),
        (parts((3, "a\nb")), Hunk(("b",), ("x",)), True),
        (parts((1, "a\nb")), Hunk(("b",), ("x",), beside=("a",)), False),
        (parts((1, "a\nb")), Hunk(("b",), ("x",), beside=("q",)), True),
        (parts((1, "a\nb")), Hunk((" b",), ("x",)), True),
        (parts((1, "a\nb")), Hunk(("b",), ("x",), at_end=True), True),
    ],
)
def test_a_place_that_could_be_elsewhere_is_likely(sheet: Sheet, hunk: Hunk, likely: bool) -> None:
    assert [edit.likely for edit in patched(sheet, hunk) or []] == [likely]


def test_lines_that_are_a_guess_make_places_likely() -> None:
    guess = sheets.edited_in_part(sheets.shown("a\nb\nc\n"), 1, "x")
    assert [edit.likely for edit in patched(guess, Hunk(("c",), ("y",))) or []] == [True]
    assert [edit.likely for edit in replaced(guess, "c", "y") or []] == [True]
    assert patched(guess, Hunk(("q",), ("y",), 3)) == [Edit(3, ("y",), 1)]
