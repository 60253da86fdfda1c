"""Gemini CLI: a chat recording, as lines that amend each other or as the one document of older versions.

A message is written again, whole, whenever its calls, results or counts change; only what is new of it is told.
`$set` with messages replaces the conversation (a start, a compression, an aborted turn), `$rewindTo` takes back a
message and all behind it: both leave what they name in the window, exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ccos_core.intake.importers.fields import at, millis, number, objects, text, word
from ccos_core.intake.importers.gemini.contents import printed_in, said_in
from ccos_core.intake.importers.gemini.tools import SHELL, answers_in, effects_of, failed, unwrapped
from ccos_core.intake.importers.held import HeldMessages
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where
from ccos_core.values.canon import digest

HOST = "gemini"
HOST_SAYS = ("<session_context>", "This is the Gemini CLI.")
"""How the first message begins, which the host writes in the user's name."""
FOLDER = re.compile(r"(?:\*\*Workspace Directories:\*\*\n\s*- |working in the directory: )([^\n]+)")
ENDED = {"success": "ok", "error": "error", "cancelled": "interrupted"}
"""Status of a call that is over → its outcome. Others are on their way."""
NOTES = ("info", "warning", "error")
"""Messages for the screen: the model never sees them."""
SPEAKERS = ("user", "gemini", "model")
HEAD_FIELDS = frozenset(
    {"sessionId", "projectHash", "startTime", "lastUpdated", "kind", "summary", "directories", "messages", "meta"}
)


def looks(records: Iterable[Record]) -> bool:
    """Whether a record is a recording's head, or a message of the model."""
    return any(_is_head(record.value) or _is_reply(record.value) for record in records if not record.name)


def looks_older(records: Iterable[Record]) -> bool:
    """Whether a document is a whole recording: its messages have names and types."""
    return any(
        record.name == "messages" and word(record.value, "id") and word(record.value, "type") in (*SPEAKERS, *NOTES)
        for record in records
    )


@dataclass(slots=True)
class _Told:
    """What has been told of a message."""

    contents: dict[bytes, None] = field(default_factory=dict)
    thoughts: int = 0
    counted: bool = False


class Reader(TellingReader):
    """Reads one recording."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._context = ""
        """Of a subagent's recording."""
        self._told: dict[str, _Told] = {}
        self._ended: set[str] = set()
        """Calls that were told."""
        self._held = HeldMessages()
        self._taken_back: set[str] = set()
        """Messages that were taken back: what says so may stand twice."""
        self._cuts = 0
        """Times that something left the window."""

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        value = record.value
        if record.name == "messages":
            yield from self._message(value, record.line)
        elif record.name in HEAD_FIELDS:
            self._head({record.name: value})
        elif not isinstance(value, dict):
            self.tally.note(f"field {record.name}" if record.name else "no object", record.line)
        elif isinstance(value.get("$set"), dict):
            yield from self._set(value["$set"], record.line)
        elif "$rewindTo" in value:
            yield from self._rewound(text(value, "$rewindTo"), record.line)
        elif "type" not in value and "sessionId" in value:
            yield from self._set(value, record.line)
        else:
            yield from self._message(value, record.line)

    # -- the head -------------------------------------------------------------------------------------------------

    def _set(self, values: dict[str, Any], line: int) -> Iterator[Observation]:
        self._head(values)
        if isinstance(values.get("messages"), list):
            messages = list(objects(values, "messages"))
            yield from self._cut((text(message, "id") for message in messages), "unknown", line)
            for message in messages:
                yield from self._message(message, line)

    def _head(self, values: dict[str, Any]) -> None:
        self.origin.session = word(values, "sessionId") or self.origin.session
        self.origin.started = millis(values.get("startTime")) or self.origin.started
        self.origin.title = text(values, "summary") or self.origin.title
        if word(values, "kind") == "subagent":
            self._context = word(values, "sessionId")
        folders = values.get("directories")
        if isinstance(folders, list) and folders and isinstance(folders[0], str) and not self.origin.cwd:
            self.origin.cwd = folders[0]

    def _rewound(self, message: str, line: int) -> Iterator[Observation]:
        """The user took back a message and all behind it; all, where the host doesn't know it."""
        if message not in self._taken_back:
            self._taken_back.add(message)
            yield from self._cut(self._held.until(message), "manual", line)

    def _cut(self, messages: Iterable[str], trigger: str, line: int) -> Iterator[Observation]:
        """Only these messages are left in the window."""
        if self._held.keep(messages):
            self._cuts += 1
            where = Where(self.origin.session, f"cut:{self._cuts}", None, self._context, self.origin.cwd, line)
            yield from self._telling.compacted(where, trigger=trigger, kept=self._held.items, exact=True)

    # -- messages -------------------------------------------------------------------------------------------------

    def _message(self, message: Any, line: int) -> Iterator[Observation]:
        kind = word(message, "type")
        name = text(message, "id") or f"message:{self.tally.records}"
        where = Where(self.origin.session, name, millis(at(message, "timestamp")), self._context, self.origin.cwd, line)
        told = self._told.setdefault(name, _Told())
        if kind == "user":
            yield from self._user(where, message, told)
        elif kind in SPEAKERS:
            yield from self._reply(where, message, told)
        elif kind in NOTES:
            said = self._new(told, where, said_in(_content(message)))
            if said is not None:
                yield from self._telling.noted(said[0], said[1])
        else:
            self.tally.note(f"type {kind}" if kind else "no type", line)

    def _user(self, where: Where, message: Any, told: _Told) -> Iterator[Observation]:
        content = _content(message)
        yield from self._answers(where, content)
        words = said_in(content)
        found = FOLDER.search(words)
        from_host = words.startswith(HOST_SAYS)
        if from_host and found is not None and not self.origin.cwd:
            self.origin.cwd = found[1].strip()
        shown = at(message, "displayContent")
        typed = said_in(shown)
        from_host = from_host or (shown is not None and not typed)
        said = self._new(told, where, words)
        if said is None:
            return
        here, words = said
        yield from self._unfinished(where)
        self._held.hold(where.id, here.id)
        if typed and typed != words:
            yield from self._telling.prompt(here, typed)
            expanded = replace(here, id=f"{here.id}:expanded")
            self._held.hold(where.id, expanded.id)
            yield from self._telling.prompt(expanded, words, "host")
        else:
            yield from self._telling.prompt(here, words, "host" if from_host else "user")

    def _reply(self, where: Where, message: Any, told: _Told) -> Iterator[Observation]:
        model = word(message, "model")
        self.origin.uses(model)
        if not told.contents:
            yield from self._unfinished(where)
        thoughts = list(objects(message, "thoughts"))
        for place, thought in enumerate(thoughts[told.thoughts :], told.thoughts):
            words = "\n".join(filter(None, (text(thought, "subject"), text(thought, "description"))))
            here = replace(where, id=f"{where.id}:thought:{place}")
            self._held.hold(where.id, here.id)
            yield from self._telling.thought(here, words)
        told.thoughts = max(told.thoughts, len(thoughts))
        said = self._new(told, where, said_in(_content(message)), empty=True)
        if said is not None:
            self._held.hold(where.id, said[0].id)
            yield from self._telling.turn(said[0], said[1], model)
        tokens = at(message, "tokens")
        if isinstance(tokens, dict) and not told.counted:
            told.counted = True
            yield from self._telling.usage(where, number(tokens, "input") or 0, _counts(tokens), model)
        for place, call in enumerate(objects(message, "toolCalls")):
            yield from self._call(replace(where, id=text(call, "id") or f"{where.id}:call:{place}"), call, where.id)

    def _new(self, told: _Told, where: Where, words: str, *, empty: bool = False) -> tuple[Where, str] | None:
        """Return what a message says and where, if it hasn't been told; what it says later is told beside it."""
        name = digest(words.encode("utf-8", "replace"))
        if name in told.contents or not (words or (empty and not told.contents)):
            return None
        told.contents[name] = None
        later = len(told.contents) - 1
        return (replace(where, id=f"{where.id}:{later}") if later else where), words

    # -- calls ----------------------------------------------------------------------------------------------------

    def _call(self, where: Where, call: dict[str, Any], message: str) -> Iterator[Observation]:
        if where.id in self._ended:
            return
        self._held.hold(message, where.id)
        self._telling.asked(Call(where, word(call, "name"), call.get("args")))
        status, result = word(call, "status"), call.get("result")
        outcome = ENDED.get(status, "" if status or not result else "ok")
        if outcome:
            ended = replace(where, at=millis(call.get("timestamp")) or where.at)
            yield from self._answered(ended, printed_in(result), outcome, call.get("resultDisplay"))

    def _answers(self, where: Where, content: Any) -> Iterator[Observation]:
        """Results that the host handed to the model, of calls of which it wrote none beside them."""
        for part in objects({"parts": content}, "parts"):
            response = part.get("functionResponse")
            name = text(response, "id")
            if name and self._telling.asked_for(where.session, name) is not None:
                outcome = "error" if at(response, "response", "error") is not None else "ok"
                yield from self._answered(replace(where, id=name), printed_in([part]), outcome, None)

    def _answered(self, where: Where, printed: str, outcome: str, noted: Any) -> Iterator[Observation]:
        call = self._telling.asked_for(where.session, where.id)
        if call is None:
            return
        self._ended.add(where.id)
        shown = unwrapped(printed)
        bad = outcome != "ok" or failed(call.name, shown, refused=False)
        effects = effects_of(call.name, call.arguments, noted, shown, not bad, where.cwd)
        did = effects if not bad or (call.name == SHELL and outcome == "ok") else ()
        yield from self._telling.answered(where, shown, "error" if bad and outcome == "ok" else outcome, did)
        yield from self._telling.prompt(where, "" if bad else answers_in(call.name, shown), channel="answer")

    def _unfinished(self, where: Where) -> Iterator[Observation]:
        """The conversation went on: no call that waits will end."""
        for name in self._telling.waiting_in(where.session, where.context):
            self._ended.add(name)
            yield from self._telling.answered(replace(where, id=name), None, "unknown")


FORMAT = Format(name=HOST, title="Gemini CLI", document=False, looks=looks, reader=Reader)
OLDER = Format(name=HOST, title="Gemini CLI, older versions", document=True, looks=looks_older, reader=Reader)


# -- values -----------------------------------------------------------------------------------------------------------


def _is_head(value: Any) -> bool:
    return bool(word(value, "sessionId") and word(value, "projectHash"))


def _is_reply(value: Any) -> bool:
    return word(value, "type") == "gemini" and isinstance(value, dict) and "content" in value


def _content(message: Any) -> Any:
    """What a message says; some recordings have it as the API does."""
    content = at(message, "content")
    return at(message, "parts") if content is None else content


def _counts(tokens: Any) -> dict[str, int | None]:
    """Tokens as an op has them: the host's input holds what was cached, its output no thoughts."""
    cached, thinking = number(tokens, "cached") or 0, number(tokens, "thoughts")
    written = number(tokens, "output")
    return {
        "fresh": max((number(tokens, "input") or 0) - cached, 0),
        "cached": cached,
        "written": written + (thinking or 0) if written is not None else None,
        "thinking": thinking,
    }
