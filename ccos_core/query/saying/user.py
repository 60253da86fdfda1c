"""The user's words: prompts, queued words, answers, reasons for refusals, edited plans, arguments of slash commands.

What a record calls a prompt of the user may hold more: reminders of the host, summaries that a host sends in the
user's name, text of ours. None of it counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.op_text import text_of
from ccos_core.query.saying.agent import APPROVED
from ccos_core.query.saying.heard import Heard
from ccos_core.query.saying.utterance import USER, Utterance, memo_id
from ccos_core.replay.codes import KIND_CODES, how_of
from ccos_core.text.own_words import arguments_of, own_words
from ccos_core.text.statements import statements_of

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

COMMAND = "command"
"""The channel of what stands behind a slash command, and the phase of the prompt that it comes in."""
ANSWER = "answer"
"""The channel of answers to a question tool, one to a line."""
BY_HOST = (
    "This session is being continued from",
    "Caveat: The messages below",
    "[Request interrupted",
    "Operation stopped by hook:",
    APPROVED,
)
"""How a text begins that a host sends in the user's name. The last is a plan of the agent, see `saying/agent.py`."""


def user_utterances(timeline: Timeline) -> tuple[Utterance, ...]:
    """Return all that the user said, in the order of the steps."""
    heard: Heard[None] = timeline.journal.growing("user utterances", lambda: Heard(lambda: None))
    return heard.until_head(timeline, _read)


def first_said(timeline: Timeline) -> dict[str, int]:
    """Statement → the step at which the user said it first."""
    found: dict[str, int] = timeline.journal.once("first said by the user", lambda: _first_said(timeline))
    return found


def words_of_user(op: Plain, text: str) -> tuple[str, str]:
    """Return (channel, the user's words) of a prompt; no words where none are the user's. Lines stay where they are."""
    if op["source"] == "user" and not how_of(op):
        return op.get("channel", ""), "" if text.startswith(BY_HOST) else own_words(text)
    if op["source"] == "host" and how_of(op) == COMMAND and not op.get("context"):
        return COMMAND, arguments_of(text)
    return "", ""


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
                yield Utterance(step, int(steps["context"][step - 1]), USER, channel, said)
