"""Whatever stands in a rollout: it is read, nothing depends on what comes later, and nothing is told twice."""

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.importers.codex.outputs import answer_of
from ccos_core.intake.importers.codex.reader import FORMAT, CodexReader
from ccos_core.intake.importers.record import Observation, Record
from ccos_core.session.admit import admit
from tests.core.intake.importers.codex_fixtures import SESSION, Rollout, everything, message, read
from tests.core.intake.importers.foreign import json_values

LINES = everything().lines
PLACES = [(number, path) for number, line in enumerate(LINES) for path in [()] + [(name,) for name in line]] + [
    (number, ("payload", name)) for number, line in enumerate(LINES) for name in line["payload"]
]


def records(lines: list[Any]) -> list[Record]:
    return [Record(number, line) for number, line in enumerate(lines, 1)]


def changed(line: Any, path: tuple[str, ...], value: Any) -> Any:
    if not path:
        return value
    line = copy.deepcopy(line)
    inner = line if len(path) == 1 else line["payload"]
    inner[path[-1]] = value
    return line


@st.composite
def spoiled(draw: st.DrawFn) -> list[Any]:
    """The lines of the session with some fields that are anything, some lines twice, some missing, some swapped."""
    lines = list(LINES)
    for _ in range(draw(st.integers(0, 4))):
        number, path = draw(st.sampled_from(PLACES))
        lines[number] = changed(LINES[number], path, draw(json_values))
    order = draw(st.lists(st.integers(0, len(lines) - 1), max_size=4))
    for at in order:
        what = draw(st.sampled_from(["twice", "away", "swapped"]))
        at = min(at, len(lines) - 2)
        lines[at : at + 2] = {"twice": [lines[at]] * 2 + lines[at + 1 : at + 2], "away": lines[at + 1 : at + 2]}.get(
            what, [lines[at + 1], lines[at]]
        )
    return lines


def keys(told: list[Observation]) -> list[bytes | None]:
    """The deliveries, each once."""
    return list(dict.fromkeys(admit(each).key for each in told))


@given(spoiled())
def test_anything_is_read_and_passes_the_gate(lines: list[Any]) -> None:
    reader = CodexReader("named")
    told = read(records(lines), reader)
    assert None not in keys(told)
    assert reader.tally.records == len(lines)
    assert len({each["call"] for each in reader.pending()}) == len(list(reader.pending()))
    assert FORMAT.looks(records(lines))


@given(spoiled(), st.data())
def test_what_was_read_of_a_session_begins_what_is_read_of_all_of_it(lines: list[Any], data: st.DataObject) -> None:
    whole = read(records(lines))
    size = data.draw(st.integers(0, len(lines)))
    begun = read(records(lines[:size]))
    assert whole[: len(begun)] == begun


AGAIN = [number for number, line in enumerate(LINES) if line["type"] not in ("session_meta", "turn_context")]


@given(st.lists(st.tuples(st.sampled_from(AGAIN), st.integers(0, len(LINES))), max_size=5))
def test_a_record_that_comes_again_tells_nothing_new(again: list[tuple[int, int]]) -> None:
    lines = [[line] for line in LINES]
    for number, later in again:
        lines[min(max(number, later), len(LINES) - 1)].append(LINES[number])
    told = read(records([line for group in lines for line in group]))
    assert sorted(keys(told), key=str) == sorted(keys(read(records(LINES))), key=str)


def test_every_delivery_has_a_name_of_its_own() -> None:
    told = read(records(LINES))
    assert len(keys(told)) == len(told)


@given(st.lists(st.sampled_from(["a", "b", ""]), max_size=6))
def test_what_is_said_again_later_is_told_again(said: list[str]) -> None:
    told = Rollout()
    for each in said:
        told.user(each)
    found = read(told.records)
    assert [each["said"] for each in found] == [each for each in said if each]
    assert len(keys(found)) == len(found)


def test_records_without_a_time_are_named_by_their_place() -> None:
    lines = [{"type": "session_meta", "payload": {"id": SESSION}}] + [
        {"type": "response_item", "payload": message("user", "again")},
    ] * 2
    assert [each["call"] for each in read(records(lines))] == ["record:2", "record:3"]


@given(json_values)
def test_any_output_is_an_answer(said: Any) -> None:
    answer = answer_of(said)
    assert isinstance(answer.text, str)
    assert answer.outcome in ("ok", "error", "interrupted", "unknown")


HEADERS = st.sampled_from(
    [
        *("Exit code: 1\n", "Wall time: 3 seconds\n", "Wall time 0.25 seconds\n", "Output:\n", "Output:", "\n", "x\n"),
        *("Process running with session ID 5\n", "Script failed\n", "Total output lines: 9\n\n", "Exit code: 0"),
        *("Warning: truncated output (original token count: 9)\n", "Chunk ID: a\n", "aborted by user after 1s\n"),
    ],
)


@given(st.lists(HEADERS, max_size=8).map("".join))
def test_the_output_proper_is_the_end_of_what_the_agent_saw(shown: str) -> None:
    answer = answer_of(shown)
    assert answer.text == shown
    assert shown.endswith(answer.output)
