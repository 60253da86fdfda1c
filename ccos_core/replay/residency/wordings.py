"""The words of every version a record ever had, in columns: learnt once, for whatever text and step is asked about.

A wording is a document of one or more versions of a file in a row: a symbol whose own words, and whose way of being
shown, stayed the same. Wordings stand in the order of documents, by path and symbol, so those of any step are in order
too. Nothing here depends on a text.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.tfidf import often
from ccos_core.text.retrieval.units import Unit, parts, place_of, unit_of
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.canon import digest
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.ids import file_node, path_of
from ccos_core.window.layout import entry
from ccos_core.window.lexicon import is_aside, is_minor
from ccos_core.window.source import SIGNATURE, Source

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

NOBODY = -1
"""In place of a wording: such a node isn't there, ..."""
WORDLESS = -2
"""... or is there, and no document holds it."""
OFTEN = 50
"""Versions between two words about how far it has come."""

Likeness = tuple[bool, int, int, bytes]
"""All that a wording is made of; with another likeness it is another one."""
Said = dict[int, tuple[Likeness, int]]
"""Symbol → its wording, with what that is made of."""


@dataclass(frozen=True)
class Wordings:
    """Columns by wording, by pair of wording and term, and by version."""

    targets: list[Target]
    file: Numbers
    """The number of a file, in the order of all paths there ever were."""
    paths: list[str]
    numbers: Numbers
    """The node of each path."""
    born: Numbers
    """The first version that has it, ..."""
    died: Numbers
    """... and the first of the same file that doesn't."""
    minor: Numbers
    aside: Numbers
    cost: Numbers
    """What it takes to show it at all, its file's header aside."""

    terms: dict[str, int]
    begins: Numbers
    """Wording → where its terms begin, with one end more."""
    term: Numbers
    head: Numbers
    body: Numbers

    says: Numbers
    """Version → whether it is code that says anything."""
    called: dict[str, list[int]]
    """The last part of a symbol's name → the versions in which something is called so."""

    nodes: Numbers
    """The nodes of each version, ..."""
    wording: Numbers
    """... the wording that holds each, or `WORDLESS`, ..."""
    own: Numbers
    """... and whether that is of itself, not of what it stands in."""
    ends: Numbers
    """Version → where its nodes end."""

    @cached_property
    def by_term(self) -> Numbers:
        """The pairs by their terms."""
        found: Numbers = np.argsort(
            self.term.astype(np.uint16) if len(self.terms) <= MOST else self.term, kind="stable"
        )
        return found

    @cached_property
    def term_ends(self) -> Numbers:
        """Term → where its pairs end among those."""
        return np.cumsum(np.bincount(self.term, minlength=len(self.terms)))

    @cached_property
    def holder(self) -> Numbers:
        """Pair → its wording."""
        return np.repeat(np.arange(len(self.targets), dtype=np.int32), np.diff(self.begins))

    @cached_property
    def often(self) -> Numbers:
        """Pair → what its occurrences in the body say together. As what it says of any term, it needs few bits."""
        return often(self.body).astype(np.int32)

    @cached_property
    def by_target(self) -> dict[Target, list[int]]:
        """Document → the wordings it ever had."""
        found: dict[Target, list[int]] = {}
        for at, target in enumerate(self.targets):
            found.setdefault(target, []).append(at)
        return found

    def pairs(self, term: int) -> Numbers:
        """The pairs of a term."""
        found: Numbers = self.by_term[slice(int(self.term_ends[term - 1]) if term else 0, int(self.term_ends[term]))]
        return found

    def nodes_of(self, version: int) -> slice:
        """The nodes of a version among those of all."""
        return slice(int(self.ends[version - 1]) if version else 0, int(self.ends[version]))


def wordings_of(timeline: Timeline, progress: Callable[[int, int], None]) -> Wordings:
    """The wordings of a record; read when somebody asks first."""
    found: Wordings = timeline.journal.once("wordings", lambda: _Learning(timeline).all(progress))
    return found


class _Learning:
    """Whoever reads version after version."""

    def __init__(self, timeline: Timeline) -> None:
        self.journal: Journal = timeline.journal
        self.sources = timeline.sources
        self._files: dict[int, Said] = {}
        """Number of a file's node → what its last version said."""
        self._end = len(self.journal.versions)
        self._made: list[tuple[Target, int, bool]] = []
        """(document, its first version, whether it is a mere value) of each wording, as they came up."""
        self._died: list[int] = []
        self._cost: list[int] = []
        self._sizes: list[int] = []
        self._terms: dict[str, int] = {}
        self._pairs = array("i")
        """Term, and how often it is in head and body, one behind the other."""
        self._called: dict[str, list[int]] = {}
        self._says: list[bool] = []
        self._nodes: list[tuple[int, int, bool]] = []
        self._ends: list[int] = []

    def all(self, progress: Callable[[int, int], None]) -> Wordings:
        """Read them."""
        paths = self.journal.versions["path"].tolist()
        for row, number in enumerate(paths):
            if row % OFTEN == 0:
                progress(row, len(paths))
            self._read(row, number)
            self._ends.append(len(self._nodes))
        return self._columns()

    def _read(self, row: int, number: int) -> None:
        before = self._files.get(number, {})
        version, now = self.sources.version(row), Said()
        if version.why != "gone":
            path = path_of(self.journal.name(number)) or ""
            source = self.sources.source(path, version)
            if language_of(path) is not None and source.outline != Outline():
                now = dict(self._documents(row, source, before))
                for name in dict.fromkeys(symbol.name.rpartition(".")[2] for symbol in source.outline.symbols):
                    self._called.setdefault(name, []).append(row)
            self._nodes += self._placed(source, now)
        self._files[number] = now
        self._says.append(bool(now))
        for symbol, (_, wording) in before.items():
            if symbol not in now or now[symbol][1] != wording:
                self._died[wording] = row

    def _documents(self, row: int, source: Source, before: Said) -> Iterator[tuple[int, tuple[Likeness, int]]]:
        place = place_of(source.path)
        for part in parts(source.text, source.outline):
            minor = is_minor(source.outline, part.symbol)
            cost = entry(source, source.shown(part.symbol, SIGNATURE))
            said = "\n".join((part.name, part.described, "", part.own))
            likeness = minor, cost, len(part.described), digest(said.encode("utf-8", "surrogatepass"))
            known = before.get(part.symbol)
            if known is None or known[0] != likeness:
                target = Target(source.path, part.symbol)
                known = likeness, self._new(row, target, minor, cost, unit_of(part, place))
            yield part.symbol, known

    def _new(self, row: int, target: Target, minor: bool, cost: int, unit: Unit) -> int:
        number, found = self._terms.setdefault, {**unit.body, **unit.head}
        for term in found:
            self._pairs.append(number(term, len(self._terms)))
            self._pairs.append(min(unit.head.get(term, 0), MOST))
            self._pairs.append(min(unit.body.get(term, 0), MOST))
        self._made.append((target, row, minor))
        self._died.append(self._end)
        self._cost.append(cost)
        self._sizes.append(len(found))
        return len(self._made) - 1

    def _placed(self, source: Source, documents: Said) -> Iterator[tuple[int, int, bool]]:
        parents = source.nesting.parents
        for node, symbol in source.nesting.places.items():
            number, holder = self.journal.id(node), symbol
            while holder not in documents and holder != MODULE:
                holder = parents[holder]
            if number >= 0:
                yield number, documents[holder][1] if holder in documents else WORDLESS, holder == symbol

    def _columns(self) -> Wordings:
        """All of it, the wordings in the order of documents."""
        made_ = self._made
        order = sorted(range(len(made_)), key=lambda at: (made_[at][0].path, made_[at][0].symbol, made_[at][1]))
        made = [made_[at] for at in order]
        targets = [target for target, _, _ in made]
        paths = sorted({target.path for target in targets})
        files = {path: at for at, path in enumerate(paths)}
        asides = [is_aside(path) for path in paths]
        file = np.array([files[target.path] for target in targets], np.int32)
        places = np.empty(len(order) + 1, np.int32)
        places[order] = np.arange(len(order))
        sizes = np.array(self._sizes, np.int64)
        begins = np.cumsum(np.append(0, sizes[order]))
        first = np.append(0, np.cumsum(sizes))[:-1][order]
        taken = np.repeat(first - begins[:-1], sizes[order]) + np.arange(int(begins[-1]))
        pairs = np.frombuffer(self._pairs, np.dtype("i")).reshape(-1, 3)[taken]
        nodes = np.array(self._nodes, np.int64).reshape(-1, 3)
        held = nodes[:, 1]
        return Wordings(
            targets,
            file,
            paths,
            np.array([self.journal.id(file_node(path)) for path in paths], np.int32),
            np.array([born for _, born, _ in made], np.int32),
            np.array(self._died, np.int32)[order],
            np.array([minor for _, _, minor in made], np.int64),
            np.array(asides, np.int64)[file],
            np.array(self._cost, np.int64)[order],
            self._terms,
            begins,
            pairs[:, 0].astype(np.int32),
            pairs[:, 1].astype(np.uint16),
            pairs[:, 2].astype(np.uint16),
            np.array(self._says, bool),
            self._called,
            nodes[:, 0].astype(np.int32),
            np.where(held >= 0, places[held], held).astype(np.int32),
            nodes[:, 2].astype(bool),
            np.array(self._ends, np.int64),
        )
