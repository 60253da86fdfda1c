"""Transcripts as they come in: one JSON value a line, or one JSON document whose end may not be there yet.

Bytes in any pieces become records. A line that was torn, glued to another, cut by a crash or holds invalid JSON gives
what can be read of it; the rest is counted by line number. The end of the file, where a writer may be in the middle
of a line, waits for the rest.

In a document the elements of its lists are records, in order and with the list's name, and so are its other fields.
Each is one as soon as it is complete, so a document that was cut off gives every complete one. Several documents in
one file are read in turn. What is broken is skipped to where its brackets end, and counted.
"""

from __future__ import annotations

import codecs
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


class TextLines:
    """Reads lines of text as they come in, each a record without its end."""

    def __init__(self, troubles: Tally) -> None:
        self.troubles = troubles
        self._line = 0
        self._tail: list[bytes] = []
        self._size = 0
        """Bytes of the unfinished line, whether or not they are kept."""

    def feed(self, chunk: bytes) -> Iterator[Record]:
        """The lines that end in here."""
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            self._keep(piece)
            yield from self._read()
        self._keep(rest)

    def finish(self) -> Iterator[Record]:
        """The last line, if nobody ended it."""
        if self._size:
            yield from self._read()

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        self._tail = [] if self._size > LONGEST else [*self._tail, piece]

    def _read(self) -> Iterator[Record]:
        raw, size = b"".join(self._tail), self._size
        self._tail, self._size = [], 0
        self._line += 1
        if size > LONGEST:
            self.troubles.note(TOO_LONG, self._line)
            return
        self.troubles.records += 1
        yield Record(self._line, raw.decode("utf-8", "replace").removesuffix("\r").removeprefix("\ufeff"))


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


LONGEST_DOCUMENT = 64 * 2**20
"""Characters of a value. What is longer is no record."""
LONGEST_WORD = 10_000
"""Characters of a field's name, or of a number."""

_BETWEEN_PARTS = re.compile(r"[\s,\x00\x1e\ufeff]*")
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_KEY = re.compile(_STRING + r"[\s\x00]*+(?P<colon>:?+)(?=[\s\S])", re.DOTALL)
_BARE = re.compile(r'[^\s,{}\[\]"]+')
_BRACKET = re.compile(_STRING + r'|[{}\[\]"]', re.DOTALL)
_QUOTE = re.compile(r'["\\]')

_OUTSIDE, _FIELDS, _FIELD, _LIST = "outside", "fields", "field", "list"
"""Where one stands: outside of any document, among its fields, before the value of one, or in a list."""
_STRANGE = {_OUTSIDE: re.compile(r"[^{\[]*"), _FIELDS: re.compile(r'[^"\]}]*')}
"""What has no meaning there."""


class Documents:
    """Reads documents as they come in. Give it the bytes in order; take all records of a piece before the next."""

    def __init__(self, troubles: Tally) -> None:
        self.troubles = troubles
        self._bytes = b""
        """The first bytes of a character whose others haven't come."""
        self._text = ""
        """What has come and isn't read."""
        self._at = 0
        """Where in it one stands."""
        self._line = 1
        self._counted = 0
        """Where in the text `_line` is."""
        self._where = _OUTSIDE
        self._name = ""
        """Of the field whose value comes, or in whose list one stands."""
        self._listed = False
        """Whether the document is a list itself."""
        self._open: _Open | None = None
        """A value whose end hasn't come."""
        self._strange = False
        """Whether one stands in something that is no JSON, and has said so."""

    def feed(self, chunk: bytes) -> Iterator[Record]:
        """The records that end in here."""
        text = self._decoded(chunk)
        if self._open is not None:
            end = self._open.goes_on(text)
            if end < 0:
                return
            yield from self._closed(self._open)
            text = text[end:]
        self._text, self._at, self._counted = self._text + text, 0, 0
        yield from self._read()
        self._count()
        self._text, self._at, self._counted = self._text[self._at :], 0, 0

    def finish(self) -> Iterator[Record]:
        """Nothing comes any more: what isn't complete was torn off."""
        if self._where != _OUTSIDE or self._open is not None or self._bytes:
            self.troubles.note(TORN, self._line)
        yield from ()

    # -- one document ---------------------------------------------------------------------------------------------

    def _read(self) -> Iterator[Record]:
        """All that is complete; stops where something isn't."""
        while self._begins():
            char = self._text[self._at]
            if char in "]}" or self._where in (_OUTSIDE, _FIELDS) or (char == "[" and self._where == _FIELD):
                if not self._moved(char):
                    return
                continue
            if not self._whole():
                return
            if self._open is not None:
                yield from self._closed(self._open)

    def _begins(self) -> bool:
        """Go past what may stand between values; whether something is there."""
        between = _BETWEEN_PARTS.match(self._text, self._at)
        self._at = between.end() if between else self._at
        return self._at < len(self._text)

    def _moved(self, char: str) -> bool:
        """Go into or out of something; false where more has to come first."""
        if self._where == _FIELDS and char == '"':
            return self._named()
        self._at += 1
        if char in "]}":
            self._left(char)
        elif self._where == _OUTSIDE and char in "[{":
            self._listed = char == "["
            self._where, self._name = (_LIST, "") if self._listed else (_FIELDS, "")
        elif self._where == _FIELD:
            self._where = _LIST
        else:
            self._is_strange()
            run = _STRANGE[self._where].match(self._text, self._at)
            self._at = run.end() if run is not None else self._at
        return True

    def _left(self, char: str) -> None:
        """A bracket closes what one stands in. One of the wrong kind closes it as well, as nothing better is known."""
        right = (self._where == _FIELDS and char == "}") or (self._where == _LIST and char == "]")
        if not right:
            self._is_strange()
        if self._where == _LIST and not self._listed and char == "]":
            self._where = _FIELDS
        elif char == "}" or (self._where == _LIST and self._listed):
            self._where = _OUTSIDE

    def _named(self) -> bool:
        """A field's name and the colon behind it; false where they aren't all there."""
        key = _KEY.match(self._text, self._at)
        if key is None and len(self._text) - self._at < LONGEST_WORD:
            return False
        if key is None or not key["colon"]:
            self._at = key.end() if key is not None else self._at + 1
            self._is_strange()
            return True
        try:
            self._name = DECODER.raw_decode(self._text, self._at)[0]
        except ValueError:
            self._is_strange()
        self._at, self._where = key.end(), _FIELD
        return True

    # -- one value ------------------------------------------------------------------------------------------------

    def _whole(self) -> bool:
        """Find the end of the value that begins here; false where it hasn't come."""
        self._count()
        name = self._name
        if self._text[self._at] not in '{["':
            return self._bare()
        try:
            value, end = DECODER.raw_decode(self._text, self._at)
        except (ValueError, RecursionError):
            return self._searched()
        self._open = _Open(self._line, name, value)
        self._at = end
        return True

    def _bare(self) -> bool:
        """A number, a word, or something that is neither."""
        bare = _BARE.match(self._text, self._at)
        end = bare.end() if bare else self._at + 1
        if end == len(self._text) and end - self._at < LONGEST_WORD:
            return False
        self._open = _Open(self._line, self._name)
        self._open.parts.append(self._text[self._at : end])
        self._at = end
        return True

    def _searched(self) -> bool:
        """A value that isn't complete, or broken."""
        self._open = _Open(self._line, self._name)
        rest = self._text[self._at :]
        end = self._open.goes_on(rest)
        self._at += end if end >= 0 else len(rest)
        self._counted = self._at  # the value has its own lines
        return end >= 0

    def _closed(self, value: _Open) -> Iterator[Record]:
        """The end of a value has come."""
        self._open = None
        self._line += value.lines
        self._where = _LIST if self._where == _LIST else _FIELDS
        yield from value.record(self.troubles)
        self._strange = False

    # -- helpers --------------------------------------------------------------------------------------------------

    def _decoded(self, chunk: bytes) -> str:
        raw = self._bytes + chunk
        try:
            text, taken = codecs.utf_8_decode(raw, "strict", False)
        except UnicodeDecodeError:
            self.troubles.note(NO_UTF8, self._line)
            text, taken = codecs.utf_8_decode(raw, "replace", False)
        self._bytes = raw[taken:]
        return text

    def _count(self) -> None:
        """Bring the line up to where one stands."""
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at

    def _is_strange(self) -> None:
        if not self._strange:
            self._count()
            self.troubles.note(UNREADABLE, self._line)
            self._strange = True


class _Open:
    """A value of a document, from its first character on."""

    def __init__(self, line: int, name: str, value: Any = None) -> None:
        self.line = line
        self.name = name
        self.value = value
        self.parts: list[str] = []
        """Its text; empty where the value is known already."""
        self.lines = 0
        """Ends of lines in the text."""
        self._size = 0
        self._depth = 0
        self._quoted = self._escaped = False

    def goes_on(self, text: str) -> int:
        """Take more of it; where it ends in there, or -1."""
        end = self._end(text)
        part = text if end < 0 else text[:end]
        self.lines += part.count("\n")
        self._size += len(part)
        self.parts.append(part)
        if self._size > LONGEST_DOCUMENT:
            self.parts = [""]
        return end

    def record(self, troubles: Tally) -> Iterator[Record]:
        """The record it is, if it can be read."""
        if self._size > LONGEST_DOCUMENT:
            troubles.note(TOO_LONG, self.line)
            return
        if self.parts:
            text = "".join(self.parts)
            if "\0" in text:
                troubles.note(NULS, self.line)
                text = text.replace("\0", "")
            try:
                self.value = DECODER.decode(text)
            except (ValueError, RecursionError):
                troubles.note(UNREADABLE, self.line)
                return
        troubles.records += 1
        yield Record(self.line, self.value, self.name)

    def _end(self, text: str) -> int:
        at = 0
        while True:
            if self._quoted:
                at = self._unquoted(text, at)
                if at < 0 or not self._depth:
                    return at
            found = _BRACKET.search(text, at)
            if found is None:
                return -1
            at, mark = found.end(), found.group()
            if mark == '"':
                self._quoted = True
                continue
            self._depth += (mark in "{[") - (mark in "}]")
            if self._depth <= 0:
                return at

    def _unquoted(self, text: str, at: int) -> int:
        """Where the text one stands in ends; -1 where it doesn't in here."""
        while at < len(text) or not self._escaped:
            if self._escaped:
                self._escaped = False
                at += 1
            found = _QUOTE.search(text, at)
            if found is None:
                return -1
            at = found.end()
            if found.group() == '"':
                self._quoted = False
                return at
            self._escaped = True
        return -1
