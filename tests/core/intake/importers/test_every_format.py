"""What holds for each format in the table of `rows.py`, whatever its records say."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers import generic, mini_swe_agent, swe_agent
from ccos_core.intake.importers.chat.table import CHATS
from ccos_core.intake.importers.formats import FORMATS, Transcript
from ccos_core.intake.importers.record import Format, Observation, Record
from tests.core.intake.importers.foreign import deliveries, keep_the_laws, mangled, told
from tests.core.intake.importers.rows import FILES, RECORDS

NAMES = [f"{each.name}{' document' * each.document}" for each, _ in RECORDS]
rows = pytest.mark.parametrize(("format_", "records"), RECORDS, ids=NAMES)


NAMED = (
    "Amp",
    "ChatGPT",
    "Copilot CLI",
    "Copilot in VS Code",
    "Cursor's database",
    "Droid",
    "OpenHands",
    "Pi, OpenClaw",
)
"""Chats whose messages have names."""
BY_PLACE = (
    swe_agent.FORMAT, mini_swe_agent.FORMAT, generic.FORMAT,
    *(each for each in CHATS if each.title not in NAMED),
)  # fmt: skip
"""Formats whose records have no names: what they tell is known again by where it stands."""


def nameless(observation: Observation) -> Observation:
    """What it says, without what it is known again by."""
    return {name: value for name, value in observation.items() if name not in ("call", "kept")}


def test_every_format_has_a_row() -> None:
    legacy = {each for each in FORMATS if each.name == "codex" and each.document}
    assert {each for each, _ in RECORDS} == set(FORMATS) - legacy


@rows
@given(st.data())
def test_the_laws_hold_whatever_the_records_say(format_: Format, records: list[Record], data: st.DataObject) -> None:
    keep_the_laws(format_, mangled(records, data))


@rows
def test_every_delivery_has_a_key_of_its_own(format_: Format, records: list[Record]) -> None:
    keys = deliveries(told(format_, records))
    assert len(set(keys)) == len(keys)


@rows
def test_a_record_that_stands_twice_is_told_once(format_: Format, records: list[Record]) -> None:
    once = set(deliveries(told(format_, records)))
    for at, record in enumerate(records):
        twice = told(format_, [*records[: at + 1], record, *records[at + 1 :]])
        assert format_ in BY_PLACE or set(deliveries(twice)) <= once, record


@rows
def test_a_blank_or_foreign_record_keeps_nothing_else_out(format_: Format, records: list[Record]) -> None:
    whole = [nameless(each) for each in told(format_, records)]
    for foreign in ({}, [], None, "", {"type": "nobody knows"}):
        first = 1 if not format_.document else 0
        found = [nameless(each) for each in told(format_, [*records[:first], Record(999, foreign), *records[first:]])]
        assert [each for each in found if each in whole] == whole


@pytest.mark.parametrize(("format_", "raw"), FILES, ids=lambda each: each.name if isinstance(each, Format) else "")
def test_a_large_file_is_read_as_a_small_one(format_: Format, raw: bytes) -> None:
    long = raw.replace(b'"Fix it."', json.dumps("Fix it." + "x" * 300_000).encode())
    transcript = Transcript("s")
    found = [each for at in range(0, len(long), 7_001) for each in transcript.feed(long[at : at + 7_001])]
    found += transcript.finish()
    assert transcript.format is format_
    whole = Transcript("s")
    assert found == [*whole.feed(long), *whole.finish()]
