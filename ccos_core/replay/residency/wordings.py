"""The words of every version a record ever had, in columns: learnt once, for whatever text and step is asked about.

A wording is a document of one or more versions of a file in a row: a symbol whose own words, and whose way of being
shown, stayed the same. Wordings stand in the order of documents, by path and symbol, so those of any step are in order
too. Nothing here depends on a text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.joining import learn_on
from ccos_core.replay.residency.learnt import Words
from ccos_core.text.retrieval.logs import roots
from ccos_core.text.retrieval.postings import MOST
from ccos_core.text.retrieval.tfidf import often
from ccos_core.text.syntax.resolution import Target
from ccos_core.values.ids import path_of
from ccos_core.window.lexicon import is_aside

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

NOBODY = -1
"""In place of a wording: such a node isn't there."""


@dataclass(frozen=True)
class Wordings:
    """Columns by wording, by pair of wording and term, and by version."""

    symbol: Numbers
    """What of its file a wording is, ..."""
    file: Numbers
    """... and the number of that, in the order of all paths there ever were."""
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
        return np.repeat(np.arange(len(self.born), dtype=np.int32), np.diff(self.begins))

    @cached_property
    def often(self) -> Numbers:
        """Pair → what its occurrences in the body say together. As what it says of any term, it needs few bits."""
        return often(self.body).astype(np.int32)

    @cached_property
    def head_length(self) -> Numbers:
        """Wording → how many words it has in its head."""
        return self._summed(self.head)

    @cached_property
    def body_length(self) -> Numbers:
        """Wording → how long its body is by itself."""
        return roots(self._summed(np.square(self.often, dtype=np.int64)))

    def pairs(self, term: int) -> Numbers:
        """The pairs of a term."""
        found: Numbers = self.by_term[slice(int(self.term_ends[term - 1]) if term else 0, int(self.term_ends[term]))]
        return found

    def in_file(self, path: str) -> range:
        """All there ever were in a file."""
        at = bisect_left(self.paths, path)
        if at == len(self.paths) or self.paths[at] != path:
            return range(0)
        return range(*np.searchsorted(self.file, np.array([at, at + 1], np.int32)).tolist())

    def in_files(self, paths: Sequence[str]) -> Numbers:
        """All there ever were in some files, given in order."""
        here = [self.in_file(path) for path in paths]
        return np.concatenate(
            [np.zeros(0, np.int32), *(np.arange(each.start, each.stop, dtype=np.int32) for each in here)]
        )

    def of(self, target: Target) -> range:
        """The wordings a document ever had."""
        here = self.in_file(target.path)
        symbols = self.symbol[here.start : here.stop]
        begin, end = np.searchsorted(symbols, np.array([target.symbol, target.symbol + 1], np.int32)).tolist()
        return here[begin:end]

    def are_there(self, some: Numbers, upto: int) -> Numbers:
        """Whether each of some wordings is a document where so many versions have been."""
        found: Numbers = (self.born[some] < upto) & (self.died[some] >= upto)
        return found

    def _summed(self, each: Numbers) -> Numbers:
        """Wording → what its pairs come to together."""
        found = np.zeros(len(self.born), np.int64)
        some = np.flatnonzero(np.diff(self.begins))
        found[some] = np.add.reduceat(each, self.begins[some], dtype=np.int64)
        return found


def wordings_of(timeline: Timeline, progress: Callable[[int, int], None]) -> Wordings:
    """The wordings of a record; what nobody kept of them is read when somebody asks first."""
    found: Wordings = timeline.journal.once(
        "wordings", lambda: _in_order(_learnt(timeline, progress), timeline.journal)
    )
    return found


def _learnt(timeline: Timeline, progress: Callable[[int, int], None]) -> Words:
    keeper = timeline.keeper
    words = keeper.words() if keeper is not None else Words()
    since = words.sizes()
    if len(words.versions) > len(timeline.journal.versions):  # of the same record, as another process has it by now
        words, keeper = Words(), None
    if len(words.versions) < len(timeline.journal.versions):
        learn_on(timeline, words, progress)
        if keeper is not None:
            keeper.keep(words, since)
    return words


def _in_order(words: Words, journal: Journal) -> Wordings:
    """All of it, the wordings in the order of documents."""
    rows, versions = words.wordings, journal.versions
    made_in = versions["path"][rows["born"]]
    numbers = sorted(np.unique(made_in).tolist(), key=lambda number: path_of(journal.name(number)) or "")
    paths = [path_of(journal.name(number)) or "" for number in numbers]
    ranks = np.zeros(len(journal.names), np.int32)
    ranks[numbers] = np.arange(len(numbers), dtype=np.int32)
    order = np.lexsort((rows["born"], rows["symbol"], ranks[made_in]))
    file = ranks[made_in][order]
    died = np.full(len(rows), len(versions), np.int32)
    died[words.died["wording"]] = words.died["version"]
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order))
    sizes = rows["size"].astype(np.int64)
    begins = np.cumsum(np.append(0, sizes[order]))
    shifts = ((np.cumsum(sizes) - sizes)[order] - begins[:-1]).astype(np.int32)
    taken = np.repeat(shifts, sizes[order]) + np.arange(int(begins[-1]), dtype=np.int32)
    holders = words.nodes["wording"].astype(np.int32)
    held = holders >= 0
    holders[held] = places[holders[held]]
    return Wordings(
        rows["symbol"][order],
        file,
        paths,
        np.array(numbers, np.int32),
        rows["born"][order],
        died[order],
        rows["minor"][order].astype(np.int64),
        np.array([is_aside(path) for path in paths], np.int64)[file],
        rows["cost"][order],
        {term.decode("utf-8", "surrogatepass"): at for at, term in enumerate(words.terms.all())},
        begins,
        words.pairs["term"][taken],
        words.pairs["head"][taken],
        words.pairs["body"][taken],
        words.versions["says"].astype(bool),
        _called(words),
        words.nodes["node"],
        holders,
        words.nodes["own"].astype(bool),
        words.versions["end"].astype(np.int64),
    )


def _called(words: Words) -> dict[str, list[int]]:
    numbers, versions = words.called["name"], words.called["version"]
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=len(words.names)))[:-1]
    each = np.split(versions[order], ends) if len(words.names) else []
    names = (name.decode("utf-8", "surrogatepass") for name in words.names.all())
    return {name: found.tolist() for name, found in zip(names, each, strict=True)}
