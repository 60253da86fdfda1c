"""What the agent declares as its own: the todo lists of its host, with the status of each over time, and its plans.

A list is told whole each time, or task by task. Of each todo the steps are told at which it came up or its status
changed; one that its list leaves out before it was done is `removed`. A call that failed declares nothing, but for a
plan that the user rejected. One that the user approved may come back as the first prompt of a new window.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.query.op_text import text_of
from ccos_core.query.saying.heard import Heard
from ccos_core.query.saying.utterance import AGENT, Utterance
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.statements import Statement, statements_of

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

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
PLANS = ("ExitPlanMode", "exit_plan_mode")
TODO, PLAN = "todo", "plan"
"""The channels of what an agent declares."""
PENDING, REMOVED, REJECTED = "pending", "removed", "rejected"
APPROVED = "Implement the following plan:\n\n#"
"""How a prompt begins by which Claude Code goes on with a plan of the agent in an empty window."""
DONE = ("completed", "done", "cancelled", REMOVED)
CODEX = "codex"

_CREATED = re.compile(r"Task #(\w+) created")
_PROPOSED = re.compile(r"^<proposed_plan>\n(.*?)^</proposed_plan>", re.DOTALL | re.MULTILINE)


def agent_utterances(timeline: Timeline) -> tuple[Utterance, ...]:
    """Return all that agents declared, in the order of the steps."""
    heard: Heard[dict[int, _Todos]] = timeline.journal.growing("agent utterances", lambda: Heard(dict))
    return heard.until_head(timeline, _read)


class _Todos:
    """The todos of one context."""

    def __init__(self) -> None:
        self.status: dict[str, str] = {}
        """Words of a todo → its status."""
        self.tasks: dict[str, str] = {}
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


# ---- helpers ----


def _read(timeline: Timeline, after: int, todos: dict[int, _Todos]) -> Iterator[Utterance]:
    kinds, names = (timeline.journal.steps[name][after:] for name in ("kind", "name"))
    numbers = [timeline.journal.id(name) for name in (*LISTS, CREATES, UPDATES, *PLANS)]
    calls = (kinds == KIND_CODES["tool"]) & np.isin(names, [each for each in numbers if each >= 0])
    texts = np.isin(kinds, [KIND_CODES["turn"], KIND_CODES["prompt"]])
    found = (np.flatnonzero(calls | texts) + after + 1).tolist()
    timeline.have_ready(found)
    for step in found:
        op, context = timeline.op(step), int(timeline.journal.steps["context"][step - 1])
        if op["kind"] != "tool":
            if statements := statements_of(_plan_in(timeline, op)):
                yield Utterance(step, context, AGENT, PLAN, statements)
            continue
        given = _arguments(timeline, op)
        if op["name"] in PLANS and isinstance(given.get("plan"), str):
            status = REJECTED if op["outcome"] == "error" else ""
            yield Utterance(step, context, AGENT, PLAN, statements_of(given["plan"]), status=status)
        elif op["outcome"] != "error":
            for place, words, status in _declared(timeline, op, given, todos.setdefault(context, _Todos())):
                statement = Statement(words, tuple(normalised_words(words)), place, place)
                yield Utterance(step, context, AGENT, TODO, (statement,) if statement.words else (), status=status)


def _plan_in(timeline: Timeline, op: Plain) -> str:
    """Return the plan that a message of the agent proposes, or that a prompt goes on with; each line where it was."""
    if op["kind"] == "turn" and op.get("host") == CODEX:
        text = text_of(timeline, op.get("said"))
        proposed = _PROPOSED.search(text)
        return "\n" * text.count("\n", 0, proposed.start(1)) + proposed[1] if proposed else ""
    if op["kind"] == "prompt" and op["source"] == "user":
        first, _, plan = text_of(timeline, op["said"]).partition("\n\n")
        return f"\n\n{plan}" if f"{first}\n\n{plan[:1]}" == APPROVED else ""
    return ""


def _declared(timeline: Timeline, op: Plain, given: Mapping[str, Any], todos: _Todos) -> Iterator[tuple[int, str, str]]:
    """Yield (place, words, status) of the todos that a call makes or changes."""
    if op["name"] in LISTS:
        argument, field = LISTS[op["name"]]
        entries = given.get(argument)
        told = [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
        yield from todos.listed({_text(each, field): _text(each, "status") or PENDING for each in told})
    elif op["name"] == CREATES:
        created = _CREATED.search(text_of(timeline, op.get("result")))
        if created:
            todos.tasks[created[1]] = _text(given, "subject")
        yield from todos.set(_text(given, "subject"), PENDING)
    elif op["name"] == UPDATES:
        task = _text(given, "taskId")
        words = _text(given, "subject") or todos.tasks.get(task, "")
        todos.tasks[task] = words
        yield from todos.set(words, _text(given, "status") or todos.status.get(words, PENDING))


def _arguments(timeline: Timeline, op: Plain) -> Mapping[str, Any]:
    try:
        told = json.loads(text_of(timeline, op.get("arguments")))
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _text(told: Mapping[str, Any], name: str) -> str:
    value = told.get(name)
    return value.strip() if isinstance(value, str) else str(value) if isinstance(value, int) else ""
