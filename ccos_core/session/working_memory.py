"""The working memory of one record, for as long as it is open: filled before it is searched, seen as a principal may.

memory = RecordMemory(path)
memory.search(desk, {"type": "preference", "limit": 10}, words="make file", max_results=5)
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np

from ccos_core.errors import CcosError, Usage
from ccos_core.memory import asking
from ccos_core.memory.backend import Cursor, Result, Search, Stats, stats_of
from ccos_core.memory.boundaries import boundaries_of, within_budget
from ccos_core.memory.entry import LEVELS, Entry
from ccos_core.memory.facade import WorkingMemory
from ccos_core.memory.index import facet_of, lets_through, test_of
from ccos_core.query.viewed import Hidden
from ccos_core.session.asking import Desk
from ccos_core.session.subscribing import Ingested, Ingestor, Progress
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path
from ccos_core.text.masking import masked
from ccos_core.text.retrieval.vectors import LARGEST, MODEL, SIZE, Numbers, Vectors, closeness, vectors_of
from ccos_core.text.sanitize.personal import personal
from ccos_core.text.sanitize.spans import masked_families
from ccos_core.values.canon import digest

KEYWORD, SEMANTIC = "keyword", "semantic"
CANDIDATES, ROWS = 100, 20
MOST_CANDIDATES = 100_000
NOT_SEMANTIC = f"There are no vectors, so keywords were used. observability.ingest with embed_model {MODEL} makes them."
UNEMBEDDED = "Entries without a vector weren't looked at; observability.ingest with embed_model makes it."
LEAST_CLOSENESS = 60_000
"""Of an entry that is found by vectors: a cosine of about a quarter, three times what texts have by chance."""

Test: TypeAlias = Callable[[Entry], bool]


@dataclass(frozen=True, slots=True)
class Memories:
    """What a search of the working memory found."""

    schema: ClassVar[str] = "ccos.memories/1"
    at: int
    """The step up to which the memory follows the record."""

    query: str
    """The conditions, as one may type them."""

    mode: str
    """How it was searched."""

    principal: str
    """As whom the memory was searched."""

    policy: str
    """The hash of the policy in force."""

    memories: tuple[Mapping[str, Any], ...]
    """Each with its `score`; without words, the latest come first."""

    dropped: tuple[str, ...]
    """The ids of those that a limit of tokens, bytes or relevance left out."""

    more: bool
    """Whether others match."""

    note: str = ""
    """What couldn't be done as asked."""


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """What the working memory holds, as far as the caller may see it, and how well it keeps up."""

    schema: ClassVar[str] = "ccos.memory-stats/1"
    at: int
    lag: int
    """Steps of the record that it doesn't have."""

    entries: int
    """How many it holds."""

    tokens: int
    """What their words take together."""

    by_class: Mapping[str, int]
    """Class → entries."""

    by_privacy: Mapping[str, int]
    """Privacy level → entries."""

    by_region: Mapping[str, int]
    """Region → entries that have it."""

    ops: int
    """Read since this program began, ..."""

    throughput: int
    """... per second."""

    errors: int
    """Batches that failed."""

    error_rate: int
    """In thousandths of all batches."""

    last_error: str
    """What went wrong last; empty if nothing did."""

    histogram: tuple[int, ...]
    """Batches by how long they took; see BUCKETS_MS."""


class RecordMemory:
    """The index of a record, open, and what keeps it up."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._place = memory_path(path)
        self._ingestor = Ingestor(path, lambda: MemorySqlite(self._place))
        self._memory: WorkingMemory | None = None
        self._withheld: dict[str, tuple[Cursor, frozenset[str]]] = {}
        """What is withheld → the ids of the entries that say something of it, as far as the cursor."""

    @property
    def memory(self) -> WorkingMemory:
        """The facade, opened when it is asked for."""
        if self._memory is None:
            self._memory = WorkingMemory(MemorySqlite(self._place))
        return self._memory

    def close(self) -> None:
        """Close the index."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def ingest(self, progress: Progress | None = None) -> Ingested:
        """Take in what was recorded since."""
        try:
            done = self.memory.ingest(self._ingestor, progress)
            self.memory.backend.settle()
        except CcosError:
            self.close()  # a spoilt file is deleted, and made anew by the next call
            raise
        return done

    def search(
        self,
        desk: Desk,
        query: Any = "",
        *,
        words: str = "",
        boundaries: Mapping[str, Any] | None = None,
        mode: str = KEYWORD,
        max_results: int = ROWS,
        progress: Progress | None = None,
        elsewhere: Callable[[Search], Result] | None = None,
    ) -> Memories:
        """Return what matches and the desk's principal may see. The query's `limit` bounds how many are looked at.

        `elsewhere` searches another store; of what it finds, only entries that are known here are returned, as they
        are here."""
        if mode not in (KEYWORD, SEMANTIC):
            raise Usage("isn't a way to search", place=mode[:40], hint=f"One of: {KEYWORD}  {SEMANTIC}")
        begun = desk.clock()
        said, limit, vector = _plain_query(query)
        if self.ingest(progress).rebuilt:
            self._withheld.clear()
        now = desk.whole.time(desk.whole.head)
        tree = asking.query_of(said) if said else asking.read("")
        view = desk.view.within(boundaries_of(boundaries, now))
        matches, hidden = asking.matcher(tree, now, desk.shown_entry), desk.hidden
        labels: Test | None = None if view.is_owner else view.grants
        search = Search(
            desk.asked_words(words) or " ".join(asking.is_relevant_to(tree)),
            max_privacy=view.grant.level,
            labels=labels,
            accepts=lambda entry: matches(entry) and view.sees(entry) and _is_shown(hidden, entry),
            limit=limit,
            key=_key(asking.spelled(tree), boundaries, now, hidden.key),
            labels_key=_key(view.principal, view.policy),
            without=self._saying_withheld(hidden) if hidden.nodes else frozenset(),
        )
        notes = []
        if mode == SEMANTIC or vector is not None:
            found, mode, said_of_vectors = self._by_vectors(search, view.policy, vector)
            notes.append(said_of_vectors)
        elif elsewhere is not None:
            found = self._known(elsewhere(search), search)
        else:
            found = self.memory.query(search, view.policy)
        relevance = {entry.id: score for entry, score in zip(found.entries, found.scores, strict=True)}
        is_scored = bool(search.words) or mode == SEMANTIC
        kept, dropped = within_budget(found.entries, view.boundaries.budget, relevance if is_scored else None)
        rows = tuple(_told(desk, hidden, entry, relevance[entry.id]) for entry in kept[:max_results])
        note = " ".join(filter(None, (*notes, desk.latency_warning(begun))))
        more = found.more or len(kept) > max_results
        spelled = asking.spelled(tree)
        at = self.memory.backend.cursor().step
        return Memories(at, spelled, mode, view.principal, view.policy, rows, tuple(dropped), more, note)

    def embed(self) -> int:
        """Make the vectors of all entries that have none; returns how many."""
        return self._store.embed(vectors_of)

    def masked(self, desk: Desk, since: int, *, secrets: bool, personal_data: bool) -> dict[str, dict[str, int]]:
        """Count what is masked, by kind, in the entries that came up after a step and that the desk's principal may
        see: secrets at the gate, personal data in answers below the level `high`."""
        view, hidden = desk.view, desk.hidden
        new = self.memory.backend.query(Search(since=since, limit=sys.maxsize)).entries
        texts = [each.words for each in new if view.sees(each) and _is_shown(hidden, each)]
        found: dict[str, dict[str, int]] = {}
        if secrets:
            found["secrets"] = _counted(family for text in texts for family in masked_families(text))
        if personal_data:
            found["pii"] = _counted(each.kind for text in texts for each in personal(text))
        return found

    def stats(self, desk: Desk) -> MemoryStats:
        """Count what the desk's principal may see."""
        backend = self.memory.backend
        counted: Stats
        if desk.view.is_owner:
            counted = self.memory.get_stats()
        else:
            view, hidden = desk.view, desk.hidden
            seen = (entry for entry in backend.entries() if view.sees(entry) and _is_shown(hidden, entry))
            counted = stats_of(backend.name, seen, backend.cursor())
        known, step = self._ingestor.get_stats(), counted.cursor.step
        return MemoryStats(
            at=step,
            lag=max(desk.record.head()[0] - step, 0),
            entries=counted.entries,
            tokens=counted.tokens,
            by_class=counted.by_class,
            by_privacy=counted.by_privacy,
            by_region=counted.by_region,
            ops=known.ops,
            throughput=known.throughput,
            errors=known.errors,
            error_rate=known.error_rate,
            last_error=known.last_error,
            histogram=tuple(known.histogram),
        )

    # ---- helpers ----

    @property
    def _store(self) -> MemorySqlite:
        store = self.memory.backend
        assert isinstance(store, MemorySqlite)
        return store

    def _by_vectors(self, search: Search, policy: str, vector: Vectors | None) -> tuple[Result, str, str]:
        """Return what is near a vector, or the words of a search; how it was found, and what to say of that."""
        embedded, entries = self._store.embedded()
        if not embedded or (vector is None and not search.words):
            note = NOT_SEMANTIC if search.words or vector is not None else ""
            return self.memory.query(search, policy), KEYWORD, note
        asked = vector if vector is not None else vectors_of([search.words])[0]

        def score(rows: Vectors) -> Numbers:
            near = closeness(asked, rows)
            return np.where(near >= LEAST_CLOSENESS, near, 0)

        return self._store.nearest(search, score, SIZE), SEMANTIC, UNEMBEDDED if embedded < entries else ""

    def _known(self, found: Result, search: Search) -> Result:
        """Return what another store found, as far as it is known here and may be seen."""
        known = self.memory.backend.retrieve_batch(each.id for each in found.entries)
        may_see = test_of(search)
        kept = [
            (known[each.id], score)
            for each, score in zip(found.entries, found.scores, strict=True)
            if each.id in known and lets_through(search, facet_of(known[each.id])) and may_see(known[each.id])
        ]
        return Result(tuple(entry for entry, _ in kept), tuple(score for _, score in kept), found.more)

    def _saying_withheld(self, hidden: Hidden) -> frozenset[str]:
        """Return the ids of all entries that say something withheld; only what is new is looked at."""
        backend = self.memory.backend
        cursor = backend.cursor()
        known, ids = self._withheld.get(hidden.key, (Cursor(), frozenset[str]()))
        if known.erased != cursor.erased or known.step > cursor.step:
            known, ids = Cursor(), frozenset()
        if known != cursor:
            new = (
                backend.query(Search(since=known.step, limit=sys.maxsize)).entries if known.step else backend.entries()
            )
            ids |= {entry.id for entry in new if not _is_shown(hidden, entry)}
            self._withheld = {hidden.key: (cursor, ids)}
        return ids


def _counted(kinds: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(kinds).items()))


def _is_shown(hidden: Hidden, entry: Entry) -> bool:
    """Tell whether an entry says nothing that is withheld."""
    text = f"{entry.title}\n{entry.words}"
    return entry.id not in hidden.nodes and not _names(hidden, text) and masked(text, hidden.phrases) == text


def _names(hidden: Hidden, text: str) -> bool:
    return any(node in text for node in hidden.nodes)


def _told(desk: Desk, hidden: Hidden, entry: Entry, score: int) -> dict[str, Any]:
    """Return an entry as it is given: with its provenance, and without what the principal may not read."""
    return {
        "id": entry.id,
        "class": entry.cls,
        "title": desk.shown(desk.shown_entry(entry).title),
        "words": desk.shown(entry.words),
        "score": score,
        "tags": list(entry.tags),
        "privacy": LEVELS[entry.privacy],
        "regions": list(entry.regions),
        "first": entry.first,
        "last": entry.last,
        "count": entry.count,
        "at": entry.at,
        "last_at": entry.last_at,
        "tokens": entry.tokens,
        "author": entry.author,
        "ccr_ref": entry.whole or "",
        "meta": {
            "action_id": entry.action,
            "plan_id": "/".join(filter(None, (entry.session, entry.context))),
            "intent_id": entry.intent,
            "step_id": entry.call,
            "provider": entry.provider,
            "attestation_hash": entry.chain,
            "content_hash": entry.content,
        },
        "extra": {key: json.loads(value) for key, value in entry.extra if not _names(hidden, value)},
    }


def _plain_query(query: Any) -> tuple[Any, int, Vectors | None]:
    """Return a query without its `limit` and `vector`, and these."""
    if not isinstance(query, Mapping):
        return query, CANDIDATES, None
    said = {str(key).removeprefix(":"): value for key, value in query.items()}
    limit = said.pop("limit", CANDIDATES)
    if type(limit) is not int or not 1 <= limit <= MOST_CANDIDATES:
        raise Usage(f"should be a number from 1 to {MOST_CANDIDATES:,}", place="limit")
    numbers = said.pop("vector", None)
    if numbers is None:
        return said, limit, None
    if not (isinstance(numbers, list) and len(numbers) == SIZE and all(_fits(each) for each in numbers)):
        raise Usage(f"should be {SIZE} whole numbers from -{LARGEST} to {LARGEST}, as {MODEL} has them", place="vector")
    return said, limit, np.array(numbers, np.int8)


def _fits(number: Any) -> bool:
    return type(number) is int and -LARGEST <= number <= LARGEST


def _key(*parts: Any) -> str:
    return digest(json.dumps(parts, sort_keys=True, default=str).encode("utf-8", "surrogatepass")).hex()
