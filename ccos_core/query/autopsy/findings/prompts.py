"""What the user typed, without what is only quoted in it: pasted logs, code, and the marks that a host adds.

Only prompts of the main conversation whose recorded source is the user count; `saying/user.py` says which of their
words are the user's.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.intake import failures
from ccos_core.memory.speech import words_of_user
from ccos_core.query.autopsy.findings.calls import contents_of
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.quoted import without_quotes

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.query.autopsy.deeds import Deeds

LONGEST_CHARACTERS = 40_000
"""Of a prompt that are read."""
LONG_CHARACTERS = 900
"""Own words from which a prompt is a description, of which only the beginning and the end are taken for remarks."""
REMARK_CHARACTERS = 240
AGENT_WORDED = ("answer", "plan")
"""Channels whose words the agent wrote, and the user chose or kept."""
CONTENTS_BATCH = 500
"""Contents read at once."""
_FAILURE_LINE = re.compile(
    r"^\s*(?:Traceback \(most recent call last\)|(?:Uncaught |Unhandled )?[\w.]*(?:Error|Exception)\b[^\n]{0,3}: \S"
    r"|--- FAIL: |FAILED \S+|panic: |npm ERR!|error(?:\[\w+\])?: \S|fatal: \S|FATAL\b|\S+:\d+:\d+: error|E   \S"
    r"|thread '.*' panicked|Segmentation fault|command not found|[\w./-]+: command not found"
    r"|Access to \w+ at .* has been blocked|Process exited with code [1-9])",
    re.MULTILINE,
)


class Prompt(NamedTuple):
    """One prompt of the user."""

    step: int
    words: str
    """What the user says, without what is pasted."""
    pastes_failure: bool
    """Whether it holds the output of something that failed."""
    is_channelled: bool
    """Whether it was said otherwise than as a prompt: as the reason of a refusal, an answer, an edit of a plan."""
    is_by_agent: bool = False
    """Whether its words may be the agent's: an answer that was chosen among its own, a plan of its own."""


class Prompts:
    """The user's prompts in the order of the steps."""

    def __init__(self, deeds: Deeds) -> None:
        self._deeds = deeds

    @cached_property
    def every(self) -> tuple[Prompt, ...]:
        """All of them."""
        steps, ops = self._of_user()
        found = []
        for begin in range(0, len(steps), CONTENTS_BATCH):
            some = steps[begin : begin + CONTENTS_BATCH]
            texts = contents_of(self._deeds, (ops[step]["said"]["blob"] for step in some))
            for step in some:
                content = texts.get(ops[step]["said"]["blob"])
                if content is not None:
                    text = content.decode("utf-8", "replace")[:LONGEST_CHARACTERS]
                    channel, text = words_of_user(ops[step], text)
                    if text.strip():
                        prompt = _prompt(step, text, channel not in ("", "queued"))
                        found.append(prompt._replace(is_by_agent=channel in AGENT_WORDED))
        return tuple(found)

    @cached_property
    def interruptions(self) -> tuple[int, ...]:
        """The steps at which the host says that the user interrupted the agent."""
        deeds = self._deeds
        kinds = deeds.journal.steps["kind"][: deeds.upto]
        steps = (np.nonzero(kinds == KIND_CODES["prompt"])[0] + 1).tolist()
        return tuple(step for step in steps if deeds.op(step).get("phase") == "interruption")

    def _of_user(self) -> tuple[list[int], dict[int, Plain]]:
        deeds = self._deeds
        kinds = deeds.journal.steps["kind"][: deeds.upto]
        steps = (np.nonzero(kinds == KIND_CODES["prompt"])[0] + 1).tolist()
        ops = {step: deeds.op(step) for step in steps}
        mine = [
            step for step, op in ops.items() if op.get("source") == "user" and "said" in op and not op.get("context")
        ]
        return mine, ops


def remarks_in(text: str) -> str:
    """Return what the user says in a prompt, without what is quoted; of a long one only its begin and its end."""
    words = without_quotes(text)
    if len(words) > LONG_CHARACTERS:
        words = f"{words[:REMARK_CHARACTERS]}\n{words[-REMARK_CHARACTERS:]}"
    return words


def _prompt(step: int, text: str, is_channelled: bool) -> Prompt:
    return Prompt(step, remarks_in(text), _holds_failure(text), is_channelled)


def _holds_failure(text: str) -> bool:
    """Whether a text holds what a tool prints when something fails."""
    return _FAILURE_LINE.search(text) is not None or bool("\n" in text and failures.read(text).failures)
