"""Spread work comes back in order, whatever happens to those who do it, and nobody is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ccos_core.session.workers import spread

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are made otherwise there")


@pytest.fixture(autouse=True)
def three_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 3)


def squared(number: int) -> int:
    return number * number


def squared_by(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


def fatal_elsewhere(job: tuple[int, int]) -> int:
    number, parent = job
    if number == 5 and os.getpid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def failing(number: int) -> int:
    if number == 3:
        raise KeyError(number)
    return number


def test_the_order_is_that_of_the_jobs() -> None:
    assert list(spread(squared, range(50), worth_it=True)) == [n * n for n in range(50)]


def test_what_is_not_worth_it_is_done_here() -> None:
    assert {pid for _, pid in spread(squared_by, range(5), worth_it=False)} == {os.getpid()}
    assert os.getpid() not in {pid for _, pid in spread(squared_by, range(5), worth_it=True)}


def test_a_worker_that_dies_costs_nothing_but_time() -> None:
    jobs = [(number, os.getpid()) for number in range(30)]
    assert list(spread(fatal_elsewhere, jobs, worth_it=True)) == [n * n for n in range(30)]


def test_an_error_is_the_callers() -> None:
    with pytest.raises(KeyError):
        list(spread(failing, range(9), worth_it=True))


def test_whoever_stops_listening_is_not_kept() -> None:
    answers = spread(squared, range(1_000), worth_it=True)
    assert next(answers) == 0
    answers.close()


ORPHANS = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
os.cpu_count = lambda: 2
from ccos_core.session.workers import spread
def named(_):
    return os.getpid()
answers = spread(named, range(100), worth_it=True)
print(next(answers), flush=True)
time.sleep(60)
"""


def test_no_worker_outlives_a_parent_that_is_killed() -> None:
    assert not alive(orphan_of(ORPHANS))


def orphan_of(program: str) -> int:
    """A process that a program made and named, when its parent was killed and it had time to notice."""
    with subprocess.Popen([sys.executable, "-c", program, str(ROOT)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        other = int(parent.stdout.readline())
        parent.kill()
        for _ in range(100):
            if not alive(other):
                break
            time.sleep(0.1)
    return other


def alive(pid: int) -> bool:
    """Whether a process runs; one that is only waiting to be buried doesn't."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
