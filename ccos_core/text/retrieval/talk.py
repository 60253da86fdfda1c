"""Find what was said in a conversation, by the words of a question, in whole numbers.

A turn is rarely understood alone: an answer doesn't repeat the words of its question. So each turn is scored by its own
words, by those of the turns beside it and by those of the passage around it (BM25 each), and the three are added. A
turn of the speaker whom the question names counts more, and one that only asks counts less. The weights were chosen by
leaving conversations out, see `tests/bench/conversations.py`.

    Talk([Turn("Ann", "What did you buy?"), Turn("Ben", "A red bike.")]).find("What did Ben buy?", 1)   # [1]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ccos_core.text.retrieval.english import BASE_FORMS, EMPTY_WORDS
from ccos_core.text.retrieval.scores import UNIT, first, hurdles, rarity, told, usual_head
from ccos_core.text.retrieval.shelf import Numbers
from ccos_core.text.retrieval.tokenize import stem, terms

PASSAGES = ((0, 0, 10), (2, 1, 10), (3, 3, 4), (6, 6, 8))
"""Turns before, turns after, weight: the turn itself, what it answers and what answers it, and what it is about."""
SPEAKER_WEIGHT, ASKING_WEIGHT = 7, -2
ENOUGH = 2_000
"""Turns near the rarest terms of a question after which none are looked for near its other terms."""

_WORD = re.compile(r"\w+(?:[-_]\w+)*")


class Turn(NamedTuple):
    """Something that one speaker said at once."""

    speaker: str
    text: str
    group: int = 0
    """The conversation it belongs to; turns of another are never beside it."""


def said_terms(text: str) -> list[str]:
    """Return the terms by which a text is found: stems of words that say something, and names by their parts."""
    found: list[str] = []
    for word in _WORD.findall(text):
        low = word.lower()
        if low not in EMPTY_WORDS:
            found += [stem(BASE_FORMS[low])] if low in BASE_FORMS else terms(word) or [low]
    return found


class Talk:
    """Turns by their terms. Turns of a group stand one behind the other."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.count = len(turns)
        self._speakers = sorted({turn.speaker for turn in turns})
        numbers = {speaker: at for at, speaker in enumerate(self._speakers)}
        self._by = np.array([numbers[turn.speaker] for turn in turns], dtype=np.int64)
        self._asks = np.array([turn.text.rstrip().endswith(("?", "？")) for turn in turns], dtype=bool)
        self._groups = np.array([turn.group for turn in turns], dtype=np.int64)
        lengths = np.zeros(self.count, dtype=np.int64)
        rows: dict[str, list[int]] = {}
        counts: dict[str, list[int]] = {}
        for at, turn in enumerate(turns):
            held = Counter(said_terms(f"{turn.speaker} {turn.text}"))
            lengths[at] = held.total()
            for term, often in held.items():
                rows.setdefault(term, []).append(at)
                counts.setdefault(term, []).append(often)
        self._postings = {term: _Posting(found, counts[term]) for term, found in rows.items()}
        begins = np.flatnonzero(np.diff(self._groups, prepend=self._groups[:1] - 1))
        group = np.searchsorted(begins, np.arange(self.count), "right")
        self._starts, self._ends = begins[group - 1], np.append(begins, self.count)[group]
        sums = np.concatenate([[0], np.cumsum(lengths)])
        self._hurdles = []
        for before, after, _ in PASSAGES:
            first_turn, end = self._bounds(np.arange(self.count), before, after)
            long = sums[end] - sums[first_turn]
            self._hurdles.append(hurdles(long, usual_head(int(long.sum()), self.count)))

    def find(self, question: str, most: int) -> list[int]:
        """Return the turns that most likely hold the answer, the best first."""
        return first(self.scores(question), most)

    def scores(self, question: str) -> Numbers:
        """Return the score of each turn; 0 where neither it nor what is around it has a word of the question."""
        asked = Counter(term for term in said_terms(question) if term in self._postings)
        near = self._near(asked)
        total = np.zeros(len(near), dtype=np.int64)
        for (before, after, weight), hurdle in zip(PASSAGES, self._hurdles, strict=True):
            first_turn, end = self._bounds(near, before, after)
            scores = np.zeros(len(near), dtype=np.int64)
            for term, times in asked.items():
                posting = self._postings[term]
                rare = rarity(self.count, min(posting.spread(before + after + 1), self.count))
                scores += times * rare * told(posting.within(first_turn, end), hurdle[near])
            total += weight * (scores * UNIT // max(int(scores.max(initial=0)), 1))
        named = [at for at, speaker in enumerate(self._speakers) if set(said_terms(speaker)) & set(asked)]
        if len(named) == 1:
            total[self._by[near] == named[0]] += SPEAKER_WEIGHT * UNIT
        total[self._asks[near]] += ASKING_WEIGHT * UNIT
        found: Numbers = np.zeros(self.count, dtype=np.int64)
        found[near] = np.maximum(total, 1)
        return found

    def _near(self, asked: Iterable[str]) -> Numbers:
        """Return the turns that have a term of the question in a passage of theirs, those of the rarest terms only
        where these are enough."""
        wide = np.arange(-max(after for _, after, _ in PASSAGES), max(before for before, _, _ in PASSAGES) + 1)
        is_near = np.zeros(self.count, dtype=bool)
        for term in sorted(asked, key=lambda each: (len(self._postings[each].rows), each)):
            rows = self._postings[term].rows
            there = (rows[:, None] + wide).clip(self._starts[rows, None], self._ends[rows, None] - 1)
            is_near[there.ravel()] = True
            if np.count_nonzero(is_near) >= ENOUGH:
                break
        return np.flatnonzero(is_near)

    def _bounds(self, turns: Numbers, before: int, after: int) -> tuple[Numbers, Numbers]:
        """Return (first turn, end) of the passage around each turn."""
        return np.maximum(turns - before, self._starts[turns]), np.minimum(turns + after + 1, self._ends[turns])


class _Posting:
    """The turns that have a term."""

    def __init__(self, rows: list[int], counts: list[int]) -> None:
        self.rows = np.array(rows, dtype=np.int64)
        self._sums = np.concatenate([[0], np.cumsum(np.array(counts, dtype=np.int64))])

    def within(self, first_turn: Numbers, end: Numbers) -> Numbers:
        """Return how often the turns from the first to before the end have the term."""
        until, before = np.searchsorted(self.rows, end), np.searchsorted(self.rows, first_turn)
        found: Numbers = self._sums[until] - self._sums[before]
        return found

    def spread(self, turns: int) -> int:
        """Return how many passages of so many turns have the term."""
        return int(np.minimum(np.diff(self.rows), turns).sum()) + turns
