"""One document, read as records before its end is there."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers.lines import NO_UTF8, NULS, TOO_LONG, TORN, UNREADABLE, Documents
from ccos_core.intake.importers.record import Record, Tally
from tests.core.intake.importers.foreign import cut, json_values

documents = st.dictionaries(st.text(max_size=5), json_values, max_size=4) | st.lists(json_values, max_size=4)
ways = st.sampled_from([None, 1, "\t"])


def read(*pieces: bytes) -> tuple[list[Record], Tally]:
    troubles = Tally()
    reader = Documents(troubles)
    found = [record for piece in pieces for record in reader.feed(piece)]
    found += reader.finish()
    return found, troubles


def expected(document: Any) -> list[tuple[str, Any]]:
    if isinstance(document, list):
        return [("", value) for value in document]
    found: list[tuple[str, Any]] = []
    for name, value in document.items():
        found += [(name, each) for each in value] if isinstance(value, list) else [(name, value)]
    return found


def said(records: list[Record]) -> list[tuple[str, Any]]:
    return [(record.name, record.value) for record in records]


@given(st.lists(documents, max_size=3), ways, st.booleans(), st.data())
def test_a_document_is_its_lists_and_fields(many: list[Any], indent: Any, plain: bool, data: st.DataObject) -> None:
    raw = "\n".join(json.dumps(each, indent=indent, ensure_ascii=plain) for each in many).encode()
    found, troubles = read(*cut(raw, data))
    assert said(found) == [pair for each in many for pair in expected(each)]
    assert (troubles.records, troubles.times) == (len(found), {})


@given(documents, ways, st.integers(0, 300))
def test_a_document_cut_off_anywhere_gives_the_first_of_its_records(document: Any, indent: Any, end: int) -> None:
    raw = json.dumps(document, indent=indent).encode()
    whole, part = read(raw)[0], read(raw[:end])[0]
    assert part == whole[: len(part)]


@given(st.binary(max_size=200) | st.text('{}[]",:a1 \n\\\0', max_size=60).map(str.encode), st.data())
def test_pieces_change_nothing_whatever_the_bytes_are(raw: bytes, data: st.DataObject) -> None:
    (one, of_one), (other, of_other) = read(raw), read(*cut(raw, data))
    assert one == other
    for troubles in (of_one, of_other):
        troubles.times.pop(NO_UTF8, None)  # counted once a piece
    assert of_one.times == of_other.times


@given(st.text('{}[]",:a1 \n\\\0', max_size=60).map(str.encode), st.integers(0, 60))
def test_nothing_that_came_later_changes_what_was_read(raw: bytes, end: int) -> None:
    whole, part = read(raw)[0], read(raw[:end])[0]
    assert part == whole[: len(part)]


def test_each_record_knows_the_line_it_begins_on() -> None:
    raw = b'{\n "info": {\n  "a": 1\n },\n "messages": [\n  {"b": "two\\nlines"},\n\n  {\n"c": 3}]}\n{"d": 4}'
    for pieces in ([raw], [raw[at : at + 1] for at in range(len(raw))]):
        assert [record.line for record in read(*pieces)[0]] == [2, 6, 8, 10]


@pytest.mark.parametrize(
    ("raw", "found", "trouble"),
    [
        (b'{"a": [1, 2, {"b": 3', [("a", 1), ("a", 2)], {TORN: [1]}),
        (b'{"a": [{"b": oops}, {"c": 1}]}', [("a", {"c": 1})], {UNREADABLE: [1]}),
        (b'{"a": [{"b":\0 1}]}', [("a", {"b": 1})], {NULS: [1]}),
        (b'\xef\xbb\xbf{"a": "\xff"}', [("a", "\N{REPLACEMENT CHARACTER}")], {NO_UTF8: [1]}),
        (b'{"a": [' + b"[" * 100_000 + b"]" * 100_000 + b', 1], "b": 2}', [("a", 1), ("b", 2)], {UNREADABLE: [1]}),
        (b'{"a" "b": 2, what?, "c": 3}', [("b", 2), ("c", 3)], {UNREADABLE: [1, 1]}),
        (b'{"a": [1, 2}\n{"b": 3}', [("a", 1), ("a", 2), ("b", 3)], {UNREADABLE: [1]}),
        (b"12", [], {UNREADABLE: [1]}),
    ],
)
def test_what_is_broken_takes_nothing_from_the_rest(raw: bytes, found: Any, trouble: dict[str, list[int]]) -> None:
    records, troubles = read(raw)
    assert (said(records), troubles.unknown) == (found, trouble)


def test_a_value_beyond_all_bounds_is_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.intake.importers.lines.LONGEST_DOCUMENT", 20)
    raw = json.dumps({"a": [{"b": "x" * 40}, 1]}).encode()
    records, troubles = read(raw[:20], raw[20:])
    assert (said(records), troubles.unknown) == ([("a", 1)], {TOO_LONG: [1]})
