"""What a text names outright, at one moment after another: which documents, in which list, and how surely."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.asked import Both
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.stretches import Stretch, Stretches
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.mentions import Mentions
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting
from ccos_core.window.ranking import meant, names_something, weighed

if TYPE_CHECKING:
    from ccos_core.replay.residency.lens import Progress

OFTEN = 50
"""Moments between two words about how far it has come."""


class Listed(NamedTuple):
    """Documents of one list."""

    wordings: Numbers
    """In order, ..."""
    scores: Both
    """... and what each has there, whenever it is a document."""


class Naming:
    """What is named: looked through once, from the first moment to the last."""

    def __init__(
        self, called: Called, files: Numbers, told: Mentions, stretches: Stretches, progress: Progress
    ) -> None:
        self.stretches = stretches
        self._spans: dict[str, tuple[Numbers, ...]] = {}
        """List → wordings, what each has there, from which place on, and to before which."""
        if names_something(told):
            self._spans = _Walk(called, files, told, stretches).through(progress)

    @property
    def lists(self) -> Iterable[str]:
        """The lists there are."""
        return self._spans

    def wordings(self) -> Numbers:
        """All that are ever named, in order."""
        none = np.zeros(0, np.int64)
        return np.unique(np.concatenate([none, *(wordings for wordings, *_ in self._spans.values())]))

    def within(self, stretch: Stretch) -> dict[str, Listed]:
        """The lists of a stretch."""
        return {name: self._listed(stretch, *spans) for name, spans in self._spans.items()}

    def _listed(self, stretch: Stretch, wordings: Numbers, given: Numbers, firsts: Numbers, ends: Numbers) -> Listed:
        here = (firsts < stretch.end) & (ends > stretch.first)
        found, at = np.unique(wordings[here], return_inverse=True)
        low, high = np.full(len(found), 2**62), np.zeros(len(found), np.int64)
        np.minimum.at(low, at, given[here])
        np.maximum.at(high, at, given[here])
        named, there = np.zeros(len(found), np.int64), (self.stretches.comes[found], self.stretches.leaves[found])
        np.add.at(named, at, np.minimum(ends[here], stretch.end) - np.maximum(firsts[here], stretch.first))
        low[named < np.minimum(there[1], stretch.end) - np.maximum(there[0], stretch.first)] = 0
        return Listed(found, (low, high))


class _Walk:
    """Whoever looks through all moments."""

    def __init__(self, called: Called, files: Numbers, told: Mentions, stretches: Stretches) -> None:
        self.called = called
        self.told = told
        self.stretches = stretches
        self._files = files.tolist()
        """Version → the node of its file."""
        self._now: dict[str, tuple[Numbers, Numbers, Numbers]] = {}
        """List → (wordings in order, what each has there, since which place)."""
        self._spans: dict[str, list[tuple[Numbers, ...]]] = {}

    def through(self, progress: Progress) -> dict[str, tuple[Numbers, ...]]:
        """Look through all of them."""
        marks = self.stretches.marks.tolist()
        named, upto, turns = frozenset[int](), 0, -1
        for place, mark in enumerate(marks):
            if place % OFTEN == 0:
                progress(place, len(marks))
            self.called.move(mark)
            if self.called.turns != turns or not named.isdisjoint(self._files[upto:mark]):
                means = meant(self.called.names(), self.told)
                paths = means.paths()
                then = _Then(self.called, paths, mark)
                for name, look in weighed(then, means).items():
                    fits = np.flatnonzero(look)
                    self._put(name, place, then.some[fits], look[fits])
                named = self._nodes(paths)
                turns = self.called.turns
            upto = mark
        none = np.zeros(0, np.int64)
        for name in self._now:
            self._put(name, len(marks), none, none)
        return {
            name: tuple(np.concatenate(columns) for columns in zip(*each, strict=True))
            for name, each in self._spans.items()
        }

    def _nodes(self, paths: Sequence[str]) -> frozenset[int]:
        """The nodes of some files."""
        numbers, every = self.called.wordings.numbers, self.called.wordings.paths
        return frozenset(int(numbers[bisect_left(every, path)]) for path in paths)

    def _put(self, name: str, place: int, wordings: Numbers, given: Numbers) -> None:
        """From that place on a list has these. What has as much there as before goes on: a file that is named may have
        thousands of documents, and as many versions."""
        none = np.zeros(0, np.int64)
        before, had, began = self._now.get(name, (none, none, none))
        _, old, new = np.intersect1d(before, wordings, assume_unique=True, return_indices=True)
        stays = had[old] == given[new]
        since, ended = np.full(len(wordings), place), np.ones(len(before), bool)
        since[new[stays]] = began[old[stays]]
        ended[old[stays]] = False
        gone = before[ended], had[ended], began[ended]
        self._spans.setdefault(name, []).append((*gone, np.full(len(gone[0]), place)))
        self._now[name] = wordings, given, since


class _Then:
    """The documents of some files at one moment."""

    def __init__(self, called: Called, paths: Sequence[str], mark: int) -> None:
        self.called = called
        self.wordings: Wordings = called.wordings
        every = self.wordings.in_files(paths)
        self.some = every[self.wordings.are_there(every, mark)]
        self.minor = self.wordings.minor[self.some]
        self.aside = self.wordings.aside[self.some]

    def vector(self, weights: Mapping[Target, int]) -> Numbers:
        """Weights of symbols as weights of documents; the largest where several fall together."""
        found = np.zeros(len(self.some), np.int64)
        for target, weight in weights.items():
            at = self._document(target)
            if at >= 0:
                found[at] = max(int(found[at]), weight)
        return found

    def file_vector(self, weights: Mapping[str, int]) -> Numbers:
        """Weights of files as weights of their documents."""
        each = np.zeros(len(self.wordings.paths), np.int64)
        for path, weight in weights.items():
            each[bisect_left(self.wordings.paths, path)] = weight
        found: Numbers = each[self.wordings.file[self.some]]
        return found

    def _document(self, target: Target) -> int:
        """The document that holds a symbol: its own, or that of what it stands in; -1 where none does."""
        while True:
            for wording in self.wordings.of(target):
                at = int(np.searchsorted(self.some, wording))
                if at < len(self.some) and self.some[at] == wording:
                    return at
            if target.symbol == MODULE:
                return -1
            parents = Nesting(target.path, self.called.outline(target.path)).parents
            target = Target(target.path, parents[target.symbol])
