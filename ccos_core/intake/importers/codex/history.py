"""The records of Codex's rollouts, and the history of a conversation item by item.

Versions differ in the wrapping of a record: bare items at first, later `{timestamp, type, payload}`. A compaction
leaves a history made of the same kinds of items. An item that was there before keeps the name it was told by, the
others are new; items without a name are told apart by their text, each as often as it occurs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ccos_core.intake.importers.codex.outputs import answer_of, output_of, text_of
from ccos_core.intake.importers.fields import at, decoded, text, word
from ccos_core.intake.importers.reasoning import thought_of_item
from ccos_core.intake.importers.record import Record
from ccos_core.values.canon import digest

SILENT_ITEMS = ("ghost_snapshot", "additional_tools")
SILENT_KINDS = ("state", "world_state", "inter_agent_communication_metadata", "token_usage_record")
SILENT_EVENTS = frozenset(
    (
        "agent_message", "agent_message_delta", "agent_message_content_delta",
        "agent_reasoning", "agent_reasoning_delta", "agent_reasoning_raw_content", "agent_reasoning_raw_content_delta",
        "agent_reasoning_section_break", "reasoning_content_delta", "reasoning_raw_content_delta",
        "task_started", "turn_started", "turn_diff", "plan_update", "plan_delta",
        "item_started", "raw_response_item",
        "session_configured", "thread_settings_applied", "shutdown_complete", "background_event",
        "exec_command_begin", "exec_command_output_delta", "exec_command_end", "terminal_interaction",
        "patch_apply_begin", "view_image_tool_call",
        "mcp_startup_update", "mcp_startup_complete", "mcp_tool_call_begin", "mcp_tool_call_end",
        "web_search_begin", "web_search_end", "image_generation_begin", "image_generation_end",
        "dynamic_tool_call_request", "dynamic_tool_call_response",
        "exec_approval_request", "apply_patch_approval_request", "request_user_input", "request_permissions",
        "elicitation_request", "guardian_assessment", "hook_started", "hook_completed",
        "entered_review_mode", "exited_review_mode", "undo_started",
        "collab_agent_spawn_begin", "collab_agent_spawn_end", "collab_agent_interaction_begin",
        "collab_agent_interaction_end", "collab_waiting_begin", "collab_waiting_end", "collab_close_begin",
        "collab_close_end", "collab_resume_begin", "collab_resume_end",
        "warning", "stream_error", "deprecation_notice", "model_reroute", "model_verification",
        "guardian_warning", "safety_buffering", "turn_moderation_metadata", "patch_apply_updated",
        "thread_goal_updated", "sub_agent_activity", "realtime_conversation_started", "realtime_conversation_closed",
    ),
)  # fmt: skip
"""Events that repeat an item, accompany one, or are for the screen."""

OF_HOST = (
    "<environment_context>", "<user_instructions>", "# agents.md instructions for ", "<instructions>",
    "<turn_aborted>", "<subagent_notification>", "<user_shell_command>", "<skill>", "<hook_prompt",
    "<permissions instructions>", "<collaboration_mode>", "<model_switch>", "<multi_agent_mode>",
    "<apps_instructions>", "<skills_instructions>", "<plugins_instructions>", "<personality_spec>",
    "<realtime_conversation>", "<goal_context>",
)  # fmt: skip
"""How a message in the role of the user begins that the host wrote."""


INTERRUPTION = "interruption"
KINDS_OF_WORDS = {
    INTERRUPTION: ("<turn_aborted>",),
    "skill": ("<skill>",),
    "output": ("<user_shell_command>",),
}
"""Of the host's words in the user's name, how each kind begins."""


def kind_of(said: str) -> str:
    """What a message of the host's is, as one of PROMPT_KINDS."""
    begin = said.lstrip()[:64].lower()
    return next((kind for kind, starts in KINDS_OF_WORDS.items() if begin.startswith(starts)), "")


def is_of_host(said: str) -> bool:
    """Whether a message in the role of the user is the host's."""
    return said.lstrip()[:64].lower().startswith(OF_HOST)


OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "tool_search_output")
WORDLESS = (
    "function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call",
    "image_generation_call", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction",
    "compaction_trigger",
)  # fmt: skip
"""Kinds of items that bring nothing into a context that is told: calls count by their results, a summary nobody can
read has no text."""

AGENT = "agent"
"""The role of what another agent says, ..."""
THOUGHT = "thought"
"""... and of a thought."""
CALL = "call "
"""How the key of an output begins, before its call."""

CALLS = ("function_call", "custom_tool_call", "local_shell_call")
"""Kinds of items that are calls with an output of their own."""

Key = tuple[str, bytes]


class Item(NamedTuple):
    """Something that stands in the context."""

    key: Key
    """The role or the call, and its text."""
    id: str
    """What it was told by."""
    begins: bool = False
    """Whether a turn begins with it."""
    call: str = ""
    """Of an output that was shortened, its call."""


class New(NamedTuple):
    """An item of a history that wasn't there before."""

    item: Item
    role: str
    said: str


@dataclass(slots=True)
class Replacement:
    """What a history left of the one before."""

    kept: list[str] = field(default_factory=list)
    new: list[New] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    shortened: list[str] = field(default_factory=list)
    """Calls that stand in it with less than their outputs."""
    unread: list[str] = field(default_factory=list)
    """Kinds of items nobody understood."""


class History:
    """The items of one context."""

    def __init__(self) -> None:
        self._items: list[Item] = []
        self._begins: list[int] = []
        """Places of those a turn begins with."""

    @property
    def items(self) -> Sequence[Item]:
        """All that stands in it, in order."""
        return self._items

    @items.setter
    def items(self, items: list[Item]) -> None:
        self._items = items
        self._begins = [place for place, item in enumerate(items) if item.begins]

    def said(self, role: str, text: str, name: str, begins: bool = False) -> None:
        """A message went into the context."""
        if begins:
            self._begins.append(len(self._items))
        self._items.append(Item(_key(role, text), name, begins))

    def answered(self, call: str, text: str, name: str) -> None:
        """The output of a call went into it, which is told by this name."""
        self._items.append(Item(_key(f"{CALL}{call}", text), name))

    def emptied(self) -> None:
        """Nobody says what is left."""
        self.items = []

    def rolled_back(self, turns: int, most: int) -> list[str]:
        """The last turns were taken away. Gives the names of what is left, as many of the newest as can be told."""
        if self._begins and turns > 0:
            left = max(len(self._begins) - turns, 0)
            del self._items[self._begins[left] :]
            del self._begins[left:]
        return self._newest(most)

    def compared(self, history: list[Any], name: str) -> Replacement:
        """Compare a history with what stands here now; what is new in it is named after `name`."""
        there: dict[Key, deque[Item]] = {}
        for item in self._items:
            there.setdefault(item.key, deque()).append(item)
        found = Replacement()
        outputs = {item.key[0] for item in self._items}
        whole = {item.id for item in self._items if item.key[0] == f"{CALL}{item.id}"}
        calls = {f"{CALL}{text(each, 'call_id')}" for each in history if text(each, "type") in CALLS}
        for place, each in enumerate(history):
            read = _read(each)
            if read is None:
                found.unread.append(text(each, "type") or "nothing")
                continue
            for role, said in read:
                key = _key(role, said)
                if there.get(key):
                    item = there[key].popleft()
                    found.kept.append(item.id)
                    if f"{CALL}{item.call}" in calls:  # its whole output may have stood beside the shortened one
                        (found.shortened if item.call in whole else found.kept).append(item.call)
                else:
                    shortened = role.removeprefix(CALL) if role in outputs & calls else ""
                    found.shortened += [shortened] if shortened else []
                    item = Item(key, f"{name}.{place}", role == "user" and not is_of_host(said), shortened)
                    found.new.append(New(item, role, said))
                found.items.append(item)
        found.shortened = [call for call in dict.fromkeys(found.shortened) if call not in found.kept]
        return found

    def _newest(self, most: int) -> list[str]:
        """The names of what stands in it; of more than `most` only the last ones."""
        if len(self._items) <= most:
            return list(dict.fromkeys(item.id for item in self._items))
        return list(dict.fromkeys(item.id for item in islice(reversed(self._items), most)))[::-1]


def _read(each: Any) -> Iterator[tuple[str, str]] | None:
    """(role or call, text) of an item of a history, if it has one; None where it isn't understood."""
    each = at(each, "item") or each
    kind = text(each, "type")
    role = AGENT if kind == "agent_message" else text(each, "role")
    if kind in ("message", "agent_message") and role:
        said = text_of(each.get("content"))
        return iter([(role, said)] if said else [])
    if kind in OUTPUTS and text(each, "call_id"):
        shown = answer_of(output_of(each)).text
        return iter([(f"{CALL}{each['call_id']}", shown)])
    if kind == "reasoning":
        return iter([(THOUGHT, thought_key(each))])
    return iter(()) if kind in WORDLESS else None


def thought_key(item: Any) -> str:
    """What a thought is known by: its words, and what only the host can read."""
    return f"{thought_of_item(item).words}\n{text(item, 'encrypted_content')}"


def _key(role: str, said: str) -> Key:
    return role, digest(said.encode("utf-8", "surrogatepass"))[:16]


KINDS = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")
ITEMS = ("message", "agent_message", "reasoning", *OUTPUTS, *WORDLESS)


def unwrapped(record: Record) -> tuple[str, Any, Any]:
    """(kind, payload, timestamp), whichever version wrote it."""
    value = record.value
    kind = text(value, "type")
    if kind and isinstance(value.get("payload"), dict):
        return kind, value["payload"], value.get("timestamp")
    if record.name == "session" or (not kind and text(value, "id") and text(value, "timestamp")):
        return "session_meta", value, at(value, "timestamp")
    if kind in ITEMS:
        return "response_item", value, value.get("timestamp")
    return kind or text(value, "record_type"), value, at(value, "timestamp")


def parent_of(payload: Any) -> str:
    """The session a subagent works for."""
    source = at(payload, "source", "subagent")
    if source is None:
        return ""
    spawned = at(source, "thread_spawn") or source
    return word(payload, "session_id") or word(spawned, "parent_thread_id") or word(payload, "parent_thread_id")


def asked(kind: str, item: Any) -> tuple[str, Any]:
    """(name, arguments) of a call."""
    if kind == "local_shell_call":
        return "local_shell", item.get("action")
    if kind == "tool_search_call":
        return "tool_search", item.get("arguments")
    name, space = word(item, "name"), word(item, "namespace")
    if space and not name.startswith(space):
        name = f"{space}{name}" if space.endswith("__") else f"{space}.{name}"
    said = item.get("input") if kind == "custom_tool_call" else item.get("arguments")
    return name, _structured(said) if kind == "function_call" and isinstance(said, str) else said


def is_count(kind: str, payload: Any) -> bool:
    """Whether a record only counts tokens."""
    return kind == "token_usage_record" or (kind == "event_msg" and text(payload, "type") == "token_count")


def outcome_of(status: str) -> str:
    """How a call ended that is told in one item."""
    return {"failed": "error", "incomplete": "interrupted", "in_progress": "unknown"}.get(status, "ok")


def looks(records: Iterable[Record]) -> bool:
    """Whether these are a rollout's, of any version."""
    return any(_is_codex(record) for record in records)


def looks_old(records: Iterable[Record]) -> bool:
    """Whether they are of the one document the first versions wrote."""
    return looks(record for record in records if record.name in ("session", "items"))


# -- helpers ----------------------------------------------------------------------------------------------------------


def _structured(said: str) -> Any:
    """Arguments that are an object in a text; anything else stays the text it is."""
    told = decoded(said)
    return told if isinstance(told, (dict, list)) else said


def _is_codex(record: Record) -> bool:
    value = record.value
    payload, kind = at(value, "payload"), text(value, "type")
    if kind in KINDS and isinstance(payload, dict):
        return kind not in ("response_item", "event_msg") or bool(text(payload, "type"))
    if kind == "message":
        parts = at(value, "content")
        return isinstance(parts, list) and any(text(part, "type") in ("input_text", "output_text") for part in parts)
    return text(value, "record_type") == "state" and not kind
