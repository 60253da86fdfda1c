"""Qwen Code: one record a line, in a tree. Contents and tools are those of Gemini's API, from which it is descended.

A record names the one it follows. One that follows an earlier record than the last begins a branch: what stood on the
other isn't in the window any more. A compression has the whole history that was sent after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ccos_core.intake.importers.fields import at, millis, number, objects, text, word
from ccos_core.intake.importers.gemini.contents import printed_in, said_in
from ccos_core.intake.importers.gemini.tools import SHELL, answers_in, effects_of, failed
from ccos_core.intake.importers.held import Branches, HeldMessages
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where
from ccos_core.values.canon import digest

HOST = "qwen-code"
SILENT = frozenset(
    {
        "agent_bootstrap", "agent_launch_prompt", "at_command", "attribution_snapshot", "cron", "file_history_snapshot",
        "notification", "parent_session", "session_artifact_event", "session_artifact_snapshot", "session_model",
        "ui_telemetry",
    }
)  # fmt: skip
"""Subtypes of system records that say nothing of the conversation, or nothing that no other record says."""
FROM_HOST = ("cron", "notification")
"""Subtypes of user records that the host wrote."""
QUEUED = "mid_turn_user_message"
OUTCOMES = {"success": "ok", "error": "error", "cancelled": "interrupted"}


def looks(records: Iterable[Record]) -> bool:
    """Whether a record has a content of Gemini's API in a message."""
    return any(
        word(record.value, "uuid") and word(record.value, "sessionId") and _parts(record.value) is not None
        for record in records
    )


class Reader(TellingReader):
    """Reads one session."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._branches = Branches()
        self._last = ""
        self._seen: set[bytes] = set()
        """Records that were read, by their content: one may stand twice, and two may share a name."""
        self._held = HeldMessages()
        self._contents: dict[str, bytes] = {}
        """Record → the digest of its content, by which a compression's history is known again."""
        self._ways: dict[str, Callable[[Where, dict[str, Any]], Iterator[Observation]]] = {
            "user": self._user,
            "assistant": self._reply,
            "tool_result": self._result,
            "system": self._system,
        }

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        value = record.value
        kind = word(value, "type")
        if not isinstance(value, dict) or kind not in self._ways:
            self.tally.note(f"type {kind}" if kind else "no type", record.line)
            return
        name = _name(value)
        if name in self._seen:
            self.tally.note("record twice", record.line)
            return
        self._seen.add(name)
        where = self._where(value, record.line)
        yield from self._branched(where, word(value, "uuid") or where.id, text(value, "parentUuid"))
        yield from self._ways[kind](where, value)

    # -- one way per type -----------------------------------------------------------------------------------------

    def _user(self, where: Where, value: dict[str, Any]) -> Iterator[Observation]:
        self._keep_content(value)
        subtype, words = word(value, "subtype"), said_in(_parts(value))
        typed = text(value, "systemPayload", "displayText") or words
        self._held.hold(self._last, where.id)
        source = "host" if subtype in FROM_HOST else "user"
        yield from self._telling.prompt(where, typed, source, channel="queued" if subtype == QUEUED else "")
        if typed != words:
            expanded = replace(where, id=f"{where.id}:expanded")
            self._held.hold(self._last, expanded.id)
            yield from self._telling.prompt(expanded, words, "host")

    def _reply(self, where: Where, value: dict[str, Any]) -> Iterator[Observation]:
        self._keep_content(value)
        model = word(value, "model")
        self.origin.uses(model)
        parts = list(objects({"parts": _parts(value)}, "parts"))
        for place, part in enumerate(parts):
            if part.get("thought") is True:
                here = replace(where, id=f"{where.id}:thought:{place}")
                self._held.hold(self._last, here.id)
                yield from self._telling.thought(here, text(part, "text"))
        self._held.hold(self._last, where.id)
        words = "".join(text(part, "text") for part in parts if part.get("thought") is not True)
        calls = [part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict)]
        yield from self._telling.turn(where, words, model, "tool" if calls else "")
        for place, call in enumerate(calls):
            called = replace(where, id=text(call, "id") or f"{where.id}:call:{place}")
            self._telling.asked(Call(called, word(call, "name"), call.get("args")))
        counts = value.get("usageMetadata")
        yield from self._telling.usage(where, number(counts, "promptTokenCount") or 0, _counts(counts), model)

    def _result(self, where: Where, value: dict[str, Any]) -> Iterator[Observation]:
        self._keep_content(value)
        result = value.get("toolCallResult")
        for part in objects({"parts": _parts(value)}, "parts"):
            name = text(part, "functionResponse", "id") or text(result, "callId")
            call = self._telling.asked_for(where.session, name)
            if call is None:
                if "functionResponse" in part:
                    self.tally.note("result without a call", where.line)
                continue
            self._held.hold(self._last, name)
            yield from self._answered(replace(where, id=name), call, part, result)

    def _answered(self, where: Where, call: Call, part: Any, result: Any) -> Iterator[Observation]:
        shown = printed_in([part])
        refused = at(part, "functionResponse", "response", "error") is not None
        outcome = OUTCOMES.get(word(result, "status"), "error" if refused else "ok")
        bad = outcome != "ok" or failed(call.name, shown, refused=False)
        told = not bad or (call.name == SHELL and outcome == "ok")
        effects = effects_of(call.name, call.arguments, at(result, "resultDisplay"), shown, not bad, where.cwd)
        did = effects if told else ()
        yield from self._telling.answered(where, shown, "error" if bad and outcome == "ok" else outcome, did)
        yield from self._telling.prompt(where, "" if bad else answers_in(call.name, shown), channel="answer")

    def _system(self, where: Where, value: dict[str, Any]) -> Iterator[Observation]:
        subtype, payload = word(value, "subtype"), value.get("systemPayload")
        if subtype == "chat_compression":
            yield from self._compressed(where, payload)
        elif subtype == "slash_command":
            if word(payload, "phase") != "result":
                yield from self._telling.prompt(where, text(payload, "rawCommand"), "host", "command")
            printed = "\n".join(text(item, "text") for item in objects(payload, "outputHistoryItems"))
            yield from self._telling.prompt(replace(where, id=f"{where.id}:output"), printed, "host", "output")
        elif subtype == "custom_title":
            self.origin.title = text(payload, "customTitle") or self.origin.title
        elif subtype not in SILENT and subtype != "rewind":
            self.tally.note(f"system {subtype}", where.line)

    # -- what stays in the window ---------------------------------------------------------------------------------

    def _branched(self, where: Where, name: str, parent: str) -> Iterator[Observation]:
        kept = self._branches.follow(name, parent)
        if kept is not None and self._held.keep(kept):
            cut = replace(where, id=f"{where.id}:branch")
            yield from self._telling.compacted(cut, trigger="manual", kept=self._held.items, exact=True)
        self._last = name

    def _compressed(self, where: Where, payload: Any) -> Iterator[Observation]:
        history = list(objects(payload, "compressedHistory"))
        left = {_digest(content.get("parts")) for content in history}
        known = {name for name, content in self._contents.items() if content in left}
        told = set(self._contents.values())
        summary = next((said_in(each.get("parts")) for each in history if _digest(each.get("parts")) not in told), "")
        self._held.keep(known)
        info = at(payload, "info")
        before, after = number(info, "originalTokenCount"), number(info, "newTokenCount")
        kept = self._held.items
        self._held.hold(self._last, where.id)
        yield from self._telling.compacted(
            where, before=before, after=after, summary=summary, kept=kept, exact=bool(history)
        )

    def _keep_content(self, value: dict[str, Any]) -> None:
        self._contents[self._last] = _digest(_parts(value))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _where(self, value: dict[str, Any], line: int) -> Where:
        self.origin.session = word(value, "sessionId") or self.origin.session
        cwd = text(value, "cwd")
        self.origin.cwd = self.origin.cwd or cwd
        name = word(value, "uuid") or f"record:{self.tally.records}"
        if name in self._branches:  # the same message, said on
            name = f"{name}:{self.tally.records}"
        return Where(self.origin.session, name, millis(value.get("timestamp")), "", cwd or self.origin.cwd, line)


FORMAT = Format(name=HOST, title="Qwen Code", document=False, looks=looks, reader=Reader)


# -- values -----------------------------------------------------------------------------------------------------------


def _parts(value: Any) -> Any:
    parts = at(value, "message", "parts")
    return parts if isinstance(parts, list) else None


def _digest(parts: Any) -> bytes:
    return digest(repr(parts).encode("utf-8", "replace"))


def _name(value: dict[str, Any]) -> bytes:
    return digest(repr(sorted(value.items(), key=lambda item: item[0])).encode("utf-8", "replace"))


def _counts(counts: Any) -> dict[str, int | None]:
    """Tokens as an op has them: what was cached is part of the prompt, and thoughts of what was written."""
    asked, cached = number(counts, "promptTokenCount") or 0, number(counts, "cachedContentTokenCount") or 0
    total, written = number(counts, "totalTokenCount"), number(counts, "candidatesTokenCount")
    if total is not None and total >= asked:
        written = total - asked
    thinking = number(counts, "thoughtsTokenCount")
    return {"fresh": max(asked - cached, 0), "cached": cached, "written": written, "thinking": thinking}
