"""Read what was said in a transcript or a workspace, for the search index: role, text and the name of each step.

The importers' readers read it and the gate cleans it, so the index holds what a record would hold, and a text found in
it leads to the step that an import makes of it. Of a transcript that has grown the reader reads all, because what it
remembers decides how a step is named (a boundary before its summary, the prompt of a turn). Only what is new goes
through the gate: from the last place at which no call was waiting for its end.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError, Unavailable
from ccos_core.intake.importers.formats import Transcript
from ccos_core.ops.plain import NotAnOp, delivery_key, unseal
from ccos_core.session.admit import admit
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.places import called, main_beside, session_of
from ccos_core.session.session import place_elsewhere
from ccos_core.session.transcripts import is_folder
from ccos_core.storage import agent_db
from ccos_core.storage.files import is_record
from ccos_core.storage.opening import open_record
from ccos_core.storage.search_index import Reading, State, Story, Text, pack
from ccos_core.text.sanitize import clean
from ccos_core.text.search_words import searchable
from ccos_core.values.canon import digest

if TYPE_CHECKING:
    from typing import BinaryIO

    from ccos_core.intake.importers.record import Observation
    from ccos_core.ops.plain import Plain
    from ccos_core.storage.record import Record
    from ccos_core.values.paths import Place

KINDS = ("prompt", "thinking", "text", "input", "result", "host")
"""What a text is: what the user said, what the model thought and said, what went into a tool and came out of it, and
what the host put among it (reminders, summaries, notes)."""
FIELDS = {
    "turn": (("said", "text"),),
    "thought": (("said", "thinking"),),
    "tool": (("arguments", "input"), ("result", "result")),
    "prompt": (("said", "prompt"),),
    "compaction": (("summary", "host"),),
    "annotation": (("note", "host"),),
    "seen": (("content", "host"),),
}
"""Kind of op → its texts, and what they are. A prompt that no user typed, and a file that the host brought, are the
host's."""
LOT = 400
"""Observations that go through the gate at a time."""
PIECE = 2**20
"""Bytes of a line that are read at a time."""
AT_A_TIME = 64 * 2**20
"""Bytes of a file that are read before what was found is kept."""
OVERLAP = 8
"""Records that are read again when a transcript has grown: a host may tell one thing in two records."""
ENDING = 256
"""Bytes by whose hash the place to go on from is known again."""
LONGEST_TITLE = 300
TITLE_CLEANED = 10_000
"""Characters of a first prompt that are looked at, so that a secret across the cut is whole where it is masked."""


def read_transcript(path: str, state: State) -> Reading:
    """What a transcript says, behind what `state` says was read of it."""
    reading = Reading()
    with _opened(path) as (file, written):
        reader = _Reader(path, file, reading, written)
        reader.go_to(state)
        waiting: list[Observation] = []
        for said in reader.observations():
            waiting.append(said)
            if len(waiting) >= LOT:
                reader.take(waiting)
                waiting = []
        reader.take(waiting)
        reader.close()
    return reading


@contextlib.contextmanager
def _opened(path: str) -> Iterator[tuple[BinaryIO, int]]:
    """A transcript's bytes, and when its file was written, in milliseconds since 1970."""
    place, session = agent_db.split(path)
    with io.BytesIO(agent_db.document(path)) if session else open(path, "rb") as file:
        yield file, os.stat(place).st_mtime_ns // 1_000_000


class _Reader:
    """One transcript being read."""

    def __init__(self, path: str, file: BinaryIO, reading: Reading, written: int) -> None:
        self.path = path
        self.file = file
        self.reading = reading
        self.transcript = Transcript(agent_db.split(path)[1] or called(path))
        self.told = 0
        """Observations so far: what has no name of its own is named by its number, as an import names it."""
        self.at = 0
        """Bytes that were read."""
        self.quiet: deque[tuple[int, int]] = deque()
        """(records, offset) of places to go on from, the oldest first."""
        self.titles: dict[str, str] = {}
        """Session → its first prompt."""
        self.stories: dict[str, int] = {}
        self.now = written
        """For what is said before anything names a time, when the file was written; then the last time named."""

    def go_to(self, state: State) -> None:
        """Stand behind what was read before, if the file still begins with it."""
        until = state.get("until", 0)
        if not until or self._ending(until) != state.get("ending"):
            return
        self.file.seek(0)
        while self.at < until:
            line = self.file.readline(PIECE)
            self.at += len(line)
            for each in self.transcript.feed(line):
                self.told += 1
                self._look_at_clock(each)
        self._mark()
        self.reading.anew = False

    def observations(self) -> Iterator[Observation]:
        """All that is said from here on, each with a name."""
        end = self.at + AT_A_TIME
        while line := self.file.readline(PIECE):
            self.at += len(line)
            yield from self._named(self.transcript.feed(line))
            if line.endswith(b"\n"):
                self._mark()
                if self.at > end and self.quiet and self.quiet[0][1] > end - AT_A_TIME // 2:
                    self.reading.more = True
                    return
        yield from self._named(self.transcript.finish())

    def close(self) -> None:
        """Note from where to go on."""
        if self.quiet:
            _, until = self.quiet[0]
            self.reading.state = {"until": until, "ending": self._ending(until)}

    def _mark(self) -> None:
        """Note this place, if nothing is under way here."""
        reader, format_ = self.transcript.reader, self.transcript.format
        if reader is None or format_ is None or format_.document:
            return
        if next(iter(reader.pending()), None) is None:
            self.quiet.append((reader.tally.records, self.at))
        while len(self.quiet) > 1 and self.quiet[1][0] <= reader.tally.records - OVERLAP:
            self.quiet.popleft()

    def _named(self, said: Iterable[Observation]) -> Iterator[Observation]:
        for each in said:
            self.told += 1
            yield each if each.get("call") else {**each, "call": f"said:{self.told}"}

    def _look_at_clock(self, said: Observation) -> None:
        at = said.get("at")
        self.now = at if type(at) is int else self.now

    def _ending(self, until: int) -> str:
        begin = max(until - ENDING, 0)
        self.file.seek(begin)
        found = digest(self.file.read(until - begin)).hex()
        self.file.seek(self.at)
        return found

    # -- through the gate ---------------------------------------------------------------------------------------------

    def take(self, said: Iterable[Observation]) -> None:
        """Let these in, and keep their texts."""
        origin = self.transcript.reader.origin if self.transcript.reader is not None else None
        cwd = origin.cwd if origin is not None and is_folder(origin.cwd) else ""
        place, ignored = place_elsewhere(cwd), CcosIgnore(cwd)
        for each in said:
            self._look_at_clock(each)
            if each["kind"] in FIELDS and (each["kind"] != "seen" or each.get("actor") == "host"):
                self._keep(each, place, ignored)

    def _keep(self, said: Observation, place: Place, ignored: CcosIgnore) -> None:
        try:
            admitted = admit(said, place, ignored)
            key = delivery_key(said)
        except (NotAnOp, CcosError):
            return
        contents = dict(admitted.blobs)
        op = admitted.op
        story = self._story(op)
        for name, text in texts_of(op, contents):
            if name == "prompt" and not op.get("context") and op.get("session", "") not in self.titles:
                self.titles[op.get("session", "")] = title = _title(text)
                known = self.reading.stories[story]
                self.reading.stories[story] = replace(known, title=known.title or title)
            at = op.get("at", self.now)
            self.reading.texts.append(_text(story, name, at, key or b"", text))

    def _story(self, op: Plain) -> int:
        session = op.get("session", "")
        if session not in self.stories:
            reader = self.transcript.reader
            assert reader is not None
            self.stories[session] = len(self.reading.stories)
            opens = session_of(self.path) or main_beside(self.path, session) or self.path
            project, title = clean(reader.origin.cwd)[0], _title(reader.origin.title)
            self.reading.stories.append(Story(self.path, op.get("host", ""), session, opens, project, title))
        return self.stories[session]


def read_workspace(path: str, state: State) -> Reading:
    """What a workspace has recorded behind the step of `state`."""
    reading = Reading()
    with open_record(path) as record:
        head, hash_ = record.head()
        step = state.get("step", 0)
        erased = record.ask("SELECT count(*) FROM erased")[0][0]
        same = step and step <= head and record.op(step)[1].hex() == state.get("hash") and erased == state["erased"]
        reading.anew = not same
        _read_steps(record, step + 1 if same else 1, reading)
        reading.state = {"step": head, "hash": hash_.hex(), "erased": erased}
    return reading


def _read_steps(record: Record, first: int, reading: Reading) -> None:
    from ccos_core.session.session import root_of

    root = root_of(record)
    stories: dict[tuple[str, str], int] = {}
    now = 0
    for step, _, body in record.rows(first):
        op = unseal(body, known=True)
        now = op.get("at", now)
        if op["kind"] not in FIELDS or (op["kind"] == "seen" and op.get("actor") != "host"):
            continue
        wanted = [bytes.fromhex(op[name]["blob"]) for name, _ in FIELDS[op["kind"]] if name in op]
        name = op.get("host", ""), op.get("session", "")
        for kind, text in texts_of(op, record.contents(wanted)):
            if name not in stories:
                stories[name] = len(reading.stories)
                reading.stories.append(Story(record.path, *name, record.path, root, ""))
            story = stories[name]
            if kind == "prompt" and not reading.stories[story].title:
                reading.stories[story] = replace(reading.stories[story], title=_title(text))
            reading.texts.append(_text(story, kind, now, step_key(step), text))


def step_key(step: int) -> bytes:
    """How a step of a workspace is named in the index."""
    return b"step" + step.to_bytes(8, "big")


def texts_of(op: Plain, contents: dict[bytes, bytes]) -> Iterator[tuple[str, str]]:
    """(what it is, the text) of each text of an op."""
    for name, kind in FIELDS[op["kind"]]:
        reference = op.get(name)
        content = contents.get(bytes.fromhex(reference["blob"])) if reference else None
        if content is None:
            continue
        text = content.decode("utf-8", "replace")
        if name == "arguments":
            text = "\n".join(chain([op["name"]], _strings(text)))
        yield ("host" if kind == "prompt" and op.get("source") != "user" else kind), text


def _strings(arguments: str) -> Iterator[str]:
    """The texts and numbers within arguments, without the marks of JSON around them."""
    try:
        left: list[Any] = [json.loads(arguments)]
    except (ValueError, RecursionError):
        yield arguments
        return
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += reversed(value.values())
        elif isinstance(value, list):
            left += reversed(value)
        elif value is not None and not isinstance(value, bool):
            yield str(value)


def _text(story: int, kind: str, at: int, key: bytes, text: str) -> Text:
    return Text(story, KINDS.index(kind), at, key, searchable(text), pack(text))


def _title(said: str) -> str:
    """How a prompt begins, on one line."""
    words = " ".join(clean(said[:TITLE_CLEANED])[0].split())
    return words if len(words) <= LONGEST_TITLE else words[:LONGEST_TITLE] + "…"


def read_file(path: str, state: State) -> Reading | None:
    """What a file says: a workspace, or a transcript; nothing where it is neither. None where it can't be read now."""
    try:
        return read_workspace(path, state) if is_record(path) else read_transcript(path, state)
    except (OSError, Unavailable):
        return None
    except CcosError:
        return Reading()
