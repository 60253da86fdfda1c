"""Search entries that lie in a server, as they are searched here: the same entries in the same order.

The server is asked for what the labels let through, and among these for what has one of the words; so nothing above a
cap leaves it. What it answers is ranked here, in whole numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

import numpy as np

from ccos_core.memory.backend import Result, Search
from ccos_core.memory.entry import Entry
from ccos_core.memory.index import facet_of, lets_through, said_in, scores_of, test_of
from ccos_core.text.retrieval.talk import said_terms

READ_AT_ONCE = 64


class Candidate(NamedTuple):
    """An entry as far as it takes to rank it."""

    id: str
    last: int
    length: int
    """How many terms it has."""

    terms: Mapping[str, int]


class Server(Protocol):
    """What a server is asked."""

    def facets(self) -> Mapping[int, Entry]:
        """Return the labels that entries have, by number."""

    def totals(self, facets: Collection[int]) -> tuple[int, int]:
        """Return (entries, their terms together) with these labels."""

    def candidates(self, facets: Collection[int], terms: Collection[str], since: int) -> Iterable[Candidate]:
        """Return the entries with these labels that have one of the terms, or all if there are none, and that came up
        after a step."""

    def retrieve_batch(self, ids: Iterable[str]) -> dict[str, Entry]:
        """Return those of these entries that are there."""


def counted_terms(entry: Entry) -> dict[str, int]:
    """Return the terms of an entry, with how often each occurs."""
    return dict(Counter(said_terms(said_in(entry))))


def remote_query(server: Server, search: Search) -> Result:
    """Return what a search finds."""
    facets = [number for number, facet in server.facets().items() if lets_through(search, facet)]
    asked = Counter(said_terms(search.words))
    if not facets or (search.words and not asked):
        return Result((), (), False)
    found = _ranked(server, search, facets, asked)
    fits = test_of(search)
    entries, scores = list[Entry](), list[int]()
    for share in _batched(found):
        known = server.retrieve_batch(id_ for id_, _ in share)
        for id_, score in share:
            entry = known.get(id_)  # it may have gone meanwhile
            if entry is not None and fits(entry):
                entries.append(entry)
                scores.append(score)
        if len(entries) > search.limit:
            break
    limit = search.limit
    return Result(tuple(entries[:limit]), tuple(scores[:limit]), len(entries) > limit)


def _ranked(server: Server, search: Search, facets: list[int], asked: Counter[str]) -> list[tuple[str, int]]:
    """Return (id, score) in order. A word is as rare as it is among all that may be seen, whenever they came up."""
    since = search.since or -1  # an entry of an unknown step has 0
    every = server.candidates(facets, list(asked), -1 if asked else since)
    found = [each for each in every if each.id not in search.without]
    scores = [0] * len(found)
    if asked:
        lengths = np.array([each.length for each in found], np.int64)
        postings = []
        for term, times in asked.items():
            rows = [row for row, each in enumerate(found) if term in each.terms]
            often = [found[row].terms[term] for row in rows]
            postings.append((times, np.array(rows, np.int64), np.array(often, np.int64)))
        count, length = server.totals(facets)
        for entry in server.retrieve_batch(search.without).values():
            if lets_through(search, facet_of(entry)):
                count, length = count - 1, length - sum(counted_terms(entry).values())
        scores = scores_of(postings, lengths, count, length).tolist()
    keys = [(-score, -each.last, each.id) for score, each in zip(scores, found, strict=True) if each.last > since]
    return [(id_, -score) for score, _, id_ in sorted(keys)]


def _batched(found: list[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    for at in range(0, len(found), READ_AT_ONCE):
        yield found[at : at + READ_AT_ONCE]
