"""How any words stand in the window of a context at one step.

`Carriers` tells of each step by all texts that ever went into a context. Who asks for one step about thousands of
statements is answered by the texts that the window has then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.carried_texts import texts_of
from ccos_core.query.carriers import LONG_ENOUGH, PREFERRED, presence_of
from ccos_core.replay.journal import STATES
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL
from ccos_core.state import holding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

BY_CUTS = ("result:", "file:")
"""Items that stay until a cut takes them out, whatever the journal holds of them."""


class WindowWords:
    """The texts that the window of a context has at a step."""

    def __init__(self, timeline: Timeline, context: int, at: int) -> None:
        texts, presence = texts_of(timeline, context), presence_of(timeline, context)
        held = _held_items(timeline.journal, context, at)
        numbers = []
        self._states = []
        """How each of these texts is held."""
        for number, text in enumerate(texts.texts):
            if text.step <= at and (text.item in held or text.item.startswith(BY_CUTS)):
                for begin, end, state in presence.of(number):
                    if begin <= at < end:
                        numbers.append(number)
                        self._states.append(state)
        self._index = texts.index.some(numbers)

    def state(self, words: tuple[str, ...]) -> int:
        """Return how words stand; `OUT` also where they never were there."""
        return PREFERRED[min(ranks)] if (ranks := set(self._ranks(words))) else OUT

    def _ranks(self, words: tuple[str, ...]) -> Iterator[int]:
        if self._index.may_carry(words):
            for each in self._index.whole(words).tolist():
                yield PREFERRED.index(self._states[each])
            for each in self._index.partly(words).tolist() if len(words) >= LONG_ENOUGH else ():
                state = self._states[each]
                yield PREFERRED.index(PARTIAL if state == IN else state)


def _held_items(journal: Journal, context: int, at: int) -> set[str]:
    """The items that the journal says a context holds at a step."""
    held = journal.held
    rows = np.flatnonzero((held["context"] == context) & (held["step"] <= at))
    state = np.zeros(len(journal.names), np.uint8)
    state[held["item"][rows]] = held["state"][rows] != STATES.index(holding.OUT)
    return set(journal.spelled(np.flatnonzero(state)))
