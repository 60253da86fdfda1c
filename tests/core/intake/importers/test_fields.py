"""Looking into foreign JSON."""

from typing import Any

import pytest
from hypothesis import given

from ccos_core.intake.importers.fields import LARGEST, at, decoded, number, objects, parts, text, text_or_none, word
from tests.core.intake.importers.foreign import wild_values


@given(wild_values)
def test_whatever_it_is_the_answer_is_of_its_kind(value: Any) -> None:
    for path in ((), ("a",), ("a", "b")):
        found = number(value, *path)
        assert found is None or 0 <= found < LARGEST
        assert isinstance(text(value, *path), str)
        assert "\n" not in word(value, *path)
        assert all(isinstance(each, dict) for each in objects(value, *path))
        assert all(isinstance(each, str) for each in parts(value, *path))
        assert (text_or_none(value, *path) or "") == text(value, *path)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (3, 3),
        (3.7, 3),
        (-1, None),
        (True, None),
        ("3", None),
        (float("nan"), None),
        (float("inf"), None),
        (2**60, None),
    ],
)
def test_a_number_counts_something(value: Any, said: int | None) -> None:
    assert number({"a": {"b": value}}, "a", "b") == said


def test_what_is_missing_is_empty() -> None:
    assert (at({"a": 1}, "a", "b"), text({"a": 1}, "a"), word({"a": "x" * 300}, "a")) == (None, "", "")
    assert list(objects({"a": [1, {"b": 2}, None]}, "a")) == [{"b": 2}]
    assert list(parts({"a": ["x", {"text": "y"}, {"text": 1}, {"text": ""}]}, "a")) == ["y", ""]
    assert (text_or_none({"a": ""}, "a"), text_or_none({"a": 1}, "a"), text_or_none({}, "a")) == ("", None, None)


def test_what_is_no_json_is_something_else() -> None:
    assert (decoded('{"a": 1}'), decoded(b"[1]"), decoded("null", "x")) == ({"a": 1}, [1], None)
    assert (decoded("{a"), decoded("{a", "{a"), decoded("[" * 100_000), decoded(b"\xff")) == (None, "{a", None, None)
