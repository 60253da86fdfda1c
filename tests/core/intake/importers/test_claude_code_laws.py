"""What holds for any transcript of Claude Code, whole or not."""

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.intake.importers.claude_code.reader import FORMAT, ClaudeCode
from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.record import Observation, Record
from ccos_core.session.admit import admit
from ccos_core.values.paths import Place
from tests.core.intake.importers.claude_code_fixtures import CWD, Value, everything, observed
from tests.core.intake.importers.foreign import json_values

RECORDS = everything().records()
TOLD = observed(RECORDS)
PLACE = Place((CWD,))

foreign = json_values | st.sampled_from([10**30, -1, float("nan"), 1e300, "\ud800", "\0", "x" * 3_000, True, ""])


def keys(observations: list[dict[str, Any]]) -> list[bytes | None]:
    return [admit(each, PLACE).key for each in observations]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to each value in a record."""
    found = [path] if path else []
    for name, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        found += places(inner, (*path, name))
    return found


def changed(value: Value, path: tuple[Any, ...], to: Any) -> Value:
    told = copy.deepcopy(value)
    at: Any = told
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = to
    return told


@st.composite
def damaged(draw: st.DrawFn) -> list[Record]:
    """The session with some values replaced by anything, some records twice, some elsewhere, some missing."""
    values = [record.value for record in RECORDS]
    for at in draw(st.lists(st.integers(0, len(values) - 1), max_size=6)):
        ways = places(values[at])
        if ways:
            values[at] = changed(values[at], draw(st.sampled_from(ways)), draw(foreign))
    order = draw(
        st.lists(st.integers(0, len(values) - 1), max_size=2 * len(values)) | st.just(list(range(len(values))))
    )
    return [Record(line, values[at]) for line, at in enumerate(order, 1)]


def test_a_beginning_tells_a_beginning() -> None:
    for size in range(len(RECORDS) + 1):
        assert observed(RECORDS[:size]) == TOLD[: len(observed(RECORDS[:size]))]


def test_every_observation_has_a_name_of_its_own() -> None:
    named = keys(TOLD)
    assert None not in named
    assert len(dict.fromkeys(named)) == len(TOLD)


def test_nothing_is_told_twice() -> None:
    assert observed([record for record in RECORDS for _ in range(2)]) == TOLD
    assert observed([*RECORDS, *RECORDS]) == TOLD


@given(st.integers(0, len(RECORDS)), st.integers(0, len(RECORDS)))
def test_a_part_read_again_tells_nothing_new(first: int, last: int) -> None:
    again = [*RECORDS[:last], *RECORDS[min(first, last) :]]
    assert dict.fromkeys(keys(observed(again))) == dict.fromkeys(keys(TOLD))


@settings(max_examples=300)
@given(damaged(), st.data())
def test_whatever_stands_there_is_read_and_let_in(records: list[Record], data: st.DataObject) -> None:
    told = observed(records)
    for observation in told:
        admit(observation, PLACE)
    size = data.draw(st.integers(0, len(records)))
    begun = observed(records[:size])
    assert repr(begun) == repr(told[: len(begun)])  # NaN isn't itself


RAW = "".join(json.dumps(record.value) + "\n" for record in RECORDS).encode()


def of_bytes(raw: bytes) -> tuple[list[Observation], Transcript]:
    transcript = Transcript("file-name")
    return [*transcript.feed(raw), *transcript.finish()], transcript


def test_its_bytes_tell_what_its_records_do() -> None:
    told, transcript = of_bytes(RAW)
    assert told == TOLD
    assert transcript.format is FORMAT
    assert transcript.troubles.times == {}


@settings(max_examples=60)
@given(st.integers(0, len(RAW)))
def test_a_file_that_breaks_off_tells_what_was_whole(size: int) -> None:
    told, transcript = of_bytes(RAW[:size])
    assert told == TOLD[: len(told)]
    if transcript.reader is not None:
        read = transcript.reader.tally.records + transcript.troubles.times.get("torn end", 0)
        assert read == len(RAW[:size].splitlines())


@settings(max_examples=60)
@given(st.data())
def test_bytes_that_do_not_belong_there_cost_their_lines_at_most(data: st.DataObject) -> None:
    lines = RAW.splitlines(keepends=True)
    for at in data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=3)):
        place = data.draw(st.integers(0, len(lines[at]) - 1))
        lines[at] = (
            lines[at][:place] + data.draw(st.sampled_from([b"\0", b"\xff", b"{", b'"', b"\n"])) + lines[at][place:]
        )
    for observation in of_bytes(b"".join(lines))[0]:
        admit(observation, PLACE)


@given(st.lists(foreign, max_size=8))
def test_values_that_are_nothing_of_ours(values: list[Any]) -> None:
    reader = ClaudeCode("s")
    for line, value in enumerate(values, 1):
        assert list(reader.feed(Record(line, value))) == []
        FORMAT.looks([Record(line, value)])
    assert reader.tally.records == len(values)
    assert sum(reader.tally.times.values()) == len(values)
