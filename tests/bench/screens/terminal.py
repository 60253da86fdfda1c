"""A real terminal to run a program in: tmux, spoken to in its control mode.

tmux tells us at once when a program has written something (`%output`), and a line asks it what is to be seen; so
nothing is polled, and a time is that of what was written, not of when somebody looked.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from tests.bench.harness import as_installed

PATIENCE = 60.0
"""Seconds after which what is waited for won't come."""
Seen = Callable[[str], bool]


class Terminal:
    """One window of so many columns and rows."""

    def __init__(self, width: int, height: int, folder: Path) -> None:
        self.size = width, height
        self._socket = str(folder / "tmux")
        self._environment = {**as_installed(), "TERM": "screen-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8",
                             "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": str(folder),
                             "XDG_STATE_HOME": str(folder), "TMUX": ""}  # fmt: skip
        for name in ("NO_COLOR", "COLUMNS", "LINES"):  # of whoever runs us; here the window says how large it is
            self._environment.pop(name, None)
        self._lines: deque[tuple[float, bytes]] = deque()
        """What tmux said, and when; what nobody has looked at yet."""
        self._rest = b""
        self._running = False
        """Whether a program was begun; below its window there is one that stays, so that tmux does."""
        self._written = 0.0
        """When a program wrote something last."""

    def __enter__(self) -> Terminal:
        width, height = self.size
        start = ["new-session", "-d", "-x", str(width), "-y", str(height), "cat"]
        settings = ["set", "-g", "status", "off", ";", "set", "-g", "remain-on-exit", "on", ";"]
        command = ["tmux", "-S", self._socket, "-f", "/dev/null"]
        subprocess.run([*command, *start, ";", *settings[:-1]], env=self._environment, check=True)
        self._process = subprocess.Popen(
            [*command, "-C", "attach"], env=self._environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        while not self._next(PATIENCE)[1].startswith(b"%session-changed"):  # before that we aren't there yet
            pass
        self.say(f"refresh-client -C {width}x{height}")
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        subprocess.run(["tmux", "-S", self._socket, "kill-server"], env=self._environment, check=False)
        self._process.wait(10)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    # -- doing --------------------------------------------------------------------------------------------------------

    def say(self, line: str) -> list[str]:
        """Tell tmux something; gives what it answers."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        answer: list[str] = []
        inside = False
        while True:
            _, said = self._next(PATIENCE)
            if said.startswith(b"%begin"):
                inside, answer = True, []
            elif said.startswith((b"%end", b"%error")) and inside:
                if said.startswith(b"%error"):
                    raise ValueError(f"{line}: {answer}")
                if _is_ours(said):
                    return answer
                inside = False
            elif inside:
                answer.append(said.decode("utf-8", "replace"))

    def resize(self, width: int, height: int) -> None:
        """Another size; the program in it hears of that."""
        self.size = width, height
        self.say(f"refresh-client -C {width}x{height}")
        self.quiet(0.5, 10)

    def run(self, command: Sequence[str], folder: str) -> float:
        """Begin a program in a window of its own, in the place of the one before; gives when."""
        if self._running:
            self.say("kill-window -t :1")
        self._running = True
        self.rest(0.3)  # who was there before has left
        words = " ".join(_quoted(word) for word in command)
        began = time.perf_counter()
        self.say(f"new-window -t :1 -c {_quoted(folder)} {_quoted('exec ' + words)}")
        return began

    def press(self, *keys: str) -> float:
        """Press keys, in tmux's words; gives when."""
        pressed = time.perf_counter()
        self.say("send-keys " + " ".join(_quoted(key) for key in keys))
        return pressed

    # -- seeing -------------------------------------------------------------------------------------------------------

    def screen(self) -> str:
        """What is to be seen."""
        return "\n".join(self.say("capture-pane -p"))

    def until(self, seen: Seen, after: float = 0.0, patience: float = PATIENCE) -> float:
        """Wait until something is to be seen that was written after a moment; gives when that was."""
        end = time.perf_counter() + patience
        while True:
            written = self._written
            if written > after and seen(self.screen()):
                return written
            while self._written == written:
                if time.perf_counter() > end:
                    raise TimeoutError(f"not seen:\n{self.screen()}")
                self._listen(0.05)

    def quiet(self, seconds: float, patience: float = PATIENCE) -> float:
        """Wait until nothing was written for so long; gives when something was written last."""
        end = time.perf_counter() + patience
        while time.perf_counter() < end:
            self._listen(seconds / 4)
            if time.perf_counter() - self._written > seconds:
                break
        return self._written

    def rest(self, seconds: float) -> None:
        """Do nothing for a while, but hear what is written."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._listen(left)

    def kilobytes(self) -> int:
        """What the program in the window holds of the machine's memory."""
        number = self.say("display-message -p '#{pane_pid}'")[0]
        told = subprocess.run(["ps", "-o", "rss=", "-p", number], capture_output=True, text=True, check=True)
        return int(told.stdout)

    # -- listening ----------------------------------------------------------------------------------------------------

    def _next(self, patience: float) -> tuple[float, bytes]:
        end = time.perf_counter() + patience
        while not self._lines:
            if time.perf_counter() > end:
                raise TimeoutError("tmux says nothing")
            self._read(0.2)
        return self._lines.popleft()

    def _listen(self, seconds: float) -> None:
        """Hear what is said within a time."""
        self._read(seconds)
        self._lines.clear()

    def _read(self, seconds: float) -> None:
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            return
        said = os.read(self._process.stdout.fileno(), 1 << 20)
        if not said:
            raise EOFError("tmux left")
        now = time.perf_counter()
        *lines, self._rest = (self._rest + said).split(b"\n")
        for line in lines:
            if line.startswith(b"%output"):
                self._written = now
            else:
                self._lines.append((now, line))


def _is_ours(ended: bytes) -> bool:
    """Whether the answer that ended is one to us: its last number says so."""
    return ended.split()[-1] == b"1"


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def program(path: Path) -> list[str]:
    """What starts the screens on a workspace."""
    return [sys.executable, "-m", "ccos_tui", str(path)]
