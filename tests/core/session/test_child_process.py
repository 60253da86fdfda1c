"""A child ends when its parent does, whatever it is at; one that gives way leaves busy processors to others."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccos_core.session import child_process
from tests.core.session.test_workers import alive, orphan_of

ROOT = Path(__file__).resolve().parents[3]
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="processes are made otherwise there")
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's signal is Linux's")
PARENT = """
import os, re, sys, time
sys.path.insert(0, sys.argv[1])
from ccos_core.session import child_process
{before}
parent = os.getpid()
child_process.prepare()
reading, writing = os.pipe()
child = os.fork()
if not child:
    child_process.end_with_parent(parent)
    os.write(writing, b"!")
    {work}
os.read(reading, 1)
print(child, flush=True)
time.sleep(60)
"""
STUCK = 're.match(r"(a+)+$", "a" * 60 + "b")'
"""Holds Python's lock for longer than anybody lives."""


@pytest.fixture(autouse=True)
def _as_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "_gives_way", [])
    monkeypatch.setattr(os, "nice", lambda more: more)


@linux_only
def test_a_child_that_is_stuck_ends_too() -> None:
    assert not alive(orphan_of(PARENT.format(before="", work=STUCK)))


@posix_only
def test_where_the_kernel_gives_no_signal_the_child_looks_itself() -> None:
    before = "child_process._arming.append(lambda: False); child_process.PARENT_POLL_SECONDS = 0.05"
    assert not alive(orphan_of(PARENT.format(before=before, work="time.sleep(60)")))


@posix_only
def test_a_child_whose_parent_is_gone_already_does_nothing() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from ccos_core.session.child_process import end_with_parent\nend_with_parent(2**30)\nprint('worked')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")


def test_who_gives_way_uses_idle_processors_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child_process, "_others_running", lambda: 6)
    assert child_process.idle_processors(8) == 8
    child_process.give_way()
    assert [child_process.idle_processors(count) for count in (1, 2, 7, 8)] == [1, 1, 1, 2]


def test_who_gives_way_pauses_while_others_need_all_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(slept))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    running = iter([9, 9, 2])
    monkeypatch.setattr(child_process, "_others_running", lambda: next(running))
    child_process.pause_while_busy()
    assert not slept  # it doesn't give way
    child_process.give_way()
    child_process.pause_while_busy()
    assert len(slept) == 2
    monkeypatch.setattr(child_process, "_others_running", lambda: 99)
    child_process.pause_while_busy()
    assert sum(slept) <= child_process.LONGEST_PAUSE_SECONDS + 3 * child_process.PAUSE_SECONDS


@linux_only
def test_others_are_counted() -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        try:
            assert any(child_process._others_running() >= 1 for _ in range(10_000))
        finally:
            busy.kill()
