"""What a search knows of a project: the words of its files, the names in them, and what hangs together.

Made once from whoever has the files; a changed file is put again, a removed one dropped. What comes out is the same as
if everything had been made afresh, in whatever order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from ccos_core.intake.failures.paths import is_test
from ccos_core.text.retrieval.shelf import Collection, Numbers, Shelf, postings
from ccos_core.text.retrieval.tokenize import units
from ccos_core.text.syntax.languages import is_code
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


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """What is known of one file besides its postings."""

    outline: Outline
    """Its symbols, which is all that is asked of it here."""
    targets: tuple[Target, ...]
    """Its documents, in order."""
    places: Mapping[int, int]
    """Symbol → the place of its document among them."""
    minor: NDArray[np.int64]
    """Per document 1 for a mere value, and for what no symbol has."""
    aside: bool
    """Whether it is a test, or goes with a project and isn't it: a task is seldom about these."""


def learn(path: str, outline: Outline, symbols: Sequence[int]) -> Learnt:
    """What is known of a file with documents of these symbols."""
    minor = np.array([is_minor(outline, symbol) for symbol in symbols], dtype=np.int64)
    targets = tuple([Target(path, symbol) for symbol in symbols])
    places = {symbol: at for at, symbol in enumerate(symbols)}
    return Learnt(Outline(outline.symbols), targets, places, minor, is_aside(path))


class Lexicon:
    """The words and names of a project."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.shelf = Shelf()
        self._files: dict[str, Learnt] = {}
        self._names = Names({})
        self._view: View | None = None
        for path in code.paths():
            self.put(path)

    def put(self, path: str) -> None:
        """Learn a file, or what it has become. What isn't code, or is withheld, says nothing and is never read."""
        outline = self.code.outline(path)
        if not is_code(path) or outline == Outline():
            self.drop(path)
            return
        found = postings(units(path, self.code.source(path).text, outline))
        self.shelf.put(path, found)
        self._files[path] = learn(path, outline, found.symbols)
        self._names.put(path, self._files[path].outline)
        self._view = None

    def drop(self, path: str) -> None:
        """Forget a file."""
        self.shelf.drop(path)
        if self._files.pop(path, None) is not None:
            self._names.drop(path)
        self._view = None

    def moved(self, code: Code) -> None:
        """The files are another tree's now, whose links may be others; what was learnt of them stays."""
        self.code, self._view = code, None

    def view(self) -> View:
        """All of it, as it is now. An older view must not be asked any more."""
        if self._view is None:
            self._view = View(self.code, self.shelf.collection(), dict(sorted(self._files.items())), self._names)
        return self._view


class View:
    """A project's words and names at one time. A document is a symbol with the lines that are its own."""

    def __init__(self, code: Code, collection: Collection, files: Mapping[str, Learnt], names: Names) -> None:
        self.code = code
        self.collection = collection
        self.files = files
        self.names = names
        """Who is called what."""
        self.targets = tuple(chain.from_iterable(file.targets for file in files.values()))
        ends = accumulate((len(file.targets) for file in files.values()), initial=0)
        self._begins = dict(zip(files, ends, strict=False))
        self._nestings: dict[str, Nesting] = {}
        self._edges: dict[str, tuple[tuple[int, int], ...]] = {}

    @cached_property
    def aside(self) -> Numbers:
        """Per document 1 where its file is set aside."""
        verdicts = [file.aside for file in self.files.values()]
        return np.array(verdicts, dtype=np.int64)[self.collection.file]

    @cached_property
    def minor(self) -> Numbers:
        """Per document 1 for a mere value, and for what no symbol has."""
        return np.concatenate([np.zeros(0, np.int64), *(file.minor for file in self.files.values())])

    def document(self, target: Target) -> int | None:
        """The document that holds a symbol: its own, or that of what it stands in."""
        if target.path not in self.files:
            return None
        places, symbol = self.files[target.path].places, target.symbol
        while symbol not in places and symbol != MODULE:
            parents = self._nesting(target.path).parents
            symbol = parents[symbol] if symbol < len(parents) else MODULE
        return self._begins[target.path] + places[symbol] if symbol in places else None

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
        each = [weights.get(path, 0) for path in self.files]
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
            self._nestings[path] = Nesting(path, self.files[path].outline)
        return self._nestings[path]


def is_aside(path: str) -> bool:
    """Whether a file is a test, or goes with a project and isn't it."""
    return is_test(path) or not _BESIDE.isdisjoint(path.split("/")[:-1])


def is_minor(outline: Outline, symbol: int) -> bool:
    """Whether a document is of a mere value, or of what no symbol has."""
    return symbol == MODULE or outline.symbols[symbol].kind in VALUES
