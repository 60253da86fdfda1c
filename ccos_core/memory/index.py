"""Find entries by words and labels, in whole numbers, the same on every machine.

Holds of each entry its labels, its steps and its terms, not its words. What a caller may not see has no part in the
ranking: how rare a term is and how long an entry usually is, is counted over what the labels let through.

    index = Index()
    index.add(0, entry, index.terms_of(entry))
    next(index.ranked(Search("make file")))   # (0, its score)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ccos_core.memory.backend import Result, Search, Test
from ccos_core.memory.entry import Entry
from ccos_core.text.retrieval.scores import hurdles, rarity, told, usual_head
from ccos_core.text.retrieval.talk import said_terms
from ccos_core.text.search_words import Query, marks, parse_query

Numbers: TypeAlias = NDArray[np.int64]
Terms: TypeAlias = NDArray[np.int32]
"""Pairs of a term's number and how often it occurs, one behind the other."""

COLUMNS = ("label", "last", "length")
KEPT_MASKS = 64
SHARE = 256
"""Rows that are put in order at a time."""
TAIL_SHARE = 16
"""New postings are merged into the sorted ones when there is more than one new one to this number of sorted ones."""


class Index:
    """Rows of entries, in any order; a row is a number from 0 on that the backend gives."""

    def __init__(self) -> None:
        self._size = 0
        self._columns = {name: np.zeros(1024, np.int64) for name in COLUMNS}
        self._alive = np.zeros(1024, bool)
        self._ids: list[str] = []
        self._labels: dict[Entry, int] = {}
        self._seen: list[Entry] = []
        self._masks: dict[tuple[str, int], list[bool]] = {}
        self.terms: dict[str, int] = {}
        """Term → its number."""

        self._postings = _Postings()

    def terms_of(self, entry: Entry) -> Terms:
        """Return the terms of an entry; new ones get a number."""
        counts = Counter(said_terms(said_in(entry)))
        numbers = self.terms
        found = [(numbers.setdefault(term, len(numbers)), often) for term, often in counts.items()]
        return np.array(found, np.int32).reshape(-1)

    def add(self, row: int, entry: Entry, terms: Terms) -> None:
        """Add an entry at a row that has none."""
        while row >= len(self._alive):
            self._alive = np.concatenate([self._alive, np.zeros_like(self._alive)])
            self._columns = {name: np.concatenate([each, np.zeros_like(each)]) for name, each in self._columns.items()}
        self._ids += [""] * (row + 1 - len(self._ids))
        self._size = max(self._size, row + 1)
        self._ids[row] = entry.id
        self._columns["length"][row] = int(terms[1::2].sum())
        self._postings.add(row, terms)
        self.relabel(row, entry)
        self._alive[row] = True

    def relabel(self, row: int, entry: Entry) -> None:
        """Take over the labels and steps of an entry whose words are the same."""
        facet = facet_of(entry)
        number = self._labels.setdefault(facet, len(self._labels))
        if number == len(self._seen):
            self._seen.append(facet)
        self._columns["label"][row] = number
        self._columns["last"][row] = entry.last

    def remove(self, row: int) -> None:
        """Forget an entry; its row isn't used again."""
        self._alive[row] = False

    def ranked(
        self, search: Search, among: Numbers | None = None, near: Numbers | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield (row, score) of what the labels and words of a search let through, of all rows or `among` some: by
        score, then the latest, then by id. `near` has a score for each row, in the place of that by words; 0 leaves
        a row out."""
        visible = self._visible(search)
        scores = np.zeros(self._size, np.int64)
        if near is not None:
            scores[: len(near)] = near[: self._size]
            visible &= scores > 0
        elif search.words:
            scores = self._scores(search.words, visible)
            visible &= scores > 0
        if among is not None:
            is_meant = np.zeros(self._size, bool)
            is_meant[among] = True
            visible &= is_meant
        if search.since:
            visible &= self._columns["last"][: self._size] > search.since
        rows = np.flatnonzero(visible)
        share = max(SHARE, 2 * search.limit)
        while len(rows):
            keys = scores[rows] if search.words or near is not None else self._columns["last"][rows]
            best = np.ones(len(rows), bool)
            if len(rows) > share:
                best = keys >= np.partition(keys, len(keys) - share)[len(keys) - share]
            yield from self._in_order(rows[best], scores)
            rows, share = rows[~best], 4 * share

    # ---- helpers ----

    def _visible(self, search: Search) -> NDArray[np.bool_]:
        seen = np.array(self._seen_labels(search), bool)
        alive = self._alive[: self._size].copy()
        if search.without:
            alive &= np.fromiter((id_ not in search.without for id_ in self._ids), bool, self._size)
        return alive & seen[self._columns["label"][: self._size]] if len(seen) else alive

    def _seen_labels(self, search: Search) -> list[bool]:
        """Return whether a search may see each of the labels there are."""
        key = search.labels_key, search.max_privacy
        keep = bool(search.labels_key) or search.labels is None
        known = self._masks.get(key, []) if keep else []
        for facet in self._seen[len(known) :]:
            known.append(lets_through(search, facet))
        if keep:
            if len(self._masks) >= KEPT_MASKS:
                self._masks.clear()
            self._masks[key] = known
        return known

    def _scores(self, words: str, visible: NDArray[np.bool_]) -> Numbers:
        """Return the score of each row by BM25; 0 where none of the words is."""
        lengths = self._columns["length"][: self._size]
        postings = []
        for term, times in Counter(said_terms(words)).items():
            rows, often = self._postings.of(self.terms.get(term, -1))
            is_seen = visible[rows]
            postings.append((times, rows[is_seen], often[is_seen]))
        return scores_of(postings, lengths, int(np.count_nonzero(visible)), int(lengths[visible].sum()))

    def _in_order(self, rows: Numbers, scores: Numbers) -> list[tuple[int, int]]:
        last, ids = self._columns["last"], self._ids
        keys = zip(
            (-scores[rows]).tolist(), (-last[rows]).tolist(), (ids[row] for row in rows), rows.tolist(), strict=True
        )
        return [(row, -score) for score, _, _, row in sorted(keys)]


def scores_of(postings: Iterable[tuple[int, Numbers, Numbers]], lengths: Numbers, count: int, total: int) -> Numbers:
    """Return the score of each row by BM25, 0 where none of the words is. Each word is told as (how often it was asked
    for, the rows that have it, how often each does); `count` and `total` are of all entries that a caller may see."""
    usual = usual_head(total, count)
    scores = np.zeros(len(lengths), np.int64)
    for times, rows, often in postings:
        if len(rows):
            scores[rows] += times * (rarity(count, len(rows)) + 1) * told(often, hurdles(lengths[rows], usual))
    return scores


def facet_of(entry: Entry) -> Entry:
    """Return what the labels of a search look at."""
    return replace(_NOTHING, **{name: getattr(entry, name) for name in FACETS})


def lets_through(search: Search, facet: Entry) -> bool:
    """Tell whether the labels of a search let entries with these labels through."""
    return facet.privacy <= search.max_privacy and (search.labels is None or search.labels(facet))


def look_up(
    index: Index,
    search: Search,
    entry_at: Callable[[int], Entry],
    among: Numbers | None = None,
    near: Numbers | None = None,
) -> Result:
    """Return what a search finds. `among` has all rows that may have its phrase, or is None; `near` as in `ranked`."""
    entries: list[Entry] = []
    scores: list[int] = []
    fits = test_of(search)
    for row, score in index.ranked(search, among, near):
        entry = entry_at(row)
        if fits(entry):
            entries.append(entry)
            scores.append(score)
            if len(entries) > search.limit:
                break
    limit = search.limit
    return Result(tuple(entries[:limit]), tuple(scores[:limit]), len(entries) > limit)


def test_of(search: Search) -> Test:
    """Return what tells whether an entry has the phrase of a search, and whether the search accepts it."""
    query = phrase_query(search.phrase) if search.phrase else None
    accepts = search.accepts

    def fits(entry: Entry) -> bool:
        if query is not None and not (query.terms and marks(said_in(entry), query)):
            return False
        return accepts is None or accepts(entry)

    return fits


def phrase_query(phrase: str) -> Query:
    """Return the words of a phrase, as a search for them one behind the other."""
    return parse_query('"' + phrase.replace('"', " ") + '"')


def said_in(entry: Entry) -> str:
    """Return the text of an entry that is searched: its words, and its title unless they begin with it."""
    return entry.words if entry.words.startswith(entry.title) else f"{entry.title}\n{entry.words}"


FACETS = ("cls", "privacy", "regions", "tags", "author", "provider", "session", "context", "intent")
_NOTHING = Entry("", "", "", "")


class _Postings:
    """Which rows have a term, and how often: sorted by term, and a tail of what is new."""

    def __init__(self) -> None:
        self._rows: Numbers = np.zeros(0, np.int64)
        self._often: Numbers = np.zeros(0, np.int64)
        self._starts: Numbers = np.zeros(1, np.int64)
        self._new: list[tuple[int, Terms]] = []
        self._tail: dict[int, tuple[list[int], list[int]]] = {}
        self._tail_size = 0

    def add(self, row: int, terms: Terms) -> None:
        self._new.append((row, terms))

    def of(self, term: int) -> tuple[Numbers, Numbers]:
        """Return (rows, occurrences) of a term."""
        if self._new:
            self._take_up()
        rows = often = np.zeros(0, np.int64)
        if 0 <= term < len(self._starts) - 1:
            part = slice(self._starts[term], self._starts[term + 1])
            rows, often = self._rows[part], self._often[part]
        if term in self._tail:
            new_rows, new_often = (np.array(each, np.int64) for each in self._tail[term])
            rows, often = np.concatenate([rows, new_rows]), np.concatenate([often, new_often])
        return rows, often

    def _take_up(self) -> None:
        fresh = sum(len(terms) for _, terms in self._new) // 2
        if (self._tail_size + fresh) * TAIL_SHARE > len(self._rows):
            self._merge()
        else:
            for row, terms in self._new:
                for term, often in zip(terms[::2].tolist(), terms[1::2].tolist(), strict=True):
                    rows, counts = self._tail.setdefault(term, ([], []))
                    rows.append(row)
                    counts.append(often)
            self._tail_size += fresh
        self._new = []

    def _merge(self) -> None:
        """Sort all by term."""
        old = np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))
        tail = list(self._tailed())
        pairs = np.concatenate([terms for _, terms in self._new] or [np.zeros(0, np.int32)]).astype(np.int64)
        sizes = [len(terms) // 2 for _, terms in self._new]
        terms = np.concatenate([old, np.array([each[0] for each in tail], np.int64), pairs[::2]])
        rows = np.array([row for row, _ in self._new], np.int64)
        rows = np.concatenate([self._rows, np.array([each[1] for each in tail], np.int64), np.repeat(rows, sizes)])
        often = np.concatenate([self._often, np.array([each[2] for each in tail], np.int64), pairs[1::2]])
        order = np.argsort(terms, kind="stable")
        self._rows, self._often = rows[order], often[order]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(terms))]) if len(terms) else np.zeros(1, np.int64)
        self._tail, self._tail_size = {}, 0

    def _tailed(self) -> Iterator[tuple[int, int, int]]:
        for term, (rows, counts) in self._tail.items():
            for row, often in zip(rows, counts, strict=True):
                yield term, row, often
