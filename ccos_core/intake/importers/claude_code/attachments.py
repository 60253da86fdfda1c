"""What Claude Code puts before its agent by itself: mentioned files, files that changed, queued prompts, reminders.

After a compaction the files it brings back come this way too. Each kind of attachment is files that were shown, words
that were said, or nothing the agent is shown; only kinds nobody here has heard of are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ccos_core.intake.calls.effects import Changed, Effect, Shown
from ccos_core.intake.calls.numbered import shown
from ccos_core.intake.importers.claude_code.blocks import Fields, fields, said, texts
from ccos_core.intake.importers.claude_code.tools import shown_file
from ccos_core.intake.importers.fields import number, objects, text

HEARD = ("SessionStart", "SubagentStart", "UserPromptSubmit")


@dataclass(frozen=True, slots=True)
class Brought:
    """What the agent was shown."""

    files: tuple[Effect, ...] = ()
    words: str = ""


def brought(attachment: Fields) -> Brought | None:
    """What an attachment shows the agent; None for a kind that isn't known."""
    kind = text(attachment, "type")
    if kind in _SHOWS_NOTHING:
        return Brought()
    way = _WAYS.get(kind)
    return way(attachment) if way is not None else None


# -- one way per kind -------------------------------------------------------------------------------------------------


def _file(attachment: Fields) -> Brought:
    return Brought(tuple(shown_file(fields(fields(attachment.get("content")).get("file")))))


def _changed(attachment: Fields) -> Brought:
    """A file became another outside of the conversation: what is shown of it has its lines' numbers."""
    path, snippet = text(attachment, "filename"), text(attachment, "snippet")
    if not path:
        return Brought()
    return Brought(tuple(shown(path, snippet)) or (Changed(path),))


def _selected(attachment: Fields) -> Brought:
    path, content = text(attachment, "filename"), text(attachment, "content")
    first = number(attachment, "lineStart")
    if not path or not content or not first:
        return Brought(words=content)
    return Brought((Shown(path, content, first),))


def _memory(attachment: Fields) -> Brought:
    return Brought(tuple(_remembered(fields(attachment.get("content")))))


def _memories(attachment: Fields) -> Brought:
    return Brought(tuple(effect for memory in objects(attachment, "memories") for effect in _remembered(memory)))


def _remembered(memory: Fields) -> list[Effect]:
    """A file of notes; where it isn't shown as it stands on the disk, only its words are known."""
    path, content = text(memory, "path"), text(memory, "content")
    if not path or not content or memory.get("contentDiffersFromDisk") is True or "limit" in memory:
        return []
    return [Shown(path, content, whole=True)]


def _plan(attachment: Fields) -> Brought:
    path, content = text(attachment, "planFilePath"), text(attachment, "planContent")
    return Brought((Shown(path, content, whole=True),)) if path and content else Brought()


def _queued(attachment: Fields) -> Brought:
    return Brought(words=said(attachment.get("prompt")))


def _skills(attachment: Fields) -> Brought:
    skills = objects(attachment, "skills")
    return Brought(words="\n".join(filter(None, (text(skill, "content") for skill in skills))))


def _words(attachment: Fields) -> Brought:
    content = attachment.get("content")
    return Brought(words="\n".join(texts(content)) or said(content))


def _reminded(attachment: Fields) -> Brought:
    return Brought(words=text(attachment, "text"))


def _said_by_hook(attachment: Fields) -> Brought:
    """Only what hooks say around prompts goes to the agent."""
    return _words(attachment) if attachment.get("hookEvent") in HEARD else Brought()


def _blocked(attachment: Fields) -> Brought:
    return Brought(words=text(fields(attachment.get("blockingError")).get("blockingError")))


_WAYS: Mapping[str, Callable[[Fields], Brought]] = {
    "file": _file,
    "edited_text_file": _changed,
    "selected_lines_in_ide": _selected,
    "nested_memory": _memory,
    "relevant_memories": _memories,
    "plan_file_reference": _plan,
    "queued_command": _queued,
    "invoked_skills": _skills,
    "hook_blocking_error": _blocked,
    "hook_additional_context": _words,
    "critical_system_reminder": _words,
    "directory": _words,
    "hook_success": _said_by_hook,
    "mcp_resource": _words,
    "skill_listing": _words,
    "batching_reminder_sent": _reminded,
    "silent_turn_reminder": _reminded,
    "total_tokens_reminder": _reminded,
}

_SHOWS_NOTHING = frozenset(
    {
        "agent_listing_delta", "agent_mention", "already_read_file", "async_hook_response", "auto_mode",
        "auto_mode_exit", "budget_usd", "command_permissions", "compact_file_reference", "compaction_reminder",
        "companion_intro", "context_efficiency", "current_session_memory", "date_change", "deferred_tools_delta",
        "diagnostics", "dynamic_skill", "edited_image_file", "hook_cancelled", "hook_error_during_execution",
        "hook_non_blocking_error", "hook_permission_decision", "hook_stopped_continuation", "hook_system_message",
        "max_turns_reached", "mcp_instructions_delta", "model", "opened_file_in_ide", "output_style",
        "output_token_usage", "pdf_reference", "plan_mode", "plan_mode_exit", "plan_mode_reentry",
        "read_truncation_notice", "skill_discovery", "structured_output", "task_reminder", "task_status",
        "team_context", "teammate_mailbox", "teammate_shutdown_batch", "todo", "todo_reminder", "token_usage",
        "ultra_effort_enter", "ultra_effort_exit", "ultrathink_effort", "verify_plan_reminder",
    }
)  # fmt: skip
"""Kinds that name things, or are words of the host's own whose text isn't recorded."""
