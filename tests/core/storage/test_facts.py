"""Facts in rows: found by the hundreds, kept once, and gone with anything they were drawn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.log.facts import composed_key, fact_body, packed_fact
from ccos_core.storage import facts
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest
from tests.making import record_of, seen

ONE, OTHER, THIRD = b"one", b"other", b"third"
A, B, C = digest(ONE), digest(OTHER), digest(THIRD)


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    path = record_of(tmp_path / "w.ccos", [seen(ONE), seen(OTHER), seen(THIRD)], ONE, OTHER, THIRD)
    with open_record(path, write=True) as record:
        yield record


def keep(record: Record, *keys: bytes) -> None:
    with record.write() as writing:
        for key in keys:
            writing.keep_fact(key, "x", 1, key)


def kept(record: Record) -> set[bytes]:
    return {row[0] for row in record.ask("SELECT key FROM fact")}


def test_many_are_found_and_only_those_asked_for(record: Record) -> None:
    keys = [digest(b"%d" % number) for number in range(1_200)]
    with record.write() as writing:
        for key in keys:
            for interpreter, version in (("x", 1), ("x", 2), ("y", 1)):
                writing.keep_fact(key, interpreter, version, key + b"%d" % version)
    wanted = [(key, "x", 2) for key in keys] + [(A, "x", 1), (keys[0], "z", 1)]
    found = dict(facts.recorded(record, wanted))
    assert found.keys() == {(key, "x", 2) for key in keys}
    for key, (said, size, form, check, stored) in found.items():
        assert fact_body(*key, said, form, check, stored, size) == key[0] + b"2"


def test_many_in_one_sweep_are_those_that_are_whole(record: Record) -> None:
    keep(record, A, B, C)
    keys = [(A, "x", 1), (B, "x", 1), (B, "x", 2), (bytes(32), "x", 1)]
    assert record.facts(keys) == {(A, "x", 1): A, (B, "x", 1): B}
    assert record.contents([A, C, bytes(32)]) == {A: ONE, C: THIRD}
    assert record.bodies([3, 1, 9]) == {step: record.op(step)[2] for step in (1, 3)}
    record.connection.execute("UPDATE fact SET body = ? WHERE key = ?", (b"other", B))
    record.connection.execute("UPDATE blob SET body = ? WHERE hash = ?", (b"other", C))
    assert record.facts(keys) == {(A, "x", 1): A}
    assert record.contents([A, C]) == {A: ONE}


def test_contents_as_they_are_stored(record: Record) -> None:
    assert facts.sizes(record, [A, B, b"no such"]) == {A: len(ONE), B: len(OTHER)}
    assert {row[0]: row[4] for row in facts.stored(record, [A, C])} == {A: ONE, C: THIRD}


def test_the_first_to_say_it_stays(record: Record) -> None:
    with record.write() as writing:
        assert writing.keep_fact(A, "x", 1, b"said")
        assert not writing.keep_fact(A, "x", 1, b"otherwise")
        assert not writing.keep_packed_fact((A, "x", 1), packed_fact((A, "x", 1), b"otherwise"))
        assert writing.keep_fact(A, "x", 2, b"otherwise")
    ((_, (_, _, _, _, stored)),) = facts.recorded(record, [(A, "x", 1)])
    assert stored == b"said"


def test_a_fact_goes_with_each_of_what_it_was_drawn_from(record: Record) -> None:
    keep(record, A, B, C, A + B, B + C, C + A, composed_key(b"text"))
    with record.write() as writing:
        assert writing.erase(B, len(OTHER), 1, 1, "by hash") == 4
    assert kept(record) == {A, C, C + A}


def test_none_is_kept_of_what_was_forgotten(record: Record) -> None:
    with record.write() as writing:
        writing.erase(B, len(OTHER), 1, 1, "by hash")
        assert not writing.keep_fact(B, "x", 1, b"")
        assert not writing.keep_fact(B + C, "x", 1, b"")
        assert not writing.keep_fact(A + B, "x", 1, b"")
        assert writing.keep_fact(A + C, "x", 1, b"")
    assert kept(record) == {A + C}


@pytest.mark.parametrize("meanwhile", [True, False])
def test_what_was_composed_before_a_forgetting_is_not_added_after_it(record: Record, meanwhile: bool) -> None:
    fresh = {key: packed_fact(key, b"{}") for key in [(composed_key(b"text"), "x", 1), (A, "x", 1)]}
    before = facts.tombstones(record)
    if meanwhile:
        with record.write() as writing:
            writing.erase(B, len(OTHER), 1, 1, "by hash")
    facts.add(record, fresh, before)
    assert kept(record) == ({A} if meanwhile else {A, composed_key(b"text")})
