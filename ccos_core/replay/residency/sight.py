"""The documents of a step as a ranking looks at them: what `window.lexicon` says of a tree, out of columns.

It holds the rows of a text's own terms alone, and lengths that were kept up with; scores are those of all of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.going import Documents
from ccos_core.replay.residency.using import Using
from ccos_core.replay.residency.wordings import Wordings
from ccos_core.text.retrieval.shelf import Collection, Rows
from ccos_core.text.retrieval.tfidf import divisors
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting
from ccos_core.window.naming import Names


class Asked:
    """The rows of a text's terms, of all wordings there ever were."""

    def __init__(self, wordings: Wordings, terms: Sequence[str]) -> None:
        self.wordings = wordings
        self.numbers: dict[str, int] = {}
        self.holders: list[Numbers] = []
        self.heads: list[Numbers] = []
        self.bodies: list[Numbers] = []
        for term in terms:
            number = wordings.terms.get(term)
            if number is not None:
                pairs = wordings.pairs(number)
                self.numbers[term] = len(self.holders)
                self.holders.append(wordings.holder[pairs])
                self.heads.append(wordings.head[pairs])
                self.bodies.append(wordings.body[pairs])
        heads = np.append(0, np.cumsum(wordings.head, dtype=np.int64))
        self.lengths = heads[wordings.begins[1:]] - heads[wordings.begins[:-1]]
        """How many words each wording has in its head."""

    def are_in(self, wordings: Numbers) -> bool:
        """Whether any of these wordings has any of the terms."""
        return any(bool(np.isin(wordings, holders).any()) for holders in self.holders)

    def collection(self, documents: Documents) -> Collection:
        """Those of some documents."""
        numbers: dict[str, int] = {}
        columns: list[tuple[Numbers, Numbers, Numbers]] = []
        for term, at in self.numbers.items():
            places = documents.at[self.holders[at]]
            here = places >= 0
            if here.any():
                numbers[term] = len(columns)
                columns.append((places[here], self.heads[at][here], self.bodies[at][here]))
        empty = np.zeros(0, np.int32), np.zeros(0, np.uint16), np.zeros(0, np.uint16)
        rows = Rows(*(np.concatenate(each) for each in zip(*columns, strict=True))) if columns else Rows(*empty)
        sizes = np.array([len(each[0]) for each in columns], np.int64)
        return Collection(
            (),  # which they are nobody asks
            self.wordings.file[documents.alive],
            numbers,
            np.cumsum(sizes),
            rows,
            np.repeat(np.arange(len(columns), dtype=np.int32), sizes),
            {"head": self.lengths[documents.alive]},
            {"tfidf": divisors(documents.own)},
        )


class Sight:
    """The documents of a step."""

    def __init__(
        self,
        wordings: Wordings,
        documents: Documents,
        collection: Collection,
        called: Called,
        using: Using,
        holder: Numbers,
    ) -> None:
        self.wordings = wordings
        self.documents = documents
        self.collection = collection
        self.aside = wordings.aside[documents.alive]
        self.minor = wordings.minor[documents.alive]
        self._called = called
        self._using = using
        self._holder = holder

    @property
    def names(self) -> Names:
        """Who is called what."""
        return self._called.names()

    def vector(self, weights: Mapping[Target, int]) -> Numbers:
        """Weights of symbols as weights of documents; the largest where several fall together."""
        found = np.zeros(len(self.documents.alive), np.int64)
        for target, weight in weights.items():
            at = self._document(target)
            if at >= 0:
                found[at] = max(int(found[at]), weight)
        return found

    def file_vector(self, weights: Mapping[str, int]) -> Numbers:
        """Weights of files as weights of their documents."""
        each = np.zeros(len(self.wordings.paths), np.int64)
        for path, weight in weights.items():
            each[bisect_left(self.wordings.paths, path)] = weight  # whoever is weighed has words
        found: Numbers = each[self.collection.file]
        return found

    def linked(self, documents: Sequence[int]) -> tuple[Numbers, Numbers]:
        """Documents of the files these are in, and behind each what it depends on; each pair once."""
        files = np.unique(self.collection.file[list(documents)])
        owners, targets = self._using.edges(self.wordings.numbers[files].tolist())
        one, to = (self._documents(nodes) for nodes in (owners, targets))
        there = (one >= 0) & (to >= 0) & (one != to)
        pairs = np.unique(one[there].astype(np.int64) * len(self.documents.alive) + to[there])
        return pairs // len(self.documents.alive), pairs % len(self.documents.alive)

    def _document(self, target: Target) -> int:
        """The document that holds a symbol: its own, or that of what it stands in; -1 where none does."""
        while True:
            mine = (int(self.documents.at[at]) for at in self.wordings.by_target.get(target, ()))
            if (found := max(mine, default=-1)) >= 0 or target.symbol == MODULE:
                return found
            parents = Nesting(target.path, self._called.outline(target.path)).parents
            target = Target(target.path, parents[target.symbol])

    def _documents(self, nodes: Numbers) -> Numbers:
        """The documents that hold some nodes; -1 where none does."""
        held = self._holder[nodes]
        found: Numbers = np.where(held >= 0, self.documents.at[held], -1)
        return found
