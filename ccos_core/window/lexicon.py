"""What a search knows of a project: the words of its files, the names in them, and what hangs together.

Made once from whoever has the files; a changed file is put again, a removed one dropped. What comes out is the same as
if everything had been made afresh, in whatever order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from ccos_core.intake.failures.paths import is_test
from ccos_core.text.retrieval.shelf import Collection, Numbers, Shelf, postings
from ccos_core.text.retrieval.tokenize import units
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.nesting import Nesting
from ccos_core.window.code import Code
from ccos_core.window.naming import Names

_BESIDE = frozenset(
    {"doc", "docs", "example", "examples", "sample", "samples", "demo", "demos", "tutorial", "tutorials"}
    | {"bench", "benches", "benchmark", "benchmarks", "scripts", "extra", "extras", "fixtures", "testdata"}
)
"""Folders of what goes with a project and isn't it."""
VALUES = frozenset({"constant", "variable", "field"})
"""Kinds of symbols that do nothing and hold nothing: what a task changes is seldom these."""


class Lexicon:
    """The words and names of a project."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.shelf = Shelf()
        self._outlines: dict[str, Outline] = {}
        """Of each file its symbols, which is all that anybody asks of it here."""
        self._view: View | None = None
        for path in code.paths():
            self.put(path)

    def put(self, path: str) -> None:
        """Learn a file, or what it has become. What isn't code, or is withheld, says nothing and is never read."""
        outline = self.code.outline(path)
        if language_of(path) is None or outline == Outline():
            self.drop(path)
            return
        self.shelf.put(path, postings(units(path, self.code.source(path).text, outline)))
        self._outlines[path] = Outline(outline.symbols)
        self._view = None

    def drop(self, path: str) -> None:
        """Forget a file."""
        self.shelf.drop(path)
        self._outlines.pop(path, None)
        self._view = None

    def moved(self, code: Code) -> None:
        """The files are another tree's now, whose links may be others; what was learnt of them stays."""
        self.code, self._view = code, None

    def view(self) -> View:
        """All of it, as it is now."""
        if self._view is None:
            outlines = dict(sorted(self._outlines.items()))
            self._view = View(self.code, self.shelf.collection(), outlines)
        return self._view


class View:
    """A project's words and names at one time. A document is a symbol with the lines that are its own."""

    def __init__(self, code: Code, collection: Collection, outlines: Mapping[str, Outline]) -> None:
        self.code = code
        self.collection = collection
        self.outlines = outlines
        self.targets = tuple([Target(*document) for document in collection.documents])
        self._at = {target: at for at, target in enumerate(self.targets)}
        self._nestings: dict[str, Nesting] = {}
        self._edges: dict[str, tuple[tuple[int, int], ...]] = {}

    @cached_property
    def names(self) -> Names:
        """Who is called what."""
        return Names(self.outlines)

    @cached_property
    def aside(self) -> Numbers:
        """Per document 1 for a test and what else goes with a project: a task is seldom about these."""
        verdicts = [is_aside(path) for path in self.outlines]
        return np.array(verdicts, dtype=np.int64)[self.collection.file]

    @cached_property
    def minor(self) -> Numbers:
        """Per document 1 for a mere value, and for what no symbol has."""
        found = [is_minor(self.outlines[target.path], target.symbol) for target in self.targets]
        return np.array(found, dtype=np.int64)

    def document(self, target: Target) -> int | None:
        """The document that holds a symbol: its own, or that of what it stands in."""
        at = self._at.get(target)
        while at is None and target.symbol != MODULE and target.path in self.outlines:
            parents = self._nesting(target.path).parents
            target = Target(target.path, parents[target.symbol] if target.symbol < len(parents) else MODULE)
            at = self._at.get(target)
        return at

    def vector(self, weights: Mapping[Target, int]) -> Numbers:
        """Weights of symbols as weights of documents; the largest where several fall together."""
        found = np.zeros(len(self.targets), dtype=np.int64)
        for target, weight in weights.items():
            at = self.document(target)
            if at is not None:
                found[at] = max(int(found[at]), weight)
        return found

    def file_vector(self, weights: Mapping[str, int]) -> Numbers:
        """Weights of files as weights of their documents."""
        each = [weights.get(path, 0) for path in self.outlines]
        return np.array(each, dtype=np.int64)[self.collection.file]

    def linked(self, documents: Sequence[int]) -> tuple[Numbers, Numbers]:
        """Documents of the files these are in, and behind each what it depends on; each pair once."""
        paths = dict.fromkeys(self.targets[at].path for at in documents)
        pairs = [pair for path in paths for pair in self.edges(path)]
        found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return found[:, 0], found[:, 1]

    def edges(self, path: str) -> tuple[tuple[int, int], ...]:
        """(document of the file, document it depends on), each pair once."""
        if path not in self._edges:
            pairs = (
                (self.document(Target(path, link.owner)), self.document(link.target)) for link in self.code.links(path)
            )
            kept = [(one, other) for one, other in pairs if one is not None and other is not None and one != other]
            self._edges[path] = tuple(dict.fromkeys(kept))
        return self._edges[path]

    def _nesting(self, path: str) -> Nesting:
        if path not in self._nestings:
            self._nestings[path] = Nesting(path, self.outlines[path])
        return self._nestings[path]


def is_aside(path: str) -> bool:
    """Whether a file is a test, or goes with a project and isn't it."""
    return is_test(path) or not _BESIDE.isdisjoint(path.split("/")[:-1])


def is_minor(outline: Outline, symbol: int) -> bool:
    """Whether a document is of a mere value, or of what no symbol has."""
    return symbol == MODULE or outline.symbols[symbol].kind in VALUES
