"""`stats`: what the whole record holds. Whoever asks for it, this is the one answer; a step of it is `state`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ccos_core.query.question import Question

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


def stats(timeline: Timeline, at: int, *, census: Callable[[], Any]) -> Any:
    """What was counted; only the store knows what lies in it, so it is asked."""
    return census()


ABOUT = "It is about the whole record, wherever the cursor stands; the command `stats` gives the same."
QUESTION = Question(ask=stats, answers=(), example="stats", about=ABOUT, needs=("census",), timeless=True)
