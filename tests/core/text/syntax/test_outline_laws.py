"""Whatever a file holds, its outline is made, is in range and has one spelling; and hostile sizes stay affordable."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.values.code import MODULE, Outline, outline_from
from tests.core.text.syntax import ecmascript_cases, go_cases, markdown_cases, rust_cases
from tests.core.text.syntax.cases import Outlines
from tests.core.text.syntax.trees import outlined
from tests.growth import lines_at_most

CASES = [*go_cases.OUTLINES, *rust_cases.OUTLINES, *ecmascript_cases.OUTLINES, *markdown_cases.OUTLINES]
SIZES = [(case, name) for case in CASES for name in sorted(case.sizes)]
FULL_SIZE = 1_000
COUNTED_SIZE = 100
LINES_PER_CHARACTER = 100
"""Lines of Python that an outline may take. Macros in macros take 70, everything else a few."""

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.path)


def checked(source: bytes, case: Outlines) -> Outline:
    told = outlined(source, case.path)
    lines = source.count(b"\n") + 1
    owners = range(MODULE, len(told.symbols))
    for symbol in told.symbols:
        assert symbol.name
        assert 1 <= symbol.first <= symbol.line <= symbol.signature <= symbol.last <= lines
        assert 0 <= symbol.doc <= symbol.line
    assert all(1 <= each.line <= lines and each.owner in owners for each in told.imports)
    assert all(1 <= each.line <= lines and each.owner in owners and each.count for each in told.references)
    assert case.has_unnamed_references or all(each.chain for each in told.references)
    assert outline_from(told.to_bytes()) == told
    return told


@every_case
def test_the_source_is_whole(case: Outlines) -> None:
    told = checked(case.source.encode(), case)
    assert (len(told.symbols), told.flaws) == (case.symbols, case.flaws)


@every_case
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_beginning(case: Outlines, data: st.DataObject) -> None:
    checked(case.source[: data.draw(st.integers(0, len(case.source)))].encode(), case)


@every_case
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_any_mutation(case: Outlines, data: st.DataObject) -> None:
    cut = st.tuples(st.integers(0, len(case.source)), st.integers(0, 40), st.sampled_from(case.pieces))
    text = case.source
    for at, length, piece in data.draw(st.lists(cut, max_size=6)):
        text = text[:at] + piece + text[at + length :]
    checked(text.encode(), case)


ONCE_WRONG = [
    ("a.go", [(go_cases.SOURCE.index("Kind = 1"), 0, ",")]),
    ("a.rs", [(378, 21, "<"), (180, 40, "{")]),
]


@pytest.mark.parametrize(("path", "cuts"), ONCE_WRONG)
def test_mutations_that_once_went_wrong(path: str, cuts: list[tuple[int, int, str]]) -> None:
    case = next(case for case in CASES if case.path == path)
    text = case.source
    for at, length, piece in cuts:
        text = text[:at] + piece + text[at + length :]
    checked(text.encode(), case)


@every_case
@settings(max_examples=100, deadline=None)
@given(source=st.binary(max_size=300))
@example(source=b"")
def test_any_bytes(case: Outlines, source: bytes) -> None:
    checked(source, case)


@every_case
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_any_words(case: Outlines, data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(case.pieces), max_size=60))
    checked(data.draw(st.sampled_from(case.heads)).format("".join(words)).encode(), case)


@every_case
def test_line_ends_and_marks_change_nothing(case: Outlines) -> None:
    plain = checked(case.source.encode(), case)
    assert checked(case.source.replace("\n", "\r\n").encode(), case) == plain
    rest = case.source if case.accepts_mark else case.source.partition("\n")[2]
    assert checked(b"\xef\xbb\xbf" + rest.encode(), case) == checked(rest.encode(), case)


@every_case
def test_invalid_bytes(case: Outlines) -> None:
    assert checked(case.accented, case).symbols[0].name == "café"


@every_case
def test_an_empty_file(case: Outlines) -> None:
    assert checked(b"", case) == Outline()


@pytest.mark.parametrize(("case", "name"), SIZES, ids=[f"{case.path} {name}" for case, name in SIZES])
def test_no_hostile_size_runs_away(case: Outlines, name: str) -> None:
    checked(case.sizes[name](FULL_SIZE).encode(), case)
    text = case.sizes[name](COUNTED_SIZE)
    with lines_at_most(LINES_PER_CHARACTER * len(text)):
        outlined(text, case.path)
