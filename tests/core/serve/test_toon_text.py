"""TOON: what the specification says of each shape, and that everything comes back as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.serve.toon import NotToon, decode, encode
from ccos_core.serve.toon_tables import read, write

SHAPES: dict[str, tuple[Any, str]] = {
    "an object": ({"at": 3, "name": "db.py", "is": True, "no": None}, "at: 3\nname: db.py\nis: true\nno: null"),
    "below each other": ({"a": {"b": {}, "c": 1}}, "a:\n  b:\n  c: 1"),
    "words in a line": ({"tags": ["git", "a b", "x,y", "5", ""]}, 'tags[5]: git,a b,"x,y","5",""'),
    "a table": ({"rows": [{"a": 1, "b": "x"}, {"b": "y", "a": 2}]}, "rows[2]{a,b}:\n  1,x\n  2,y"),
    "a table of objects": (
        {"rows": [{"a": 1, "at": {"step": 2, "op": "edit"}}]}, "rows[1]{a,at{step,op}}:\n  1,2,edit",
    ),
    "rows with keys": ({"by": {"x y": {"n": 1}, "z": {"n": 2}}}, 'by[2:]{n}:\n  "x y": 1\n  z: 2'),
    "records that differ": (
        {"rows": [{"a": [{"b": 1}], "c": 1}, {}, 7, [], [1, 2], [[3]]]},
        "rows[6]:\n  - a[1]{b}:\n      1\n    c: 1\n  -\n  - 7\n  - [0]:\n  - [2]: 1,2\n  - [1]:\n    - [1]: 3",
    ),
    "nothing in them": ({"list": [], "object": {}}, "list: []\nobject:"),
    "a list": ([1, 2], "[2]: 1,2"),
    "no object": ({}, ""),
    "no list": ([], "[]"),
    "a word": ("a: b", '"a: b"'),
    "quotes": ({"a": "- x", "b": "#x", "c": " x", "d": "a\nb\t\x1b", "e": "null"},
               'a: "- x"\nb: "#x"\nc: " x"\nd: "a\\nb\\t\\u001b"\ne: "null"'),
    "numbers": ([1.5, 2.0, 1e-7, -3, 10**25], "[5]: 1.5,2,0.0000001,-3,10000000000000000000000000"),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_written_as_the_specification_says(name: str) -> None:
    value, text = SHAPES[name]
    assert encode(value) == text
    assert decode(text) == value


TEXTS = st.one_of(
    st.text(st.characters(codec="utf-8")), st.sampled_from(["-", "true", "1e5", "a,b", '"', "[1]", "\\", ": "])
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)
    | st.lists(st.fixed_dictionaries({"a": inner, "b b": st.fixed_dictionaries({"c": inner})}), max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(value=VALUES)
def test_every_value_comes_back(value: Any) -> None:
    text = encode(value)
    assert decode(text) == value
    assert not any(line.endswith(" ") or not line for line in text.split("\n")) or not text


def test_hidden_characters_and_half_ones_are_escaped() -> None:
    value = {"a": "x\u202ey", "b": "\udc80"}
    assert encode(value, "\u202e") == 'a: "x\\u202ey"\nb: "\\udc80"'
    assert decode(encode(value, "\u202e")) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: 1\n b: 2", "line 2: isn't indented by two spaces a level"),
        ("a: 1\na: 2", "line 2: 'a' stood there before"),
        ("rows[2]{a,b}:\n  1,2", "its end: lacks rows: 2 were announced"),
        ("rows[1]{a,b}:\n  1", "line 2: has too few cells"),
        ("rows[1]{a}:\n  1,2", "line 2: has too many cells"),
        ("tags[3]: a,b", "line 1: has 2 values where 3 were announced"),
        ("a: 1\n    b: 2", "line 2: is indented too far"),
        ("items[2]:\n  - 1\n  2", "line 3: should be an item of a list"),
        ('a: "x', "line 1: has quotes that don't end"),
        ('a: "\\q"', "line 1: has an unknown escape \\q"),
        ("tags[2|]: a|b", "line 1: isn't a name with a colon"),
        ("[1]: 1\nb: 2", "line 2: doesn't belong to what stands above it"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str) -> None:
    with pytest.raises(NotToon) as caught:
        decode(text)
    assert str(caught.value) == said


def test_comments_and_blank_lines_say_nothing() -> None:
    assert decode("# rules\n\na: 1\n\n  # more\nb[2]{c}:\n  1\n  2\n") == {"a": 1, "b": [{"c": 1}, {"c": 2}]}
    assert json.dumps(decode("")) == "{}"


# ---- tables with more than plain cells ----


OPTIONAL = [{"step": 1, "notes": [], "at": None}, {"step": 2, "notes": ["a"], "at": {"line": 3, "in": None}}]


def test_lists_and_missing_objects_stand_in_tables() -> None:
    value = {"steps": [*OPTIONAL, {"step": 3, "notes": [], "at": {"line": 4, "in": "f"}}]}
    text = 'steps[3]{step,notes.json,at.null{line,in}}:\n  1,"",null,null\n  2,"[\\"a\\"]",3,null\n  3,"",4,f'
    assert write(value) == text
    assert read(text) == value


@given(value=VALUES)
def test_every_value_comes_back_through_tables(value: Any) -> None:
    assert read(write(value)) == value


@given(rows=st.lists(st.fixed_dictionaries({"a.json": VALUES, "b.null": VALUES, "c": VALUES}), max_size=3))
def test_fields_that_are_called_like_marked_columns_come_back(rows: list[Any]) -> None:
    assert read(write(rows)) == rows
