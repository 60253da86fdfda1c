"""The words that the window of a context holds at one step: what was said and written in it, results, documents.

Only what is held at that step is read, so this is quick just behind a compaction, however long the session is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.remembered import text_of
from ccos_core.replay.journal import STATES
from ccos_core.state.holding import OUT, STALE
from ccos_core.text.retrieval.carried import NONE, PART, WHOLE, Carrier
from ccos_core.values.ids import HELD_PREFIXES, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

DOCUMENTS = (".md", ".mdc", ".txt", ".rst", "rules")
"""How the files end whose words are compared."""
LONG_ENOUGH = 6
"""Words that can be carried in part. Of "never push to main" the part "push to main" says nothing."""


class WindowWords:
    """What a context's window says at a step."""

    def __init__(self, timeline: Timeline, context: int, at: int) -> None:
        self._timeline = timeline
        self._context = context
        self._at = at

    def state(self, words: Sequence[str]) -> str:
        """Tell whether the window has these words: `whole`, `part` or `none`."""
        best = NONE
        for carrier in self._carriers:
            state = carrier.compare(words).state
            if state == WHOLE:
                return WHOLE
            if state == PART and len(words) >= LONG_ENOUGH:
                best = PART
        return best

    @cached_property
    def _carriers(self) -> list[Carrier]:
        return [Carrier(text) for item in self._items() if (text := self._text(item))]

    def _items(self) -> Iterator[str]:
        """The ids of what is held."""
        held, journal = self._timeline.journal.held, self._timeline.journal
        rows = np.flatnonzero((held["context"][:] == self._context) & (held["step"][:] <= self._at))[::-1]
        items, first = np.unique(held["item"][rows], return_index=True)
        gone = np.isin(held["state"][rows][first], [STATES.index(OUT), STATES.index(STALE)])
        for number in items[~gone].tolist():
            name = journal.name(number)
            if name.startswith(HELD_PREFIXES) or (name.startswith("file:") and name.endswith(DOCUMENTS)):
                yield name

    def _text(self, item: str) -> str:
        if (path := path_of(item)) is not None and item.startswith("file:"):
            return "\n".join(self._timeline.at(self._at).source(path).lines)
        kind, _, step = item.partition(":")
        op = self._timeline.op(int(step))
        fields = ("arguments",) if kind == "call" else ("said", "result", "summary")
        return text_of(self._timeline, next((op[name] for name in fields if name in op), None))
