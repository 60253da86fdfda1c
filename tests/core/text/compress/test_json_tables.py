"""JSON is shortened to JSON of the same value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ccos_core.text.compress.json_tables import restored, shorten_json
from ccos_core.text.compress.router import reference_of, shorten
from ccos_core.text.compress.shortened import MARKER, lost_facts
from ccos_core.values.tokens import estimate

REF = "0123456789ab"
STRINGS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["~", "~" * 6, "~0", "~each", "~~", "how", "\ud800", '"~"', "\\", "https://example.org/users/octocat"]
    ),
)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), STRINGS)
KEYS = st.one_of(st.sampled_from(["id", "state", "html_url", "labels", "~"]), STRINGS)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=4),
        st.lists(st.fixed_dictionaries({"id": inner, "state": PLAIN}, optional={"html_url": PLAIN}), max_size=6),
        st.tuples(st.dictionaries(KEYS, inner, min_size=1, max_size=4), st.integers(3, 8)).map(
            lambda of: [of[0]] * of[1]
        ),
    ),
    max_leaves=25,
)


def exactly(value: Any) -> str:
    """Return a text that differs for 1, 1.0 and true, and not with the order of keys."""
    return json.dumps(value, sort_keys=True)


@given(VALUES, st.booleans(), st.sampled_from([None, 2]))
def test_the_value_comes_back(value: Any, is_ascii: bool, indent: int | None) -> None:
    rows = [{"repository_identifier": at, "inner": value, "visibility": "everyone"} for at in range(30)]
    text = json.dumps(rows, ensure_ascii=is_ascii, indent=indent)
    short = shorten_json(text, REF)
    assume(short is not None)
    assert short is not None
    assert exactly(restored(short.text)) == exactly(json.loads(text))
    assert estimate(short.text) < estimate(text)
    assert list(lost_facts(text, short)) == []
    (gap,) = short.gaps
    found = MARKER.search(next(iter(json.loads(short.text).values())))
    assert found is not None
    assert (int(found[2]), int(found[3]), int(found[5])) == (1, text.count("\n") + 1, gap.tokens)


@given(VALUES)
def test_no_value_is_changed_whether_or_not_it_is_worth_it(value: Any) -> None:
    text = json.dumps([value, [{"html_url": "https://example.org/users/octocat", "inner": value}] * 40])
    short = shorten_json(text, REF)
    assert short is None or exactly(restored(short.text)) == exactly(json.loads(text))


def listed(**more: Any) -> str:
    return json.dumps([{"number": at, "url": "https://example.org/issues", **more} for at in range(30)])


def test_keys_and_what_all_objects_share_are_written_once() -> None:
    text = json.dumps(
        [{"number": at, "state": "open", "assignee": None, "title": f"fault {at}"} for at in range(30)], indent=2
    )
    short = shorten(text, ref=reference_of(text.encode()))
    assert short.kind == "json"
    assert short.text.count("assignee") == short.text.count("title") == 1
    assert estimate(short.text) * 2 < estimate(text)


@pytest.mark.parametrize(
    "text",
    [
        listed()[:-1],  # cut off
        listed().replace('"number": 3,', '"number": 3, "number": 4,'),  # which one counts differs between parsers
        listed(size=0).replace('"size": 0', '"size": 0.12345678901234567890123'),
        listed(size=0).replace('"size": 0', '"size": NaN'),
        listed(size=0).replace('"size": 0', '"size": 1e-99999999999999999999'),
        listed(size=0).replace('"size": 0', '"size": 1e999'),
        "[" * 100_000 + "]" * 100_000,
        listed(size="~" * 1_000_000),
        listed(size='"').replace('"number": 3,', '"number": 3, "number": 4,').replace('\\"', "\\u0022"),
        json.dumps({"name": "app", "scripts": {f"run-{at}": f"node run-{at}.js" for at in range(60)}}, indent=2),
    ],
)
def test_what_would_not_come_back_exactly_or_has_no_rows_stays(text: str) -> None:
    assert shorten(text, ref=REF, kind="json").text == text


def test_an_image_in_a_result_is_not_replaced_by_its_placeholder() -> None:
    """The value that comes back is what was sent, also where a string looks like a marker or a reference."""
    image = "iVBORw0KGgoAAAANSUhEUgAA" * 400
    rows = [{"name": f"~{at}", "note": "[ccr 0123456789ab:1-2 2 lines]", "image_content": image} for at in range(9)]
    short = shorten_json(json.dumps(rows), REF)
    assert short is not None
    assert restored(short.text) == rows
    assert short.text.count(image) == 1


def test_escapes_stay_escapes() -> None:
    rows = [{"number": at, "title": f"\u202e{at}", "description": None} for at in range(30)]
    short = shorten_json(json.dumps(rows), REF)
    assert short is not None
    assert short.text.isascii()
    assert restored(short.text) == rows


def test_what_only_begins_like_json_is_shortened_as_what_it_is() -> None:
    steps = [f"2024-01-02 10:00:{at:02} INFO tick {at}" for at in range(50)]
    bracketed = "\n".join(["[build] started", *steps, "[build ended]"])
    lines = "\n".join(f'{{"at": "2024-01-02", "level": "INFO", "tick": {at}}}' for at in range(50))
    assert [shorten(text, ref=REF).kind for text in (bracketed, lines)] == ["log", "log"]
