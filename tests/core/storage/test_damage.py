"""A record file damaged anywhere: never a traceback, never a wrong content passed off as the recorded one."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import CcosError, Damaged
from ccos_core.storage import census
from ccos_core.storage.jsonl import exported
from ccos_core.storage.opening import open_record
from ccos_core.storage.proof import prove
from ccos_core.values.canon import digest
from tests.depth import at_depth
from tests.making import LONG, gone, one_of_everything, record_of

PAGE = 4_096


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return Path(one_of_everything(tmp_path_factory.mktemp("damage") / "w.ccos")).read_bytes()


@pytest.fixture(scope="module")
def meant(tmp_path_factory: pytest.TempPathFactory, original: bytes) -> list[bytes]:
    """What the record says, as its export says it."""
    path = tmp_path_factory.mktemp("meant") / "w.ccos"
    path.write_bytes(original)
    with open_record(str(path)) as record:
        return list(exported(record))


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("room") / "w.ccos"


def judge(path: Path, content: bytes, meant: list[bytes]) -> bool:
    """Read a damaged file in every way there is; gives whether the proof found it whole."""
    for side in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    path.write_bytes(content)
    whole = said = None
    try:
        with open_record(str(path)) as record:
            whole = prove(record).valid
            list(record.rows(tolerant=True))
            for read in READS:
                try:
                    read(record)
                except CcosError as error:
                    in_words(error, path)
            try:
                said = list(exported(record))
            except CcosError:
                assert not whole
    except CcosError as error:
        in_words(error, path)
    assert not whole or said == meant, "another content, and nobody said so"
    try:
        with open_record(str(path), write=True, patience=0) as record, record.write() as writing:
            writing.append(b"{}")
    except CcosError:
        pass
    return bool(whole)


def in_words(error: CcosError, path: Path) -> None:
    assert str(path) in error.place
    assert error.fact
    assert error.hint, f"{error} doesn't say what to do next"


READS: list[Any] = [
    lambda record: list(record.rows()),
    lambda record: record.op(5),
    lambda record: record.op(2),
    lambda record: record.head(),
    lambda record: record.floor(),
    lambda record: record.content(digest(LONG)),
    lambda record: record.delivered(bytes(range(16))),
    lambda record: record.local("root"),
    census.census,
]


def test_undamaged(room: Path, original: bytes, meant: list[bytes]) -> None:
    assert judge(room, original, meant)
    assert len(original) % PAGE == 0
    assert len(original) >= 8 * PAGE


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_flipped_bits(room: Path, original: bytes, meant: list[bytes], data: st.DataObject) -> None:
    changed = bytearray(original)
    for _ in range(data.draw(st.sampled_from([1, 1, 1, 3]))):
        bit = data.draw(st.integers(0, len(original) * 8 - 1))
        changed[bit // 8] ^= 1 << bit % 8
    judge(room, bytes(changed), meant)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_overwritten_runs(room: Path, original: bytes, meant: list[bytes], data: st.DataObject) -> None:
    changed = bytearray(original)
    size = data.draw(st.sampled_from([1, 2, 4, 9, 100, 512, PAGE]))
    at = data.draw(st.integers(0, len(original) - 1))
    filling = data.draw(st.sampled_from([b"\x00", b"\xff", b"A", b"\x7f"]) | st.binary(min_size=1, max_size=9))
    changed[at : at + size] = (filling * size)[: len(changed[at : at + size])]
    judge(room, bytes(changed), meant)


def test_every_byte_of_the_header(room: Path, original: bytes, meant: list[bytes]) -> None:
    for bit in (8 * byte + bit for byte in range(100) for bit in at_depth((byte % 8,), (0, 1, 6))):
        changed = bytearray(original)
        changed[bit // 8] ^= 1 << bit % 8
        judge(room, bytes(changed), meant)


def test_every_byte_where_a_page_begins(room: Path, original: bytes, meant: list[bytes]) -> None:
    """There lie the headers of the trees, the pointers to their cells, and what is free."""
    for page in range(1, len(original) // PAGE):
        for at in at_depth((page % 16, 0, 3, 5, PAGE - 1), (*range(16), PAGE - 1)):
            changed = bytearray(original)
            changed[page * PAGE + at] ^= 0x04 if at % 2 else 0xFF
            judge(room, bytes(changed), meant)


def test_cut_off_at_every_page(room: Path, original: bytes, meant: list[bytes]) -> None:
    for page in range(len(original) // PAGE + 1):
        for around in (-3, -1, 0, 1, 2):
            size = page * PAGE + around
            if 0 <= size < len(original):
                assert not judge(room, original[:size], meant)
    for size in (1, 15, 16, 17, 59, 60, 99, 100, 101, 511, 512):
        assert not judge(room, original[:size], meant)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_cut_off_anywhere(room: Path, original: bytes, meant: list[bytes], data: st.DataObject) -> None:
    assert not judge(room, original[: data.draw(st.integers(0, len(original) - 1))], meant)


def test_swapped_pages(room: Path, original: bytes, meant: list[bytes]) -> None:
    pages = [original[at : at + PAGE] for at in range(0, len(original), PAGE)]
    for one in range(1, len(pages)):
        for other in range(one):
            changed = list(pages)
            changed[one], changed[other] = pages[other], pages[one]
            judge(room, b"".join(changed), meant)


@settings(max_examples=60, deadline=None)
@given(garbage=st.binary(max_size=300), magic=st.booleans())
def test_garbage(room: Path, original: bytes, meant: list[bytes], garbage: bytes, magic: bool) -> None:
    assert not judge(room, (original[:100] if magic else b"") + garbage, meant)


def test_what_lies_before_the_damage_is_read(tmp_path: Path) -> None:
    """A long record cut in the middle: its first steps are there, and the proof says where they end."""
    path = record_of(tmp_path / "w.ccos", (gone(number, call=f"c{number}") for number in range(2, 1_501)))
    with open_record(path) as record:
        rows = list(record.rows())
    content = Path(path).read_bytes()
    Path(path).write_bytes(content[: len(content) // 2])
    with open_record(path) as record:
        assert isinstance(record.notice, Damaged)
        left = list(record.rows(tolerant=True))
        proof = prove(record)
    assert len(left) > 300
    assert 0 < proof.proven < 1_500
    assert left[: proof.proven] == rows[: proof.proven]
    assert all(row[0] > proof.proven for row in set(left) - set(rows)), "the cut may go through a row, behind the break"
    first = proof.first_break
    assert first is not None
    assert first.step == proof.proven + 1


def test_one_bad_page_among_many(tmp_path: Path) -> None:
    """What lies behind it is read too, and the first step that isn't is named."""
    path = record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 1_501)))
    with open_record(path) as record:
        rows = list(record.rows())
    content = bytearray(Path(path).read_bytes())
    at = content.index(rows[700][2]) // PAGE * PAGE
    content[at : at + PAGE] = bytes(PAGE)
    Path(path).write_bytes(content)
    with open_record(path) as record:
        left = list(record.rows(tolerant=True))
        proof = prove(record)
    assert rows[699] not in left or rows[700] not in left
    assert left[0] == rows[0]
    assert left[-1] == rows[-1]
    missing = sorted({row[0] for row in rows} - {row[0] for row in left})
    assert proof.first_break is not None
    assert proof.first_break.step == missing[0]
    assert proof.steps == len(left)


@pytest.mark.parametrize("side", ["-wal", "-shm", "-journal"])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_damaged_side_files(tmp_path_factory: pytest.TempPathFactory, side: str, data: st.DataObject) -> None:
    """Of a writer that died; what can't be recovered isn't, and what is left is a prefix or called damaged."""
    folder = tmp_path_factory.mktemp("side")
    died, rows = died_writing(folder)
    target = died.with_name(died.name + side)
    content = bytearray(target.read_bytes() if target.exists() else b"")
    what = data.draw(st.sampled_from(["cut", "flip", "garbage", "gone", "zero"]))
    if what == "cut":
        content = content[: data.draw(st.integers(0, len(content)))]
    elif what == "flip" and content:
        bit = data.draw(st.integers(0, len(content) * 8 - 1))
        content[bit // 8] ^= 1 << bit % 8
    elif what == "garbage":
        content = bytearray(data.draw(st.binary(max_size=200)))
    elif what == "zero":
        content = bytearray(len(content))
    target.write_bytes(content)
    if what == "gone":
        target.unlink()
    try:
        with open_record(str(died)) as record:
            proof = prove(record)
            got = list(record.rows(tolerant=True))
        assert not proof.valid or got == rows[: len(got)]
        with open_record(str(died), write=True, patience=0) as record:
            list(record.rows(tolerant=True))
    except CcosError as error:
        in_words(error, died)
    shutil.rmtree(folder)


def died_writing(folder: Path) -> tuple[Path, list[Any]]:
    """A copy of all files of a record in use, as a crash would leave them."""
    path = record_of(folder / "w.ccos", [gone(2)])
    died = folder / "died.ccos"
    with open_record(path, write=True) as record:
        for number in range(3, 6):
            with record.write() as writing:
                writing.append(b'{"kind":"gone","path":"%d","v":1}' % number)
        for each in ("", "-wal", "-shm"):
            shutil.copy(path + each, str(died) + each)
        rows = list(record.rows())
    return died, rows
