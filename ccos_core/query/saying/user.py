"""The user's words: prompts, queued words, answers, reasons for refusals, edited plans, arguments of slash commands.

What a record calls a prompt of the user may hold more: reminders of the host, summaries that a host sends in the
user's name, text of ours. None of it counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.memory.speech import ANSWER, COMMAND, words_of_user
from ccos_core.query.op_text import text_of
from ccos_core.query.saying.heard import Heard
from ccos_core.query.saying.utterance import USER, Utterance, memo_id
from ccos_core.replay.codes import KIND_CODES, how_of
from ccos_core.text.statements import MOST_STATEMENTS, statements_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


def user_utterances(timeline: Timeline) -> tuple[Utterance, ...]:
    """Return all that the user said, in the order of the steps."""
    heard: Heard[None] = timeline.journal.growing("user utterances", lambda: Heard(lambda: None))
    return heard.until_head(timeline, _read)


def first_said(timeline: Timeline) -> dict[str, int]:
    """Statement → the step at which the user said it first."""
    found: dict[str, int] = timeline.journal.once("first said by the user", lambda: _first_said(timeline))
    return found


def _first_said(timeline: Timeline) -> dict[str, int]:
    found: dict[str, int] = {}
    for utterance in user_utterances(timeline):
        for each in utterance.statements:
            found.setdefault(memo_id(each.words), utterance.step)
    return found


def _read(timeline: Timeline, after: int, _: None) -> Iterator[Utterance]:
    steps = timeline.journal.steps
    found = (np.flatnonzero(steps["kind"][after:] == KIND_CODES["prompt"]) + after + 1).tolist()
    timeline.have_ready(found)
    for step in found:
        op = timeline.op(step)
        if op["source"] == "user" or how_of(op) == COMMAND:
            channel, words = words_of_user(op, text_of(timeline, op["said"]))
            if said := statements_of(words, wrapped=channel != ANSWER):
                is_partly_read = "dropped" in op["said"] or len(said) > MOST_STATEMENTS
                context = int(steps["context"][step - 1])
                yield Utterance(step, context, USER, channel, said, is_partly_read=is_partly_read)
