"""The machine that readers of test runners share: one walk over the lines, the run they are in, the open suites.

A runner's reader subclasses `Walk`, says in `take` what each of its lines means, and turns its runs into failures and
passes. Lines that are missing or that belong to another reader come as `interrupt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Generic, TypeVar

from ccos_core.intake.failures.arguments import Scope
from ccos_core.intake.failures.page import CLAIMED, CUT, Span
from ccos_core.values.outcome import UNKNOWN, Pass

_COUNT = re.compile(r"(\d{1,9}) (\w+)")


R = TypeVar("R", bound=Span)


class Walk(Generic[R]):
    """Goes through an output once; `start` makes a run that begins and, so far, ends at these lines."""

    def __init__(self, lines: list[str], start: Callable[[int, int], R]) -> None:
        self.lines, self.start = lines, start
        self.runs: list[R] = []
        self.now: R | None = None
        self.suites = Suites()

    def take(self, at: int, line: str) -> None:
        raise NotImplementedError

    def interrupt(self, at: int) -> None:
        """Forget what the lines so far began: what follows may be anything."""

    def walk(self) -> list[R]:
        for at, line in enumerate(self.lines):
            if line in (CLAIMED, CUT):
                self.interrupt(at)
            else:
                self.take(at, line)
        return self.runs

    def run(self, at: int, first: int = -1) -> R:
        """Extend the current run to this line; where none is open, begin one at `first`, or here."""
        if self.now is None:
            self.now = self.start(first if first >= 0 else at, at)
            self.runs.append(self.now)
        self.now.last = max(self.now.last, at)
        return self.now


class Suites(list[tuple[int, str]]):
    """(indent, name) of the suites that are open, outermost first."""

    def above(self, indent: int) -> list[str]:
        """Close the suites that stand at this indent or further in; return the names of the rest."""
        while self and self[-1][0] >= indent:
            self.pop()
        return [name for _, name in self]


def count_words(text: str) -> dict[str, int]:
    """`{"failed": 1, "passed": 2}` for `1 failed, 2 passed`."""
    return {word: int(number) for number, word in _COUNT.findall(text)}


def passes_of_scope(scope: Scope | None, runner: str, untold: int) -> list[Pass]:
    """What passes when a run did that names none of its tests: what its command asked for."""
    return [Pass(runner, UNKNOWN)] if scope is None else scope.passes(runner, untold)
