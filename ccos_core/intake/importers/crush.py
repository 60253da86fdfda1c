"""Crush: a session of its database, as `storage.agent_db` gives it: the session's row, then its messages.

Tools and what they print are those of OpenCode's first years. Times are in seconds; calls have theirs from the message
that they stand in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from ccos_core.intake.calls.commands import effects_of_command
from ccos_core.intake.calls.effects import Effect, Replaced, Shown, Wrote, effects_of_mcp
from ccos_core.intake.calls.numbered import stretches
from ccos_core.intake.importers.fields import at, decoded, micro_dollars, millis, number, objects, text, word
from ccos_core.intake.importers.held import HeldMessages
from ccos_core.intake.importers.images import placeholder, placeholder_of_url
from ccos_core.intake.importers.opencode.tools import found_in
from ccos_core.intake.importers.record import Format, Observation, Record
from ccos_core.intake.importers.telling import Call, Telling, TellingReader, Where

HOST = "crush"
STOPS = {"end_turn": "end", "tool_use": "tool", "canceled": "interrupted", "max_tokens": "limit", "error": "error"}
"""Its words for why a message ended → those of an op."""
SILENT = ("finish", "text", "reasoning", "tool_call", "tool_result")
SHELL = "bash"
VIEWED = re.compile(r"<file>\n(.*?)\n</file>", re.DOTALL)
VIEWED_LINE = re.compile(r" *(\d{1,9})\|(.*)")
MORE_LINES = "(File has more lines."


def looks(records: Iterable[Record]) -> bool:
    """Whether a document has a session of Crush's database."""
    return any(record.name == "crush" and word(record.value, "id") for record in records)


class Reader(TellingReader):
    """Reads one session."""

    def __init__(self, session: str) -> None:
        super().__init__(session, Telling(HOST))
        self._context = ""
        """Of a session that another one started."""
        self._summary = ""
        """The message that took the place of all before it."""
        self._counts: dict[str, Any] = {}
        self._held = HeldMessages()
        self._told: set[str] = set()

    def feed(self, record: Record) -> Iterator[Observation]:
        """What becomes certain with this record."""
        self.tally.records += 1
        value = record.value
        if record.name == "messages" and isinstance(value, dict):
            yield from self._message(value, record.line)
        elif record.name == "crush" and isinstance(value, dict):
            session, parent = text(value, "id"), text(value, "parent_session_id")
            self.origin.session = parent or session or self.origin.session
            self._context = session if parent else ""
            self.origin.title = text(value, "title") or self.origin.title
            self.origin.started = millis(value.get("created_at"))
            self.origin.cwd = text(value, "directory")
            self._summary = text(value, "summary_message_id")
            self._counts = value
        else:
            self.tally.note(f"field {record.name}", record.line)

    def finish(self) -> Iterator[Observation]:
        """Tell the tokens of the last request, which only the session's row has."""
        where = Where(self.origin.session, "session", millis(self._counts.get("updated_at")), self._context)
        counts = {
            "written": number(self._counts, "completion_tokens"),
            "cost": micro_dollars(self._counts.get("cost")) or None,
        }
        model = self.origin.models[-1] if self.origin.models else ""
        yield from self._telling.usage(where, number(self._counts, "prompt_tokens") or 0, counts, model)

    # -- messages -------------------------------------------------------------------------------------------------

    def _message(self, message: dict[str, Any], line: int) -> Iterator[Observation]:
        role, parts = word(message, "role"), list(objects(message, "parts"))
        name = text(message, "id") or f"message:{self.tally.records}"
        where = Where(self.origin.session, name, millis(message.get("created_at")), self._context, "", line)
        if name in self._told:
            self.tally.note("message twice", line)
            return
        self._told.add(name)
        if name == self._summary and role == "assistant":
            self._held.keep(())
            yield from self._telling.compacted(where, summary=_said(parts), exact=True)
        elif role == "user":
            self._held.hold(name, name)
            yield from self._telling.prompt(where, _said(parts))
        elif role == "assistant":
            yield from self._reply(where, message, parts)
        elif role == "tool":
            for part in parts:
                if word(part, "type") == "tool_result":
                    yield from self._result(where, part.get("data"))
        else:
            self.tally.note(f"role {role}" if role else "no role", line)
        for part in parts:
            if word(part, "type") not in (*SILENT, "image_url", "binary"):
                self.tally.note(f"part {word(part, 'type')}", line)

    def _reply(self, where: Where, message: dict[str, Any], parts: list[dict[str, Any]]) -> Iterator[Observation]:
        model = word(message, "model")
        self.origin.uses(model)
        for place, data in _data(parts, "reasoning"):
            here = replace(where, id=f"{where.id}:thought:{place}")
            self._held.hold(where.id, here.id)
            yield from self._telling.thought(here, text(data, "thinking"))
        finish = next((data for _, data in _data(parts, "finish")), None)
        self._held.hold(where.id, where.id)
        detail = text(finish, "message") or text(finish, "details")
        yield from self._telling.turn(where, _said(parts), model, STOPS.get(word(finish, "reason"), ""), detail)
        for place, data in _data(parts, "tool_call"):
            called = replace(where, id=text(data, "id") or f"{where.id}:call:{place}")
            given = text(data, "input")
            self._telling.asked(Call(called, word(data, "name"), decoded(given, given)))

    def _result(self, where: Where, data: Any) -> Iterator[Observation]:
        name = text(data, "tool_call_id")
        call = self._telling.asked_for(where.session, name)
        if call is None:
            self.tally.note("result without a call", where.line)
            return
        self._held.hold(where.id, name)
        shown, bad = text(data, "content"), at(data, "is_error") is True
        code = number(decoded(text(data, "metadata")), "exit_code") or 0
        bad = bad or (call.name == SHELL and (code != 0 or _failed(shown)))
        effects = _effects(call, shown, decoded(text(data, "metadata")), bad)
        yield from self._telling.answered(
            replace(where, id=name), shown, "error" if bad else "ok", effects if not bad or call.name == SHELL else ()
        )


FORMAT = Format(name=HOST, title="Crush", document=True, looks=looks, reader=Reader)


# -- values -----------------------------------------------------------------------------------------------------------


def _data(parts: list[dict[str, Any]], kind: str) -> Iterator[tuple[int, Any]]:
    return ((place, part.get("data")) for place, part in enumerate(parts) if word(part, "type") == kind)


def _said(parts: list[dict[str, Any]]) -> str:
    found = []
    for part in parts:
        data = part.get("data")
        if word(part, "type") == "text":
            found.append(text(data, "text"))
        elif word(part, "type") == "image_url":
            found.append(placeholder_of_url("image", text(data, "url")))
        elif word(part, "type") == "binary":
            found.append(placeholder("file", word(data, "MIMEType"), text(data, "Data")))
    return "\n".join(filter(None, found))


def _failed(shown: str) -> bool:
    """Whether a command says, on a line of its own at the end, that it failed."""
    last = shown.rstrip().rpartition("\n")[2]
    return last.startswith("Exit code ") and last != "Exit code 0"


def _effects(call: Call, shown: str, noted: Any, bad: bool) -> list[Effect]:
    """What a call did to files."""
    given = call.arguments
    path, before = text(given, "file_path"), at(noted, "old_content")
    known = before if isinstance(before, str) else None
    match call.name:
        case "bash":
            return effects_of_command(text(given, "command"), shown, not bad, text(given, "working_dir") or ".")
        case "view":
            return _viewed(path, shown)
        case "grep":
            return list(found_in(shown))
        case "write" if path:
            return [Wrote(path, text(given, "content"), known)]
        case "edit" | "multiedit" if path:
            edits = list(objects(given, "edits")) or [given]
            return _edited(path, edits, known, text(noted, "new_content"))
    return effects_of_mcp(call.name, given, shown)


def _viewed(path: str, shown: str) -> list[Effect]:
    """The lines between the marks, without their numbers."""
    content = VIEWED.search(shown)
    if content is None or not path:
        return []
    lines = [(int(line[1]), line[2]) for each in content[1].split("\n") if (line := VIEWED_LINE.fullmatch(each))]
    if MORE_LINES in shown or not lines or lines[0][0] != 1:
        return [*stretches(path, lines)]
    return [Shown(path, "".join(f"{line}\n" for _, line in lines), whole=True)]


def _edited(path: str, edits: list[Any], before: str | None, after: str) -> list[Effect]:
    """By the two states of the file that the host noted, or one edit after the other."""
    if before is not None and after:
        return [Replaced(path, before, after, before=before) if before else Wrote(path, after, before)]
    changes = [(text(edit, "old_string"), text(edit, "new_string"), at(edit, "replace_all") is True) for edit in edits]
    return [Replaced(path, old, new, everywhere) if old else Wrote(path, new) for old, new, everywhere in changes]
