"""Which format a file is of, and how it is read whatever state it is in."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ccos_core.intake.importers import formats, generic
from ccos_core.intake.importers.formats import FORMATS, Transcript, recognised
from ccos_core.intake.importers.record import Format, Observation
from ccos_core.session.admit import admit
from tests.core.intake.importers import rows, test_generic
from tests.core.intake.importers.foreign import cut
from tests.core.intake.importers.rows import FILES

LINES = rows.as_lines(test_generic.everything())
files = st.sampled_from(FILES)


def read(*pieces: bytes) -> tuple[Transcript, list[Observation]]:
    transcript = Transcript("file-name")
    found = [each for piece in pieces for each in transcript.feed(piece)]
    return transcript, [*found, *transcript.finish()]


def test_ours_is_last_and_no_name_is_given_twice() -> None:
    assert FORMATS[-1] is generic.FORMAT
    assert len({(each.name, each.document) for each in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize(("is_one", "raw"), FILES)
def test_each_file_is_of_one_format_alone(is_one: Format, raw: bytes) -> None:
    transcript, found = read(raw)
    assert transcript.format is is_one
    assert recognised(raw) is is_one
    assert found
    assert transcript.troubles.times == {}
    alone = [each for each in FORMATS if list(Transcript("s", (each,)).feed(raw))]
    assert alone == [is_one]


@pytest.mark.parametrize(("is_one", "raw"), FILES)
def test_a_beginning_is_enough_to_know_it(is_one: Format, raw: bytes) -> None:
    assert recognised(raw[: len(raw) * 2 // 3]) is is_one


@given(files, st.data())
def test_pieces_change_nothing(file: tuple[Format, bytes], data: st.DataObject) -> None:
    _, whole = read(file[1])
    transcript, found = read(*cut(file[1], data))
    assert (transcript.format, found) == (file[0], whole)


@given(files, st.floats(0, 1))
def test_a_file_cut_off_anywhere_gives_the_first_of_what_it_gives(file: tuple[Format, bytes], part: float) -> None:
    _, whole = read(file[1])
    transcript, found = read(file[1][: int(len(file[1]) * part)])
    if file[0].text and found:  # that a section of text goes on, nothing in it says
        found = [each for each in found if each["call"] != found[-1]["call"]]
    assert found == whole[: len(found)]
    assert not found or transcript.format is file[0]


@pytest.mark.parametrize("end", range(0, len(LINES), 7))
def test_a_growing_file_gives_what_it_gives_when_it_has_grown(end: int) -> None:
    _, whole = read(LINES)
    transcript = Transcript("file-name")
    found = [*transcript.feed(LINES[:end])]
    assert found == whole[: len(found)]
    assert [*found, *transcript.feed(LINES[end:]), *transcript.finish()] == whole


@given(files, st.data())
@example((generic.FORMAT, LINES), None)
def test_whatever_happened_to_a_file_something_is_read(file: tuple[Format, bytes], data: Any) -> None:
    raw = file[1]
    if data is not None:
        lines = raw.split(b"\n")
        for _ in range(data.draw(st.integers(0, 3))):
            at, other = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[at], lines[other] = lines[other], lines[at]
        raw = b"\n".join(lines)
        at = data.draw(st.integers(0, len(raw)))
        raw = (
            raw[:at] + data.draw(st.sampled_from([b"\0", b"\0" * 9, b"\xff", b"{", b'"', b"]}", b"\n", b""])) + raw[at:]
        )
    transcript, found = read(raw)
    for observation in found:
        admit(observation)
    assert transcript.format in (file[0], None)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize(("is_one", "raw"), FILES)
def test_marks_in_front_of_a_file_are_no_part_of_it(is_one: Format, raw: bytes, encoding: str) -> None:
    _, whole = read(raw)
    other = raw.decode().encode(encoding)
    transcript, found = read(other[:1], other[1:7], other[7:])
    assert (transcript.format, found) == (is_one, whole)


def test_lines_in_brackets_are_lines() -> None:
    raw = json.dumps([record.value for record in test_generic.everything()], indent=1).encode()
    assert read(raw)[1] == read(LINES)[1]


@pytest.mark.parametrize(
    "raw", [b"", b"\0", b"{}", b"[]", b"hello\nworld\n", b'{"a": [1, 2]}', b"\xff\xfe", b"{" * 5000]
)
def test_a_file_of_no_format_is_not_read(raw: bytes) -> None:
    transcript, found = read(raw)
    assert (transcript.format, transcript.reader, found) == (None, None, [])
    assert recognised(raw) is None


def test_a_file_that_is_of_no_format_for_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "LOOKED_AT", 5)
    assert read(b'{"a": 1}\n' * 4 + LINES)[0].format is None  # ours looks at its first line alone
    assert read(b'{"a": 1}\n' * 9 + LINES)[1] == []


def test_what_could_not_be_read_is_counted_by_line() -> None:
    first, rest = LINES.split(b"\n", 1)
    transcript, _ = read(first + b"\n{torn\n" + rest[:-30])
    assert transcript.troubles.unknown == {"unreadable": [2], "torn end": [LINES.count(b"\n") + 1]}
