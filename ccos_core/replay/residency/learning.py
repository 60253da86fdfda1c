"""Learning the words of a share of files: a function of plain values, so any process can do it.

A share has all versions of its files that are to be learnt, each file's in order. What is learnt of one file rests on
nothing but that file, so it is the same in whichever share it stands; terms and names are numbered share by share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

import numpy as np

from ccos_core.replay.columns import Table, Texts
from ccos_core.replay.residency.learnt import WORDLESS, Words
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.units import Unit, parts, place_of, unit_of
from ccos_core.values.canon import digest
from ccos_core.values.code import MODULE, Outline, Symbol
from ccos_core.window.layout import entry
from ccos_core.window.lexicon import is_minor
from ccos_core.window.source import SIGNATURE, Source

Said = dict[int, tuple[bytes, int]]
"""Symbol → what its wording is made of, and the wording."""


class Read(NamedTuple):
    """A version as it was read."""

    row: int
    """Of the journal's versions."""
    file: int
    """The number of the file's node."""
    path: str
    says: bool
    """Whether it is code that says anything."""
    nodes: Sequence[int] = ()
    """The numbers of the nodes of the file and its symbols, or less than 0; nothing where the file is gone."""
    text: str = ""
    symbols: Sequence[Sequence[str | int]] = ()
    unknown: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """What is learnt at one go."""

    versions: Iterable[Read]
    said: Mapping[int, Said]
    """Number of a file's node → what the version before said, where that was learnt earlier."""
    made: int
    """Wordings that were learnt earlier; new ones are numbered from there on."""


class Learnt(NamedTuple):
    """What came of a share."""

    rows: Sequence[int]
    """Its versions in the order they were learnt in, ..."""
    words: Words
    """... and their words in that order."""


def learn(share: Share) -> Learnt:
    """Learn a share."""
    learning = _Learning(share)
    rows = []
    for version in share.versions:
        learning.read(version)
        rows.append(version.row)
    return Learnt(rows, learning.words())


class _Learning:
    """Whoever goes through a share. What comes row by row is held in lists, which is fastest."""

    def __init__(self, share: Share) -> None:
        self._said = dict(share.said)
        self._made = share.made
        self._terms = _Numbers()
        self._names = _Numbers()
        self._wordings: list[tuple[int, int, bool, int, int, bytes]] = []
        self._died: list[tuple[int, int]] = []
        self._pairs: tuple[list[int], list[int], list[int]] = [], [], []
        self._versions: list[tuple[bool, int]] = []
        self._nodes: tuple[list[int], list[int], list[bool]] = [], [], []
        self._called: tuple[list[int], list[int]] = [], []

    def read(self, version: Read) -> None:
        """One more version."""
        before, now = self._said.get(version.file, {}), Said()
        if version.nodes:
            outline = Outline(tuple([Symbol(*symbol) for symbol in version.symbols]))  # type: ignore[arg-type]
            source = Source(version.path, version.text, outline, version.unknown)
            if version.says:
                now = dict(self._documents(version.row, source, before))
                self._call(version.row, outline)
            self._place(version.nodes, source, now)
        self._said[version.file] = now
        self._versions.append((bool(now), len(self._nodes[0])))
        for symbol, (_, wording) in sorted(before.items()):  # which may have been found in another order
            if symbol not in now or now[symbol][1] != wording:
                self._died.append((wording, version.row))

    def words(self) -> Words:
        """All that was learnt."""
        words = Words()
        _put(words.wordings, self._wordings)
        _put(words.died, self._died)
        term, head, body = (np.array(each, np.int64) for each in self._pairs)
        words.pairs.extend(term=term, head=np.minimum(head, MOST), body=np.minimum(body, MOST))
        _put(words.versions, self._versions)
        node, wording, own = self._nodes
        words.nodes.extend(node=node, wording=wording, own=own)
        name, version = self._called
        words.called.extend(name=name, version=version)
        _write(words.terms, self._terms)
        _write(words.names, self._names)
        return words

    # -- helpers --------------------------------------------------------------------------------------------------

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
                known = said, self._made + len(self._wordings)
                self._wordings.append((row, part.symbol, minor, cost, size, said))
            yield part.symbol, known

    def _count(self, unit: Unit) -> int:
        """Put the terms of a wording down; gives how many."""
        head, body, numbers = unit.head, unit.body, self._terms
        found = {**body, **head}
        terms, heads, bodies = self._pairs
        terms += map(numbers.__getitem__, found)
        heads += map(head.get, found, repeat(0))
        bodies += map(body.get, found, repeat(0))
        return len(found)

    def _call(self, row: int, outline: Outline) -> None:
        """Put down what its symbols are called."""
        numbers, (names, rows) = self._names, self._called
        called = dict.fromkeys([symbol.name.rpartition(".")[2] for symbol in outline.symbols])
        names += map(numbers.__getitem__, called)
        rows += [row] * len(called)

    def _place(self, numbers: Sequence[int], source: Source, documents: Said) -> None:
        """Put its nodes down, with the wordings that hold them."""
        parents = source.nesting.parents
        nodes, wordings, owns = self._nodes
        for symbol, number in enumerate(numbers, MODULE):
            holder = symbol
            while holder not in documents and holder != MODULE:
                holder = parents[holder]
            if number >= 0:
                nodes.append(number)
                wordings.append(documents[holder][1] if holder in documents else WORDLESS)
                owns.append(holder == symbol)


class _Numbers(dict[str, int]):
    """Texts by number, in the order they are met."""

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self)
        return number


def _put(table: Table, rows: Sequence[Sequence[int | bytes]]) -> None:
    """Put rows down as columns, which are small to hand over."""
    if rows:
        table.extend(**dict(zip(table.columns, zip(*rows, strict=True), strict=True)))


def _write(texts: Texts, numbers: Mapping[str, int]) -> None:
    for text in numbers:
        texts.add(text.encode("utf-8", "surrogatepass"))
