"""Rows that are made when they are looked at are the rows that would have been made at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.later import Coming, Later, Part, about, parts_of
from ccos_core.present.rows import Moment, Row, row

NODES = st.sampled_from(["file:a", "file:b", "sym:a#x", None])


def made(text: str, node: str | None) -> Row:
    return row(text, leads=Moment(node=node) if node is not None else None)


def parts(told: list[tuple[str, str | None, bool]]) -> list[Part]:
    return [Coming(made, (text, node), node) if later else made(text, node) for text, node, later in told]


TOLD = st.lists(st.tuples(st.text("ab", max_size=3), NODES, st.booleans()), max_size=12)


@given(TOLD, NODES)
def test_they_are_the_rows_that_would_have_been_made_at_once(
    told: list[tuple[str, str | None, bool]], node: str | None
) -> None:
    at_once = [made(text, node) for text, node, _ in told]
    rows = Later(parts(told))
    assert len(rows) == len(at_once)
    if node is not None:
        assert about(rows, node) == about(at_once, node)
    assert list(rows) == at_once == rows[:]
    assert [rows[at] for at in reversed(range(len(rows)))] == at_once[::-1]
    assert list(parts_of(rows)) == parts(told), "what was made is still known by what it is made of"


def test_each_is_made_once_and_none_before_somebody_looks() -> None:
    asked: list[str] = []

    def make(text: str) -> Row:
        asked.append(text)
        return row(text)

    rows = Later([Coming(make, ("a",), "file:a"), Coming(make, ("b",), "file:b")])
    assert about(rows, "file:b") == 1
    assert parts_of(rows)[0] == Coming(make, ("a",), "file:a")
    assert asked == []
    assert rows[1] == rows[1] == row("b")
    assert asked == ["b"]
