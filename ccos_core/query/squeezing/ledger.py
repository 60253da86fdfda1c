"""Which lines one context was shown, as it was and with shortened results, and which of these stand behind a marker.

A file's lines are known by their path, number and text; other results by their text alone. A compaction empties it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

SOON_CALLS = 40
"""A line counts as needed if it is used within this many calls after the host showed it."""
SHOWN, FETCHABLE, MISSING = "shown", "fetchable", "missing"


class ResultText(NamedTuple):
    """A tool's result in both versions."""

    call: int
    whole: str
    short: str
    hidden: str
    """The lines behind its markers."""


@dataclass(slots=True)
class Ledger:
    """What one context was shown since its last compaction."""

    call: int = 0
    """Calls so far."""

    results: deque[ResultText] = field(default_factory=deque)
    words: list[str] = field(default_factory=list)
    """What the agent and its user said, and its calls."""

    lately: dict[tuple[str, str], int] = field(default_factory=dict)
    """(path, line) → the call at which the host showed it last."""

    shown: set[tuple[str, str]] = field(default_factory=set)
    """The lines that shortened results show, ..."""

    hidden: set[tuple[str, str]] = field(default_factory=set)
    """... and those behind one of their markers."""

    numbered: dict[str, dict[int, str]] = field(default_factory=dict)
    """Path → number → the line the host showed last under it."""

    def cut(self) -> None:
        """Forget everything: the host compacted."""
        self.results.clear()
        self.words.clear()
        self.lately.clear()
        self.shown.clear()
        self.hidden.clear()
        self.numbered.clear()

    def called(self) -> None:
        """Count one more call."""
        self.call += 1

    def put_result(self, whole: str, short: str, hidden: str) -> None:
        """Take a result in both versions."""
        self.results.append(ResultText(self.call, whole, short, hidden))

    def put_lines(self, path: str, first: int, lines: Sequence[str], hidden: Container[int]) -> None:
        """Take lines of a file; those with a number in `hidden` stand behind a marker."""
        numbers = self.numbered.setdefault(path, {})
        for number, line in enumerate(lines, first):
            key = path, line.strip()
            numbers[number] = line
            self.lately[key] = self.call
            (self.hidden if number in hidden else self.shown).add(key)

    def written(self, path: str, lines: Iterable[str]) -> None:
        """Take lines that the agent wrote itself, so it needs nobody to show them."""
        self.shown.update((path, line.strip()) for line in lines)

    def is_recent(self, path: str, line: str) -> bool:
        """Tell whether the host showed a line of a file lately."""
        call = self.lately.get((path, line.strip()))
        return call is not None and self.call - call <= SOON_CALLS

    def of_line(self, path: str, line: str) -> str:
        """Return what became of a line of a file."""
        key = path, line.strip()
        return SHOWN if key in self.shown else FETCHABLE if key in self.hidden else MISSING

    def of_quote(self, quote: str) -> str:
        """Return what became of words; empty if no recent result had them."""
        if not any(quote in each.whole for each in self.recent()):
            return ""
        if any(quote in each.short for each in self.results) or any(quote in each for each in self.words):
            return SHOWN
        return FETCHABLE if any(quote in each.hidden for each in self.results) else MISSING

    def recent(self) -> Iterator[ResultText]:
        """Yield the results of the last calls, the newest first."""
        for each in reversed(self.results):
            if self.call - each.call > SOON_CALLS:
                return
            yield each
