"""At a real terminal: stopped and gone on with, left by a defect of ours, ended from outside. It is given back as it
was every time, and what is said in the end is a sentence.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
SIZE = (40, 120)
LEFT = "\x1b[?1049l"
"""What a program writes that gives the screen back."""
APP = f"""
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
sys.path.insert(0, {str(ROOT)!r})
from ccos_tui import app
from ccos_tui.screens.debugger import Debugger
secret = "a-local-" + "variable"
def broken(self, count, char):
    hidden = secret
    raise RuntimeError("autopsy [b]broke[/b] \\x1b[31m")
if len(sys.argv) > 2:
    Debugger.do_autopsy = broken
sys.exit(app.run(sys.argv[1]))
"""


class Terminal:
    """The debugger at a terminal of ours."""

    def __init__(self, path: str, state: Path, *options: str) -> None:
        self.ours, theirs = pty.openpty()
        import struct

        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        env = {**os.environ, "XDG_STATE_HOME": str(state), "TEXTUAL_ANIMATIONS": "none"}
        command = [sys.executable, "-c", APP, str(path), *options]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True
        )
        self.said = ""

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def until(self, told: str) -> str:
        """What it writes, up to there."""
        end = time.monotonic() + PATIENCE
        while told not in self.said:
            assert time.monotonic() < end, self.said[-2_000:]
            self._hear()
        before, _, self.said = self.said.partition(told)
        return before

    def status(self, wanted: int) -> int:
        """How it stands with the process, as soon as there is anything to say of it."""
        end = time.monotonic() + PATIENCE
        while True:
            done, status = os.waitpid(self.process.pid, wanted | os.WNOHANG)
            if done:
                return status
            assert time.monotonic() < end, self.said[-2_000:]
            self._hear()

    def ended(self) -> int:
        """The exit code."""
        code = os.waitstatus_to_exitcode(self.status(0))
        self.process.returncode = code
        self._hear()
        return code

    @property
    def is_as_it_was(self) -> bool:
        return bool(termios.tcgetattr(self.theirs)[3] == self.before[3])

    def leave(self) -> None:
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def _hear(self) -> None:
        while select.select([self.ours], [], [], 0.05)[0]:
            self.said += os.read(self.ours, 65_536).decode("utf-8", "replace")


@pytest.fixture
def terminal(demo: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    found = Terminal(demo, tmp_path / "state", *getattr(request, "param", ()))
    yield found
    found.leave()


def text(said: str) -> str:
    """Without what only a terminal reads."""
    return re.sub(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-Z\\-_=>])", "", said)


def test_it_is_stopped_and_gone_on_with(terminal: Terminal) -> None:
    terminal.until("step 61 of 61")
    terminal.type("\x1a")
    assert os.WIFSTOPPED(terminal.status(os.WUNTRACED))
    terminal.until(LEFT)
    assert terminal.is_as_it_was
    os.kill(terminal.process.pid, signal.SIGCONT)
    terminal.until("step 61 of 61")
    terminal.type("gQ")
    assert terminal.ended() == 0
    assert terminal.is_as_it_was


def test_the_mouse_is_given_back_and_stays_given_back(terminal: Terminal) -> None:
    terminal.until("\x1b[?1000h")
    terminal.until("step 61 of 61")
    terminal.type("\x14")
    terminal.until("\x1b[?1000l")
    terminal.until("mouse off")
    terminal.type("\x1a")
    terminal.status(os.WUNTRACED)
    os.kill(terminal.process.pid, signal.SIGCONT)
    assert "\x1b[?1000h" not in terminal.until("step 61 of 61")
    terminal.type("\x14")
    terminal.until("\x1b[?1000h")


@pytest.mark.parametrize("terminal", [("broken",)], indirect=True)
def test_a_defect_ends_with_a_sentence_and_a_report(terminal: Terminal, tmp_path: Path) -> None:
    terminal.until("step 61 of 61")
    terminal.type("a")
    assert terminal.ended() == 70
    terminal.until(LEFT)
    last = terminal.said[terminal.said.index("ccos-tui: ") :]
    (report,) = (tmp_path / "state" / "ccos-tui" / "defects").iterdir()
    assert re.fullmatch(r"ccos-tui: a bug in ccos-tui \(RuntimeError: .*\)\. The report is in .*\.\r\n", last)
    assert str(report) in last
    assert "\x1b" not in last
    assert "a-local-" not in terminal.said
    assert "Traceback" not in terminal.said
    assert "in broken" in report.read_text()
    assert terminal.is_as_it_was


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_whoever_ends_it_from_outside_gets_the_terminal_back(terminal: Terminal, number: signal.Signals) -> None:
    terminal.until("step 61 of 61")
    os.kill(terminal.process.pid, number)
    assert terminal.ended() == 128 + number
    terminal.until(LEFT)
    assert terminal.is_as_it_was


@pytest.mark.parametrize("upto", ["\x1b[?1049h", "\x1b[?25l", "step 61 of 61"])
def test_where_its_terminal_goes_away_it_goes_too(demo: str, tmp_path: Path, upto: str) -> None:
    """Also where it is just drawing itself, and has more to write than anybody will read."""
    terminal = Terminal(demo, tmp_path / "state")
    terminal.until(upto)
    os.close(terminal.ours)
    os.close(terminal.theirs)
    try:
        terminal.process.wait(PATIENCE)
    finally:
        terminal.process.kill()
        terminal.process.wait()
