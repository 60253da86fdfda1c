"""What of a context's window carries a statement, at every step.

A statement is in a window while a carrier is: the prompt that said it, a later prompt or task that repeats it, the
summary of a compaction. A summary carries it word for word, or in part (`text/retrieval/carried.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.saying.utterance import text_of
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.hosted import Hosted
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL, STALE, STATES, UNBORN, UNCERTAIN
from ccos_core.text.retrieval.carried import GROUP, NONE, PART, WHOLE, Carrier

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

PREFERRED = (IN, STALE, PARTIAL, UNCERTAIN, OUT, UNBORN)
"""States of carriers, the best first: a statement stands as the best of its carriers does."""
RANKS = np.array([PREFERRED.index(state) if state in PREFERRED else len(PREFERRED) - 1 for state in range(len(STATES))])
LONG_ENOUGH = 6
"""Words of a statement that can be carried in part. Of "never push to main" the part "push to main" says nothing."""
BY_RESULT = ("refusal", "answer", "plan")
"""Channels by which the agent gets the user's words as the result of its own call."""
CALL_STEPS = 8
"""Steps before such a prompt in which its call is looked for."""
CARRYING = ("prompt", "compaction")
"""Kinds of op whose text may carry a statement."""


@dataclass(frozen=True, slots=True)
class Carrying:
    """An item of a context that brings a statement's words into it."""

    item: str
    """`prompt:N`, `summary:N`."""

    step: int
    whole: bool
    """Whether it has the words as they were said, one behind the other."""


class _Texts:
    """Texts that may carry statements, found by the groups of words that they have."""

    def __init__(self, by_step: dict[int, tuple[str, Carrier]]) -> None:
        self.by_step = by_step
        self._steps: dict[tuple[str, ...], list[int]] = {}
        for step, (_, text) in by_step.items():
            for group in text.groups:
                self._steps.setdefault(group, []).append(step)

    def candidates(self, words: tuple[str, ...]) -> Iterable[int]:
        """Return the steps of texts that may carry these words, in order: all that share enough groups with them."""
        if len(words) < GROUP:
            return self.by_step
        shared: Counter[int] = Counter()
        for at in range(len(words) - GROUP + 1):
            shared.update(self._steps.get(words[at : at + GROUP], ()))
        return sorted(step for step, count in shared.items() if 2 * GROUP * count >= len(words))


class Carriers:
    """The texts of one context that may carry statements."""

    def __init__(self, timeline: Timeline, context: int) -> None:
        self.timeline = timeline
        self.context = context
        known: dict[int, _Texts] = timeline.journal.once("carriers", dict)
        if context not in known:
            known[context] = _Texts(dict(self._read()))
        self._texts = known[context]
        self._lately: dict[tuple[str, int], tuple[int, int, int]] = {}

    def of(self, words: tuple[str, ...], at: int) -> tuple[Carrying, ...]:
        """Return what carries these words among what was said to the context up to a step."""
        found = []
        for step in self._texts.candidates(words):
            item, text = self._texts.by_step[step]
            state = text.compare(words).state if step <= at else NONE
            if state == WHOLE or (state == PART and len(words) >= LONG_ENOUGH):
                found.append(Carrying(item, step, state == WHOLE))
        return tuple(found)

    def state(self, carriers: Iterable[Carrying], at: int) -> tuple[int, int]:
        """Return (how a statement stands at a step, since when)."""
        best, since = UNBORN, 0
        for each in carriers:
            if (each.item, at) not in self._lately:
                self._lately[each.item, at] = self._hosted(each).lately(at)
            state, begun, _ = self._lately[each.item, at]
            state = self._as_carried(state, each)
            rank = PREFERRED.index(state) - PREFERRED.index(best)
            if rank < 0 or (rank == 0 and (begun > since if state == OUT else begun < since)):
                best, since = state, begun
        return best, since

    def states(self, carriers: Iterable[Carrying]) -> Numbers:
        """Return how a statement stands at every step, from 0 to the head."""
        ranks = np.full(self.timeline.head + 1, PREFERRED.index(UNBORN))
        for each in carriers:
            states = self._hosted(each).states(0, 0, self.timeline.head)
            if not each.whole:
                states = np.where(states == IN, PARTIAL, states)
            ranks = np.minimum(ranks, RANKS[states])
        found: Numbers = np.array(PREFERRED)[ranks]
        return found

    def _hosted(self, carrying: Carrying) -> Hosted:
        return Hosted(self.timeline.journal, [Name(carrying.item, 0, self.timeline.head)], self.context)

    @staticmethod
    def _as_carried(state: int, carrying: Carrying) -> int:
        return PARTIAL if state == IN and not carrying.whole else state

    def _read(self) -> Iterator[tuple[int, tuple[str, Carrier]]]:
        steps = self.timeline.journal.steps
        kinds = np.isin(steps["kind"], [KIND_CODES[kind] for kind in CARRYING])
        mine = np.flatnonzero(kinds & (steps["context"] == self.context)) + 1
        for step in mine.tolist():
            op = self.timeline.op(step)
            field, item = ("said", "prompt") if op["kind"] == "prompt" else ("summary", "summary")
            text = text_of(self.timeline, op.get(field))
            if text:
                at = self._result(step, op) if op.get("channel") in BY_RESULT else 0
                yield step, (f"result:{at}" if at else f"{item}:{step}", Carrier(text))

    def _result(self, step: int, op: Plain) -> int:
        """Return the step of the call whose result told the agent what the user said; 0 if there is none."""
        before = range(max(step - CALL_STEPS, 1), step)
        tools = [each for each in before if self.timeline.journal.steps["kind"][each - 1] == KIND_CODES["tool"]]
        return next((each for each in reversed(tools) if self.timeline.op(each).get("call") == op.get("call")), 0)
