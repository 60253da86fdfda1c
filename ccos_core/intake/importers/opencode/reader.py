"""OpenCode: one document with a session and its messages, each in parts (`opencode export`), and what its tools did.

A message is told as far as it goes no further: what was said once it was said to its end, calls when they ended. A
compaction is a message of its own; outputs dropped later say when, and are told as dropped once a message of that time
or later was read. Of a tool's files what the host noted (`metadata`) is preferred.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ccos_core.intake.importers.fields import (
    at,
    decoded,
    micro_dollars,
    millis,
    number,
    objects,
    text,
    word,
)
from ccos_core.intake.importers.images import placeholder_of_url
from ccos_core.intake.importers.opencode.tools import changed_by, effects_of, outcome_of, read, reply_to, untold
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where

HOST = "opencode"
SILENT = ("reasoning", "snapshot", "retry", "agent", "step-start", "step-finish", "file", "text", "tool", "patch")
"""Parts that are told elsewhere, or tell nothing."""
_READ_FOR_YOU = "Called the Read tool with the following input:"


def looks(records: Iterable[Record]) -> bool:
    """Whether a document has messages that are an info and its parts."""
    return any(
        record.name == "messages"
        and isinstance(record.value, dict)
        and isinstance(record.value.get("info"), dict)
        and isinstance(record.value.get("parts"), list)
        for record in records
    )


@dataclass(slots=True)
class _Step:
    """What the agent said and did in one go."""

    id: str
    parts: list[dict[str, Any]] = field(default_factory=list)
    finish: dict[str, Any] | None = None


class Reader(TellingReader):
    """Reads one session."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._context = ""
        """Of a session that another one started."""
        self._unfinished: tuple[Where, _Step, str] | None = None
        """Something the agent was still saying; it is over once something else follows."""
        self._held: dict[str, dict[str, None]] = {}
        """Message → what of it went into the window and is there, as far as the host said."""
        self._dropped: list[tuple[int, str]] = []
        """When a call's output was dropped, for those that aren't told yet."""
        self._window = 0
        """Tokens, as the host counted them last."""
        self._compacting = ""
        """Why the next summary is made, and from which message on all stays."""
        self._tail = ""
        self._told: set[str] = set()
        """Messages that were read."""

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        value = record.value
        if record.name == "messages" and isinstance(value, dict) and isinstance(value.get("info"), dict):
            yield from self._message(value["info"], list(objects(value, "parts")), record.line)
        elif record.name == "info":
            # A session another one started is a context of that one.
            session, parent = text(value, "id"), text(value, "parentID")
            self.origin.session = parent or session or self.origin.session
            self._context = session if parent else ""
            self.origin.cwd = text(value, "directory") or self.origin.cwd
            self.origin.title = text(value, "title") or self.origin.title
            self.origin.started = millis(at(value, "time", "created"))
        else:
            self.tally.note(f"field {record.name}"[:200], record.line)

    # -- messages -------------------------------------------------------------------------------------------------

    def _message(self, info: dict[str, Any], parts: list[dict[str, Any]], line: int) -> Iterator[Observation]:
        where = self._where(info, line)
        if where.id in self._told:
            self.tally.note("message twice", line)
            return
        self._told.add(where.id)
        yield from self._finished()
        yield from self._dropped_by(where)
        role = word(info, "role")
        if role == "user":
            yield from self._user(where, parts)
        elif role == "assistant" and info.get("summary") is True:
            yield from self._summary(where, info, parts)
        elif role == "assistant":
            yield from self._assistant(where, info, parts)
        else:
            self.tally.note(f"message of {role or 'nobody'}", line)

    def _user(self, where: Where, parts: list[dict[str, Any]]) -> Iterator[Observation]:
        path = ""
        for place, part in enumerate(parts):
            here = replace(where, id=text(part, "id") or f"{where.id}:{place}")
            kind = word(part, "type")
            if kind == "text" and part.get("ignored") is not True:
                said = text(part, "text")
                self._hold(where.id, here.id)
                yield from self._telling.prompt(here, said, "host" if part.get("synthetic") is True else "user")
                if part.get("synthetic") is True and not said.startswith(_READ_FOR_YOU):
                    yield from self._telling.brought(here, read(path, said))
                path = _read_for_user(said)
            elif kind == "file" and text(part, "url").startswith("data:"):
                self._hold(where.id, here.id)
                yield from self._telling.prompt(here, placeholder_of_url("file", text(part, "url")))
            elif kind == "compaction":
                self._compacting = "manual" if part.get("auto") is False else "auto"
                self._tail = text(part, "tail_start_id")
            elif kind == "subtask":
                self._hold(where.id, here.id)
                yield from self._telling.prompt(here, text(part, "prompt"), "host" if text(part, "command") else "user")
            elif kind not in SILENT:
                self.tally.note(f"part {kind}", where.line)

    def _assistant(self, where: Where, info: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[Observation]:
        model = word(info, "modelID") or word(info, "model", "modelID")
        self.origin.uses(model)
        for part in parts:
            if word(part, "type") not in SILENT:
                self.tally.note(f"part {word(part, 'type')}", where.line)
        complete = at(info, "time", "completed") is not None or info.get("error") is not None
        steps = _steps(where.id, parts)
        for step in steps:
            last = step is steps[-1]
            here = replace(where, id=step.id)
            if last and not complete and not _is_said(step):
                self._unfinished = here, step, model
            else:
                yield from self._spoke(here, step, model, info if last else {})
            yield from self._did(here, step)
            usage = step.finish if step.finish is not None else info if len(steps) == 1 and complete else None
            after = replace(here, at=_ended(step, info if last else {}, here.at))
            yield from self._usage(after, usage, model)
            yield from self._changed(after, step)

    def _summary(self, where: Where, info: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[Observation]:
        """A summary takes the place of all before it, but for what the host kept from some message on."""
        if at(info, "time", "completed") is None or info.get("error") is not None:
            return
        for thought in _thoughts(where, parts):
            yield from self._telling.thought(*thought)
        summary = _said(parts)
        where = replace(where, at=_ended(_Step(where.id, parts), info, where.at))
        messages = list(self._held)
        kept = messages[messages.index(self._tail) :] if self._tail in self._held else []
        self._held = {message: self._held[message] for message in kept}
        named = [held for message in kept for held in self._held[message]]
        trigger, self._compacting, self._tail = self._compacting or "unknown", "", ""
        self._hold(where.id, where.id)
        # the summary's own request isn't the conversation's window: what that held was counted before
        before, self._window = self._window or None, 0
        yield from self._telling.compacted(
            where, trigger=trigger, before=before, summary=summary, kept=named, exact=True
        )

    # -- steps ----------------------------------------------------------------------------------------------------

    def _spoke(self, where: Where, step: _Step, model: str, info: dict[str, Any]) -> Iterator[Observation]:
        """What was thought before the text, the text, and what was thought behind it."""
        texts = [place for place, part in enumerate(step.parts) if word(part, "type") == "text"]
        first = texts[0] if texts else len(step.parts)
        message = where.id.partition("#")[0]
        for thought in _thoughts(where, step.parts[:first]):
            self._hold(message, thought[0].id)
            yield from self._telling.thought(*thought)
        self._hold(message, where.id)
        detail = text(info, "error", "data", "message") or text(info, "error", "name")
        yield from self._telling.turn(where, _said(step.parts), model, _stop(step, info), detail)
        for thought in _thoughts(where, step.parts[first:], first):
            self._hold(message, thought[0].id)
            yield from self._telling.thought(*thought)

    def _finished(self) -> Iterator[Observation]:
        """Something follows what the agent was still saying: it won't go on."""
        if self._unfinished is not None:
            where, step, model = self._unfinished
            self._unfinished = None
            yield from self._spoke(where, step, model, {"error": {"name": "MessageAbortedError"}})

    def _did(self, where: Where, step: _Step) -> Iterator[Observation]:
        for part in step.parts:
            if word(part, "type") == "tool" and isinstance(part.get("state"), dict):
                yield from self._call(where, part, part["state"])

    def _call(self, where: Where, part: dict[str, Any], state: dict[str, Any]) -> Iterator[Observation]:
        called = replace(where, id=text(part, "callID") or text(part, "id"))
        known = called.id in self._told
        if not called.id or known:
            self.tally.note("call twice" if known else "call without an id", where.line)
            return
        self._told.add(called.id)
        tool = word(part, "tool")
        self._telling.asked(Call(called, tool, state.get("input")))
        status = word(state, "status")
        if status not in ("completed", "error"):
            return
        begun, ended = number(state, "time", "start"), number(state, "time", "end")
        dropped = number(state, "time", "compacted")
        self._hold(where.id.partition("#")[0], called.id)
        if dropped is not None:
            self._dropped.append((dropped, called.id))
        outcome = outcome_of(tool, status, state)
        effects = effects_of(tool, state, where.cwd) if status == "completed" else []
        result = text(state, "output") if status == "completed" else text(state, "error")
        took = ended - begun if begun is not None and ended is not None and ended >= begun else None
        called = replace(called, at=ended or where.at)
        yield from self._telling.answered(called, result, outcome, effects, took)
        channel, words = reply_to(tool, status, state)
        yield from self._telling.prompt(called, words, channel=channel)

    def _usage(self, where: Where, told: dict[str, Any] | None, model: str) -> Iterator[Observation]:
        fresh = number(told, "tokens", "input") or 0
        cached = number(told, "tokens", "cache", "read") or 0
        stored = number(told, "tokens", "cache", "write") or 0
        written, thinking = number(told, "tokens", "output"), number(told, "tokens", "reasoning")
        counts = {"fresh": fresh, "cached": cached, "stored": stored, "thinking": thinking}
        counts["written"] = written + (thinking or 0) if written is not None else None
        counts["cost"] = micro_dollars(at(told, "cost"))
        self._window = fresh + cached + stored or self._window
        yield from self._telling.usage(where, fresh + cached + stored, counts, model)

    def _changed(self, where: Where, step: _Step) -> Iterator[Observation]:
        """Files the host found changed after a step."""
        for place, part in enumerate(step.parts):
            if word(part, "type") == "patch" and isinstance(part.get("files"), list):
                files = [path for path in part["files"] if isinstance(path, str) and path]
                here = replace(where, id=text(part, "id") or f"{where.id}:patch:{place}")
                yield from self._telling.brought(here, untold(files, _told_of(step, where.cwd)))

    # -- what stays in the window ---------------------------------------------------------------------------------

    def _hold(self, message: str, item: str) -> None:
        self._held.setdefault(message, {})[item] = None

    def _dropped_by(self, where: Where) -> Iterator[Observation]:
        """Outputs that were dropped before this message was begun."""
        due = [(when, call) for when, call in self._dropped if where.at is not None and when <= where.at]
        if not due:
            return
        self._dropped = [each for each in self._dropped if each not in due]
        gone = {call for _, call in due}
        held = [call for items in self._held.values() for call in items]
        if not gone.intersection(held):
            return
        for items in self._held.values():
            for call in [call for call in items if call in gone]:
                del items[call]
        kept = [call for call in held if call not in gone]
        first = min(due)
        here = replace(where, id=f"dropped:{first[1]}", at=first[0])
        yield from self._telling.compacted(here, trigger="auto", kept=kept, exact=True)

    # -- helpers --------------------------------------------------------------------------------------------------

    def _where(self, info: dict[str, Any], line: int) -> Where:
        session = text(info, "sessionID") or self.origin.session
        context = ""
        if self._context and session == self._context:
            session, context = self.origin.session, session
        cwd = text(info, "path", "cwd") or self.origin.cwd
        moment = millis(at(info, "time", "created"))
        return Where(session, text(info, "id") or f"message:{self.tally.records}", moment, context, cwd, line)


FORMAT = Format(name=HOST, title="OpenCode", document=True, looks=looks, reader=Reader)


def _read_for_user(said: str) -> str:
    """The file whose text the host puts behind this, as the user pointed at it."""
    if not said.startswith(_READ_FOR_YOU):
        return ""
    return text(decoded(said.removeprefix(_READ_FOR_YOU)), "filePath")


def _said(parts: list[dict[str, Any]]) -> str:
    return "\n".join(text(part, "text") for part in parts if word(part, "type") == "text")


def _thoughts(where: Where, parts: list[dict[str, Any]], first: int = 0) -> Iterator[tuple[Where, str]]:
    """Where each thought stands, and its words."""
    for place, part in enumerate(parts, first):
        if word(part, "type") == "reasoning":
            yield replace(where, id=text(part, "id") or f"{where.id}:thought:{place}"), text(part, "text")


def _steps(message: str, parts: list[dict[str, Any]]) -> list[_Step]:
    """The parts of a message, by what was said and done in one go. The first goes by the message's name."""
    found = [_Step(message)]
    for part in parts:
        kind = word(part, "type")
        if kind == "step-start" and (found[-1].parts or found[-1].finish is not None):
            found.append(_Step(f"{message}#{len(found)}"))
        elif kind == "step-finish":
            found[-1].finish = part
        elif kind != "step-start":
            found[-1].parts.append(part)
    return found


def _ended(step: _Step, info: dict[str, Any], begun: int | None) -> int | None:
    """When the last call of a step ended, or the message it ends; a message's own time is when it was begun."""
    parts = [number(part, "state", "time", "end") for part in step.parts]
    ends = [each for each in (begun, number(info, "time", "completed"), *parts) if each is not None]
    return max(ends, default=None)


def _is_said(step: _Step) -> bool:
    """Whether what is said in a step can't become longer: something came after it, or it has an end."""
    texts = [place for place, part in enumerate(step.parts) if word(part, "type") == "text"]
    if step.finish is not None:
        return True
    if not texts:
        return any(word(part, "type") == "tool" for part in step.parts)
    after = any(word(part, "type") in ("tool", "patch") for part in step.parts[texts[-1] :])
    return after or at(step.parts[texts[-1]], "time", "end") is not None


def _stop(step: _Step, info: dict[str, Any]) -> str:
    return stop_of(word(step.finish, "reason") or word(info, "finish"), word(info, "error", "name"))


def stop_of(said: str, error: str = "") -> str:
    """Why the agent stopped, by the host's word for it or by the name of an error."""
    if error:
        return "interrupted" if "Abort" in error else "error"
    return {"stop": "end", "tool-calls": "tool", "length": "limit", "error": "error"}.get(said, "")


def _told_of(step: _Step, cwd: str) -> set[str]:
    """The files whose change the calls of a step tell."""
    tools = [part for part in step.parts if word(part, "type") == "tool"]
    return changed_by([(word(part, "tool"), part.get("state")) for part in tools], cwd)
