"""A person at a terminal: a prompt, a history, completion; none of it anywhere else."""

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccos_core.serve.repl.keyboard import Completion
from ccos_core.session.asking import Desk
from ccos_core.storage.marks import keep_marks
from ccos_core.storage.opening import open_record
from ccos_core.values.marks import Mark
from tests.core.serve.calling import ROOT
from tests.story import tell_anew

STORY = r"""
    write src/db.py "def load(row):\n    return row * 100\n\n\ndef lost():\n    return 0\n"
    write src/api.py "from src.db import load\n"
    see src/api.py
"""
LONGEST = 60
"""Seconds until a program that says nothing has failed."""


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keyboard")
    tell_anew(folder, STORY).session.close()
    keep_marks(str(folder / "work.ccos"), Mark(2, "late", ""), None)
    return folder / "work.ccos"


@pytest.fixture(scope="module")
def completion(ws: Path) -> Iterator[Completion]:
    with open_record(str(ws)) as record, Desk(record) as desk:
        yield Completion(desk)


@pytest.mark.parametrize(
    ("before", "word", "found"),
    [
        ("", "sta", ["state", "statement", "statements", "stats"]),
        ("help ", "got", ["goto"]),
        ("goto ", "", ["end", "late", "start"]),
        ("goto ", "la", ["late"]),
        ("g ", "la", ["late"]),
        ("next ", "src/", ["src/api.py", "src/db.py"]),
        ("next ", "lo", ["load", "lost"]),
        ("next ", "src/db.py#", ["src/db.py#load", "src/db.py#lost"]),
        ("next --lens ", "ta", ["task:"]),
        ("timeline ", "--l", ["--limit"]),
        ("next --lens ", "ho", ["host"]),
        ("watch --lens ", "bo", ["both"]),
        ("prev ", "--", ["--at"]),
        ("nonsense ", "a", []),
        ("quit ", "a", []),
    ],
)
def test_a_word_becomes_what_fits(completion: Completion, before: str, word: str, found: list[str]) -> None:
    assert completion.of(before, word) == found


pty = pytest.importorskip("pty")


class Terminal:
    """The post-mortem at a terminal of ours, or what comes of a path alone."""

    def __init__(self, ws: Path, state: Path, *options: str, alone: bool = False) -> None:
        ours, theirs = pty.openpty()
        tty = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"  # so that Ctrl-C reaches it
        here = f"import sys; sys.path.insert(0, {str(ROOT)!r})"
        code = f"{tty}; {here}; from ccos_tui.__main__ import main; sys.exit(main())"
        env = {**os.environ, "XDG_STATE_HOME": str(state), "TERM": "xterm", "INPUTRC": os.devnull}
        command = [sys.executable, "-c", code, *(["postmortem"] * (not alone)), str(ws), *options]
        streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        self.process = subprocess.Popen(command, **streams, env=env, start_new_session=True)
        os.close(theirs)
        self.ours = ours
        self.said = ""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def until(self, told: str) -> str:
        """What it says, up to there."""
        end = time.monotonic() + LONGEST
        while told not in self.said:
            assert time.monotonic() < end, self.said
            self._hear()
        before, _, self.said = self.said.partition(told)
        return before

    def interrupt(self, told: str) -> None:
        """Press Ctrl-C until it says so, as people do: a signal that comes just before the reader of lines waits for
        keys is only seen at the next one."""
        for _ in range(LONGEST):
            self.type("\x03")
            for _ in range(10):
                self._hear()
                if told in self.said:
                    self.until(told)
                    return
        raise AssertionError(self.said)

    def ended(self) -> int:
        while self.process.poll() is None:
            self._hear()
        return self.process.returncode

    def _hear(self) -> None:
        if select.select([self.ours], [], [], 0.2)[0]:
            try:
                heard = os.read(self.ours, 65_536).decode("utf-8", "replace")
            except OSError:  # the other end is closed
                heard = ""
            self.said += re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", heard)


def test_at_a_terminal(ws: Path, tmp_path: Path) -> None:
    with Terminal(ws, tmp_path) as terminal:
        terminal.until("4 steps; the cursor is at the last.")
        terminal.until("100% 4/4> ")
        terminal.type("goto st\t\r")
        terminal.until("step 0 of 4")
        terminal.until("0% 0/4> ")
        terminal.type("nonsense\r")
        terminal.until("ccos-tui: nonsense: isn't a command")
        terminal.until("0% 0/4> ")
        terminal.type("half a line")
        terminal.until("half a line")
        terminal.interrupt("0% 0/4> ")
        terminal.type("next\r")
        terminal.until("25% 1/4> ")
        terminal.type("\x04")
        assert terminal.ended() == 0
    history = tmp_path / "ccos-tui" / "postmortem.history"
    assert history.read_text().splitlines()[-3:] == ["goto start ", "nonsense", "next"]
    assert history.stat().st_mode & 0o777 == 0o600


def test_the_history_is_there_the_next_time(ws: Path, tmp_path: Path) -> None:
    for keys in ("goto 2\r", "\x1b[A\r"):
        with Terminal(ws, tmp_path) as terminal:
            terminal.until("100% 4/4> ")
            terminal.type(keys)
            terminal.until("step 2 of 4")
            terminal.until("50% 2/4> ")
            terminal.type("q\r" if keys.startswith("goto") else "\x04")
            assert terminal.ended() == 0
        (tmp_path / "ccos-tui" / "postmortem.history").write_text("goto 2\n")


def test_aloud_the_prompt_is_a_sentence(ws: Path, tmp_path: Path) -> None:
    with Terminal(ws, tmp_path, "--plain") as terminal:
        terminal.until("step 4 of 4> ")
        terminal.type("q\r")
        assert terminal.ended() == 0


def test_json_at_a_terminal_tells_all_and_asks_nothing(ws: Path, tmp_path: Path) -> None:
    with Terminal(ws, tmp_path, "--json") as terminal:
        terminal.until('"compaction_floor":0')
        assert terminal.ended() == 0
