"""Learning the words of a share of files: a function of plain values, so any process can do it.

A share has all versions of its files that are to be learnt, each file's in order. What is learnt of one file rests on
nothing but that file, so it is the same in whichever share it stands; terms and names are numbered share by share.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from ccos_core.replay.residency.counting import counts_of
from ccos_core.replay.residency.laid import NOWHERE, Read
from ccos_core.replay.residency.learnt import WORDLESS, Words
from ccos_core.replay.residency.lots import Lot, Said
from ccos_core.replay.residency.passages import by_number

MANY = 1 << 22
"""Characters of the versions that are learnt together, or of one that has more."""


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
    for versions in _together(share.versions):
        learning.go_on(versions)
        rows += [version.row for version in versions]
    return Learnt(rows, learning.done())


def _together(versions: Iterable[Read]) -> Iterator[list[Read]]:
    """Versions in lots, none of them larger than it has to be."""
    lot: list[Read] = []
    held = 0
    for version in versions:
        if lot and held + len(version.text) > MANY:
            yield lot
            lot, held = [], 0
        lot.append(version)
        held += len(version.text)
    if lot:
        yield lot


class _Learning:
    """Whoever goes through a share, lot after lot."""

    def __init__(self, share: Share) -> None:
        self._said = dict(share.said)
        """Number of a file's node → what its last version said."""
        self._made = share.made
        self._latest: Lot | None = None
        """The last lot: what it said is put down when another comes, which is seldom."""
        self._words = Words()
        self._terms: defaultdict[str, int] = by_number()
        self._names: defaultdict[str, int] = by_number()

    def go_on(self, versions: Sequence[Read]) -> None:
        """Some more versions."""
        if self._latest is not None:
            self._said.update(self._latest.said())
            self._latest = None  # it holds much
        lot = self._latest = Lot(versions, self._said, self._made)
        self._made += len(lot.new)
        self._put_wordings(lot)
        self._put_versions(lot)

    def done(self) -> Words:
        """All that was learnt."""
        for texts, numbers in ((self._words.terms, self._terms), (self._words.names, self._names)):
            for text in numbers:
                texts.add(text.encode("utf-8", "surrogatepass"))
        return self._words

    # -- helpers --------------------------------------------------------------------------------------------------

    def _put_wordings(self, lot: Lot) -> None:
        laid, new = lot.laid, lot.new
        counts = counts_of(laid.texts, laid.own.of(new), laid.heads(new), self._terms)
        self._words.wordings.extend(
            born=lot.rows[laid.version[new]],
            symbol=laid.symbol(new),
            minor=laid.is_minor[new],
            cost=lot.takes[new],
            size=counts.size,
            said=lot.made_of,
        )
        self._words.pairs.extend(term=counts.term, head=counts.head, body=counts.body)
        wordings, versions = lot.died()
        self._words.died.extend(wording=wordings, version=lot.rows[versions])

    def _put_versions(self, lot: Lot) -> None:
        laid = lot.laid
        numbers = np.array(list(chain.from_iterable(version.nodes or (NOWHERE,) for version in laid.versions)))
        seen = np.flatnonzero(numbers >= 0)
        holder = lot.holder()[seen]
        ends = np.cumsum(np.bincount(laid.version[seen], minlength=len(laid.versions)))
        says = np.bincount(laid.version[lot.is_there], minlength=len(laid.versions)) > 0
        self._words.versions.extend(says=says, end=len(self._words.nodes) + ends)
        self._words.nodes.extend(
            node=numbers[seen],
            wording=np.where(lot.is_there[holder], lot.wording[holder], WORDLESS),
            own=holder == seen,
        )
        called = [
            self._called(names) if version.says else []
            for names, version in zip(laid.names, laid.versions, strict=True)
        ]
        self._words.called.extend(
            name=list(chain.from_iterable(called)), version=np.repeat(lot.rows, list(map(len, called)))
        )

    def _called(self, names: Sequence[str]) -> list[int]:
        """What symbols are called, by the last parts of that."""
        return list(map(self._names.__getitem__, dict.fromkeys([name.rpartition(".")[2] for name in names])))
