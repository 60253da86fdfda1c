"""Work that is shared comes to what it would come to here; whatever becomes of the other, nobody is left behind."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from select import select
from typing import Any

import pytest

from ccos_core.query.catalogue import BY_NAME
from ccos_core.replay.residency.shared import Heard, Work
from ccos_core.session import beside, remembering
from ccos_core.session.asking import Desk
from ccos_core.session.beside import shared
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from tests.core.session.test_workers import alive, orphan_of
from tests.story import Story, new_session

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there is no such process elsewhere"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),  # that threads are at work is what it is made for
]
PIECES = 6
NAMED = [b"0", b"1", b"2", b"3", b"4", b"5"]


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were made."""
    found: list[int] = []
    fork = os.fork

    def counted() -> int:
        found.append(fork())
        return found[-1]

    monkeypatch.setattr("os.fork", counted)
    return found


def nothing(at: int = 0) -> None:
    """Nobody minds."""


class Both:
    """Pieces that are named, of which both processes get some: the first one here waits until the other has one."""

    def __init__(self, elsewhere: Callable[[], None] = nothing, here: Callable[[], None] = nothing) -> None:
        self.parent = os.getpid()
        self.elsewhere, self.here = elsewhere, here
        self.begun, self.beginning = os.pipe()

    def __call__(self, at: int, heard: Heard) -> bytes:
        heard(at)
        if os.getpid() == self.parent:
            if self.begun >= 0:
                assert select([self.begun], [], [], 60)[0]
                self.close()
            self.here()
        else:
            os.write(self.beginning, b".")
            self.elsewhere()
        return b"%d" % at

    def close(self) -> None:
        for end in (self.begun, self.beginning):
            os.close(end)
        self.begun = -1


def told(
    elsewhere: Callable[[], None] = nothing, here: Callable[[], None] = nothing, heard: Heard = nothing
) -> list[bytes] | None:
    return shared(Both(elsewhere, here), PIECES, heard, PIECES)


def fail() -> None:
    raise KeyError


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stay() -> None:
    time.sleep(60)


def test_it_has_what_is_at_hand_here() -> None:
    much = bytes(range(256)) * 4_096  # more than a pipe holds
    assert shared(lambda at, _: much[at:], PIECES, nothing, PIECES) == [much[at:] for at in range(PIECES)]


def test_each_piece_is_done_once_and_in_order_by_whoever_is_free() -> None:
    def work(at: int, heard: Heard) -> bytes:
        done.append(at)
        both(at, heard)
        return bytes([*done, os.getpid() != both.parent])

    done: list[int] = []
    both = Both()
    found = shared(work, PIECES, nothing, PIECES)
    assert found is not None
    for by in (False, True):
        mine = [at for at, each in enumerate(found) if each[-1] == by]
        assert [list(found[at][:-1]) for at in mine] == [mine[: upto + 1] for upto in range(len(mine))]
        assert mine


def test_only_this_process_is_heard() -> None:
    heard: list[int] = []
    assert told(heard=heard.append) == NAMED
    assert heard == sorted(heard)
    assert {*heard} < {*range(PIECES + 1)}


@pytest.mark.parametrize("end", [fail, die])
def test_where_the_other_comes_to_nothing_so_does_all(
    end: Callable[[], None], others: list[int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert told(elsewhere=end) is None
    assert capfd.readouterr() == ("", "")
    assert all_gone(others)


def test_what_is_half_told_is_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    parent, write = os.getpid(), os.write

    def killed(to: int, some: bytes) -> int:
        if os.getpid() != parent and len(some) > 1:
            write(to, some[:-3])
            die()
        return write(to, some)

    monkeypatch.setattr("os.write", killed)
    assert told() is None


def test_without_another_all_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise BlockingIOError

    monkeypatch.setattr("os.fork", refused)
    before = os.listdir("/proc/self/fd")
    assert shared(lambda at, _: b"%d" % at, PIECES, nothing, PIECES) == NAMED
    assert os.listdir("/proc/self/fd") == before


def test_nothing_stays_open(others: list[int]) -> None:
    before = os.listdir("/proc/self/fd")
    assert told() == NAMED
    assert os.listdir("/proc/self/fd") == before
    assert all_gone(others)


def test_who_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, others: list[int]) -> None:
    monkeypatch.setattr(beside, "PATIENCE", 0.1)
    assert told(elsewhere=stay) is None
    assert all_gone(others)


def test_other_processes_that_are_made_meanwhile_hold_up_nobody(others: list[int]) -> None:
    """They have the other ends of all pipes that are open then."""

    def make() -> None:
        if len(others) == 1 and not (other := os.fork()):
            while other == 0 and os.getppid() == parent:
                time.sleep(0.1)
            os._exit(0)

    parent = os.getpid()
    try:
        assert told(here=make, elsewhere=partial(time.sleep, 0.2)) == NAMED
    finally:
        os.kill(others[1], signal.SIGKILL)
        os.waitpid(others[1], 0)
    assert all_gone(others)


def test_it_works_where_the_system_buries_whoever_ends() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert told() == NAMED
        assert told(elsewhere=die) is None
        with pytest.raises(KeyError):
            told(here=fail, elsewhere=stay)
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_an_error_here_leaves_nobody_behind(others: list[int]) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises(KeyError):
        told(here=fail, elsewhere=stay)
    assert os.listdir("/proc/self/fd") == before
    assert all_gone(others)


def test_whoever_waits_may_put_an_end_to_it(others: list[int]) -> None:
    def impatient(at: int) -> None:
        if at == PIECES:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        told(elsewhere=stay, heard=impatient)
    assert all_gone(others)


def all_gone(others: list[int]) -> bool:
    """Whether they were there, and have ended, and nobody needs to bury them."""
    for other in others:
        with pytest.raises(ChildProcessError):
            os.waitpid(other, 0)
    return bool(others)


ORPHAN = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from ccos_core.session.beside import shared
parent = os.getpid()
def work(at, heard):
    if os.getpid() != parent:
        print(os.getpid(), flush=True)
    time.sleep(60)
shared(work, 2, print, 2)
"""


def test_it_does_not_outlive_a_parent_that_is_killed() -> None:
    assert not alive(orphan_of(ORPHAN))


# -- questions that two processes answer ------------------------------------------------------------------------------

TALE = """
    write src/db.py "def load(x):\\n    return x\\n"
    write src/api.py "from src.db import load\\n\\n\\ndef handle(x):\\n    return load(x)\\n"
    edit src/db.py "return x" -> "return x + 1"
    write docs/cards.py "def cards(x):\\n    return x\\n"
    fail test_handle at src/api.py:5
    edit src/api.py "load(x)" -> "load(x) + 1"
    write src/more.py "from src.api import handle\\n\\n\\ndef more():\\n    return handle(2)\\n"
    pass test_handle
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    return Story(new_session(tmp_path)).tell(TALE).session.recorded.path


def answers(path: str, heard: Callable[[int, int], None]) -> Iterator[str]:
    with open_record(path) as record:
        desk = Desk(record, asking=heard)
        for lens in ("task", "hybrid"):
            for node in ("file:src/db.py", "sym:src/api.py#handle", "file:docs/cards.py"):
                asked = {"node": node, "budget": "60", "lens": f"{lens}:what `load` of docs/cards.py gives"}
                yield repr(desk.ask(BY_NAME["missing"], asked, desk.timeline.head).answer)


def evenly(work: Work, pieces: int, heard: Heard, last: int) -> list[bytes] | None:
    """Both get some, and come to something."""
    both = Both()
    found = shared(lambda at, heard: both(at, nothing) and work(at, heard), pieces, heard, last)
    assert found is not None
    return found


def in_vain(work: Work, pieces: int, heard: Heard, last: int) -> list[bytes] | None:
    """The other comes to nothing."""
    both = Both(elsewhere=die)
    return shared(lambda at, heard: both(at, nothing) and work(at, heard), pieces, heard, last)


@pytest.mark.parametrize("by", [shared, evenly, in_vain])
def test_two_processes_answer_as_one_does(
    path: str, others: list[int], monkeypatch: pytest.MonkeyPatch, by: Callable[..., list[bytes] | None]
) -> None:
    alone = list(answers(path, lambda done, total: None))
    assert not others
    monkeypatch.setattr(remembering, "WORTH_ANOTHER", 1)
    monkeypatch.setattr(beside, "shared", by)

    parent, asked = os.getpid(), Record.ask

    def heard(*_: object) -> None:
        if os.getpid() != parent:
            die()

    def ask(*told: Any) -> Any:
        heard()
        return asked(*told)

    monkeypatch.setattr(Record, "ask", ask)
    assert list(answers(path, heard)) == alone
    assert len(others) == len(alone) == len(set(alone))


def test_a_question_that_is_given_up_leaves_nobody_behind(
    path: str, others: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def given_up(done: int, total: int) -> None:
        if others:
            raise KeyboardInterrupt

    monkeypatch.setattr(remembering, "WORTH_ANOTHER", 1)
    with pytest.raises(KeyboardInterrupt):
        list(answers(path, given_up))
    assert all_gone(others)
