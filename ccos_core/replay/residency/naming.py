"""What a text names outright, at any moment of a stretch: which documents, and how surely at least and at most."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.stretches import Stretch
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.mentions import Mentions
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting
from ccos_core.window.naming import Names
from ccos_core.window.ranking import names_something, outright


class Naming:
    """What is named, stretch after stretch."""

    def __init__(self, called: Called, files: Numbers, told: Mentions) -> None:
        self.called = called
        self.told = told
        self._files = files
        """Version → the node of its file."""

    def bounds(self, stretch: Stretch) -> dict[str, tuple[Numbers, Numbers]]:
        """List → what its documents have there, at least and at most; a stretch behind those asked for before."""
        if not names_something(self.told):
            return {}
        found: dict[str, tuple[Numbers, Numbers]] = {}
        named, upto, turns = frozenset[int](), -1, -1
        for mark in stretch.marks.tolist():
            self.called.move(mark)
            if self.called.turns == turns and named.isdisjoint(self._files[upto:mark].tolist()):
                upto = mark
                continue
            then = _Then(self.called, stretch, mark)
            for name, look in outright(then, self.told).items():
                low, high = found.get(name, (look, look))
                found[name] = np.minimum(low, look), np.maximum(high, look)
            named = frozenset(int(self.called.wordings.numbers[file]) for file in then.files)
            upto, turns = mark, self.called.turns
        return found


class _Then:
    """The documents of a stretch as they are at one of its moments."""

    def __init__(self, called: Called, stretch: Stretch, mark: int) -> None:
        self.called = called
        self.wordings: Wordings = called.wordings
        self.stretch = stretch
        self.mark = mark
        self.files: set[int] = set()
        """The numbers of files of which anything is named."""
        self.minor = self.wordings.minor[stretch.some]
        self.aside = self.wordings.aside[stretch.some]

    @property
    def names(self) -> Names:
        """Who is called what."""
        return self.called.names()

    def vector(self, weights: Mapping[Target, int]) -> Numbers:
        """Weights of symbols as weights of documents; the largest where several fall together."""
        found = np.zeros(len(self.stretch.some), np.int64)
        for target, weight in weights.items():
            self.files.add(bisect_left(self.wordings.paths, target.path))
            wording = self._document(target)
            if wording >= 0:
                at = int(np.searchsorted(self.stretch.some, wording))
                found[at] = max(int(found[at]), weight)
        return found

    def file_vector(self, weights: Mapping[str, int]) -> Numbers:
        """Weights of files as weights of their documents."""
        each = np.zeros(len(self.wordings.paths), np.int64)
        for path, weight in weights.items():
            at = bisect_left(self.wordings.paths, path)
            self.files.add(at)
            each[at] = weight
        found: Numbers = each[self.wordings.file[self.stretch.some]]
        return found

    def _document(self, target: Target) -> int:
        """The wording that holds a symbol: its own, or that of what it stands in; -1 where none does."""
        born, died = self.wordings.born, self.wordings.died
        while True:
            mine = (at for at in self.wordings.by_target.get(target, ()) if born[at] < self.mark <= died[at])
            if (found := max(mine, default=-1)) >= 0 or target.symbol == MODULE:
                return found
            parents = Nesting(target.path, self.called.outline(target.path)).parents
            target = Target(target.path, parents[target.symbol])
