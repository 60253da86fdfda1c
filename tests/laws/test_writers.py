"""Many writers, any crash: what was acknowledged is there, the chain is valid, and nobody has to mend anything."""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.storage import files
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.proof import prove
from tests.depth import at_depth
from tests.making import append, gone, record_of

APPENDER = Path(__file__).with_name("appender.py")
Ack = tuple[int, str]


def writer(path: str, name: str, count: int = 0, *how: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(APPENDER), path, name, str(count), *how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)


def acks(output: bytes) -> Iterator[Ack]:
    """What a writer acknowledged; the last line may be torn where it was killed."""
    for line in output.splitlines(keepends=True):
        if line.endswith(b"\n"):
            step, hash_ = line.split()
            yield int(step), hash_.decode()


def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Rounds of two writers, both killed; two of three go on with what the round before left."""
    chance = random.Random(30)
    kept: dict[int, str] = {}
    path = ""
    for number in range(at_depth(9, 30)):
        if number % 3 == 0:
            path = str(tmp_path / f"w{number}.ccos")
            make_record(path)
            kept = {}
        how = ("once",) if number % 3 == 2 else ()
        both = [writer(path, f"{number}-a"), writer(path, f"{number}-b", 0, *how)]
        first = [process.stdout.readline() for process in both if process.stdout]
        time.sleep(chance.random() * 0.1)
        for process in chance.sample(both, 2):
            process.kill()
            time.sleep(chance.random() * 0.01)
        for process, line in zip(both, first, strict=True):
            rest, trouble = process.communicate()
            assert not trouble, trouble.decode()
            for step, hash_ in acks(line + rest):
                assert kept.setdefault(step, hash_) == hash_, "one step was acknowledged twice"
        with open_record(path) as record:
            proof = prove(record)
            assert proof.valid, proof.troubles
            found = {step: hash_.hex() for step, hash_, _ in record.rows()}
        assert kept.items() <= found.items(), "an acknowledged op is lost"
        assert len(found) <= len(kept) + 2 * (number % 3 + 1), "more than each killed writer's last op came unasked"
    for name in [each for each in os.listdir(tmp_path) if each.endswith(".ccos")]:
        with open_record(str(tmp_path / name), write=True, stay=False) as record, record.write() as writing:
            append(writing, gone(0))
    assert all(name.endswith(".ccos") for name in os.listdir(tmp_path)), "each is one file again"


@pytest.mark.parametrize(
    ("count", "how"), [(at_depth(60, 200), ()), (at_depth(8, 25), ("once",))], ids=["staying", "coming and going"]
)
def test_eight_writers_at_once(tmp_path: Path, count: int, how: tuple[str, ...]) -> None:
    path = str(tmp_path / "w.ccos")
    make_record(path)
    writers = [writer(path, f"{name}", count, *how) for name in range(8)]
    stop = threading.Event()
    seen: list[int] = []
    reading = threading.Thread(target=read_meanwhile, args=(path, stop, seen))
    reading.start()
    said: list[Ack] = []
    for process in writers:
        output, trouble = process.communicate()
        assert process.returncode == 0, trouble.decode()
        said += acks(output)
    stop.set()
    reading.join()
    assert len(said) == 8 * count
    with open_record(path) as record:
        proof = prove(record)
        found = {step: hash_.hex() for step, hash_, _ in record.rows()}
    assert proof.valid, proof.troubles
    assert (proof.steps, proof.proven) == (8 * count, 8 * count)
    assert dict(said) == found, "dense, and each step acknowledged once"
    assert seen == sorted(seen), "no reader saw the record shrink"
    assert len(seen) > 3
    assert os.listdir(tmp_path) == ["w.ccos"]


def read_meanwhile(path: str, stop: threading.Event, seen: list[int]) -> None:
    """Read and prove over and over; each time it is one valid chain."""
    while not stop.is_set():
        with open_record(path) as record:
            step = 0
            for row in follow(GENESIS, record.rows()):
                assert not isinstance(row, Break), row
                step = row[0]
            seen.append(step)
            proof = prove(record)
            assert proof.valid, proof.troubles
            seen.append(proof.proven)


@pytest.mark.parametrize("stay", [True, False])
def test_a_reader_in_the_middle_blocks_nobody(tmp_path: Path, stay: bool) -> None:
    path = record_of(tmp_path / "w.ccos", (gone(number) for number in range(2, 1_300)))
    with open_record(path) as reader, open_record(path, write=True, stay=stay, patience=0) as record:
        reading = reader.rows()
        assert next(reading)[0] == 1
        with record.write() as writing:
            append(writing, gone(1_300))
        assert [row[0] for row in reading] == list(range(2, 1_301)), "and what came meanwhile is read too"


@pytest.mark.parametrize("look", [files.look, lambda path: open_record(path).close()], ids=["look", "open"])
def test_looking_at_an_open_record_keeps_its_locks(tmp_path: Path, look: Callable[[str], object]) -> None:
    """To close any handle of a file is to lose all locks on it: another program would then take the file from under
    us, and what we append would be in no file at all."""
    path = record_of(tmp_path / "w.ccos", [])
    with open_record(path, write=True) as record:
        with record.write() as writing:
            append(writing, gone(2))
        look(path)
        for number in range(3):
            with writer(path, f"other-{number}", 3) as other:
                assert other.wait() == 0
            with record.write() as writing:
                append(writing, gone(3))
        acknowledged = writing.step
    with open_record(path) as record:
        assert record.head()[0] == acknowledged == 14
        assert prove(record).valid


def test_what_is_held_is_counted(tmp_path: Path) -> None:
    path = record_of(tmp_path / "w.ccos", [])
    found = os.stat(path)

    def held() -> int:
        return files._held.get((found.st_dev, found.st_ino), (None, 0))[1]

    assert not held()
    with open_record(path) as one, open_record(path, write=True) as other:
        assert held() == 2
        other.close()
        other.close()
        assert held() == 1
        assert one.head()[0] == 1
    assert not held()
    Path(path).write_bytes(Path(path).read_bytes()[:5_000])
    open_record(path).close()
    with pytest.raises(Exception, match="damaged"):
        open_record(path, write=True)
    assert not held()


def test_killed_while_making(tmp_path: Path) -> None:
    """It appears whole or not at all, and what is left doesn't stand in the way of the next."""
    path = tmp_path / "w.ccos"
    code = f"""
import os, sys
sys.path.insert(0, {str(APPENDER.parents[2])!r})
from ccos_core.storage.opening import make_record
from tests.making import append, gone
def fill(record):
    with record.write() as writing:
        append(writing, gone(1))
        if {{at}}: os.kill(os.getpid(), 9)
real = os.link
def link(*names):
    real(*names)
    os.kill(os.getpid(), 9)
os.link = link
make_record({str(path)!r}, fill)
"""
    for at, appeared in ((1, False), (0, True)):
        done = subprocess.run([sys.executable, "-c", code.format(at=at)], capture_output=True)
        assert done.returncode == -9, done.stderr.decode()
        assert path.exists() is appeared
    with open_record(str(path), write=True) as record:
        assert prove(record).valid
        with record.write() as writing:
            append(writing, gone(2))
    drafts = [each for each in tmp_path.iterdir() if each != path]
    assert drafts
    for draft in drafts:
        os.utime(draft, (1, 1))
    make_record(str(tmp_path / "other.ccos"))
    assert sorted(os.listdir(tmp_path)) == ["other.ccos", "w.ccos"]
    with open_record(str(path)) as record:
        assert record.head()[0] == 2
