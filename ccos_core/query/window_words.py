"""How any words stand in the window of a context at one step.

`Carriers` tells of each step by all texts that ever went into a context. Who asks for one step about thousands of
statements is answered by the texts that the window has then.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ccos_core.query.carried_texts import texts_of
from ccos_core.query.carriers import LONG_ENOUGH, PREFERRED, presence_of
from ccos_core.replay.journal import STATES
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL
from ccos_core.state import holding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ccos_core.query.carried_texts import CarriedTexts
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline
    from ccos_core.text.retrieval.phrases import PhraseIndex

BY_CUTS = ("result:", "file:")
"""Items that stay until a cut takes them out, whatever the journal holds of them."""


Found: TypeAlias = tuple[tuple[int, bool], ...]
"""(the number of a text that carries words, whether it has all of them)."""


def window_words(timeline: Timeline, context: int, at: int) -> WindowWords:
    """Return the texts of a window at a step. What words they carry is kept for the next window of the context."""
    lasts: _Lasts = timeline.journal.growing("window words", _Lasts)
    last = lasts.windows.get(context)
    if last is None or (last.head, last.at) != (timeline.head, at):
        last = lasts.windows[context] = WindowWords(timeline, context, at, last)
    return last


class WindowWords:
    """The texts that the window of a context has at a step."""

    def __init__(self, timeline: Timeline, context: int, at: int, before: WindowWords | None = None) -> None:
        self.head, self.at = timeline.head, at
        self._texts, presence = texts_of(timeline, context), presence_of(timeline, context)
        held = _held_items(timeline.journal, context, at)
        self._states: dict[int, int] = {}
        """The number of each of these texts → how it is held."""
        for number, text in enumerate(self._texts.texts):
            if text.step <= at and (text.item in held or text.item.startswith(BY_CUTS)):
                state = next((state for begin, end, state in presence.of(number) if begin <= at < end), OUT)
                if state != OUT:
                    self._states[number] = state
        is_of_these = before is not None and before._texts is self._texts
        self._known: dict[tuple[str, ...], Found] = before._found if before is not None and is_of_these else {}
        """What the window before had of words."""
        new = [each for each in self._states if not is_of_these or before is None or each not in before._states]
        self._new, self._whole = _Part(self._texts, new), _Part(self._texts, list(self._states))
        self._found: dict[tuple[str, ...], Found] = {}

    def state(self, words: tuple[str, ...]) -> int:
        """Return how words stand; `OUT` also where they never were there."""
        ranks = []
        for number, is_whole in self._carrying(words):
            state = self._states[number]
            ranks.append(PREFERRED.index(PARTIAL if state == IN and not is_whole else state))
        return PREFERRED[min(ranks)] if ranks else OUT

    def _carrying(self, words: tuple[str, ...]) -> Found:
        found = self._found.get(words)
        if found is None:
            before = self._known.get(words)
            if before is None:
                found = self._whole.carrying(words)
            else:
                found = (*(each for each in before if each[0] in self._states), *self._new.carrying(words))
            self._found[words] = found
        return found


class _Part:
    """Some of the texts of a context."""

    def __init__(self, texts: CarriedTexts, numbers: list[int]) -> None:
        self._texts = texts
        self._numbers = numbers

    @cached_property
    def _index(self) -> PhraseIndex:
        return self._texts.index.some(self._numbers)

    def carrying(self, words: tuple[str, ...]) -> Found:
        """Return which of them carry words."""
        if not self._numbers or not self._index.may_carry(words):
            return ()
        whole = self._index.whole(words).tolist()
        part = self._index.partly(words).tolist() if len(words) >= LONG_ENOUGH else []
        return (*((self._numbers[each], True) for each in whole), *((self._numbers[each], False) for each in part))


class _Lasts:
    """Context → the last window of it that was asked about."""

    def __init__(self) -> None:
        self.windows: dict[int, WindowWords] = {}

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Forget those of steps that are recorded anew."""
        self.windows = {context: each for context, each in self.windows.items() if each.head <= sizes["steps"]}


def _held_items(journal: Journal, context: int, at: int) -> set[str]:
    """The items that the journal says a context holds at a step."""
    held = journal.held
    rows = np.flatnonzero((held["context"] == context) & (held["step"] <= at))
    state = np.zeros(len(journal.names), np.uint8)
    state[held["item"][rows]] = held["state"][rows] != STATES.index(holding.OUT)
    return set(journal.spelled(np.flatnonzero(state)))
