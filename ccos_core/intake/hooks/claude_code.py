"""Claude Code's hook events: what each puts into the record, as the reader of its transcripts would tell it.

Calls have the host's own ids, so a call that comes by its hook, by the hook of its batch and by its transcript is one.
Prompts are named by `prompt_id` here and there. A compaction, a cleared window and what the agent said at the end have
no name both sides know; they are known by what they say, and a transcript tells them once more. Where a hook gives
only the tool's own result in fields, what the agent was shown is put together from these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ccos_core.intake.hooks.heard import Course, Event, Heard, Told, nothing
from ccos_core.intake.importers.claude_code.reader import HOST, prompt_name, source_of
from ccos_core.intake.importers.claude_code.replies import reply_of
from ccos_core.intake.importers.claude_code.tools import NOTHING, Fields, Use, effects_of, fields, said
from ccos_core.intake.importers.fields import number, objects, text
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Call, Where


def printed_of(name: str, response: Any) -> str | None:
    """As text; None where that can't be told."""
    if isinstance(response, str):
        return response
    if isinstance(response, list):
        return said(response)
    told = fields(response)
    if not told:
        return None
    way = _PRINTED.get(name)
    if way is not None:
        return way(told)
    content = told.get("content")
    if isinstance(content, (list, str)):
        return said(content)
    return json.dumps(told, ensure_ascii=False, sort_keys=True)


def _bash(told: Fields) -> str:
    return "\n".join(filter(None, (text(told, "stdout"), text(told, "stderr"))))


def _read(told: Fields) -> str | None:
    """With numbers in front of its lines."""
    file = fields(told.get("file"))
    content, first = file.get("content"), number(file, "startLine")
    if not isinstance(content, str):
        return f"[{told['type']}]" if told.get("type") in ("image", "pdf") else None
    lines = enumerate(content.split("\n"), 1 if first is None else first)
    return "\n".join(f"{at:>6}→{line}" for at, line in lines)


def _found(told: Fields) -> str:
    names = told.get("filenames")
    listed = "\n".join(each for each in names if isinstance(each, str)) if isinstance(names, list) else ""
    return text(told, "content") or listed


def _unsaid(_: Fields) -> None:
    """A sentence of the host's own, around what its arguments say."""


_PRINTED: Mapping[str, Callable[[Fields], str | None]] = {
    "Bash": _bash,
    "Read": _read,
    "Grep": _found,
    "Glob": _found,
    "Edit": _unsaid,
    "MultiEdit": _unsaid,
    "Write": _unsaid,
    "NotebookEdit": _unsaid,
}


EVENT = "hook_event_name"
SILENT = frozenset(
    {
        "ConfigChange", "CwdChanged", "FileChanged", "InstructionsLoaded", "Notification", "PermissionDenied",
        "PermissionRequest", "PreCompact", "PreToolUse", "SessionEnd", "SessionStart", "Setup", "StopFailure",
        "SubagentStart", "TaskCompleted", "TaskCreated", "TeammateIdle",
    }
)  # fmt: skip
"""Events that put nothing before the agent, or nothing that isn't told by others."""
_FAILED = re.compile(r"Exit code [1-9]\d*\n|<tool_use_error>|\[Request interrupted by user")


def told(heard: Heard) -> Iterator[Told] | None:
    """What an event says; None for one nobody here has heard of."""
    event = heard.event
    kind = text(event, EVENT)
    if kind == "SessionStart" and event.get("source") == "clear":
        kind = "cleared"
    way = _WAYS.get(kind)
    if way is not None:
        return way(heard)
    return iter((_told(heard),)) if kind in SILENT else None


# -- one way per event ------------------------------------------------------------------------------------------------


def _call(heard: Heard) -> Iterator[Told]:
    yield _of_call(heard, heard.event)


def _batch(heard: Heard) -> Iterator[Told]:
    """Several calls; of each it is said what the agent was shown, and not whether it went well."""
    for number_, each in enumerate(objects(heard.event, "tool_calls")):
        yield _of_call(heard, {"tool_use_id": f"{heard.name}.{number_}", **each})


def _prompt(heard: Heard) -> Iterator[Told]:
    name = text(heard.event, "prompt_id")
    words = text(heard.event, "prompt")
    where = _where(heard, prompt_name(name) if name else "")

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.prompt(where, words, source_of({}, where, words))

    yield _told(heard, observe, "prompt", where) if words else _told(heard)


def _turn(heard: Heard) -> Iterator[Told]:
    words = text(heard.event, "last_assistant_message")
    where = _where(heard)

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.turn(where, words, stop="end")

    yield _told(heard, observe, "turn", where) if words else _told(heard)


def _compacted(heard: Heard) -> Iterator[Told]:
    trigger = heard.event.get("trigger")
    where = _where(heard)

    def observe(course: Course) -> Iterator[Observation]:
        known = trigger if trigger in ("manual", "auto") else "unknown"
        yield from course.telling.compacted(where, trigger=known, summary=text(heard.event, "compact_summary"))

    yield _told(heard, observe, "compaction", where)


def _cleared(heard: Heard) -> Iterator[Told]:
    where = _where(heard)

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.cleared(where, "/clear")

    yield _told(heard, observe, "cleared", where)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _of_call(heard: Heard, call: Event) -> Told:
    where = _where(heard, text(call, "tool_use_id"))
    return _told(heard, partial(_observed, call, where), "tool", where)


def _observed(call: Event, where: Where, course: Course) -> Iterator[Observation]:
    """A call and its end. It was made where the conversation stood before it: a command may have gone elsewhere."""
    response, name, arguments = call.get("tool_response"), text(call, "tool_name"), call.get("tool_input")
    failure = call.get("error")
    printed = failure if isinstance(failure, str) else printed_of(name, response)
    cwd = course.cwd or where.cwd
    told = fields(response)
    outcome = _outcome(call, printed, told)
    asked = Where(where.session, where.id, where.at, where.context, cwd)
    course.telling.asked(Call(asked, name, arguments))
    # of a subagent's calls a transcript has the text alone, and what is concluded from it is to be the same
    use = Use(name, fields(arguments), printed or "", NOTHING if where.context else told, outcome, cwd)
    effects = [] if call.get("withheld") is True and name == "Bash" else effects_of(use)
    took = number(told.get("durationMs", told.get("totalDurationMs")))
    took = number(call, "duration_ms") if took is None else took
    yield from course.telling.answered(asked, printed, outcome, effects, took)
    # an event of a call says that it ran, so nothing it prints is a refusal
    if reply := reply_of(Use(name, use.arguments, use.printed, told, outcome, cwd), is_refusable=False):
        yield from course.telling.prompt(asked, reply.words, channel=reply.channel)


def _outcome(call: Event, printed: str | None, response: Mapping[str, Any]) -> str:
    if "error" in call:
        return "interrupted" if call.get("is_interrupt") is True else "error"
    if response.get("interrupted") is True:
        return "interrupted"
    # in a batch only the text of a result says that it went wrong
    return "error" if not response and _FAILED.match(printed or "") else "ok"


def _where(heard: Heard, name: str = "") -> Where:
    event = heard.event
    context = text(event, "agent_id")
    return Where(text(event, "session_id"), name or heard.name, heard.at, context, text(event, "cwd"))


def _told(
    heard: Heard,
    observe: Callable[[Course], Iterator[Observation]] | None = None,
    kind: str = "",
    where: Where | None = None,
) -> Told:
    """In which conversation, and by what it is known."""
    event = heard.event
    session = text(event, "session_id")
    first = {"kind": kind, "host": HOST, "session": session, "call": where.id} if where is not None else None
    if first is not None and not session:
        del first["session"]
    return Told(session, text(event, "agent_id"), text(event, "cwd"), observe or nothing, first, HOST)


_WAYS: Mapping[str, Callable[[Heard], Iterator[Told]]] = {
    "PostToolUse": _call,
    "PostToolUseFailure": _call,
    "PostToolBatch": _batch,
    "UserPromptSubmit": _prompt,
    "PostCompact": _compacted,
    "Stop": _turn,
    "SubagentStop": _turn,
    "cleared": _cleared,
}
