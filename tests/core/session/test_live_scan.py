"""Looking through a project beside a server: what it finds is known step by step, and nobody waits for it."""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from ccos_core.errors import Unavailable
from ccos_core.query.catalogue import BY_NAME
from ccos_core.session import live_scan
from ccos_core.session.ingest import ingest
from ccos_core.session.lifecycle import init, pause
from ccos_core.session.live import Live
from ccos_core.session.live_scan import Scan, begin, in_turn, look_through, make, too_wide
from ccos_core.session.session import open_session
from ccos_core.session.trouble_log import read_troubles
from ccos_core.window.lexicon import Lexicon

posix_only = pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="there is no such process here")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    for number in range(130):
        (folder / f"p{number % 7}").mkdir(parents=True, exist_ok=True)
        (folder / f"p{number % 7}" / f"m{number}.py").write_text(f"def f{number}():\n    return {number}\n")
    (folder / ".gitignore").write_text("p3/\n")
    return folder


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "work.ccos")


@posix_only
def test_the_process_makes_records_and_folds(project: Path, path: str) -> None:
    scan = begin(path, str(project))
    assert scan is not None
    assert scan.ended(60)
    with open_session(path) as session:
        found = len(session.known.paths)
        assert not ingest(session, [str(project)]).recorded
    assert found == 1 + sum(number % 7 != 3 for number in range(130))
    live = Live(path, str(project))
    assert live.step == live.head  # what it has folded lies there
    assert not any(any(heats) for heats in (live.desk.timeline.at(live.step).heat_of(n) for n in ("sym:p0/m0.py#f0",)))
    live.close()


@posix_only
def test_the_folder_one_works_in_is_not_imported_from(
    project: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project may have modules of any name."""
    for name in ("json", "sqlite3", "ccos_core", "signal"):
        (project / f"{name}.py").write_text("open('was-imported', 'w').close()\nraise SystemExit(9)\n")
    monkeypatch.chdir(project)
    scan = begin(path, str(project))
    assert scan is not None
    assert scan.ended(60)
    assert not (project / "was-imported").exists()
    with open_session(path) as session:
        assert "p0/m0.py" in session.known.paths


@posix_only
def test_it_can_be_stopped(project: Path, path: str) -> None:
    scan = begin(path, str(project))
    assert scan is not None
    scan.stop()
    assert scan.ended()
    look_through(make(path, str(project)) or path)
    with open_session(path) as session:
        assert not ingest(session, [str(project)]).recorded


def test_a_workspace_is_made_once(project: Path, path: str) -> None:
    make(path, str(project))
    before = Path(path).read_bytes()
    make(path, str(project))
    assert Path(path).read_bytes() == before


def test_looking_twice_adds_nothing(project: Path, path: str) -> None:
    init(path, str(project))
    look_through(path)
    with open_session(path) as session:
        before = session.recorded.head()
    look_through(path)
    with open_session(path) as session:
        assert session.recorded.head() == before


class UnderWay(Scan):
    """A look that ends when the test says so."""

    def __init__(self) -> None:
        super().__init__(0)
        self.over = False

    def ended(self, wait: float = 0.0) -> bool:
        return self.over

    def stop(self) -> None:
        self.over = True


class Endless(Scan):
    """A look that never ends."""

    def _look(self) -> bool:
        return False

    def stop(self) -> None:
        pass


@pytest.fixture
def live(project: Path, path: str) -> Iterator[Live]:
    init(path, str(project))
    live = Live(path, str(project), UnderWay())
    yield live
    live.close()


def test_nobody_waits_for_what_is_being_looked_through(live: Live, project: Path, path: str) -> None:
    """What is known is answered at once; what was understood meanwhile is known at the next question."""
    with open_session(path) as session:
        ingest(session, [str(project)])
    live.keep_up()
    assert live.behind
    assert not live.is_scanned
    live.ask(BY_NAME["recall"], {})
    look_through(path)
    live.keep_up()
    assert not live.behind
    assert live.desk.timeline.node("f0") == "sym:p0/m0.py#f0"
    assert isinstance(live.scan, UnderWay)
    live.scan.over = True
    live.keep_up()
    assert live.is_scanned


def test_a_short_record_is_known_while_others_look_through_the_project(project: Path, path: str) -> None:
    """What hooks told of a session before its server began is known to its first question."""
    init(path, str(project))
    with open_session(path) as session:
        session.record([{"kind": "seen", "how": "read", "path": "p0/m0.py", "content": "def g():\n    return 1\n"}])
    live = Live(path, str(project), UnderWay())
    live.keep_up()
    assert not live.is_scanned
    assert not live.behind
    assert live.desk.timeline.node("g") == "sym:p0/m0.py#g"
    live.close()


def test_whoever_tells_something_has_all_of_it_known(live: Live, project: Path, path: str) -> None:
    with open_session(path) as session:
        ingest(session, [str(project)])
    (step,) = live.tell([{"kind": "failed", "runner": "user", "nodes": ["sym:p0/m0.py#f0"]}])
    live.keep_up(whole=True)
    assert live.step == step
    assert len(live.failures()) == 1
    live.tell([{"kind": "passed", "runner": "user", "scope": "all"}])
    live.keep_up(whole=True)
    assert not live.failures()


def test_what_was_heard_is_taken_in_before_each_answer(project: Path, path: str) -> None:
    heard: list[str] = []
    live = Live(path, str(project), hearing=heard.append)
    for _ in range(3):
        live.keep_up()
    assert heard == [path] * 3
    live.close()


def test_waiting_is_short(project: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only goes on while somebody sleeps: at most 300 ms, however long a look takes."""
    slept: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append)
    monkeypatch.setattr(live_scan, "time", clock)
    live = Live(path, str(project), Endless(0))
    live.keep_up()
    assert not live.is_scanned
    assert 0 < sum(slept) <= 0.3
    live.close()


def test_silence_is_used(project: Path, path: str) -> None:
    """What is new is understood before anybody asks, and then one op more costs no more than itself."""
    init(path, str(project))
    look_through(path)
    live = Live(path, str(project))
    assert not live.desk.journaling.goes_on
    live.get_ready()
    assert live.desk.journaling.goes_on
    with open_session(path) as session:
        session.record([{"kind": "seen", "how": "read", "path": "p0/m0.py", "content": "def g():\n    return 1\n"}])
    assert live.behind
    live.get_ready()
    assert not live.behind
    assert live.desk.timeline.node("g") == "sym:p0/m0.py#g"
    live.close()


def test_silence_is_used_while_somebody_still_looks(project: Path, path: str) -> None:
    init(path, str(project))
    look_through(path)
    live = Live(path, str(project), Mock(ended=lambda wait=0.0: False))
    while live.get_ready():
        pass
    assert not live.is_scanned
    assert live.desk.journaling.goes_on
    assert live._learnt == live.step == live.head
    assert not live.is_ready
    live.close()


def test_a_look_that_fails_is_noted(project: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(project.parent / "state"))
    monkeypatch.setattr(live_scan, "give_way", Mock())
    init(path, str(project))
    pause(path, True)
    live_scan.main([path, str(project)])
    assert read_troubles() == []
    pause(path, False)
    for trouble in (Unavailable("is locked", place=path), OSError(28, "No space left"), ZeroDivisionError("never")):
        monkeypatch.setattr(live_scan, "look_through", Mock(side_effect=trouble))
        live_scan.main([path, str(project)])
    locked, full, defect = (each.said for each in read_troubles())
    assert "is locked" in locked
    assert "No space left" in full
    assert "bug in ccos-tui (ZeroDivisionError" in defect


def test_words_are_learnt_while_nobody_asks(project: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part of them at a time: whoever asks in between doesn't wait for all."""
    init(path, str(project))
    look_through(path)
    live = Live(path, str(project))
    live.get_ready()
    learnt: list[str] = []
    put = Lexicon.put
    monkeypatch.setattr(Lexicon, "put", lambda lexicon, path: (learnt.append(path), put(lexicon, path)))
    monkeypatch.setattr("ccos_core.replay.searching.OFTEN", 1)
    monkeypatch.setattr("ccos_core.session.live.MOMENT", 0)
    files = len(live.desk.timeline.at(live.step).paths())
    for known in range(1, files + 1):
        live.get_ready()
        assert len(set(learnt)) == len(learnt) == known
    live.get_ready()
    live.ask(BY_NAME["task"], {"text": "some words"})
    assert len(learnt) == files
    live.close()


def test_looks_take_turns_and_a_later_one_serves_all_who_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    ws, looked = str(tmp_path / "work.ccos"), []
    others = [threading.Thread(target=lambda: in_turn(ws, lambda: looked.append("waited"))) for _ in range(5)]

    def first() -> None:
        assert not in_turn(ws, lambda: looked.append("not at the same time"), wait=False)
        for other in others:
            other.start()
        asking.wait(6)
        looked.append("first")

    asking = threading.Barrier(6)
    now, calls = time.monotonic_ns(), itertools.count(1)

    def clock() -> int:
        tick = now + next(calls)
        if tick - now in range(4, 9):  # each of those who wait has read the clock: only then the first one ends
            asking.wait(6)
        return tick

    monkeypatch.setattr(live_scan, "time", SimpleNamespace(monotonic_ns=clock))
    assert in_turn(ws, first)
    for other in others:
        other.join(10)
    assert looked == ["first", "waited"]


def test_a_look_that_was_killed_serves_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    ws, looked = str(tmp_path / "work.ccos"), []
    with pytest.raises(ZeroDivisionError):
        in_turn(ws, lambda: 1 // 0)
    assert in_turn(ws, lambda: looked.append(1))
    assert in_turn(ws, lambda: looked.append(2))
    assert looked == [1, 2]


def test_a_home_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "homes" / "kim"))
    for wide in ("homes", "homes/kim", "homes/kim/../..", "."):
        assert too_wide(str(tmp_path / wide))
    assert too_wide("/")
    for narrow in ("homes/kim/project", "homes/ki", "homes/kimberly", "elsewhere"):
        assert not too_wide(str(tmp_path / narrow))
