"""What was said last in the session that spoke last, of whichever host: the newest turns, and its last summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.query.contexts import contexts_of, last_speaker
from ccos_core.query.op_text import text_of
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

AGENT = "agent"


class RecentTurn(NamedTuple):
    """What was said at one step."""

    step: int
    speaker: str
    """`user`, `agent`, or another source of prompts."""

    text: str


class RecordedSession:
    """The session that spoke last up to a step."""

    def __init__(self, timeline: Timeline, at: int) -> None:
        self._timeline = timeline
        self._at = at

    def get_recent_turns(self, n: int) -> list[RecentTurn]:
        """Return the last `n` prompts and answers, in their order."""
        found: list[RecentTurn] = []
        for step in reversed(self._steps("prompt", "turn")):
            if len(found) >= n:
                break
            op = self._timeline.op(step)
            if text := text_of(self._timeline, op.get("said")):
                found.append(RecentTurn(step, op["source"] if op["kind"] == "prompt" else AGENT, text))
        return found[::-1]

    def get_summary(self) -> str:
        """Return the summary that the last compaction left; empty if there is none."""
        steps = self._steps("compaction")
        return text_of(self._timeline, self._timeline.op(steps[-1]).get("summary")) if steps else ""

    def health(self) -> bool:
        """Whether a session is recorded."""
        return last_speaker(self._timeline, self._at) is not None

    def _steps(self, *kinds: str) -> list[int]:
        """Return the steps of these kinds in that session's context."""
        speaker = last_speaker(self._timeline, self._at)
        mine = [number for number, each in contexts_of(self._timeline).items() if each == speaker]
        steps = self._timeline.journal.steps
        there = np.isin(steps["context"][: self._at], mine)
        there &= np.isin(steps["kind"][: self._at], [KIND_CODES[kind] for kind in kinds])
        found: list[int] = (np.flatnonzero(there) + 1).tolist()
        return found
