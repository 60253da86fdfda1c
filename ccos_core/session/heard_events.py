"""Turn events that hooks heard into ops: read like a transcript, let through the gate, put on disk in batches.

Each event is judged by what the record says before it: a call that is recorded already is left out, whichever source
told it first. What no op has room for (where each conversation stands, which parts of files reach to their ends, at
which steps it saw which file) is kept beside the record in the same transaction.

An edit is placed among lines that were shown earlier, perhaps to another process. Only ops that the table still holds
are searched for them: of a file last seen in the archive nothing is known, and the edit then says so.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from ccos_core.errors import NotFound, Refused
from ccos_core.intake.hooks.heard import LENS, Course, Heard, Told
from ccos_core.intake.hooks.readers import kind_of, told_by
from ccos_core.intake.hooks.remembered import Remembered, Sighting
from ccos_core.intake.importers.telling import Telling
from ccos_core.ops.plain import NotAnOp, delivery_key
from ccos_core.session.admit import Admitted
from ccos_core.session.hearing import KEPT, kept_beside
from ccos_core.session.session import Session, open_session
from ccos_core.session.trouble_log import note_trouble
from ccos_core.storage.record import LAST_STEP, Record
from ccos_core.values.canon import NotCanonical, digest
from ccos_core.values.paths import Place, recorded

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation
    from ccos_core.session.hearing import Taken
    from ccos_core.storage.record import Writing

NAMING = "SELECT step, body FROM op WHERE step > ? AND step <= ? AND instr(body, ?) AND instr(body, ?)"
OP = "SELECT body FROM op WHERE step = ?"
OF_A_FILE, OF_FILES = ("seen", "gone", "renamed"), b'"path":'
MARK = 8
"""Characters by which a file is known; two may have the same."""


@dataclass(slots=True)
class Noted:
    """At which steps one conversation was told of which file."""

    upto: int = 0
    """The last op that was looked at."""

    steps: dict[str, list[int]] = field(default_factory=dict)
    """Mark of a path → the steps that name it, rising."""


@dataclass(frozen=True, slots=True)
class RecordedFiles:
    """The files of one conversation, in one record."""

    record: Record
    place: Place
    host: str
    session: str
    context: str
    ends: Mapping[str, int]
    """Step → how the part that was shown there ends its file."""
    noted: Noted

    def recall(self, path: str) -> list[Sighting]:
        """What was recorded of a file, by the path its host says; from where it was known as a whole."""
        self._note()
        found: list[Sighting] = []
        for op, step in self._back(recorded(path, self.place)):
            found.append(self._sighting(op, step))
            if found[-1].kind == "gone" or (found[-1].text is not None and not found[-1].first):
                break
        return found[::-1]

    # -- helpers --------------------------------------------------------------------------------------------------

    def _note(self) -> None:
        """Read what was recorded since the last look."""
        noted, head = self.noted, self.record.head()[0]
        if noted.upto < head:
            said = _spelled(self.session) if self.session else OF_FILES
            for step, body in self.record.ask(NAMING, (noted.upto, head, said, OF_FILES)):
                op = json.loads(body)
                if op["kind"] in OF_A_FILE and self._is_ours(op):
                    for mark in {_mark(op[name]) for name in ("path", "to") if name in op}:
                        noted.steps.setdefault(mark, []).append(step)
            noted.upto = head

    def _back(self, path: str) -> Iterator[tuple[dict[str, Any], int]]:
        """What this conversation was told of a file, the newest first, under the name it had then."""
        before: int | None = LAST_STEP
        while before is not None:
            steps, before = self._before(path, before), None
            for step in steps:
                op = self._op(step)
                if op is None:
                    return
                if op["kind"] == "renamed" and op["to"] == path:
                    path, before = op["path"], step
                    break
                if op["path"] == path:
                    yield op, step

    def _before(self, path: str, step: int) -> list[int]:
        steps = self.noted.steps.get(_mark(path), [])
        return steps[: bisect_left(steps, step)][::-1]

    def _op(self, step: int) -> dict[str, Any] | None:
        """The op of a step, if it isn't in the archive."""
        for (body,) in self.record.ask(OP, (step,)):
            op: dict[str, Any] = json.loads(body)
            return op
        return None

    def _is_ours(self, op: Mapping[str, Any]) -> bool:
        named = (op.get("host", ""), op.get("session", ""), op.get("context", ""))
        return named == (self.host, self.session, self.context)

    def _sighting(self, op: Mapping[str, Any], step: int) -> Sighting:
        if op["kind"] != "seen":
            return Sighting("gone")
        first = op["slice"][0] if "slice" in op else 0
        return Sighting("seen", op["how"], self._text(op), first, op.get("took"), self.ends.get(str(step), 0))

    def _text(self, op: Mapping[str, Any]) -> str | None:
        content = op.get("content")
        if not content or "whole" in content:
            return None
        try:
            return self.record.content(bytes.fromhex(content["blob"])).decode("utf-8", "replace")
        except NotFound:  # erased
            return None


def _spelled(text: str) -> bytes:
    """A path or a name as it stands in an op's bytes."""
    return json.dumps(text, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _mark(path: str) -> str:
    return digest(path.encode("utf-8", "surrogatepass")).hex()[:MARK]


BATCH, BATCH_BYTES = 500, 4_000_000
"""A batch is full at either."""
LOOKED_BACK = 50
"""Ops among which the last one of a conversation is looked for."""
MOST_STOOD, MOST_ENDS = 500, 5_000
"""Conversations and parts that are remembered, the newest of them."""
FILES, MOST_NOTED = "heard files", 4
"""What the record calls the files that conversations know, and of how many conversations: {conversation: [up to which
step, {file: steps}]}. It is read when an agent is shown a file."""


class Taking:
    """Events on their way into one workspace; usable in a `with` block."""

    def __init__(self, ws: str, taken: Taken, patience: float) -> None:
        self.ws = ws
        self.taken = taken
        self.patience = patience
        """Seconds to wait for another writer."""
        self._session: Session | None = None
        self._place = Place(())
        self._courses: dict[tuple[str, str, str], tuple[Course, Remembered]] = {}
        self._stood: dict[str, str] = {}
        """Conversation → where it stands."""
        self._ends: dict[str, int] = {}
        self._noted: dict[str, Noted] = {}
        """Conversation → the files it knows; empty until it is asked for."""
        self._waiting: list[tuple[Admitted, int]] = []
        """What isn't on disk yet, and how it ends its file."""
        self._size = 0
        self._known: set[bytes] = set()
        """Keys of what waits."""

    def __enter__(self) -> Taking:
        return self

    def __exit__(self, *_: object) -> None:
        if self._session is not None:
            self._session.close()

    def take(self, body: bytes) -> bool:
        """Take one event in; gives whether it could be read."""
        line = _parsed(body)
        if line is None:
            return False
        host = line.get("host")
        name = f"heard:{digest(_said(body)).hex()[:16]}"
        heard = Heard(line["said"], line["at"], name, host if isinstance(host, str) else "")
        self._open(line["root"], heard.at)
        told = told_by(heard)
        if told is None:
            self.taken.unknown += 1
            note_trouble(f"hook: an event called {kind_of(heard)[:100]} isn't known, and was left out")
        for each in told or ():
            self._tell(each)
        self.taken.events += 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether so much waits that it is to be put on disk before more is taken in."""
        return len(self._waiting) >= BATCH or self._size >= BATCH_BYTES

    def finish(self) -> None:
        """Put on disk what waits."""
        if self._session is None:
            return
        waiting, self._waiting, self._size = self._waiting, [], 0
        before = self._session.added
        self._session.append([each for each, _ in waiting], lambda writing, steps: self._keep(writing, waiting, steps))
        self.taken.added += self._session.added - before
        self._known.clear()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _open(self, root: str, at: int) -> None:
        if self._session is not None:
            return
        if not os.path.lexists(self.ws):
            try:
                self._make(root, at)
            except Refused:
                if not os.path.lexists(self.ws):
                    raise
                # another process has made it in the meantime
        self._session = open_session(self.ws, stay=False, patience=self.patience)
        self._place = self._session.place
        kept = kept_beside(self._session.recorded)
        self._stood, self._ends = kept["cwd"], kept["ends"]

    def _make(self, root: str, at: int) -> None:
        from ccos_core.session.lifecycle import init, init_elsewhere  # mostly there is one

        if os.path.isdir(root):
            init(self.ws, root, clock=lambda: at)
        else:
            init_elsewhere(self.ws, root, at)

    def _tell(self, told: Told) -> None:
        conversation = f"{told.host}\t{told.session}\t{told.context}"
        if told.first is None:
            if told.cwd:
                self._stood.setdefault(conversation, told.cwd)
            return
        if self._is_known(told.first):
            return
        course, files = self._course(told, conversation)
        files.ends.clear()
        for each in told.observe(course):
            if each["kind"] == "compaction" and (call := self._injected_last(told)):
                each = {**each, "kept": [*each.get("kept", ()), call]}
            self._admit(each, files)
        if told.cwd:
            self._stood.pop(conversation, None)
            self._stood[conversation] = told.cwd

    def _injected_last(self, told: Told) -> str:
        """The call of what was injected into a conversation, if that is the last op of it. A host may start the session
        anew, where it is injected, before it tells of the compaction; so that didn't take it away."""
        session = self._session
        if session is None:
            return ""
        waiting = [each.op for each, _ in reversed(self._waiting)]
        first = max(session.recorded.floor(), session.recorded.head()[0] - LOOKED_BACK) + 1
        recorded = (json.loads(body) for _, _, body in reversed(list(session.recorded.rows(first))))
        for op in chain(waiting, recorded):
            if (op.get("host"), op.get("session"), op.get("context", "")) == (told.host, told.session, told.context):
                return str(op["call"]) if op["kind"] == "recall" and op["lens"] == LENS and "call" in op else ""
        return ""

    def _course(self, told: Told, conversation: str) -> tuple[Course, Remembered]:
        name = told.host, told.session, told.context
        if name not in self._courses and self._session is not None:
            files = Remembered(lambda path: self._recalled(name, path))
            self._courses[name] = Course(Telling(told.host, files), ""), files
        course, files = self._courses[name]
        course.cwd = self._stood.get(conversation, told.cwd)
        return course, files

    def _recalled(self, name: tuple[str, str, str], path: str) -> list[Sighting]:
        """What a conversation was told of a file."""
        session = self._session
        if session is None:
            return []
        self._noted = self._noted or noted_in(session.recorded)
        conversation = "\t".join(name)
        noted = self._noted[conversation] = self._noted.pop(conversation, Noted())  # the newest is the last
        return RecordedFiles(session.recorded, self._place, *name, self._ends, noted).recall(path)

    def _is_known(self, first: Observation) -> bool:
        """Return whether this was told before."""
        try:
            key = delivery_key(first)
        except NotCanonical:
            return False
        if key is None or self._session is None:
            return False
        return key in self._known or self._session.recorded.delivered(key) is not None

    def _admit(self, said: Observation, files: Remembered) -> None:
        session = self._session
        if session is None:
            return
        try:
            admitted = session.admit(said)
        except NotAnOp as error:  # it keeps nothing else out
            note_trouble(f"hook: something a host said was refused: {error}")
            return
        ends = 0
        if said["kind"] == "seen" and said["how"] == "read" and said.get("slice"):
            ends = files.ends.get((recorded(said["path"]), said["slice"][0]), 0)
        self._waiting.append((admitted, ends))
        self._size += admitted.size
        if admitted.key is not None:
            self._known.add(admitted.key)

    def _keep(self, writing: Writing, waiting: list[tuple[Admitted, int]], steps: list[int]) -> None:
        """What no op has room for."""
        self._ends.update({str(step): ends for (_, ends), step in zip(waiting, steps, strict=True) if ends})
        kept = {"cwd": _newest(self._stood, MOST_STOOD), "ends": _newest(self._ends, MOST_ENDS)}
        writing.set_local(KEPT, _as_json(kept))
        if self._noted:
            noted = _newest(self._noted, MOST_NOTED)
            writing.set_local(FILES, _as_json({name: [each.upto, each.steps] for name, each in noted.items()}))


def _parsed(body: bytes) -> dict[str, Any] | None:
    """A line, if it is of ours."""
    try:
        line = json.loads(body.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(line, dict) or not isinstance(line.get("said"), dict):
        return None
    is_ours = isinstance(line.get("root"), str) and type(line.get("at")) is int
    return line if is_ours else None


def _said(body: bytes) -> bytes:
    """What a line says, without when it was heard."""
    return body.partition(b',"said":')[2]


def noted_in(record: Record) -> dict[str, Noted]:
    """Which files conversations know, as far as that is kept."""
    local = record.local(FILES)
    try:
        return {name: Noted(upto, steps) for name, (upto, steps) in json.loads(local or "{}").items()}
    except (AttributeError, TypeError, ValueError):
        return {}


def _as_json(kept: object) -> str:
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


def _newest(of: dict[str, Any], most: int) -> dict[str, Any]:
    return dict(list(of.items())[-most:])
