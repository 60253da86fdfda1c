"""What of a context's window carries some words, at every step.

Words are in a window while a carrier is: a text that has them one behind the other, or half of them in order
(`text/retrieval/phrases.py`). Any text carries: what was said, what the agent wrote, results of its calls, summaries.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ccos_core.query.carried_texts import Interval, TextPresence, texts_of
from ccos_core.query.said import REMEMBERED
from ccos_core.query.saying.utterance import FILE
from ccos_core.query.step_call import call_of
from ccos_core.replay.codes import HOW_CODES
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, STALE, UNBORN, UNCERTAIN

if TYPE_CHECKING:
    from ccos_core.query.said import Said
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

PREFERRED = (IN, PARTIAL, STALE, UNCERTAIN)
"""States of carriers, the best first: words stand as the best of their carriers does."""
LONG_ENOUGH = 6
"""Words of a statement that can be carried in part. Of "never push to main" the part "push to main" says nothing."""
FEWEST_WORDS = 4
"""Words of a statement that any text carries. Of shorter ones ("debug", "push it") outputs and calls had 10 of 27
before the user said them, and 34 of 283 of longer ones (recordings of 50 sessions)."""
TELLING = ("summary:", "delivery:")
"""Items that tell what was said, besides prompts."""
TELLING_HOWS = [HOW_CODES[how] for how in ("", "task")]
"""Prompts that do: those of the user, and the task of a subagent. A skill's text or a notice doesn't."""
ONCE = "presence of carried texts"

Course: TypeAlias = list[tuple[int, int]]
"""(step, how words stand from there on), from step 0 on; neighbours differ."""


@dataclass(frozen=True, slots=True)
class Carrying:
    """An item of a context that brings words into it."""

    item: str
    """`prompt:N`, `summary:N`, `result:N`, ...; `file:PATH` of what the agent's program attached."""

    step: int
    whole: bool
    """Whether it has the words as they were said, one behind the other."""


class Carriers:
    """The texts of one context that may carry words."""

    def __init__(self, timeline: Timeline, context: int) -> None:
        self.timeline = timeline
        self.context = context
        self._texts = texts_of(timeline, context)
        self._presence = presence_of(timeline, context)
        self._numbers: dict[tuple[str, int], int] = {}
        """(item, step) → the number of its text, of what was found."""

    def of(self, words: tuple[str, ...], at: int) -> tuple[Carrying, ...]:
        """Return what carries these words among what went into the context up to a step."""
        whole = self._texts.index.whole(words).tolist()
        part = self._texts.index.partly(words).tolist() if len(words) >= LONG_ENOUGH else []
        carrying = []
        for number, has_all in sorted([*((each, True) for each in whole), *((each, False) for each in part)]):
            text = self._texts.texts[number]
            if text.step <= at and self._presence.of(number):
                carrying.append(Carrying(text.item, text.step, has_all))
                self._numbers[text.item, text.step] = number
        return tuple(carrying)

    def of_statement(self, said: Said, at: int) -> tuple[Carrying, ...]:
        """Return what carries a statement up to a step; one of few words only what tells what was said."""
        found = self.of(said.words, at)
        if not is_short(said):
            return found
        steps = {step for place in said.places for step in (place.step, self._call(place.step))}
        return tuple(each for each in found if each.step in steps or self._tells(each))

    def course(self, carriers: Iterable[Carrying], first: int = 0) -> Course:
        """Return how words with these carriers stand, from step 0 to the head; unborn before the `first` step."""
        turns = []
        for each in carriers:
            for begin, end, state in self._presence.of(self._number(each)):
                begin = max(begin, first)
                if begin >= end:
                    continue
                rank = PREFERRED.index(PARTIAL if state == IN and not each.whole else state)
                turns += [(begin, rank, 1), (end, rank, -1)]
        course, counts = [(0, UNBORN)], [0] * len(PREFERRED)
        for step, group in groupby(sorted(turns), key=itemgetter(0)):
            for _, rank, change in group:
                counts[rank] += change
            state = next((PREFERRED[rank] for rank, count in enumerate(counts) if count), OUT)
            if state != course[-1][1] and step <= self.timeline.head:
                course.append((step, state))
        return course

    def state(self, carriers: Iterable[Carrying], at: int, first: int = 0) -> tuple[int, int]:
        """Return (how words stand at a step, since when)."""
        course = self.course(carriers, first)
        since, state = course[bisect_right(course, at, key=itemgetter(0)) - 1]
        return state, since

    def states(self, carriers: Iterable[Carrying]) -> Numbers:
        """Return how words stand at every step, from 0 to the head."""
        steps, states = zip(*self.course(carriers), strict=True)
        return np.repeat(np.array(states, np.uint8), np.diff([*steps, self.timeline.head + 1]))

    def intervals(self, carrying: Carrying) -> tuple[Interval, ...]:
        """Return when a carrier was in the window, in order, and how surely."""
        return self._presence.of(self._number(carrying))

    def held(self, carrying: Carrying, at: int) -> int:
        """Return how a carrier itself stands at a step."""
        for begin, end, state in self._presence.of(self._number(carrying)):
            if begin <= at < end:
                return state
        return OUT if carrying.step <= at else UNBORN

    def gone(self, carrying: Carrying, at: int) -> int:
        """Return the step at which a carrier had left by a step; 0 if it is there."""
        ends = [end for begin, end, _ in self._presence.of(self._number(carrying)) if begin <= at]
        return ends[-1] if ends and ends[-1] <= at else 0

    def _call(self, step: int) -> int | None:
        """Return the step of the call in whose result something was said, as the reason of a refusal is."""
        return call_of(self.timeline, step, self.timeline.op(step))

    def _tells(self, carrying: Carrying) -> bool:
        """Whether an item tells what was said."""
        how = self.timeline.journal.steps["how"][carrying.step - 1]
        return carrying.item.startswith(TELLING) or (carrying.item.startswith("prompt:") and how in TELLING_HOWS)

    def _number(self, carrying: Carrying) -> int:
        return self._numbers[carrying.item, carrying.step]


def presence_of(timeline: Timeline, context: int) -> TextPresence:
    """Return how long each text of a context was in its window."""
    known: dict[int, TextPresence] = timeline.journal.once(ONCE, dict)
    if context not in known:
        known[context] = TextPresence(timeline, texts_of(timeline, context))
    return known[context]


def is_short(said: Said) -> bool:
    """Return whether a statement has so few words that outputs and calls may have them by chance."""
    return len(said.words) < FEWEST_WORDS and said.author != FILE and said.places[0].channel != REMEMBERED
