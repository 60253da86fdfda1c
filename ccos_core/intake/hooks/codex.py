"""Codex's hook events. They have the shape of Claude Code's, and say less of how a call ended.

A command's output comes as a plain text without its exit code, so how a command ended is `unknown`. A patch comes as
`tool_input.command`, its answer with an exit code. An MCP call that failed, a patch that failed, and a command that a
patch stands in fire no event after the call. Calls have the names of the rollout, prompts are named by their turn in
both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ccos_core.intake.hooks.heard import Course, Event, Heard, Told, told_at
from ccos_core.intake.importers.codex.outputs import Answer, answer_of, answers_in, before_cut, text_of
from ccos_core.intake.importers.codex.reader import ASKS_USER, HOST, prompt_name
from ccos_core.intake.importers.codex.tools import Tools
from ccos_core.intake.importers.fields import text
from ccos_core.intake.importers.record import Observation
from ccos_core.intake.importers.telling import Call, Where

SILENT = frozenset(
    {"PermissionRequest", "PreCompact", "PreToolUse", "SessionEnd", "SessionStart", "SubagentStart"},
)
"""Events that put nothing before the agent, or nothing that no other event says."""
SHELL = "Bash"
"""What Codex calls each of its tools that run a command, to a hook."""
PATCH = "apply_patch"


def told(heard: Heard) -> Iterator[Told] | None:
    """Return what an event says; None for one that isn't known."""
    kind = text(heard.event, "hook_event_name")
    if kind == "SessionStart" and heard.event.get("source") == "clear":
        return _cleared(heard)
    way = _WAYS.get(kind)
    if way is not None:
        return way(heard)
    return iter((told_at(_where(heard), HOST),)) if kind in SILENT else None


# -- one way per event ------------------------------------------------------------------------------------------------


def _call(heard: Heard) -> Iterator[Told]:
    where = _where(heard, text(heard.event, "tool_use_id"))
    yield told_at(where, HOST, "tool", partial(_observed, heard.event, where))


def _prompt(heard: Heard) -> Iterator[Told]:
    turn, said = text(heard.event, "turn_id"), text(heard.event, "prompt")
    where = _where(heard, prompt_name(turn, said) if turn else "")

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.prompt(where, said, "agent" if where.context else "user")

    yield told_at(where, HOST, "prompt" if said else "", observe)


def _turn(heard: Heard) -> Iterator[Told]:
    said, where = text(heard.event, "last_assistant_message"), _where(heard)

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.turn(where, said, text(heard.event, "model"), stop="end")

    yield told_at(where, HOST, "turn" if said else "", observe)


def _compacted(heard: Heard) -> Iterator[Told]:
    said, where = heard.event.get("trigger"), _where(heard)

    def observe(course: Course) -> Iterator[Observation]:
        trigger = said if said in ("manual", "auto") else "unknown"
        yield from course.telling.compacted(where, trigger=trigger)

    yield told_at(where, HOST, "compaction", observe)


def _cleared(heard: Heard) -> Iterator[Told]:
    where = _where(heard)

    def observe(course: Course) -> Iterator[Observation]:
        yield from course.telling.cleared(where, "/clear")

    yield told_at(where, HOST, "cleared", observe)


# -- helpers ----------------------------------------------------------------------------------------------------------


def _observed(event: Event, where: Where, course: Course) -> Iterator[Observation]:
    """A call and its end. It was made where the conversation stood before it."""
    name, given = text(event, "tool_name"), event.get("tool_input")
    if name == PATCH and isinstance(given, dict):
        given = text(given, "command")  # the rollout has the patch alone
    asked = Where(where.session, where.id, where.at, where.context, course.cwd or where.cwd)
    answer = _answer(name, event.get("tool_response"))
    course.telling.asked(Call(asked, name, given))
    tool = "exec_command" if name == SHELL else name
    effects = (
        [] if event.get("withheld") is True else Tools(course.telling.files).effects(Call(asked, tool, given), answer)
    )
    yield from course.telling.answered(asked, answer.text, answer.outcome, effects, answer.millis)
    if name == ASKS_USER:
        yield from course.telling.prompt(asked, answers_in(answer.text), channel="answer")


def _answer(name: str, response: Any) -> Answer:
    """How a call ended, as far as its event says it."""
    if isinstance(response, dict):
        shown = text_of(response.get("content"))
        return Answer(shown, shown, "error" if response.get("isError") is True else "ok")
    shown = text_of(response)
    if name != SHELL:
        return answer_of(shown)
    return before_cut(Answer(shown, shown, "unknown"))


def _where(heard: Heard, name: str = "") -> Where:
    event = heard.event
    return Where(text(event, "session_id"), name or heard.name, heard.at, text(event, "agent_id"), text(event, "cwd"))


_WAYS: Mapping[str, Callable[[Heard], Iterator[Told]]] = {
    "PostToolUse": _call,
    "UserPromptSubmit": _prompt,
    "PostCompact": _compacted,
    "Stop": _turn,
    "SubagentStop": _turn,
}
