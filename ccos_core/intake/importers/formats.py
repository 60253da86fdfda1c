"""The formats of transcripts there are, how one is recognised, and how one is read.

A file is recognised by what its first records say, never by its name. Until it is, its bytes are read in three ways:
as one value a line, as one document, and as lines of text. Which pieces the bytes come in changes
nothing of what is read.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain

from ccos_core.intake.importers import crush, generic, mini_swe_agent, qwen, swe_agent
from ccos_core.intake.importers.chat.table import CHATS
from ccos_core.intake.importers.claude_code import reader as claude_code
from ccos_core.intake.importers.codex import reader as codex
from ccos_core.intake.importers.exported import atif, otel
from ccos_core.intake.importers.gemini import reader as gemini
from ccos_core.intake.importers.lines import TORN, Documents, Lines, TextLines
from ccos_core.intake.importers.opencode import reader as opencode
from ccos_core.intake.importers.record import Format, Observation, Reader, Record, Tally
from ccos_core.intake.importers.telling import TellingReader

FORMATS: tuple[Format, ...] = (
    claude_code.FORMAT,
    codex.FORMAT,
    codex.LEGACY,
    gemini.FORMAT,
    gemini.OLDER,
    qwen.FORMAT,
    opencode.FORMAT,
    crush.FORMAT,
    *CHATS,
    swe_agent.FORMAT,
    mini_swe_agent.FORMAT,
    atif.FORMAT,
    otel.FORMAT,
    generic.FORMAT,
)
"""Ours is last: it is for what no other format is."""

LOOKED_AT = 200
"""Records at which a file is looked at. One that no format knows by then isn't read."""


def recognised(first: bytes) -> Format | None:
    """The format of a transcript that begins like this."""
    transcript = Transcript("")
    for _ in chain(transcript.feed(first), transcript.finish()):
        break
    return transcript.format


class Transcript:
    """One transcript, read as it comes in. Give it the bytes in order; take all of a piece before the next."""

    def __init__(self, session: str, formats: tuple[Format, ...] = FORMATS, *, files: bool = True) -> None:
        self.format: Format | None = None
        self.reader: Reader | None = None
        self._session = session
        """What to call the session where the transcript doesn't say."""
        self._formats = formats
        self._files = files
        """Whether what calls did to files is told, where a reader can leave it out."""
        self._bytes = _Utf8()
        self._ways = [_Way(Lines), _Way(Documents), _Way(TextLines)]
        """In which it is read: all until one is found to be right."""
        self.troubles = self._ways[0].troubles
        """What couldn't be read at all."""

    def feed(self, chunk: bytes) -> Iterator[Observation]:
        """What becomes certain with these bytes."""
        chunk = self._bytes.of(chunk)
        for way in list(self._ways):
            if way in self._ways:
                yield from self._told(way, way.splitter.feed(chunk))

    def finish(self) -> Iterator[Observation]:
        """What the last line says that nobody ended. Nothing comes after it."""
        for way in list(self._ways):
            if way in self._ways:
                yield from self._told(way, way.splitter.finish())
        if self.reader is not None and TORN not in self.troubles.times:  # else more of it may come another time
            yield from self.reader.finish()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _told(self, way: _Way, records: Iterable[Record]) -> Iterator[Observation]:
        for record in records:
            if self.reader is not None:
                yield from self.reader.feed(record)
                continue
            way.seen.append(record)
            self.format = next((each for each in self._formats if way.is_one(each)), None)
            if self.format is not None:
                yield from self._begun(way, self.format.reader(self._session))
            elif len(way.seen) >= LOOKED_AT:
                self._ways.remove(way)
                return

    def _begun(self, way: _Way, reader: Reader) -> Iterator[Observation]:
        self.reader = reader
        if not self._files and isinstance(reader, TellingReader):
            reader.leave_out_files()
        self._ways = [way]
        self.troubles = way.troubles
        seen, way.seen = way.seen, []
        for record in seen:
            yield from reader.feed(record)


class _Way:
    """One way to make records of bytes."""

    def __init__(self, splitter: type[Lines | Documents | TextLines]) -> None:
        self.documents = splitter is Documents
        self.text = splitter is TextLines
        self.troubles = Tally()
        self.splitter = splitter(self.troubles)
        self.seen: list[Record] = []
        """Until it is found to be right."""

    def is_one(self, one: Format) -> bool:
        """Whether what was seen is of a format. A list of records, in brackets, is what as many lines are."""
        if one.text or self.text:
            return one.text == self.text and one.looks(self.seen)
        if one.document or not self.documents:
            return one.document == self.documents and one.looks(self.seen)
        return not self.seen[-1].name and one.looks([record for record in self.seen if not record.name])


class _Utf8:
    """Bytes as UTF-8, in pieces. What some shells write into files is UTF-16."""

    def __init__(self) -> None:
        self._first: bytes | None = b""
        """Of the whole; None once it is known what they are."""
        self._utf16: codecs.IncrementalDecoder | None = None

    def of(self, chunk: bytes) -> bytes:
        """This piece, and what was held back of the ones before."""
        if self._first is not None:
            chunk = self._first + chunk
            self._first = chunk if len(chunk) < 2 else None
            if self._first is not None:
                return b""
            if chunk[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
                self._utf16 = codecs.getincrementaldecoder("utf-16")("replace")
        return chunk if self._utf16 is None else self._utf16.decode(chunk).encode()
