"""What was learnt share by share, put in the order of versions: the same as if all had been learnt one by one.

Whatever a version adds to a table stands together, in the order it was learnt in; so putting the versions in order, and
numbering wordings, terms and names by where they come up first, leaves no trace of the shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers, Table, Texts
from ccos_core.replay.residency import learnt
from ccos_core.replay.residency.laid import Read
from ccos_core.replay.residency.learning import Learnt, Share, learn
from ccos_core.replay.residency.learnt import Words
from ccos_core.replay.residency.lots import Said
from ccos_core.replay.residency.passages import numbered
from ccos_core.replay.residency.reading import in_shares, read

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

WORDINGS, DIED, PAIRS, VERSIONS, NODES, CALLED = map(
    attrgetter, ("wordings", "died", "pairs", "versions", "nodes", "called")
)
OFTEN = 50
"""Versions between two words about how far it has come."""


def learn_on(timeline: Timeline, words: Words, progress: Callable[[int, int], None]) -> None:
    """Learn what wasn't learnt yet. Whoever stops it has learnt nothing, and leaves nobody at work."""
    files = timeline.journal.versions["path"]
    begin, end = len(words.versions), len(files)
    said = _last_said(words, files) if begin else {}
    heard = _Heard(begin, end, progress)

    def asked() -> Iterator[Share]:
        for rows in in_shares(files.tolist(), begin):
            before = {file: said[file] for each in rows if (file := int(files[each[0]])) in said}
            yield Share(heard.reading(read(timeline, rows)), before, len(words.wordings))

    keeper = timeline.keeper
    spread = keeper.spread(learn, asked(), end - begin) if keeper is not None else (learn(each) for each in asked())
    with closing(spread):
        put_behind(words, list(heard.learning(spread)))


def put_behind(words: Words, shares: Sequence[Learnt]) -> None:
    """Put what was learnt of the versions that come next behind what is there."""
    if shares:
        _Joining(words, shares).join()


class _Heard:
    """How far it has come: to read a version is half of it, to learn it the other."""

    def __init__(self, begin: int, end: int, progress: Callable[[int, int], None]) -> None:
        self._halves = 2 * begin
        self._end = end
        self._progress = progress

    def reading(self, versions: Iterator[Read]) -> Iterator[Read]:
        """Versions that are read one by one."""
        for at, version in enumerate(versions):
            if at % OFTEN == 0:
                self._progress(self._halves // 2, self._end)
            self._halves += 1
            yield version

    def learning(self, shares: Iterable[Learnt]) -> Iterator[Learnt]:
        """Shares that are learnt one by one."""
        for share in shares:
            self._halves += len(share.rows)
            self._progress(self._halves // 2, self._end)
            yield share


class _Joining:
    """Shares that are put together."""

    def __init__(self, words: Words, shares: Sequence[Learnt]) -> None:
        self.words = words
        self.parts = [each.words for each in shares]
        self.rows = np.concatenate([np.array(each.rows, np.int32) for each in shares])
        self.made = len(words.wordings)
        """Wordings that were learnt earlier."""
        self.order: Numbers = np.argsort(self._all(WORDINGS, "born"), kind="stable")
        """The new ones of all shares, one behind the other, as they come to stand, ..."""
        self.places = np.empty(len(self.order), np.int32)
        """... and the number each of them gets."""
        self.places[self.order] = self.made + np.arange(len(self.order), dtype=np.int32)

    def join(self) -> None:
        """Table by table."""
        self._join_wordings()
        self._join_versions()
        self._join_died()
        self._join_called()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _join_wordings(self) -> None:
        sizes = self._all(WORDINGS, "size").astype(np.int64)
        self.words.wordings.extend(**{name: self._all(WORDINGS, name)[self.order] for name in learnt.WORDINGS})
        taken = _spans(sizes, self.order)
        counts = {name: self._all(PAIRS, name)[taken] for name in ("head", "body")}
        terms = _met(self.words.terms, [(part.terms, part.pairs["term"]) for part in self.parts], taken)
        self.words.pairs.extend(term=terms, **counts)

    def _join_versions(self) -> None:
        sizes = np.concatenate([np.diff(part.versions["end"], prepend=0) for part in self.parts]).astype(np.int64)
        order = np.argsort(self.rows)
        ends = len(self.words.nodes) + np.cumsum(sizes[order])
        self.words.versions.extend(says=self._all(VERSIONS, "says")[order], end=ends)
        taken = _spans(sizes, order)
        nodes = {name: self._all(NODES, name)[taken] for name in ("node", "own")}
        self.words.nodes.extend(wording=self._numbered(NODES)[taken], **nodes)

    def _join_died(self) -> None:
        versions = self._all(DIED, "version")
        order = np.argsort(versions, kind="stable")
        self.words.died.extend(wording=self._numbered(DIED)[order], version=versions[order])

    def _join_called(self) -> None:
        versions = self._all(CALLED, "version")
        order = np.argsort(versions, kind="stable")
        names = _met(self.words.names, [(part.names, part.called["name"]) for part in self.parts], order)
        self.words.called.extend(name=names, version=versions[order])

    def _all(self, table: Callable[[Words], Table], column: str) -> Numbers:
        """A column of all shares, one behind the other."""
        return np.concatenate([table(part)[column] for part in self.parts])

    def _numbered(self, table: Callable[[Words], Table]) -> Numbers:
        """The wordings in a table of all shares, by the numbers they get."""
        found, behind = [], 0
        for part in self.parts:
            own = table(part)["wording"].copy()
            new = own >= self.made
            own[new] = self.places[own[new] - self.made + behind]
            found.append(own)
            behind += len(part.wordings)
        return np.concatenate(found)


def _spans(sizes: Numbers, order: Numbers) -> Numbers:
    """Where the rows are of things that have so many each, with the things in another order."""
    begins = np.cumsum(sizes) - sizes
    sizes, begins = sizes[order], begins[order]
    shifts = (begins - (np.cumsum(sizes) - sizes)).astype(np.int32)
    return np.repeat(shifts, sizes) + np.arange(int(sizes.sum()), dtype=np.int32)


def _met(texts: Texts, parts: Sequence[tuple[Texts, Numbers]], order: Numbers) -> Numbers:
    """A column of texts by number, each share having its own of both, in an order; those that are new are put behind
    the others by where they are met first."""
    known = len(texts)
    every, numbers = numbered(chain(texts.all(), *(own.all() for own, _ in parts)))
    numbers, begins = numbers.astype(np.int32), np.cumsum([known, *(len(own) for own, _ in parts)])
    column = np.concatenate([numbers[begin:][each] for begin, (_, each) in zip(begins, parts, strict=False)])[order]
    first = np.zeros(len(every), np.int32)
    first[column[::-1]] = np.arange(len(column), dtype=np.int32)[::-1]  # of several given to one the last stays
    new = known + np.argsort(first[known:])
    places = np.arange(len(every), dtype=np.int32)
    places[new] = np.arange(known, len(every), dtype=np.int32)
    for at in new.tolist():
        texts.add(every[at])
    found: Numbers = places[column]
    return found


def _last_said(words: Words, files: Numbers) -> dict[int, Said]:
    """What the last versions said of the files that have others since."""
    wordings, begin = words.wordings, len(words.versions)
    alive = np.ones(len(wordings), bool)
    alive[words.died["wording"]] = False
    held_by = files[wordings["born"]]
    rows = np.flatnonzero(alive & np.isin(held_by, files[begin:])).tolist()
    found: dict[int, Said] = {}
    for row in rows:
        of_file = found.setdefault(int(held_by[row]), {})
        of_file[int(wordings["symbol"][row])] = bytes(wordings["said"][row]), row
    return found
