"""What was said in the texts of an op: the user's words in a prompt, and what an agent declares as its own.

An agent declares the todo list of its host, with the status of each todo over time, and its plans. A list is told whole
each time, or task by task. Of each todo it is told when it came up or its status changed; one that its list leaves out
before it was done is `removed`. A call that failed declares nothing, but for a plan that the user rejected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ccos_core.text.own_words import arguments_of, own_words

Op = Mapping[str, Any]

COMMAND = "command"
"""The channel of what stands behind a slash command, and the phase of the prompt that it comes in."""
ANSWER = "answer"
"""The channel of answers to a question tool, one to a line."""
APPROVED = "Implement the following plan:\n\n#"
"""How a prompt begins by which Claude Code goes on with a plan of the agent in an empty window."""
BY_HOST = (
    "This session is being continued from",
    "Caveat: The messages below",
    "[Request interrupted",
    "Operation stopped by hook:",
    APPROVED,
)
"""How a text begins that a host sends in the user's name. The last is a plan of the agent, see `plan_in`."""

LISTS = {
    "TodoWrite": ("todos", "content"),
    "todowrite": ("todos", "content"),
    "todo_write": ("todos", "content"),
    "write_todos": ("todos", "description"),
    "update_plan": ("plan", "step"),
    "task_tracker": ("task_list", "title"),
}
"""Tool → the argument with the list, and the field of an entry with its words."""
CREATES, UPDATES = "TaskCreate", "TaskUpdate"
DECLARING = frozenset({*LISTS, CREATES, UPDATES})
PLANS = ("ExitPlanMode", "exit_plan_mode")
PENDING, REMOVED, REJECTED = "pending", "removed", "rejected"
DONE = ("completed", "done", "cancelled", REMOVED)
CODEX = "codex"

_CREATED = re.compile(r"Task #(\w+) created")
_PROPOSED = re.compile(r"^<proposed_plan>\n(.*?)^</proposed_plan>", re.DOTALL | re.MULTILINE)


def words_of_user(op: Op, text: str) -> tuple[str, str]:
    """Return (channel, the user's words) of a prompt; no words where none are the user's. Lines stay where they are."""
    if op["source"] == "user":
        return op.get("channel", ""), "" if text.startswith(BY_HOST) else own_words(text)
    if op["source"] == "host" and op.get("phase") == COMMAND and not op.get("context"):
        return COMMAND, arguments_of(text)
    return "", ""


class Todos:
    """The todos of one context."""

    def __init__(self, status: dict[str, str] | None = None, tasks: dict[str, str] | None = None) -> None:
        self.status: dict[str, str] = status or {}
        """Words of a todo → its status."""
        self.tasks: dict[str, str] = tasks or {}
        """The host's number of a task → its words."""

    def listed(self, entries: Mapping[str, str]) -> Iterator[tuple[int, str, str]]:
        """Yield (place, words, status) of what is new or changed in a list that replaces the one before."""
        gone = {words: REMOVED for words, status in self.status.items() if words not in entries and status not in DONE}
        for place, (words, status) in enumerate({**entries, **gone}.items(), 1):
            if self.status.get(words) != status:
                self.status[words] = status
                yield place, words, status

    def set(self, words: str, status: str) -> Iterator[tuple[int, str, str]]:
        """Yield (place, words, status) of one todo, if that is news."""
        if words and self.status.get(words) != status:
            self.status[words] = status
            yield 1, words, status


def plan_in(op: Op, text: str) -> str:
    """Return the plan that a message of the agent proposes, or that a prompt goes on with; each line where it was."""
    if op["kind"] == "turn" and op.get("host") == CODEX:
        proposed = _PROPOSED.search(text)
        return "\n" * text.count("\n", 0, proposed.start(1)) + proposed[1] if proposed else ""
    if op["kind"] == "prompt" and op["source"] == "user":
        first, _, plan = text.partition("\n\n")
        return f"\n\n{plan}" if f"{first}\n\n{plan[:1]}" == APPROVED else ""
    return ""


def declared_todos(op: Op, arguments: str, result: str, todos: Todos) -> Iterator[tuple[int, str, str]]:
    """Yield (place, words, status) of the todos that a call makes or changes, by the texts of the call."""
    if op["name"] not in DECLARING or op["outcome"] == "error":
        return
    given = json_object(arguments)
    if op["name"] in LISTS:
        argument, field = LISTS[op["name"]]
        entries = given.get(argument)
        told = [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
        yield from todos.listed({_text(each, field): _text(each, "status") or PENDING for each in told})
    elif op["name"] == CREATES:
        created = _CREATED.search(result)
        if created:
            todos.tasks[created[1]] = _text(given, "subject")
        yield from todos.set(_text(given, "subject"), PENDING)
    elif op["name"] == UPDATES:
        task = _text(given, "taskId")
        words = _text(given, "subject") or todos.tasks.get(task, "")
        todos.tasks[task] = words
        yield from todos.set(words, _text(given, "status") or todos.status.get(words, PENDING))


def json_object(text: str) -> Mapping[str, Any]:
    """Return the object that a text spells; an empty one if it spells none."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value.strip() if isinstance(value, str) else str(value) if isinstance(value, int) else ""
