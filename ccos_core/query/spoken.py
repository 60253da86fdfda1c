"""Words as a node: a phrase, or a statement by its id, in the window of one context of the agent.

    node_meant(timeline, '"never push to main"', at)     # words:never push to main
    Spoken(timeline, "memo:1f0c…", context).states(0, 0, timeline.head)

`node_meant` resolves what a user calls a node. A question that looks at a node in the agent's window by
`watched_there` then answers about words as well.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.errors import NotFound
from ccos_core.query.carriers import Carriers, Carrying, Course
from ccos_core.query.contexts import contexts_of
from ccos_core.query.node_names import known_statements, statement_named
from ccos_core.query.remembered import EXPIRED, RETRACTED, SUPERSEDED, assertions_of, ops_about
from ccos_core.query.said import Said, said_until, statement_with
from ccos_core.query.saying.user import first_said
from ccos_core.query.saying.utterance import memo_id
from ccos_core.replay.residency.runs import IN, PARTIAL, STALE, STATES, UNBORN, WITHIN
from ccos_core.state.holding import ABSENT, Standing
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.ids import MEMO_PREFIX, WORDS_PREFIX
from ccos_core.values.tokens import by_size

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

TURNING = frozenset({"remembered", SUPERSEDED, RETRACTED, EXPIRED})
"""Kinds of op that change how a statement stands."""
QUOTE_PAIRS = ('""', "“”", "''")


class Words(NamedTuple):
    """Words that can be looked for."""

    text: str
    """As they were said."""
    words: tuple[str, ...]
    """Normalised."""


def node_meant(timeline: Timeline, said: str, at: int, *, guess: bool = True) -> str:
    """Return the node a user means: words in quotes, a statement's id, a node of the code. With `guess` several words
    that name none are words."""
    if said.startswith(MEMO_PREFIX):
        return statement_named(timeline, said, timeline.head)
    if said.startswith(WORDS_PREFIX):
        return _phrase(said.removeprefix(WORDS_PREFIX))
    if len(said) > 2 and said[0] + said[-1] in QUOTE_PAIRS:
        return _phrase(said[1:-1])
    try:
        return timeline.node(said, at)
    except NotFound:
        if not guess or len(said.split()) < 2:
            raise
        return _phrase(said)


def _phrase(said: str) -> str:
    if not normalised_words(said):
        raise NotFound("there are no words in it", place=said, hint='Quote what was said: "never push to main"')
    return WORDS_PREFIX + " ".join(said.split())


def words_of_node(timeline: Timeline, node: str) -> Words:
    """Return the words of a phrase, or of a statement."""
    text = node.removeprefix(WORDS_PREFIX)
    if node.startswith(MEMO_PREFIX):
        known: dict[str, str] = timeline.journal.once(
            "texts of statements", lambda: known_statements(timeline, timeline.head)
        )
        if node not in known:
            raise NotFound("there is no such statement", place=node, hint="`statements` lists them.")
        text = known[node]
    return Words(text, tuple(normalised_words(text)))


class Spoken:
    """How words stand in the window of one context, at every step: the residency of words."""

    def __init__(self, timeline: Timeline, node: str, context: int) -> None:
        self.timeline = timeline
        self.text, self.words = words_of_node(timeline, node)
        self.carriers = Carriers(timeline, context)
        self.said = self._statement(node)
        """The statement; None of a phrase."""
        self.carrying = self._carrying(self.said, self.words)
        """What ever brought them into this context, in order."""
        memo = node if node.startswith(MEMO_PREFIX) else memo_id(self.words)
        self.course = self._with_stale(memo, self._course(self.said, self.carrying))

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """Return their state at each of these steps, whatever the budget."""
        steps, states = zip(*self.course, strict=True)
        whole = np.repeat(np.array(states, np.uint8), np.diff([*steps, self.timeline.head + 1]))
        found: Numbers = whole[first : last + 1]
        return found

    def state(self, step: int) -> int:
        """Return how they stand at a step."""
        return self.course[bisect_right(self.course, step, key=itemgetter(0)) - 1][1]

    def standing(self, step: int) -> Standing:
        """Return how they stand, and by which delivery."""
        if self.state(step) not in WITHIN:
            return ABSENT
        there = [each for each in reversed(self.carrying) if self.carriers.held(each, step) in WITHIN]
        best = next((each for each in there if each.whole), there[0])
        return Standing(STATES[self.state(step)], by_size(len(self.text.encode())), best.step)

    @cached_property
    def by_user(self) -> bool:
        """Whether the user ever said these words in this session."""
        whose = contexts_of(self.timeline)[self.carriers.context]
        phrase = f" {' '.join(self.words)} "
        said = said_until(self.timeline, self.timeline.head, (whose.host, whose.session))
        steps = {place.step for each in said for place in each.places}
        return any(each.step in steps for each in self.carrying) or any(
            phrase in f" {' '.join(each.words)} " for each in said
        )

    def turned(self, step: int) -> tuple[Carrying, ...]:
        """Return the carriers that came or went at a step."""
        return tuple(self._turns.get(step, ()))

    @cached_property
    def _turns(self) -> dict[int, list[Carrying]]:
        found: dict[int, list[Carrying]] = {}
        for each in self.carrying:
            intervals = self.carriers.intervals(each)
            steps = Counter(step for begin, end, _ in intervals for step in (begin, end))
            for step in [step for step, count in steps.items() if count == 1]:  # else only its certainty changed
                found.setdefault(step, []).append(each)
        return found

    def _with_stale(self, memo: str, course: Course) -> Course:
        """Make stale what is held while other words had taken its place, and these weren't held."""
        head = self.timeline.head
        found = [(step, op["kind"]) for step, op in ops_about(self.timeline, memo, head) if op["kind"] in TURNING]
        if all(kind != SUPERSEDED for _, kind in found):  # as nearly always: feedback and notes turn nothing
            return course
        said = first_said(self.timeline).get(memo, head)  # from there on it is a statement of the user
        for step, until in pairwise([*sorted({said, *(step for step, _ in found)}), head + 1]):
            told = assertions_of(self.timeline, memo, step)
            if told.standing == SUPERSEDED:
                course = _made_stale(course, self._course_of(told.by), step, until)
        return course

    def _course_of(self, node: str) -> Course:
        """How the words stand that took the place of these."""
        try:
            words = words_of_node(self.timeline, node).words if node.startswith(MEMO_PREFIX) else ()
        except NotFound:
            words = ()
        said = self._statement(node)
        return self._course(said, self._carrying(said, words)) if words else [(0, UNBORN)]

    def _statement(self, node: str) -> Said | None:
        whose = contexts_of(self.timeline)[self.carriers.context]
        is_memo = node.startswith(MEMO_PREFIX)
        return statement_with(self.timeline, node, (whose.host, whose.session)) if is_memo else None

    def _carrying(self, said: Said | None, words: tuple[str, ...]) -> tuple[Carrying, ...]:
        head = self.timeline.head
        return self.carriers.of(words, head) if said is None else self.carriers.of_statement(said, head)

    def _course(self, said: Said | None, carrying: tuple[Carrying, ...]) -> Course:
        return self.carriers.course(carrying, said.first if said is not None else 0)


def _made_stale(course: Course, newer: Course, first: int, end: int) -> Course:
    """Make stale what is held in a stretch of steps while newer words are not."""
    found: Course = []
    for step in sorted({first, end, *(step for step, _ in (*course, *newer))}):
        state = _at(course, step)
        if first <= step < end and state in (IN, PARTIAL) and _at(newer, step) not in (IN, PARTIAL):
            state = STALE
        if not found or found[-1][1] != state:
            found.append((step, state))
    return found


def _at(course: Course, step: int) -> int:
    return course[bisect_right(course, step, key=itemgetter(0)) - 1][1]
