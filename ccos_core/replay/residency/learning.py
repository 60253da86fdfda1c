"""Learning the words of a share of files: a function of plain values, so any process can do it.

A share has all versions of its files that are to be learnt, each file's in order. What is learnt of one file rests on
nothing but that file, so it is the same in whichever share it stands; terms and names are numbered share by share.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ccos_core.replay.columns import Table, Texts
from ccos_core.replay.residency.counting import Counting, Numbered
from ccos_core.replay.residency.learnt import WORDLESS, Words
from ccos_core.replay.residency.staying import Laid, cost, staying
from ccos_core.text.retrieval.units import parts, place_of
from ccos_core.values.canon import digest
from ccos_core.values.code import MODULE, Outline, Symbol, rows_of
from ccos_core.window.lexicon import is_minor
from ccos_core.window.source import Source

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
        self._laid: dict[int, Laid] = {}
        """Number of a file's node → the version before, where it was learnt here."""
        self._made = share.made
        self._counting = Counting()
        self._names = Numbered()
        self._wordings: list[tuple[int, int, bool, int, bytes]] = []
        self._died: list[tuple[int, int]] = []
        self._versions: list[tuple[bool, int]] = []
        self._nodes: tuple[list[int], list[int], list[bool]] = [], [], []
        self._called: tuple[list[int], list[int]] = [], []

    def read(self, version: Read) -> None:
        """One more version."""
        before, now = self._said.get(version.file, {}), Said()
        was = self._laid.pop(version.file, None)
        if version.nodes:
            source = Source(version.path, version.text, Outline(rows_of(Symbol, version.symbols)), version.unknown)
            if version.says:
                laid = self._laid[version.file] = Laid.out(source)
                stays = staying(laid, was, before) if was is not None else set()
                now = {symbol: said for symbol, said in before.items() if symbol in stays}
                now.update(self._documents(version.row, laid, before, stays))
                self._call(version.row, laid.names)
            self._place(version.nodes, source, now)
        self._said[version.file] = now
        self._versions.append((bool(now), len(self._nodes[0])))
        for symbol, (_, wording) in sorted(before.items()):  # which may have been found in another order
            if symbol not in now or now[symbol][1] != wording:
                self._died.append((wording, version.row))

    def words(self) -> Words:
        """All that was learnt."""
        words, counts = Words(), self._counting.counts()
        born, symbol, minor, taken, said = zip(*self._wordings, strict=True) if self._wordings else ((),) * 5
        words.wordings.extend(born=born, symbol=symbol, minor=minor, cost=taken, size=counts.size, said=said)
        _put(words.died, self._died)
        words.pairs.extend(term=counts.term, head=counts.head, body=counts.body)
        _put(words.versions, self._versions)
        node, wording, own = self._nodes
        words.nodes.extend(node=node, wording=wording, own=own)
        name, version = self._called
        words.called.extend(name=name, version=version)
        _write(words.terms, self._counting.terms)
        _write(words.names, self._names)
        return words

    # -- helpers --------------------------------------------------------------------------------------------------

    def _documents(
        self, row: int, laid: Laid, before: Said, stays: Container[int]
    ) -> Iterator[tuple[int, tuple[bytes, int]]]:
        """What each symbol says that doesn't stay as it was."""
        source = laid.source
        place = place_of(source.path)
        for part in parts(source.lines, source.outline, laid.owners, stays):
            minor = is_minor(source.outline, part.symbol)
            takes = cost(source, part.symbol)
            made_of = f"{int(minor)} {takes} {len(part.described)}", part.name, part.described, "", part.own
            said = digest("\n".join(made_of).encode("utf-8", "surrogatepass"))
            known = before.get(part.symbol)
            if known is None or known[0] != said:
                self._counting.add(part.own, part.head(place))
                known = said, self._made + len(self._wordings)
                self._wordings.append((row, part.symbol, minor, takes, said))
            yield part.symbol, known

    def _call(self, row: int, names: Iterable[str]) -> None:
        """Put down what its symbols are called."""
        numbers, rows = self._called
        called = dict.fromkeys([name.rpartition(".")[2] for name in names])
        numbers += map(self._names.__getitem__, called)
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


def _put(table: Table, rows: Sequence[Sequence[int | bytes]]) -> None:
    """Put rows down as columns, which are small to hand over."""
    if rows:
        table.extend(**dict(zip(table.columns, zip(*rows, strict=True), strict=True)))


def _write(texts: Texts, numbers: Mapping[str, int]) -> None:
    for text in numbers:
        texts.add(text.encode("utf-8", "surrogatepass"))
