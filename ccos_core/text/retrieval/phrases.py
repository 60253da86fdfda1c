"""Find which of many texts carry some words: the texts as numbers of words, and where each word stands.

    index = PhraseIndex()
    index.add(["Never push to main."])
    index.whole(("push", "to", "main"))   # array([0]), the numbers of the texts
    index.partly(words)                   # of those that carry only half of the words, in order

A text may have parts; words that stand in two of them don't stand together. Takes eight bytes a word.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ccos_core.text.retrieval.carried import GROUP, MOST_PLACES, SHARE, longest_chain, normalised_words, words_covered

Numbers: TypeAlias = npt.NDArray[Any]
GAP = -1
"""Stands between parts: no word has this number."""
PLACES_A_WORD = 8
"""Of the table of groups: so many that few groups share one."""
_MIXERS = 1_000_003, 40_503
_NONE = np.empty(0, np.int64)


class PhraseIndex:
    """Texts in which words are looked for; grows at its end."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._words = array("i")
        self._begins = array("q")
        """Where each text begins among the words."""
        self._sorted: tuple[Numbers, list[int]] = _NONE, []

    def __len__(self) -> int:
        return len(self._begins)

    def add(self, parts: Iterable[str]) -> None:
        """Add a text behind the others."""
        self._begins.append(len(self._words))
        number: Callable[[str], int] = self._numbers.__getitem__
        for part in parts:
            self._words.extend(map(number, normalised_words(part)))
            self._words.append(GAP)

    def some(self, texts: Iterable[int]) -> PhraseIndex:
        """Return the index of some of the texts, in this order. It doesn't grow."""
        found = PhraseIndex()
        found._numbers = self._numbers
        for text in texts:
            end = self._begins[text + 1] if text + 1 < len(self._begins) else len(self._words)
            found._begins.append(len(found._words))
            found._words.extend(self._words[self._begins[text] : end])
        return found

    def may_carry(self, words: Sequence[str]) -> bool:
        """Tell quickly whether a text may have these words, or half of them: whether groups of them are anywhere.
        Nothing may be added to the index after this was asked."""
        numbers = [self._numbers.get(word, GAP) for word in words]
        if len(numbers) < GROUP:
            return GAP not in numbers
        mask, groups = len(self._groups) - 1, self._groups
        covered: set[int] = set()
        for at, (one, two, three) in enumerate(zip(numbers, numbers[1:], numbers[2:], strict=False)):
            if groups[one * _MIXERS[0] + two * _MIXERS[1] + three & mask]:
                covered.update((at, at + 1, at + 2))
        return len(covered) * SHARE[1] >= len(words) * SHARE[0]

    def whole(self, words: Sequence[str]) -> Numbers:
        """Return the texts in which these words stand one behind the other, in order."""
        places = self._together(words)
        return np.unique(self._texts(places)) if len(places) else _NONE

    def partly(self, words: Sequence[str]) -> Numbers:
        """Return the texts that haven't all of these words together, but at least half of them, in groups and in the
        same order."""
        groups_of_words = [tuple(words[place : place + GROUP]) for place in range(len(words) - GROUP + 1)]
        known = {group: self._first_places(group) for group in dict.fromkeys(groups_of_words)}
        found = [known[group] for group in groups_of_words]
        sizes = [len(each) for each in found]
        if not sum(sizes):
            return _NONE
        groups, places = np.repeat(np.arange(len(found)), sizes), np.concatenate(found)
        order = np.argsort(self._texts(places), kind="stable")
        groups, places = groups[order], places[order]
        texts, first, count = np.unique(self._texts(places), return_index=True, return_counts=True)
        covered, in_order = _covered(groups, places, first)
        enough = covered * SHARE[1] >= len(words) * SHARE[0]
        if not enough.any():
            return _NONE
        enough &= ~np.isin(texts, self.whole(words))
        for at in np.flatnonzero(enough & ~in_order).tolist():
            own = slice(first[at], first[at] + count[at])
            enough[at] = _is_part(groups[own], places[own], len(words))
        chosen: Numbers = texts[enough]
        return chosen

    def _together(self, words: Sequence[str]) -> Numbers:
        """The places at which these words begin to stand one behind the other, in order."""
        numbers = [self._numbers.get(word, GAP) for word in words]
        if not numbers or GAP in numbers:
            return _NONE
        places, starts = self._places()
        if max(numbers) >= len(starts) - 1:  # a word that another index came to know later
            return _NONE
        sizes = [starts[number + 1] - starts[number] for number in numbers]
        rarest = sizes.index(min(sizes))
        first = starts[numbers[rarest]]
        begins = places[first : first + sizes[rarest]] - rarest
        every = np.frombuffer(self._words, np.int32)
        begins = begins[(begins >= 0) & (begins + len(numbers) <= len(every))]
        for at, number in enumerate(numbers):
            if at != rarest and len(begins):
                begins = begins[every[begins + at] == number]
        return begins

    def _first_places(self, words: Sequence[str]) -> Numbers:
        """Of the places of these words the first few of each text: "0 0 0 0 ..." has as many as it has words."""
        places = self._together(words)
        if len(places) <= MOST_PLACES:  # as nearly always: 1.7 → 1.3 s for all statements of 10,000 steps
            return places
        texts = self._texts(places)
        return places[np.arange(len(places)) - np.searchsorted(texts, texts) < MOST_PLACES]

    def _texts(self, places: Numbers) -> Numbers:
        """The number of the text in which each place lies."""
        return np.searchsorted(np.frombuffer(self._begins, np.int64), places, side="right") - 1

    def _places(self) -> tuple[Numbers, list[int]]:
        """(the places of all words, by word and in order; where in these each word begins, by its number)."""
        known = len(self._sorted[0])
        every = np.frombuffer(self._words, np.int32)
        if known != len(every):
            keys = (every.astype(np.int64) << 32) | np.arange(len(every))  # sorting these is a third of an argsort
            keys.sort()
            counts = np.bincount(every + 1, minlength=len(self._numbers) + 1)
            self._sorted = (
                keys.astype(np.int32) if len(every) < 1 << 31 else keys & 0xFFFFFFFF,
                np.cumsum(counts).tolist(),
            )
        return self._sorted

    @cached_property
    def _groups(self) -> bytearray:
        """Which groups of words are anywhere, by a hash of their numbers: two may share one."""
        every = np.frombuffer(self._words, np.int32).astype(np.int64)
        found = bytearray(1 << (PLACES_A_WORD * len(every)).bit_length())
        keys = every[:-2] * _MIXERS[0] + every[1:-1] * _MIXERS[1] + every[2:]
        np.frombuffer(found, np.uint8)[keys & len(found) - 1] = 1
        return found


def _covered(groups: Numbers, places: Numbers, first: Numbers) -> tuple[Numbers, Numbers]:
    """Return of each text, whose rows begin at `first`, how many words its groups cover at most, and whether these
    groups stand in order, each once: then it is that many."""
    begins = np.zeros(len(groups), bool)
    begins[first] = True
    further = np.diff(groups, prepend=0)
    covered = np.add.reduceat(np.where(begins, GROUP, np.minimum(further, GROUP)), first)
    is_next = begins | ((further > 0) & (np.diff(places, prepend=0) > 0))
    return covered, np.logical_and.reduceat(is_next, first)


def _is_part(groups: Numbers, places: Numbers, size: int) -> bool:
    """Tell whether the groups of one text, in order, cover enough of so many words."""
    there: list[list[int]] = [[] for _ in range(size - GROUP + 1)]
    for group, place in zip(groups.tolist(), places.tolist(), strict=True):
        there[group].append(place)
    return words_covered(longest_chain(there)) * SHARE[1] >= size * SHARE[0]
