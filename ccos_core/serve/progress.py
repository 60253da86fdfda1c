"""How far something long has come, for a person who waits at a terminal; nothing anywhere else."""

from __future__ import annotations

import sys
import time

PATIENCE = 0.5
"""Seconds nobody minds waiting."""
OFTEN = 0.1
"""Seconds between two looks."""


class Bar:
    """One line on stderr that goes away again: `folding 34 %`."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._begun: float | None = None
        self._next = 0.0
        self._shown = 0

    def __call__(self, done: int, total: int) -> None:
        """So much is done of so much."""
        if not sys.stderr.isatty():
            return
        now = time.monotonic()
        if self._begun is None:
            self._begun, self._next = now, now + PATIENCE
        if now >= self._next:
            self._next = now + OFTEN
            self._write(f"{self.what} {min(100 * done // max(total, 1), 100)} %")

    def end(self) -> None:
        """It is done, or was given up."""
        if self._shown:
            self._write("")
        self._begun, self._shown = None, 0

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line:<{self._shown}}" + ("" if line else "\r"))
        sys.stderr.flush()
        self._shown = len(line)


class Bars:
    """What can be waited for while a record is asked."""

    def __init__(self) -> None:
        self.folding = Bar("folding")
        self.asking = Bar("asking")

    def end(self) -> None:
        """Nobody waits any more."""
        self.folding.end()
        self.asking.end()
