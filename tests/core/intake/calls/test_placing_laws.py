"""However alike the lines of a file are, an edit is placed where looking at every line would place it."""

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.calls import placing
from ccos_core.intake.calls.effects import Hunk, Patched, Replaced
from ccos_core.intake.calls.placing import Edit, edits_of
from ccos_core.values import sheet as sheets
from ccos_core.values.sheet import BLANK

lines = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=14)
few = st.lists(st.sampled_from(["a", "b"]), min_size=1, max_size=4)


@given(lines, few, st.booleans())
def test_a_place_is_the_first_that_fits_or_the_last(file: list[str], old: list[str], at_end: bool) -> None:
    places = [at for at in range(len(file)) if file[at : at + len(old)] == old]
    hunk = Hunk(tuple(old), ("new",), at_end=at_end)
    made = edits_of(sheets.shown("\n".join(file)), Patched("f", [hunk]), True)
    expected = [Edit((places[-1] if at_end else places[0]) + 1, ("new",), len(old))] if places else None
    assert made == expected


@given(lines, st.lists(few, min_size=1, max_size=3), st.sampled_from(["", " ", "\t"]))
def test_places_follow_each_other_in_the_file_they_left(file: list[str], places: list[list[str]], blank: str) -> None:
    """With blanks where the patch has none, each line is compared without them, those that are new included."""
    given_, at, expected = [line + blank for line in file], 0, [line + blank for line in file]
    for old in places:
        found = [place for place in range(at, len(expected)) if _bare(expected[place : place + len(old)]) == old]
        if not found:
            break
        expected[found[0] : found[0] + len(old)] = ["c"]
        at = found[0] + 1
    else:
        found = [0]
    edits = edits_of(sheets.shown("\n".join(given_)), Patched("f", [Hunk(tuple(old), ("c",)) for old in places]), True)
    assert (edits is None) == (not found)
    for edit in edits or ():
        given_[edit.first - 1 : edit.first - 1 + edit.took] = edit.new
    assert edits is None or given_ == expected


@given(st.text("ab\n", min_size=1, max_size=12), st.text("ab\n", min_size=1, max_size=6))
def test_what_may_go_on_below_what_is_known_is_not_replaced_everywhere(known: str, old: str) -> None:
    known = known.strip("\n") or "a"
    made = edits_of(sheets.read_in_part(BLANK, 1, known), Replaced("f", old, "new", everywhere=True))
    goes_on = old.startswith("\n") or any(known.endswith(old[:size]) for size in range(1, len(old)))
    assert (made is None) == (old not in known or goes_on)


def test_what_takes_too_long_to_look_through_makes_a_place_likely() -> None:
    file = sheets.read_in_part(BLANK, 1, "a\n" * 4_000 + "b")
    hunk = Hunk(("a",) * 2_000 + ("b",), ("c",))
    (edit,) = edits_of(file, Patched("f", [hunk])) or ()
    assert (edit.first, edit.took, edit.likely) == (2_001, 2_001, True)
    assert placing.MOST_COMPARED < 2_000 * 2_000
    (edit,) = edits_of(file, Patched("f", [Hunk(("b",), ("c",))])) or ()
    assert not edit.likely


def _bare(lines: list[str]) -> list[str]:
    return [line.strip() for line in lines]
