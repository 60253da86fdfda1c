"""What the agent declares as its own, read from a record: its todo lists and its plans, see `memory/speech.py`.

Of each todo the steps are told at which it came up or its status changed. A plan that the user approved may come back
as the first prompt of a new window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.memory.speech import CREATES, DECLARING, PLANS, REJECTED, Todos, declared_todos, json_object, plan_in
from ccos_core.query.op_text import text_of
from ccos_core.query.saying.heard import Heard
from ccos_core.query.saying.utterance import AGENT, Utterance
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.statements import Statement, statements_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

TODO, PLAN = "todo", "plan"
"""The channels of what an agent declares."""


def agent_utterances(timeline: Timeline) -> tuple[Utterance, ...]:
    """Return all that agents declared, in the order of the steps."""
    heard: Heard[dict[int, Todos]] = timeline.journal.growing("agent utterances", lambda: Heard(dict))
    return heard.until_head(timeline, _read)


def _read(timeline: Timeline, after: int, todos: dict[int, Todos]) -> Iterator[Utterance]:
    kinds, names = (timeline.journal.steps[name][after:] for name in ("kind", "name"))
    numbers = [timeline.journal.id(name) for name in sorted(DECLARING.union(PLANS))]
    calls = (kinds == KIND_CODES["tool"]) & np.isin(names, [each for each in numbers if each >= 0])
    texts = np.isin(kinds, [KIND_CODES["turn"], KIND_CODES["prompt"]])
    found = (np.flatnonzero(calls | texts) + after + 1).tolist()
    timeline.have_ready(found)
    for step in found:
        op, context = timeline.op(step), int(timeline.journal.steps["context"][step - 1])
        if op["kind"] != "tool":
            if statements := statements_of(plan_in(op, text_of(timeline, op.get("said")))):
                yield Utterance(step, context, AGENT, PLAN, statements)
            continue
        arguments = text_of(timeline, op.get("arguments"))
        if op["name"] in PLANS:
            plan = json_object(arguments).get("plan")
            if isinstance(plan, str):
                status = REJECTED if op["outcome"] == "error" else ""
                yield Utterance(step, context, AGENT, PLAN, statements_of(plan), status=status)
            continue
        result = text_of(timeline, op.get("result")) if op["name"] == CREATES else ""
        for place, words, status in declared_todos(op, arguments, result, todos.setdefault(context, Todos())):
            statement = Statement(words, tuple(normalised_words(words)), place, place)
            yield Utterance(step, context, AGENT, TODO, (statement,) if statement.words else (), status=status)
