"""Transcripts as files: read from where the last look ended, with those of their subagents, in the order of time.

What a transcript says is `intake`'s business; this knows where the bytes are. A file that was replaced or cut is begun
anew; what it says again is known by its keys. Nothing is held open between two reads, so a session may have any
number of files.
"""

from __future__ import annotations

import heapq
import os
import shlex
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO

from ccos_core.errors import NotFound, Unavailable
from ccos_core.intake.importers.fields import decoded, text
from ccos_core.intake.importers.formats import Transcript, recognised
from ccos_core.intake.importers.record import Origin
from ccos_core.session.places import below, beside, called, is_once_beside, main_beside, once_beside
from ccos_core.storage import agent_db
from ccos_core.values.paths import is_absolute

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation

CHUNK, SMALLEST_CHUNK = 2**20, 2**14
"""Bytes read at a time, and how few where many files are read at once."""
MOST_AT_ONCE = 2**25
"""Bytes of all of them."""
STREAM = "-"
"""Stands for what comes in."""
COMPRESSED = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
    b"PK\x03\x04": "zip",
}
"""How files begin that hold something else packed up → what unpacks them."""

Heard = Callable[[int], None]
"""Told how many bytes have been read."""


def unheard(_: int) -> None:
    """Hear no progress."""


class Tail:
    """One file, as far as it has been read."""

    def __init__(self, path: str, stream: BinaryIO | None = None, *, files: bool = True) -> None:
        self.path = path
        self._files = files
        """Whether what calls did to files is told, where that can be left out."""
        self.transcript = self._begun()
        self._stream = stream
        self._seen: tuple[int, int, int] = (0, 0, 0)
        """What the file was at the last look: inode, size, when it was changed."""
        self._offset = 0
        self._said = 0
        self._document = b""
        """Of a session in a database, as it was at the last look."""
        self._state: tuple[int, ...] = ()
        """Of that database."""

    def read(self, heard: Heard = unheard, size: int = CHUNK) -> Iterator[Observation]:
        """What becomes certain by what was written since the last look; `size` bytes are read at a time."""
        self._look()
        while chunk := self._chunk(size):
            yield from self._named(self.transcript.feed(chunk))
            heard(len(chunk))

    def finish(self) -> Iterator[Observation]:
        """What becomes certain because nothing follows."""
        yield from self._named(self.transcript.finish())

    @property
    def called(self) -> str:
        """What the file calls the session."""
        return _called(self.path)

    @property
    def address(self) -> str:
        """Where the session lies in a database, which may be the only one there; empty in any other file."""
        path, session = agent_db.split(self.path)
        if session:
            return self.path
        return agent_db.only_session(path) if self._stream is None and agent_db.is_database(path) else ""

    @property
    def origin(self) -> Origin:
        """What it says of itself, as far as it has been read."""
        return self.transcript.reader.origin if self.transcript.reader is not None else Origin()

    @property
    def size(self) -> int:
        """Bytes of it, as far as that can be told."""
        try:
            return len(self._document) or os.stat(self.path).st_size if self._stream is None else 0
        except OSError:
            return 0

    # -- helpers --------------------------------------------------------------------------------------------------

    def _named(self, said: Iterator[Observation]) -> Iterator[Observation]:
        """Each with something to know it by when it comes again, be it the place where it stands."""
        for each in said:
            self._said += 1
            yield each if each.get("call") else {**each, "call": f"said:{self._said}"}

    def _begun(self) -> Transcript:
        return Transcript(_called(self.path), files=self._files)

    def _look(self) -> None:
        """Begin anew where this isn't the file any more that was begun."""
        if self._stream is not None:
            return
        path, session = agent_db.split(self.path)
        try:
            told = os.stat(path)
        except FileNotFoundError:
            raise NotFound("there is no such file", place=self.path) from None
        except (OSError, ValueError) as error:
            raise _unreadable(self.path, error) from error
        if stat.S_ISDIR(told.st_mode):
            raise NotFound("is a folder", place=self.path)
        if not stat.S_ISREG(told.st_mode):  # a pipe would be waited for, and a device may never end
            hint = f"Pipe its output: ccos-tui import {STREAM} -o WS < {self.path}"
            raise Unavailable("isn't a file", place=self.path, hint=hint)
        now = (told.st_ino, told.st_size, told.st_mtime_ns)
        if session or agent_db.is_database(path):
            self._look_into(path)
            now = (told.st_ino, len(self._document), zlib.crc32(self._document))
        if self._offset and self._is_another(now):
            self.transcript = self._begun()
            self._offset = self._said = 0
        self._seen = now

    def _look_into(self, path: str) -> None:
        """Read a database, if anything was written to it since the last look."""
        state = agent_db.state_of(path)
        if state != self._state:
            self._state = state
            address = self.address
            self._document = agent_db.document(address) if address else b""

    def _is_another(self, now: tuple[int, int, int]) -> bool:
        """A document is written anew as a whole; lines only ever follow."""
        rewritten = self.transcript.format is not None and self.transcript.format.document and now != self._seen
        return rewritten or now[0] != self._seen[0] or now[1] < self._offset

    def _chunk(self, size: int) -> bytes:
        try:
            if self._stream is not None:
                chunk = self._stream.read(size)
            elif self._document:
                chunk = self._document[self._offset : self._offset + size]
            else:
                with open(self.path, "rb") as file:
                    file.seek(self._offset)
                    chunk = file.read(size)
        except OSError as error:
            raise _unreadable(self.path, error) from error
        if not self._offset:
            _refuse_packed(self.path, chunk)
        self._offset += len(chunk)
        return chunk


class Story:
    """One session: its transcript and those of its subagents."""

    def __init__(self, main: Tail, named: dict[str, str] | None = None) -> None:
        self.main = main
        self.others: dict[str, Tail] = {}
        """By path."""
        self._named: dict[str, str] = {} if named is None else named
        """Subagents' files beside sessions → the session each names; shared by those of one folder."""

    @property
    def tails(self) -> Sequence[Tail]:
        """All of them."""
        return (self.main, *self.others.values())

    @property
    def paths(self) -> Sequence[str]:
        """Where they are."""
        return [tail.path for tail in self.tails]

    @property
    def cwd(self) -> str:
        """Where it began, as its machine spells it; empty where it doesn't say."""
        return next(filter(is_folder, (tail.origin.cwd for tail in self.tails)), "")

    @property
    def size(self) -> int:
        """Bytes, as far as that can be told."""
        return sum(tail.size for tail in self.tails)

    def read(self, heard: Heard = unheard) -> Iterator[Observation]:
        """What becomes certain since the last look, in the order of time where several speak."""
        self.look_around()
        size = min(max(MOST_AT_ONCE // len(self.tails), SMALLEST_CHUNK), CHUNK)
        others = [_as_far_as_it_goes(tail, heard, size) for tail in self.others.values()]
        return _merged([self.main.read(heard, size), *others])

    def finish(self) -> Iterator[Observation]:
        """What becomes certain because nothing follows."""
        return _merged([tail.finish() for tail in self.tails])

    def look_around(self) -> None:
        """Find subagents that have begun since."""
        address = self.main.address
        begun = agent_db.begun_by(address) if address else ()
        for path in (*beside(self.main.path), *self._once_beside(), *begun):
            if path not in self.others:
                self.others[path] = Tail(path)

    def _once_beside(self) -> Iterator[str]:
        for path in once_beside(self.main.path):
            if path not in self.others and _session_in(path, self._named) == self.main.called:
                yield path


def stories(paths: Iterable[str], stream: BinaryIO | None = None) -> Iterator[Story]:
    """The sessions people mean by `paths`: files, whatever they are called, and what a folder has of transcripts.
    `stream` is read where one of them is a dash."""
    named: dict[str, str] = {}
    for path in paths:
        if path == STREAM:
            yield Story(Tail(path, stream))
        elif os.path.isdir(path):
            found = (each for each in below(path) if _is_transcript(each) and not _is_anothers(each, named))
            for each in found:
                yield from stories([each]) if agent_db.is_database(each) else (Story(Tail(each), named),)
        elif agent_db.is_database(path):
            yield from (Story(Tail(each.address)) for each in agent_db.sessions_in(path) if not each.parent)
        else:
            yield Story(Tail(path))


def _is_transcript(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        if agent_db.is_database(path):
            return bool(agent_db.sessions_in(path))
        with open(path, "rb") as file:
            return recognised(file.read(CHUNK)) is not None
    except (OSError, Unavailable):
        return False


def _is_anothers(path: str, named: dict[str, str]) -> bool:
    """Whether a file is a subagent's whose session lies beside it, and is read with that."""
    return is_once_beside(path) and bool(main_beside(path, _session_in(path, named)))


def _session_in(path: str, named: dict[str, str]) -> str:
    """The session the first record of a file names; empty where it names none, or isn't all there."""
    if path not in named and os.path.isfile(path):
        try:
            with open(path, "rb") as file:
                session = text(decoded(file.readline(CHUNK)), "sessionId")
        except OSError:
            session = ""
        if session:
            named[path] = session
    return named.get(path, "")


def is_folder(said: str) -> bool:
    """Whether a folder can be called so, on any system."""
    try:
        said.encode()
    except UnicodeEncodeError:
        return False
    return is_absolute(said.replace("\\", "/")) and "\0" not in said


def _as_far_as_it_goes(tail: Tail, heard: Heard, size: int) -> Iterator[Observation]:
    """What a subagent's file says. One that can't be read keeps nothing else of the session out."""
    try:
        yield from tail.read(heard, size)
    except (NotFound, Unavailable) as error:
        if error.fact not in tail.transcript.troubles.times:
            tail.transcript.troubles.note(error.fact, 0)


def _called(path: str) -> str:
    session = agent_db.split(path)[1]
    if session:
        return session
    return "stdin" if path == STREAM else called(path)


def _merged(streams: Sequence[Iterator[Observation]]) -> Iterator[Observation]:
    """Each in its own order, and the earliest first: what a stream says before it names a time is as old as what it
    said last."""
    if len(streams) == 1:
        return streams[0]
    timed = [_timed(number, stream) for number, stream in enumerate(streams)]
    return (said for _, _, said in heapq.merge(*timed, key=lambda each: each[:2]))


def _timed(number: int, stream: Iterator[Observation]) -> Iterator[tuple[int, int, Observation]]:
    now = 0
    for said in stream:
        at = said.get("at")
        now = max(now, at) if isinstance(at, int) else now
        yield now, number, said


def _refuse_packed(path: str, begins: bytes) -> None:
    by = next((by for magic, by in COMPRESSED.items() if begins.startswith(magic)), "")
    if by:
        named = shlex.quote(path) if path != STREAM else "FILE"
        unpack = f"unzip -p {named}" if by == "zip" else f"{by} -dc {named}"
        hint = f"Unpack it: {unpack} | ccos-tui import {STREAM} -o WS"
        raise Unavailable(f"is compressed with {by}", place=path, hint=hint)


def _unreadable(path: str, error: OSError | ValueError) -> Unavailable | NotFound:
    if isinstance(error, ValueError):  # a NUL, which no file system allows
        return NotFound("isn't a valid file name", place=ascii(path))
    return Unavailable(f"can't be read: {error.strerror}", place=path)
