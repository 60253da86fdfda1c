"""One value a line, whatever state the file is in."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.intake.importers.lines import NO_UTF8, NULS, TOO_LONG, TORN, UNREADABLE, Lines, records
from ccos_core.intake.importers.record import Record, Tally
from tests.core.intake.importers.foreign import cut, json_values

objects = st.dictionaries(st.text(max_size=5), json_values, max_size=3)
whole_lines = st.lists(objects, max_size=6)
broken = st.binary(max_size=60) | st.sampled_from(
    [b'{"a": 1', b'"a"}', b"\0\0\0", b'{"a":"\xff"}', b"[[[", b'{"a":1}{"b":2}']
)


def read(raw: bytes) -> tuple[list[Record], Tally]:
    troubles = Tally()
    return list(records([raw], troubles)), troubles


def values(raw: bytes) -> list[Any]:
    return [record.value for record in read(raw)[0]]


def line_of(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


@given(whole_lines, st.data())
def test_pieces_of_any_size_give_what_was_written(said: list[Any], data: st.DataObject) -> None:
    raw = b"".join(map(line_of, said))
    troubles = Tally()
    reader = Lines(troubles)
    found = [record for piece in cut(raw, data) for record in reader.feed(piece)]
    assert list(reader.finish()) == []
    assert found == [Record(number, value) for number, value in enumerate(said, 1)]
    assert (troubles.records, troubles.times) == (len(said), {})


@given(st.lists(broken | objects.map(json.dumps).map(str.encode), max_size=6), st.data())
def test_pieces_change_nothing_however_broken_it_is(lines: list[bytes], data: st.DataObject) -> None:
    raw = b"\n".join(lines)
    troubles = Tally()
    assert (list(records(cut(raw, data), troubles)), troubles) == read(raw)


@given(st.lists(broken | objects.map(json.dumps).map(str.encode), max_size=5), st.integers(0, 200))
@example([b'{"a": 1}{"b": 2}'], 12)
def test_a_file_cut_off_anywhere_gives_the_first_of_its_records(lines: list[bytes], end: int) -> None:
    raw = b"\n".join(lines)
    whole, part = [record for record in read(raw)[0] if isinstance(record.value, (dict, list))], read(raw[:end])[0]
    part = [record for record in part if isinstance(record.value, (dict, list))]
    assert part == whole[: len(part)]


@given(whole_lines, whole_lines, broken)
def test_a_broken_line_takes_nothing_from_the_others(before: list[Any], after: list[Any], bad: bytes) -> None:
    raw = b"".join(map(line_of, before)) + bad.replace(b"\n", b"") + b"\n" + b"".join(map(line_of, after))
    found = [(record.line, record.value) for record in read(raw)[0]]
    others = [pair for pair in found if pair[0] != len(before) + 1]
    assert others == [*enumerate(before, 1), *enumerate(after, len(before) + 2)]


def test_two_values_on_a_line_are_two_records() -> None:
    assert read(b'{"a": 1}{"b": 2}\n{"c": 3}, {"d": 4}\n') == (
        [Record(1, {"a": 1}), Record(1, {"b": 2}), Record(2, {"c": 3}), Record(2, {"d": 4})],
        Tally(records=4),
    )


def test_what_was_appended_to_a_torn_line_is_found() -> None:
    found, troubles = read(b'{"kind": "prompt", "said": "hel{"kind": "turn"}\n{"kind": "turn"}\n')
    assert found == [Record(1, {"kind": "turn"}), Record(2, {"kind": "turn"})]
    assert troubles.unknown == {UNREADABLE: [1]}


def test_what_stands_inside_of_a_torn_value_is_no_record() -> None:
    found, troubles = read(b'{"a": {"kind": "turn"}\n{"a": [{"kind": "turn"}, {"kind": "turn"}\n')
    assert (found, troubles.unknown) == ([], {UNREADABLE: [1, 2]})


@pytest.mark.parametrize(
    ("raw", "said", "trouble"),
    [
        (b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n', [{"a": 1}, {"a": 2}], {}),
        (b'\0\0{"a": 1}\0\n\0\0\n', [{"a": 1}], {NULS: [1, 2]}),
        (b'{"a": "\xff"}\n', [{"a": "\N{REPLACEMENT CHARACTER}"}], {NO_UTF8: [1]}),
        (b'{"a": "tab\there"}\n', [{"a": "tab\there"}], {}),
        (b'{"a": 1}\n{"a": 2', [{"a": 1}], {TORN: [2]}),
        (b'{"a": 1}\n{"a": 2}', [{"a": 1}, {"a": 2}], {}),
        (b"\n  \n12\nnull\n", [12, None], {}),
        (b"[" * 100_000 + b"\n{}\n", [{}], {UNREADABLE: [1]}),
        (b'{"a": ' + b"9" * 5000 + b"}\n{}\n", [{}], {UNREADABLE: [1]}),
        (b'\x1e{"a": 1}\n', [{"a": 1}], {}),
    ],
)
def test_what_is_wrong_is_counted_with_its_line(raw: bytes, said: list[Any], trouble: dict[str, list[int]]) -> None:
    found, troubles = read(raw)
    assert ([record.value for record in found], troubles.unknown) == (said, trouble)


def test_a_line_beyond_all_bounds_is_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.intake.importers.lines.LONGEST", 20)
    long = json.dumps({"a": "x" * 40}).encode()
    troubles = Tally()
    found = list(records([long[:10], long[10:] + b'\n{"b": 1}\n', long], troubles))
    assert (found, troubles.unknown) == ([Record(2, {"b": 1})], {TOO_LONG: [1, 3]})


def test_a_number_that_may_go_on_is_no_record() -> None:
    assert values(b"12\n12") == [12]


def test_many_beginnings_on_a_line_cost_little() -> None:
    found, troubles = read(b'x{"' * 200_000 + b"\n{}\n")
    assert ([record.value for record in found], troubles.times) == ([{}], {UNREADABLE: 1})
