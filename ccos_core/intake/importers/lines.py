"""A transcript with one JSON value a line, read as it comes in, whatever state it is in.

Bytes in any pieces become records. A line that was torn, glued to another, cut by a crash or holds what no JSON holds
gives what can be read of it; what can't is counted with its number. The end of the file, where a writer may be in the
middle of a line, waits for the rest of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json import JSONDecoder
from typing import Any

from ccos_core.intake.importers.record import Record, Tally

LONGEST = 64 * 2**20
"""Bytes of a line. What is longer is no record."""
TORN, UNREADABLE, TOO_LONG, NULS, NO_UTF8 = "torn end", "unreadable", "too long", "NUL bytes", "invalid UTF-8"
"""What can be wrong with a line. After the last two it was read all the same."""
MOST_TRIES = 16
"""Places in a broken line where a whole value is looked for."""

DECODER = JSONDecoder(strict=False)
"""Lets pass what is no harm: control characters in a text, NaN."""

_BETWEEN = re.compile(r"[\s,\x1e\ufeff]*")
_BEGIN = re.compile(r'(?<![:,\[\s])\s*(\{")')
"""Where a value may begin behind one that was torn, and not inside of it, behind a colon, a comma or a bracket."""


def records(chunks: Iterable[bytes], troubles: Tally) -> Iterator[Record]:
    """The records of a whole file."""
    lines = Lines(troubles)
    for chunk in chunks:
        yield from lines.feed(chunk)
    yield from lines.finish()


class Lines:
    """Reads lines as they come in. Give it the bytes in order; take all records of a piece before the next."""

    def __init__(self, troubles: Tally) -> None:
        self.troubles = troubles
        self._number = 1
        """Of the line that is being read."""
        self._tail: list[bytes] = []
        self._size = 0
        """Bytes of the unfinished line, whether or not they are kept."""

    def feed(self, chunk: bytes) -> Iterator[Record]:
        """The records of the lines that end in here."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            if piece or self._size:
                self._keep(piece)
                yield from self._read(ended=True)
            else:
                self._number += 1
        self._keep(rest)

    def finish(self) -> Iterator[Record]:
        """What the last line says that nobody ended. Nothing comes after it."""
        yield from self._read(ended=False)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _keep(self, piece: bytes) -> None:
        if not piece:
            return
        self._size += len(piece)
        if self._size > LONGEST:
            self._tail.clear()
        else:
            self._tail.append(piece)

    def _read(self, *, ended: bool) -> Iterator[Record]:
        """The unfinished line is finished."""
        raw, line, size = b"".join(self._tail), self._number, self._size
        self._tail.clear()
        self._size = 0
        self._number += 1
        if size > LONGEST:
            self.troubles.note(TOO_LONG, line)
            return
        for value in self._values(raw, line, ended):
            self.troubles.records += 1
            yield Record(line, value)

    def _values(self, raw: bytes, line: int, ended: bool) -> Iterable[Any]:
        if ended:
            try:
                return (DECODER.decode(raw.decode()),)
            except (ValueError, RecursionError):
                pass
        return self._found(self._text(raw, line), line, ended)

    def _text(self, raw: bytes, line: int) -> str:
        text = raw.decode("utf-8", "replace")
        if "\N{REPLACEMENT CHARACTER}" in text and not _is_utf8(raw):
            self.troubles.note(NO_UTF8, line)
        if "\0" in text:
            self.troubles.note(NULS, line)
            text = text.replace("\0", "")
        return text

    def _found(self, text: str, line: int, ended: bool) -> Iterator[Any]:
        """Objects and lists that stand one behind the other, and behind what is broken."""
        at, tries = _past(text, 0), 0
        while at < len(text):
            try:
                value, end = DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                value, end = None, at
            if isinstance(value, (dict, list)):
                yield value
                at = _past(text, end)
                continue
            if not tries:
                self.troubles.note(UNREADABLE if ended else TORN, line)
            tries += 1
            begins = _BEGIN.search(text, at + 1) if tries <= MOST_TRIES else None
            at = begins.start(1) if begins else len(text)


def _past(text: str, at: int) -> int:
    """Past what may stand between two values."""
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
