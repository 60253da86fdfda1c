"""Which words open a screen, and which stay what they are in a pipe."""

import os
import pty
import select
import struct
import subprocess
import sys
import time
from fcntl import ioctl
from pathlib import Path
from termios import TIOCSWINSZ

import pytest

from ccos_core.serve.cli.main import ASKING, COMMANDS
from ccos_tui import commands
from ccos_tui.__main__ import named
from tests.core.serve.calling import ROOT

LONGEST = 60
"""Seconds until a program that says nothing has failed."""
REPORT = """
import sys; sys.path.insert(0, {root!r})
from ccos_tui.__main__ import main
code = main({words!r})
print("textual" in sys.modules, file=sys.stderr)
sys.exit(code)
"""


def test_a_name_alone_is_for_a_screen(demo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert named([]) == ""
    assert named(["demo"]) == "demos"
    assert named(["demo", "loop"]) == "demo:loop"
    assert named(["demo", "nonesuch"]) is None
    assert named(["search"]) == "search"
    assert named([demo]) == demo
    assert named([str(tmp_path)]) == str(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    assert named(["shop"]) == "shop"


def test_everything_else_is_for_the_command_line(demo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (
        [demo, "--json"], [demo, "--plain"], ["--json", demo], ["demo", "--help"], ["--help"], ["--version"], ["-h"],
        ["search", "word"],
        ["log", demo], [demo, demo], [str(tmp_path / "missing")], ["nonsense"], [demo, "--debug-unknowns"],
    ):  # fmt: skip
        assert named(words) is None, words
    monkeypatch.chdir(tmp_path)
    for word in {*ASKING, *COMMANDS, *commands.COMMANDS} - {"demo", "search"}:
        (tmp_path / word).touch()
        assert named([word]) is None, f"{word} is a command, whatever lies here"


@pytest.mark.parametrize("words", [[], ["demo"], ["PATH"], ["PATH", "--json"], ["PATH", "--plain"], ["sessions"]])
def test_in_a_pipe_nothing_draws(words: list[str], demo: str, tmp_path: Path) -> None:
    given = [demo if word == "PATH" else word for word in words]
    env = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "TERM": "xterm-256color"}
    ran = subprocess.run(
        [sys.executable, "-c", REPORT.format(root=str(ROOT), words=given)],
        capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert ran.stderr.splitlines()[-1] == "False", ran
    assert "\x1b[?1049h" not in ran.stdout
    assert ran.stdout or words == ["sessions"]


class Screen:
    """The program at a terminal of ours."""

    def __init__(self, words: list[str], home: Path, term: str = "xterm-256color") -> None:
        ours, theirs = pty.openpty()
        ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from ccos_tui.__main__ import main; sys.exit(main())"
        env = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home), "TERM": term, "INPUTRC": os.devnull}
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
            env.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.ours = ours
        self.said = b""

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)

    def until(self, told: str) -> None:
        """Wait until it has shown this."""
        end = time.monotonic() + LONGEST
        while told.encode() not in self.said:
            assert time.monotonic() < end, self.said[-2_000:]
            self._hear()

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def ended(self) -> int:
        end = time.monotonic() + LONGEST
        while self.process.poll() is None:
            assert time.monotonic() < end, self.said[-2_000:]
            self._hear()
        self._hear()
        return self.process.returncode

    @property
    def drew(self) -> bool:
        """Whether it took the whole screen."""
        return b"\x1b[?1049h" in self.said

    def _hear(self) -> None:
        if select.select([self.ours], [], [], 0.05)[0]:
            try:
                self.said += os.read(self.ours, 65_536)
            except OSError:  # the other end is closed
                time.sleep(0.01)


def test_at_a_terminal_a_path_opens_the_debugger(demo: str, tmp_path: Path) -> None:
    with Screen([demo], tmp_path) as screen:
        screen.until("nothing fails")
        screen.type("Q")
        assert screen.ended() == 0
        assert screen.drew
        assert b"\x1b[?1049l" in screen.said, "the terminal is as it was"


def test_nothing_named_lists_sessions(tmp_path: Path) -> None:
    with Screen([], tmp_path) as screen:
        screen.until("There is no agent session")
        screen.type("q")
        assert screen.ended() == 0


def test_the_demonstration_is_shown(tmp_path: Path) -> None:
    with Screen(["demo", "evicted"], tmp_path) as screen:
        screen.until("61 steps")
        screen.type("Q")
        assert screen.ended() == 0


def test_demonstrations_are_listed(tmp_path: Path) -> None:
    with Screen(["demo"], tmp_path) as screen:
        screen.until("A forgotten instruction")
        screen.type("q")
        assert screen.ended() == 0


def test_what_cant_be_opened_ends_with_its_code(tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_text("hello\n")
    with Screen([str(odd)], tmp_path) as screen:
        screen.until("can't be opened")
        screen.type("q")
        assert screen.ended() == 3
        assert b"Traceback" not in screen.said


@pytest.mark.parametrize(
    ("words", "term"), [(["PATH", "--plain"], "xterm-256color"), (["--plain", "PATH"], "dumb"), (["PATH"], "dumb")]
)
def test_who_wants_sentences_gets_them(words: list[str], term: str, demo: str, tmp_path: Path) -> None:
    with Screen([demo if word == "PATH" else word for word in words], tmp_path, term) as screen:
        screen.until("step 61 of 61" if "--plain" in words else "61/61")
        screen.type("q\r")
        assert screen.ended() == 0
        assert not screen.drew


def test_no_question_knows_of_screens() -> None:
    """`ccos_core` never imports `ccos_tui`."""
    for path in sorted((Path(ROOT) / "ccos_core").rglob("*.py")):
        assert "import ccos_tui" not in path.read_text(), path
        assert "from ccos_tui" not in path.read_text(), path
