"""A person at a terminal: lines with a history and completion, where Python has them."""

from __future__ import annotations

import contextlib
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from ccos_core.serve.repl.completion import Completion
from ccos_core.storage.locate import state_home

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk

REMEMBERED = 1_000
"""Lines of the history."""


class Keyboard:
    """Where a person types."""

    def __init__(self, desk: Desk) -> None:
        self.completion = Completion(desk)
        self.history = os.path.join(state_home(), "postmortem.history")
        self._readline = _readline()

    def __enter__(self) -> Keyboard:
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        if (readline := self._readline) is not None:
            with contextlib.suppress(OSError):
                readline.read_history_file(self.history)
            readline.set_history_length(REMEMBERED)
            readline.set_completer_delims(" \t\n")
            readline.set_completer(self._complete)
            readline.parse_and_bind("tab: complete")
        return self

    def __exit__(self, *_: object) -> None:
        if (readline := self._readline) is not None:
            readline.set_completer(None)
            with contextlib.suppress(OSError):
                os.makedirs(os.path.dirname(self.history), mode=0o700, exist_ok=True)
                os.close(os.open(self.history, os.O_CREAT | os.O_WRONLY, 0o600))
                readline.write_history_file(self.history)

    def read(self, prompt: str) -> str:
        """One line. Where our answers go to a file, the prompt stays out of it."""
        if sys.stdout.isatty():
            return input(prompt)
        sys.stderr.write(prompt)
        sys.stderr.flush()
        if not (line := sys.stdin.readline()):
            raise EOFError
        return line.rstrip("\n")

    def _complete(self, word: str, at: int) -> str | None:
        assert self._readline is not None
        before = self._readline.get_line_buffer()[: self._readline.get_begidx()]
        found = self.completion.of(before, word)
        return found[at] + " " if at < len(found) else None


def _readline() -> ModuleType | None:
    try:
        import readline
    except ImportError:  # not on every system
        return None
    return readline
