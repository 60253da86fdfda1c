"""Foreign JSON and foreign bytes, for whoever has to read anything, and the laws every reader keeps."""

import copy
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from ccos_core.intake.importers.formats import Transcript
from ccos_core.intake.importers.record import Format, Observation, Reader, Record
from ccos_core.session.admit import admit

RECORDINGS = Path(__file__).resolve().parents[5] / "shared" / "sessions"


def _json(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=8) | leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=8,
    )


json_values = _json(st.floats(allow_nan=False))
wild_values = _json(st.floats() | st.sampled_from(["\0", "\ud800", "a\nb", "x" * 3000, 10**30, -1, 2**63]))
"""What no JSON should hold is among them."""


def cut(raw: bytes, data: st.DataObject) -> Iterator[bytes]:
    """The bytes in pieces of any size, empty ones among them."""
    places = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    for first, last in zip([0, *places], [*places, len(raw)], strict=True):
        yield raw[first:last]


def recorded(document: dict[str, Any]) -> list[Record]:
    """A document as records."""
    found: list[Record] = []
    for name, value in document.items():
        found += [Record(1, each, name) for each in (value if isinstance(value, list) else [value])]
    return [Record(line, record.value, record.name) for line, record in enumerate(found, 1)]


def told(of: Format, records: Iterable[Record], session: str = "file-name", finished: bool = True) -> list[Observation]:
    """What a reader makes of records, after which none follow if it is finished."""
    reader = of.reader(session)
    found = [observation for record in records for observation in reader.feed(record)]
    return [*found, *(reader.finish() if finished else ())]


def fed(of: Format, records: Iterable[Record]) -> Reader:
    """A reader that has read records."""
    reader = of.reader("file-name")
    for record in records:
        for _ in reader.feed(record):
            pass
    return reader


def of_kind(observations: Iterable[Observation], *kinds: str) -> list[Observation]:
    return [each for each in observations if each["kind"] in kinds]


def mangled(records: Sequence[Record], data: st.DataObject) -> list[Record]:
    """Records with anything in the place of anything, some of them twice, some gone, some swapped."""
    found = [Record(record.line, copy.deepcopy(record.value), record.name) for record in records]
    for _ in range(data.draw(st.integers(1, 4))):
        at, other = (data.draw(st.integers(0, len(found) - 1)) for _ in range(2))
        way = data.draw(st.sampled_from(["replace", "replace", "replace", "twice", "gone", "swap"]))
        if way == "replace":
            found[at] = Record(found[at].line, _replaced(found[at].value, data), found[at].name)
        elif way == "twice":
            found.insert(other, found[at])
        elif way == "gone" and len(found) > 1:
            del found[at]
        else:
            found[at], found[other] = found[other], found[at]
    return found


def keep_the_laws(of: Format, records: Sequence[Record]) -> None:
    """Nothing raises, what is told passes the gate, and what comes later takes nothing back."""
    for observation in told(of, records):
        admit(observation)
    whole = told(of, records, finished=False)
    reader = of.reader("file-name")
    found: list[Observation] = []
    for number, record in enumerate(records, 1):
        found += reader.feed(record)
        assert all(isinstance(each["call"], str) for each in reader.pending())
        assert found == whole[: len(found)]
        assert reader.tally.records == number
    assert found == whole
    half = told(of, records[: len(records) // 2], finished=False)
    assert half == whole[: len(half)]


def deliveries(observations: Iterable[Observation]) -> list[bytes]:
    """The keys under which ops are known again."""
    keys = [admit(each).key for each in observations]
    assert None not in keys
    return [key for key in keys if key is not None]


def recording(folder: str, beginning: str) -> Path:
    """A recording of a real session, if there are any here."""
    found = sorted((RECORDINGS / folder).glob(f"{beginning}*"))
    if not found:
        pytest.skip(f"no recorded sessions beside the checkout ({folder}/{beginning}*)")
    return found[0]


def read_recording(of: Format, folder: str, beginning: str) -> tuple[Any, list[Observation], Reader]:
    """(the document, what is told of it, who read it) of a recording that is known for what it is and understood."""
    raw = recording(folder, beginning).read_bytes()
    transcript = Transcript("s")
    found = [*transcript.feed(raw), *transcript.finish()]
    assert transcript.format is of
    assert transcript.reader is not None
    assert transcript.reader.tally.times == {}
    return json.loads(raw), found, transcript.reader


def _replaced(value: Any, data: st.DataObject) -> Any:
    """A value in which something was replaced: itself, or what stands anywhere in it."""
    if isinstance(value, (dict, list)) and value and data.draw(st.integers(0, 5)):
        changed = copy.copy(value)
        key = data.draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
        changed[key] = _replaced(value[key], data)
        return changed
    return data.draw(wild_values)
