"""The words of versions as they were learnt, row behind row: what comes later goes behind, so it can be kept.

Numbers of nodes are those of the journal. Nothing here is in the order of documents; `wordings` puts it there.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ccos_core.replay.columns import Shelf, Table, Texts, lie_on, sizes_of
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.units import Unit, parts, place_of, unit_of
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.canon import digest
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entry
from ccos_core.window.lexicon import is_minor
from ccos_core.window.source import SIGNATURE, Source

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

VERSION = 1
"""Of what the rows say: it goes up whenever the same versions would be learnt otherwise."""
WORDLESS = -2
"""In place of a wording: such a node is there, and no document holds it."""
OFTEN = 50
"""Versions between two words about how far it has come."""

WORDINGS: Mapping[str, str] = {
    "born": "<i4",
    "symbol": "<i4",
    "minor": "|u1",
    "cost": "<i8",
    "size": "<i4",
    "said": "|V32",
}
"""A wording: its first version, which symbol of it that is, whether it is a mere value, what it takes to show it at
all, how many terms it has, and a digest of all that it is made of: with another one it is another wording."""
DIED: Mapping[str, str] = {"wording": "<i4", "version": "<i4"}
"""The first version of its file that doesn't have a wording any more."""
PAIRS: Mapping[str, str] = {"term": "<i4", "head": "<u2", "body": "<u2"}
"""The terms of one wording after the other, and how often each is in head and body."""
VERSIONS: Mapping[str, str] = {"says": "|u1", "end": "<i4"}
"""A version: whether it is code that says anything, and where its nodes end."""
NODES: Mapping[str, str] = {"node": "<i4", "wording": "<i4", "own": "|u1"}
"""The nodes of each version, which wording holds each, and whether that is of itself."""
CALLED: Mapping[str, str] = {"name": "<i4", "version": "<i4"}
"""The last parts of the names of symbols, and in which versions something is called so."""

Said = dict[int, tuple[bytes, int]]
"""Symbol → what its wording is made of, and the wording."""


class Words:
    """All that was learnt of the versions up to one."""

    def __init__(self) -> None:
        self.wordings = Table("words", WORDINGS)
        self.died = Table("words.died", DIED)
        self.pairs = Table("words.pairs", PAIRS)
        self.versions = Table("words.versions", VERSIONS)
        self.nodes = Table("words.nodes", NODES)
        self.called = Table("words.called", CALLED)
        self.terms = Texts("words.terms")
        self.names = Texts("words.names")

    def tables(self) -> Iterator[Table]:
        """All of them, in one order."""
        yield from (self.wordings, self.died, self.pairs, self.versions, self.nodes, self.called)
        for texts in (self.terms, self.names):
            yield texts.ends
            yield texts.body

    def sizes(self) -> dict[str, int]:
        """Rows of each table."""
        return sizes_of(self.tables())

    def lies_on(self, shelf: Shelf, sizes: Mapping[str, int]) -> None:
        """It was kept there, so many rows of each table."""
        lie_on(shelf, self.tables(), sizes)


class Keeper(Protocol):
    """Whoever keeps words from one process to the next."""

    def words(self) -> Words:
        """What was kept that still holds; maybe nothing."""

    def keep(self, words: Words, since: Mapping[str, int]) -> None:
        """Keep more; so many rows of each table were kept already."""


class Learning:
    """Whoever reads version after version."""

    def __init__(self, timeline: Timeline, words: Words) -> None:
        self.journal: Journal = timeline.journal
        self.sources = timeline.sources
        self.words = words
        self._begin = len(words.versions)
        self._made = len(words.wordings)
        self._placed_yet = len(words.nodes)
        self._terms = {term.decode("utf-8", "surrogatepass"): at for at, term in enumerate(words.terms.all())}
        self._names = {name.decode("utf-8", "surrogatepass"): at for at, name in enumerate(words.names.all())}
        self._files = self._last_said() if self._begin else {}
        """Number of a file's node → what its last version said."""
        self._pairs = array("i"), array("i"), array("i")
        """Terms, and how often each is in head and body."""

    def all(self, progress: Callable[[int, int], None]) -> None:
        """Read those that weren't read yet."""
        paths = self.journal.versions["path"].tolist()
        for row in range(self._begin, len(paths)):
            if row % OFTEN == 0:
                progress(row, len(paths))
            self._read(row, paths[row])
        term, head, body = (np.frombuffer(each, np.dtype("i")) for each in self._pairs)
        self.words.pairs.extend(term=term, head=np.minimum(head, MOST), body=np.minimum(body, MOST))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _read(self, row: int, number: int) -> None:
        before = self._files.get(number, {})
        version, now = self.sources.version(row), Said()
        if version.why != "gone":
            path = path_of(self.journal.name(number)) or ""
            source = self.sources.source(path, version)
            if language_of(path) is not None and source.outline != Outline():
                now = dict(self._documents(row, source, before))
                names = dict.fromkeys(symbol.name.rpartition(".")[2] for symbol in source.outline.symbols)
                self.words.called.add_all([(self._name(name), row) for name in names])
            placed = list(self._placed(source, now))
            self.words.nodes.add_all(placed)
            self._placed_yet += len(placed)
        self._files[number] = now
        self.words.versions.add(bool(now), self._placed_yet)
        for symbol, (_, wording) in sorted(before.items()):  # which may have been found in another order
            if symbol not in now or now[symbol][1] != wording:
                self.words.died.add(wording, row)

    def _documents(self, row: int, source: Source, before: Said) -> Iterator[tuple[int, tuple[bytes, int]]]:
        place = place_of(source.path)
        for part in parts(source.text, source.outline):
            minor = is_minor(source.outline, part.symbol)
            cost = entry(source, source.shown(part.symbol, SIGNATURE))
            made_of = f"{int(minor)} {cost} {len(part.described)}", part.name, part.described, "", part.own
            said = digest("\n".join(made_of).encode("utf-8", "surrogatepass"))
            known = before.get(part.symbol)
            if known is None or known[0] != said:
                size = self._count(unit_of(part, place))
                self.words.wordings.add(row, part.symbol, minor, cost, size, said)
                known = said, self._made
                self._made += 1
            yield part.symbol, known

    def _count(self, unit: Unit) -> int:
        """Put the terms of a wording down; gives how many."""
        head, body, numbers = unit.head, unit.body, self._terms
        found = {**body, **head}
        for term in found:
            if term not in numbers:
                numbers[term] = self.words.terms.add(term.encode("utf-8", "surrogatepass"))
        terms, heads, bodies = self._pairs
        terms.extend([numbers[term] for term in found])
        heads.extend([head.get(term, 0) for term in found])
        bodies.extend([body.get(term, 0) for term in found])
        return len(found)

    def _name(self, name: str) -> int:
        if name not in self._names:
            self._names[name] = self.words.names.add(name.encode("utf-8", "surrogatepass"))
        return self._names[name]

    def _placed(self, source: Source, documents: Said) -> Iterator[tuple[int, int, bool]]:
        parents = source.nesting.parents
        for node, symbol in source.nesting.places.items():
            number, holder = self.journal.id(node), symbol
            while holder not in documents and holder != MODULE:
                holder = parents[holder]
            if number >= 0:
                yield number, documents[holder][1] if holder in documents else WORDLESS, holder == symbol

    def _last_said(self) -> dict[int, Said]:
        """What the last versions said of the files that have others since."""
        wordings, paths = self.words.wordings, self.journal.versions["path"]
        alive = np.ones(len(wordings), bool)
        alive[self.words.died["wording"]] = False
        files = paths[wordings["born"]]
        rows = np.flatnonzero(alive & np.isin(files, paths[self._begin :])).tolist()
        found: dict[int, Said] = {}
        for row in rows:
            of_file = found.setdefault(int(files[row]), {})
            of_file[int(wordings["symbol"][row])] = bytes(wordings["said"][row]), row
        return found
