"""Exported and taken in again a record is the same record: the same head, and the same bytes when exported again."""

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError
from ccos_core.storage import jsonl_in
from ccos_core.storage.archive import move_older
from ccos_core.storage.copying import copy_record
from ccos_core.storage.jsonl import exported
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.proof import prove
from tests.making import Story, append, gone, seen, stories


def taken_in(lines: list[bytes], path: Path) -> tuple[int, str]:
    arrived: list[tuple[int, str]] = []
    make_record(str(path), lambda record: arrived.append(jsonl_in.fill(record, io.BytesIO(b"".join(lines)), "x.jsonl")))
    return arrived[0]


@settings(max_examples=60, deadline=None)
@given(story=stories(), archived=st.integers(0, 6))
def test_out_and_in_again(story: Story, archived: int) -> None:
    with tempfile.TemporaryDirectory(prefix="ccos-interchange-") as name:
        folder = Path(name)
        make_record(str(folder / "a.ccos"), story.fill)
        with open_record(str(folder / "a.ccos")) as record:
            proof = prove(record)
            assert proof.valid, proof.troubles
            lines = list(exported(record))
            copy_record(record, str(folder / "copy.ccos"))
        assert taken_in(lines, folder / "b.ccos") == (proof.proven, proof.head)
        with open_record(str(folder / "copy.ccos"), write=True) as record:
            with record.write() as writing:
                move_older(record, writing, archived, None)
            assert list(exported(record)) == lines, "a copy with its older ops archived"
        with open_record(str(folder / "b.ccos")) as record:
            again = prove(record)
            assert again.valid, again.troubles
            assert list(exported(record)) == lines
        for one, other in ((proof, again),):
            assert (one.contents, one.facts, one.deliveries, one.erased) == (
                other.contents,
                other.facts,
                other.deliveries,
                other.erased,
            )


@settings(max_examples=80, deadline=None)
@given(story=stories(), data=st.data())
def test_anything_else_is_refused_with_its_line(story: Story, data: st.DataObject) -> None:
    """Cut, edited, reordered, doubled: named by line, and nothing of it is imported."""
    with tempfile.TemporaryDirectory(prefix="ccos-interchange-") as name:
        folder = Path(name)
        make_record(str(folder / "a.ccos"), story.fill)
        with open_record(str(folder / "a.ccos")) as record:
            lines = list(exported(record))
        changed = mistreated(lines, data)
        if b"".join(changed) == b"".join(lines):
            return
        with pytest.raises(CcosError) as caught:
            taken_in(changed, folder / "b.ccos")
        assert "x.jsonl, line " in caught.value.place
        assert caught.value.hint
        number = int(caught.value.place.split("line ")[1].split()[0])
        assert 0 <= number <= len(changed)
        assert [each.name for each in folder.iterdir()] == ["a.ccos"]


def mistreated(lines: list[bytes], data: st.DataObject) -> list[bytes]:
    at = data.draw(st.integers(0, len(lines) - 1))
    what = data.draw(st.sampled_from(["drop", "double", "swap", "flip", "cut", "insert", "end early", "reorder keys"]))
    if what == "drop":
        return lines[:at] + lines[at + 1 :]
    if what == "double":
        return [*lines[: at + 1], *lines[at:]]
    if what == "swap":
        other = data.draw(st.integers(0, len(lines) - 1))
        changed = list(lines)
        changed[at], changed[other] = lines[other], lines[at]
        return changed
    if what == "insert":
        return [*lines[:at], data.draw(st.sampled_from(INSERTED)), *lines[at:]]
    if what == "end early":
        return lines[: at + 1]
    line = bytearray(lines[at])
    if what == "flip":
        bit = data.draw(st.integers(0, len(line) * 8 - 1))
        line[bit // 8] ^= 1 << bit % 8
    elif what == "cut":
        del line[data.draw(st.integers(0, len(line) - 1)) :]
    else:
        line = line.replace(b'{"', b'{ "', 1)
    return [*lines[:at], bytes(line), *lines[at + 1 :]]


HASH = b"ab" * 32
INSERTED = [
    b"\n",
    b"null\n",
    b"[]\n",
    b"{}\n",
    b'{"is":"nothing"}\n',
    b'{"is":["op"]}\n',
    b'{"is":"op"}\n',
    b'{"is":"blob","blob":5,"text":5}\n',
    b'{"blob":"%s","is":"blob","text":"x"}\n' % HASH,
    b'{"at":0,"blob":"%s","bytes":1,"is":"erased","step":0,"why":""}\n' % HASH,
    b'{"interpreter":"x","is":"fact","of":"%s","text":"x","version":1}\n' % HASH,
    b'{"is":"delivery","key":"%s","step":0}\n' % HASH[:32],
    b'{"is":"delivery","key":"%s","step":0}\n' % HASH[:30],
    b'{"format":1,"is":"ccos-record"}\n',
    b'{"head":"%s","is":"end","lines":"%s","steps":0}\n' % (HASH, HASH),
    b"\xff\xfe\n",
    b"[" * 100_000 + b"\n",
]


def test_an_empty_record(tmp_path: Path) -> None:
    make_record(str(tmp_path / "a.ccos"))
    with open_record(str(tmp_path / "a.ccos")) as record:
        lines = list(exported(record))
    assert taken_in(lines, tmp_path / "b.ccos")[0] == 0
    for nothing in ([], [b"\n"]):
        with pytest.raises(CcosError):
            taken_in(nothing, tmp_path / "c.ccos")


def test_export_of_a_record_that_is_written_to(tmp_path: Path) -> None:
    """What is appended while the lines go out isn't half in them."""
    make_record(str(tmp_path / "a.ccos"), Story([], [], []).fill)
    path = str(tmp_path / "a.ccos")
    with open_record(path, write=True) as writer, open_record(path) as record:
        with writer.write() as writing:
            for number in range(3):
                append(writing, gone(number, call=f"{number}"))
        lines = []
        for line in exported(record):
            lines.append(line)
            if b'"step":3' in line:
                with writer.write() as writing:
                    append(writing, seen(b"late", call="late"), b"late")
                    writing.keep_fact(writing.hash, "sites", 1, b"[]")
                    writing.deliver(bytes(16), 4)
        steps, _ = taken_in(lines, tmp_path / "b.ccos")
    assert steps >= 3, "whole, as far as it had come when its last op was read"
