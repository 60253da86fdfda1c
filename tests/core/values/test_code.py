"""What a source says about itself has one spelling, and that spelling says all of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.values.canon import NotCanonical
from ccos_core.values.code import MODULE, Import, Outline, Reference, Symbol, Unread, outline_from, outline_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
LINES = st.integers(0, 10**6)
OWNERS = st.integers(MODULE, 50)
OUTLINES = st.builds(
    Outline,
    st.lists(st.builds(Symbol, TEXT, TEXT, LINES, LINES, LINES, LINES, LINES), max_size=4).map(tuple),
    st.lists(st.builds(Import, TEXT, TEXT, TEXT, LINES, OWNERS, st.booleans()), max_size=4).map(tuple),
    st.lists(st.builds(Reference, TEXT, TEXT, LINES, OWNERS, LINES), max_size=4).map(tuple),
    st.lists(TEXT, max_size=2).map(tuple),
)


@given(OUTLINES)
def test_there_and_back(outline: Outline) -> None:
    assert outline_from(outline.to_bytes()) == outline


@given(OUTLINES, OUTLINES)
def test_unread_it_says_the_same(outline: Outline, other: Outline) -> None:
    unread = Unread.of(outline.to_bytes())
    assert unread.symbols == outline.symbols
    assert unread == outline == unread == Unread.of(outline.to_bytes())
    assert (unread.imports, unread.references, unread.flaws) == (outline.imports, outline.references, outline.flaws)
    assert unread.to_bytes() == outline.to_bytes()
    assert (unread == other) == (other == unread) == (outline == other)
    assert unread != ()


def test_a_text_that_looks_like_a_key_is_none() -> None:
    said = ',"symbols":[["x"'
    outline = Outline((Symbol(said, said, 1, 1, 1, 1),), (Import(said, said, said, 1),), (), (said, "symbols"))
    assert Unread.of(outline.to_bytes()) == outline


@given(OUTLINES, OUTLINES)
def test_one_spelling_each(one: Outline, other: Outline) -> None:
    assert (one == other) == (one.to_bytes() == other.to_bytes())


@pytest.mark.parametrize("rows", [[["a", "class", 1, 1, 1, 1]], [["a", "class", 1, 1, 1, 1, 0, 0]], [[]], [3]])
def test_what_has_other_parts_is_no_symbol(rows: list[object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        outline_of({"symbols": rows, "imports": [], "references": [], "flaws": []})


def test_the_bytes_are_these() -> None:
    outline = Outline(
        (Symbol("A.m", "method", 3, 2, 4, 9, 5),),
        (Import("np", "numpy", "", 1, exported=True),),
        (Reference("np.zeros", "call", 6, 0, 2),),
        ("syntax",),
    )
    assert outline.to_bytes() == (
        b'{"flaws":["syntax"],"imports":[["np","numpy","",1,-1,true]],'
        b'"references":[["np.zeros","call",6,0,2]],"symbols":[["A.m","method",3,2,4,9,5]]}'
    )


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"flaws":[],"imports":[],"references":[]}', b'{"symbols": []}'])
def test_other_bytes_are_refused(body: bytes) -> None:
    with pytest.raises((NotCanonical, KeyError, TypeError)):
        outline_from(body)
