"""What may be asked next, found out while nobody asks: a little at a time, so that whoever asks doesn't wait for it.

Most of what a larger window takes is reading the files that will be in it. That changes nothing and answers nothing; a
window is asked for and made as ever, and finds them at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from ccos_tui.bridge.ask import Ask
from ccos_tui.focus import BUDGETS, DEFAULT_BUDGET, OURS

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

AT_REST = 0.02
"""Seconds in which whoever was answered is let alone: what was asked is being painted, ..."""
AT_KEYS = 0.05
"""... seconds behind a key in which more may come, and what it moved is being painted: both take turns, ..."""
AT_ONCE, BETWEEN = 0.002, 0.0005
"""... and seconds of work, and of rest behind it: nobody else who paints waits longer."""
FURTHER = 2
"""Budgets that are looked ahead at: as many presses of a key."""


def ahead(timeline: Timeline, looked: Ask | None) -> Iterator[None]:
    """What can be found out behind the last question for a window of ours, a little at a time."""
    end = 0.0
    for _ in _parts(timeline, looked):
        if monotonic() >= end:
            yield
            end = monotonic() + AT_ONCE


def _parts(timeline: Timeline, looked: Ask | None) -> Iterator[None]:
    said = dict(looked.said) if looked is not None else {}
    if looked is None or looked.at is None or said.get("lens") != OURS:
        return
    larger = [budget for budget in BUDGETS if budget > int(said.get("budget", DEFAULT_BUDGET))]
    with suppress(Exception):  # whoever asks for it will be told
        for step in (looked.at, looked.at - 1):  # the one before is what a step's diff is made with
            if larger and step >= 0:
                yield  # nothing is done before whoever was answered has had their rest
                yield from timeline.at(step).look_ahead(larger[:FURTHER][-1])
