"""Chats that are written as text: lines become sections, and each section is a record.

What a section is only turns out where the next begins, so the last is told when the text is at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol

from ccos_core.intake.importers.chat.reader import ChatReader
from ccos_core.intake.importers.chat.said import SaidIn
from ccos_core.intake.importers.record import Format, Observation, Record


class Splitter(Protocol):
    """Knows where sections of one format begin."""

    def begins(self, line: str) -> bool:
        """Whether a section begins with this line. It is shown every line, in order."""


def text_format(
    name: str,
    title: str,
    looks: Callable[[Iterable[Record]], bool],
    splitter: Callable[[], Splitter],
    said_in: Callable[[], SaidIn],
) -> Format:
    """Make a format of a text; `said_in` makes what tells the sections of one file."""
    return Format(name, title, False, looks, partial(SectionReader, name, splitter, said_in), text=True)


class SectionReader(ChatReader):
    """Reads a chat whose records are lines of text."""

    def __init__(
        self, host: str, splitter: Callable[[], Splitter], said_in: Callable[[], SaidIn], session: str
    ) -> None:
        super().__init__(host, said_in(), True, False, session)
        self._splitter = splitter()
        self._lines: list[str] = []
        self._first = 1

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this line: what the section before it says."""
        line: Any = record.value
        self.tally.records += 1
        if not isinstance(line, str):
            self.tally.note("no line of text", record.line)
            return
        if self._splitter.begins(line) and self._lines:
            yield from self._section()
        if not self._lines:
            self._first = record.line
        self._lines.append(line)

    def finish(self) -> Iterator[Observation]:
        """What the last section says."""
        if self._lines:
            yield from self._section()
        yield from super().finish()

    def _section(self) -> Iterator[Observation]:
        lines, self._lines = self._lines, []
        self.tally.records -= 1  # for lines are counted, not sections
        yield from super().feed(Record(self._first, "\n".join(lines)))
