"""An output is cut among those that printed it where only one way to cut it agrees with what each may have printed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.calls.splitting import ANYTHING, SILENT, Cut, Printed, split

LINES = st.lists(st.sampled_from(["", "a", "--", "---", "1:a", "b b"]), max_size=5)
ENDS = st.sampled_from(["\n", "\n", "\n", ""])


@st.composite
def parts(draw: st.DrawFn) -> tuple[Printed, str]:
    """What a program may print, and what it did."""
    lines, end = draw(LINES), draw(ENDS)
    text = "\n".join(lines) + (end if lines else "")
    count = text.count("\n") + (not text.endswith("\n") and text != "")
    way = draw(st.sampled_from(["anything", "literal", "most", "exactly", "looks", "skipped"]))
    if way == "literal":
        return Printed(literal=text), text
    if way == "most":
        return Printed(most=count + draw(st.integers(0, 3))), text
    if way == "exactly":
        return Printed(least=count, most=count), text
    if way == "looks":
        listing = "".join(f"{number}:{line}\n" for number, line in enumerate(lines))
        return Printed(looks=re.compile(r"\d+:")), listing
    if way == "skipped":
        return Printed(literal="---\n", optional=True), ""
    return ANYTHING, text


PRINTED = st.lists(parts(), min_size=1, max_size=6)


@given(PRINTED)
def test_no_cut_contradicts_what_was_printed(printed: list[tuple[Printed, str]]) -> None:
    """What is certain of a program began where it began, and is at most what it printed."""
    cuts = split("".join(text for _, text in printed), [part for part, _ in printed])
    for cut, (part, text) in zip(cuts, printed, strict=True):
        if cut is not None and not glued(printed):
            assert text.startswith(cut.text), part
            assert not cut.all or cut.text == text, part


@settings(max_examples=300)
@given(PRINTED, st.data())
def test_neither_where_the_end_is_torn_off(printed: list[tuple[Printed, str]], data: st.DataObject) -> None:
    output = "".join(text for _, text in printed)
    ends = [0] + [place.end() for place in re.finditer("\n", output)]
    cuts = split(output[: data.draw(st.sampled_from(ends))], [part for part, _ in printed], torn=True)
    for cut, (part, text) in zip(cuts, printed, strict=True):
        if cut is not None and not glued(printed):
            assert text.startswith(cut.text), part
            assert not cut.all or cut.text == text, part


def glued(printed: list[tuple[Printed, str]]) -> bool:
    """Whether a mark goes on with a last line that ends with the same sign: that is held to be one longer line."""
    return any(text.endswith("-") for _, text in printed)


@pytest.mark.parametrize(
    ("output", "printed", "expected"),
    [
        ("a\n", [ANYTHING], [Cut("a\n", True)]),
        ("a\nb\n", [ANYTHING, ANYTHING], [Cut("", False), None]),
        ("a\nb\n", [SILENT, ANYTHING], [Cut("", True), Cut("a\nb\n", True)]),
        ("a\nb\n", [Printed(most=1), Printed(most=1)], [Cut("a\n", True), Cut("b\n", True)]),
        ("a\nb\n", [Printed(most=2), Printed(most=1)], [Cut("a\n", False), None]),
        ("a\nb\n", [Printed(least=1, most=1), ANYTHING], [Cut("", False), None]),
        ("a\nb\n", [Printed(least=1, most=1, fed=True), ANYTHING], [Cut("a\n", True), Cut("b\n", True)]),
        ("a\nb\n", [ANYTHING, Printed(least=1, most=1, fed=True)], [Cut("a\n", False), None]),
        ("a--\nb\n", [ANYTHING, Printed(literal="--\n"), ANYTHING],
         [Cut("a", True), Cut("--\n", True), Cut("b\n", True)]),
        ("-----\n--\nb\n", [ANYTHING, Printed(literal="--\n"), ANYTHING],
         [Cut("-----\n", True), Cut("--\n", True), Cut("b\n", True)]),
        ("a\n", [Printed(literal="b\n"), ANYTHING], [None, None]),
        ("1:a\nb\n", [Printed(looks=re.compile(r"\d+:")), Printed(least=1, most=1)],
         [Cut("1:a\n", True), Cut("b\n", True)]),
        ("", [Printed(literal="b\n", optional=True), ANYTHING], [Cut("", True), Cut("", True)]),
    ],
)  # fmt: skip
def test_cuts(output: str, printed: list[Printed], expected: list[Cut | None]) -> None:
    assert split(output, printed) == expected
