"""Asking when things are not as they should be: killed, crowded, full, read-only, archived, forgotten, nearly empty."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from ccos_core.errors import NotFound
from ccos_core.replay.journal import Journal
from ccos_core.session import journaling, lifecycle
from ccos_core.session.forget import forget
from ccos_core.session.journaling import Journaling, journal_holds, timeline_of
from ccos_core.session.session import open_session
from ccos_core.storage import cache, journals
from ccos_core.storage.opening import make_record, open_record
from tests.core.replay.told import written
from tests.core.session.kept import asked, telling
from tests.story import START, Story

ASKER = """
import sys
sys.path.insert(0, {root!r})
from ccos_core.session.journaling import timeline_of
from ccos_core.storage.opening import open_record
{before}
with open_record({path!r}) as record:
    timeline = timeline_of(record)
    print(timeline.head, timeline.at(timeline.head).window("working-set").text.__hash__() * 0)
"""
TALE = """
    write src/db.py "def load(x):\\n    return x\\n"
    write src/api.py "from src.db import load\\n\\n\\ndef handle(x):\\n    return load(x)\\n"
    see src/db.py 1-2
    fail test_x at src/api.py:5
    prompt "what is it?"
"""
SECRET = "the blue heron flies"


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    yield from telling(tmp_path, TALE)


def asker(path: str, before: str = "") -> subprocess.Popen[bytes]:
    code = ASKER.format(root=str(Path(__file__).parents[3]), path=path, before=before)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


@pytest.mark.parametrize("ops", [0, 1])
def test_a_record_of_next_to_nothing(tmp_path: Path, ops: int) -> None:
    path = str(tmp_path / "w.ccos")
    if ops:
        lifecycle.init(path, clock=lambda: START)
    else:
        make_record(path)
    for _ in range(2):
        with open_record(path) as record:
            timeline = timeline_of(record)
            assert timeline.head == ops
            for step in range(ops + 1):
                assert timeline.at(step).window("working-set").items == ()
                assert timeline.names(step) == []
            assert timeline.time(0) is None


def test_asking_writes_nothing_into_the_record(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """All facts were recorded when somebody asked first; from then on the file is as it is."""
    path = story.session.recorded.path
    story.session.recorded.close()
    asked(path)
    before = Path(path).read_bytes()
    cache.drop(path)
    asked(path)
    monkeypatch.setenv("CCOS_OFF", "1")
    asked(path)
    assert Path(path).read_bytes() == before
    lifecycle.pause(path, True)
    before = Path(path).read_bytes()
    cache.drop(path)
    assert asked(path) == asked(path)
    assert Path(path).read_bytes() == before


def test_asking_moves_no_head(story: Story) -> None:
    path = story.session.recorded.path
    with open_record(path) as record:
        before, rows = record.head(), list(record.rows())
        asked(path)
        assert (record.head(), list(record.rows())) == (before, rows)


def test_several_ask_at_once(story: Story) -> None:
    path = story.session.recorded.path
    for _ in range(2):
        askers = [asker(path) for _ in range(3)]
        for process in askers:
            output, trouble = process.communicate()
            assert (process.returncode, trouble) == (0, b"")
            assert output.split()[0] == b"6"
        cached = asked(path)
        with open_record(path) as record:
            assert journal_holds(record)
        cache.drop(path)
        assert asked(path) == cached
        cache.drop(path)


def test_killed_while_it_is_kept(story: Story) -> None:
    """After any of the statements that keep a journal."""
    path = story.session.recorded.path
    before = asked(path)
    for at in (1, 2, 5, 20, 60, 90):
        cache.drop(path)
        kill = f"""
import os, sqlite3
left = {at}
class Killed(sqlite3.Connection):
    def execute(self, sql, *values):
        global left
        if sql.startswith(("INSERT INTO piece", "DELETE FROM piece", "COMMIT", "INSERT OR REPLACE INTO journal")):
            left -= 1
            if not left:
                os.kill(os.getpid(), 9)
        return super().execute(sql, *values)
real = sqlite3.connect
sqlite3.connect = lambda *names, **how: real(*names, **how, factory=Killed) if "cache" in names[0] else \
    real(*names, **how)
"""
        process = asker(path, kill)
        process.communicate()
        assert process.returncode == -9, at
        assert asked(path) == before
        assert asked(path) == before


def test_asked_while_it_grows(story: Story) -> None:
    path = story.session.recorded.path
    stop = threading.Event()
    heads: list[int] = []
    troubles: list[BaseException] = []

    def asking() -> None:
        try:
            with open_record(path) as record:
                live = Journaling(record)
                while not stop.is_set():
                    live.catch_up()
                    heads.append(live.timeline().head)
                    written(timeline_of(record))
                    time.sleep(0.01)
        except BaseException as error:
            troubles.append(error)

    readers = [threading.Thread(target=asking) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(12):
        story.put(f"src/late{number % 3}.py", f"from src.db import load\n\n\nlate{number} = load(1)\n")
        story.tell("ingest" if number % 3 else f'write src/db.py "def load(x):\\n    return {number}\\n"')
    while not (heads or troubles) and any(reader.is_alive() for reader in readers):
        time.sleep(0.01)  # until somebody has had an answer at all
    stop.set()
    for reader in readers:
        reader.join()
    assert not troubles
    assert heads
    kept = asked(path)
    cache.drop(path)
    assert asked(path) == kept


def test_a_full_disk(story: Story) -> None:
    path = story.session.recorded.path
    before = asked(path)
    cache.drop(path)
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))"
    process = asker(path, limited)  # a limit of its own: another test must not meet it
    _, complaints = process.communicate()
    assert process.returncode == 0, complaints
    assert asked(path) == before


def test_where_nothing_can_be_kept(story: Story, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = story.session.recorded.path
    before = asked(path)
    cache.drop(path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert asked(path) == before
    assert not Path(path + "-cache").exists()
    shutil.rmtree(tmp_path / "xdg")
    (tmp_path / "xdg").write_text("a file")
    assert asked(path) == before


def test_a_copy_taken_while_open_is_asked_up_to_where_it_goes(story: Story, tmp_path: Path) -> None:
    path = story.session.recorded.path
    asked(path)
    taken = tmp_path / "taken.ccos"
    shutil.copy(path, taken)
    shutil.copy(cache.cache_path(path), cache.cache_path(str(taken)))
    with open_record(str(taken)) as record:
        assert timeline_of(record).head == record.head()[0]


def archived(story: Story, keep: int, attic: Path) -> str:
    path = story.session.recorded.path
    assert lifecycle.compact(path, most=keep, keep=keep, outside=str(attic))
    return path


@pytest.mark.parametrize("keep", [2, 0])
def test_from_a_kept_journal_it_goes_on_without_its_archive(story: Story, tmp_path: Path, keep: int) -> None:
    path = story.session.recorded.path
    asked(path)
    archived(story, keep, tmp_path / "attic")
    os.rename(tmp_path / "attic", tmp_path / "away")
    story.tell('edit src/db.py "return x" -> "return x + 1"\npass test_x')
    with open_record(path) as record:
        timeline = timeline_of(record)
        assert timeline.head == 8
        assert timeline.at(3).window("working-set").items
        with pytest.raises(NotFound, match="missing archive file"):
            timeline.op(1)
        assert journal_holds(record) is None
        without = written(timeline)
    os.rename(tmp_path / "away", tmp_path / "attic")
    cache.drop(path)
    assert asked(path) == without


def test_without_journal_and_archive_it_says_what_it_needs(story: Story, tmp_path: Path) -> None:
    path = archived(story, 2, tmp_path / "attic")
    cache.drop(path)
    os.rename(tmp_path / "attic", tmp_path / "away")
    for _ in range(2):
        with open_record(path) as record, pytest.raises(NotFound, match="missing archive file") as raised:
            timeline_of(record)
        assert "first question" in raised.value.hint
    os.rename(tmp_path / "away", tmp_path / "attic")
    assert asked(path)


def test_what_was_forgotten_is_said_by_no_journal(story: Story) -> None:
    path = story.session.recorded.path
    story.tell(f'write src/bird.py "def heron():\\n    return {SECRET!r}\\n"\nsee src/bird.py 1-1\nsee src/bird.py')
    with open_record(path) as record:
        live = Journaling(record)
        old = written(live.timeline())
        shutil.copy(cache.cache_path(path), cache.cache_path(path) + "-before")
        assert forget(path, glob="src/bird.py").contents
        os.rename(cache.cache_path(path) + "-before", cache.cache_path(path))  # as if it had been killed right then
        assert asked(path) != old
        assert live.catch_up()
        story.tell('prompt "go on"')
        live.catch_up()
        now = written(live.timeline())
        assert asked(path) == now
        cache.drop(path)
        assert asked(path) == now
        moment = live.timeline().at(live.journal.head)
        assert SECRET not in moment.window("working-set", 4_000).text


def test_making_it_anew_can_be_heard_and_stopped(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    path = story.session.recorded.path
    before = asked(path)
    monkeypatch.setattr(journaling, "OFTEN", 1)
    heard: list[tuple[int, int]] = []

    def stopping(done: int, total: int) -> None:
        heard.append((done, total))
        if len(heard) == 3:
            raise KeyboardInterrupt

    with open_record(path) as record:
        timeline = timeline_of(record, stopping)
        Path(cache.cache_path(path)).unlink()
        with pytest.raises(KeyboardInterrupt):
            timeline.time(1)
        assert written(timeline) == before
        assert journals.load(record, journaling.FOLD, lambda: timeline.journal, Journal) is not None
    assert heard[:3] == [(step, timeline.head) for step in (1, 2, 3)]


def test_folding_that_was_stopped_is_gone_on_with(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    path = story.session.recorded.path
    monkeypatch.setattr(journaling, "OFTEN", 1)
    with open_record(path) as record:
        live = Journaling(record)
        story.tell('edit src/db.py "return x" -> "return x + 1"\npass test_x\nprompt "good"')
        for at in (7, 8, 9):

            def stopping(done: int, total: int, at: int = at) -> None:
                if done == at:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                live.catch_up(stopping)
        assert live.catch_up()
        kept = written(live.timeline())
    cache.drop(path)
    assert asked(path) == kept


LOOK = """
    write src/one.py "from src.db import load\\nfrom src.two import two\\n\\none = two(load(1))\\n"
    write src/two.py "from src.api import handle\\n\\n\\ndef two(x):\\n    return handle(x)\\n"
    write src/three.py "from src.one import one\\n\\nthree = one\\n"
    ingest
    prompt "and now?"
    edit src/two.py "handle(x)" -> "handle(x + 1)"
"""


def test_a_look_that_was_stopped_anywhere_is_gone_on_with(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of it, or while what it changed is found out, file by file: nothing of it is kept then, so nobody
    waits for that; and whoever goes on, with the same journal or the one that was kept, ends up with the same."""
    path = story.session.recorded.path
    monkeypatch.setattr(journaling, "OFTEN", 1)
    asked(path)
    story.tell(LOOK)
    heads: list[int] = []
    with open_record(path) as record:
        before = Path(cache.cache_path(path)).read_bytes()
        for at in count(1):
            Path(cache.cache_path(path)).write_bytes(before)
            live, calls = Journaling(record, at_once=False), count(1)

            def stopping(done: int, total: int, at: int = at, calls: Iterator[int] = calls) -> None:
                if next(calls) == at:
                    raise KeyboardInterrupt

            try:
                live.catch_up(stopping)
                break
            except KeyboardInterrupt:
                heads.append(live.journal.head)
            afresh = Journaling(record)
            assert live.catch_up()
            assert written(live.timeline()) == written(afresh.timeline())
        kept = written(live.timeline())
    cache.drop(path)
    assert asked(path) == kept
    first = heads[0]
    assert heads.count(first) > 6, "every step of the look and every file of it, and the look's first step again"
    assert heads == sorted(heads)


def test_an_upgrade_in_between(story: Story) -> None:
    path = story.session.recorded.path
    asked(path)
    with open_session(path, clock=lambda: START) as session, session.recorded.write() as writing:
        writing.append(next(iter(session.recorded.rows(1, 1)))[2])
    story.tell('edit src/db.py "return x" -> "return x + 1"')
    kept = asked(path)
    cache.drop(path)
    assert asked(path) == kept


def test_the_first_step_after_a_long_one_is_told(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer steps than are told anyway, and each of them takes long: whoever wants to stop is heard at the next."""
    clock = count(0, 2 * journaling.LONG)
    monkeypatch.setattr(journaling, "monotonic", lambda: next(clock))
    heard: list[int] = []
    path = story.session.recorded.path
    with open_record(path) as record:
        head = record.head()[0]
        assert head < journaling.OFTEN
        Path(cache.cache_path(path)).unlink(missing_ok=True)
        Journaling(record, lambda done, total: heard.append(done))
    assert list(dict.fromkeys(heard)) == list(range(1, head + 1))
