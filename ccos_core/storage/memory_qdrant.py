"""Entries in Qdrant, by a server or in a folder of its own (the client's local mode). Needs the extra `qdrant`.

A mirror like any other. Qdrant has no transactions: before a batch the collection is marked as being written to, and
one that was left so has no cursor, so that it is filled anew. What a caller may see is part of the filter of each
request.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from typing import Any
from uuid import UUID

from ccos_core.errors import Unavailable
from ccos_core.memory.backend import Cursor, Moved, Result, Search, Stats, stats_of
from ccos_core.memory.deriving import VERSION
from ccos_core.memory.entry import Entry, entry_bytes, entry_of
from ccos_core.memory.index import facet_of
from ccos_core.memory.remote import Candidate, counted_terms, remote_query
from ccos_core.values.canon import digest

MEMO, FACET, FOLLOWS = "memo", "facet", "follows"
"""The kinds of points: an entry, the labels that entries have, how far the collection follows the record."""
VECTOR = "embedding"
AT_ONCE = 500
INDEXED = {"kind": "keyword", "facet": "integer", "terms": "keyword", "last": "integer"}


class MemoryQdrant:
    """One collection; `place` is the address of a server, a folder, or `:memory:`. `vector_size` is that of the
    `embedding` that entries may have; 0 for none."""

    name = "qdrant"

    def __init__(self, place: str, collection: str = "ccos", vector_size: int = 0) -> None:
        self._client = _module("qdrant_client")
        self._models = self._client.models
        self._collection = f"{collection}_{VERSION}"
        self._vector_size = vector_size
        self.place = f"collection {collection} of Qdrant"
        self._totals: tuple[int, dict[int, tuple[int, int]]] = (-1, {})
        with self._troubled():
            is_server = place.startswith(("http://", "https://"))
            given: dict[str, Any] = (
                {"url": place, "check_compatibility": False}
                if is_server
                else {"location": place}
                if place == ":memory:"
                else {"path": place}
            )
            self._qdrant = self._client.QdrantClient(**given)
            if not self._qdrant.collection_exists(self._collection):
                self._make(is_server)

    # ---- what is stored ----

    def store(self, entry: Entry) -> str:
        return self.store_batch([entry])[0]

    def store_batch(
        self, entries: Sequence[Entry], cursor: Cursor | None = None, after: Cursor | None = None
    ) -> list[str]:
        latest = {entry.id: entry for entry in entries}
        facets = {facet_of(entry): 0 for entry in latest.values()}
        points = [self._point(entry) for entry in latest.values()]
        for facet in facets:
            payload = {"kind": FACET, "facet": _number(facet), "body": entry_bytes(facet).decode()}
            points.append(self._struct(f"{FACET} {payload['facet']}", payload))
        state = self._state()
        if after is not None and after != _cursor_of(state):
            raise Moved("was filled by another program meanwhile", place=self.place)
        with self._changing(state, cursor):
            for at in range(0, len(points), AT_ONCE):
                self._qdrant.upsert(self._collection, points[at : at + AT_ONCE], wait=True)
        return [entry.id for entry in entries]

    def remove(self, ids: Iterable[str]) -> int:
        gone = list(self.retrieve_batch(ids))
        with self._changing(self._state(), None):
            if gone:
                self._qdrant.delete(self._collection, [_uuid(f"{MEMO} {id_}") for id_ in gone], wait=True)
        return len(gone)

    def clear(self) -> None:
        with self._changing(self._state(), Cursor()):
            match = self._models.Filter(must=[self._any("kind", [MEMO, FACET])])
            self._qdrant.delete(self._collection, self._models.FilterSelector(filter=match), wait=True)

    # ---- what is asked ----

    def retrieve(self, id_: str) -> Entry | None:
        return self.retrieve_batch([id_]).get(id_)

    def retrieve_batch(self, ids: Iterable[str]) -> dict[str, Entry]:
        wanted = list(dict.fromkeys(ids))
        found: dict[str, Entry] = {}
        with self._troubled():
            for at in range(0, len(wanted), AT_ONCE):
                share = [_uuid(f"{MEMO} {id_}") for id_ in wanted[at : at + AT_ONCE]]
                for point in self._qdrant.retrieve(self._collection, share, with_payload=["body"]):
                    entry = entry_of(point.payload["body"].encode())
                    found[entry.id] = entry
        return found

    def entries(self) -> Iterator[Entry]:
        found = [entry_of(payload["body"].encode()) for payload in self._scroll([MEMO], ["body"])]
        yield from sorted(found, key=lambda entry: entry.id)

    def query(self, search: Search) -> Result:
        return remote_query(self, search)

    def nearest(self, vector: Sequence[int | float], limit: int, max_privacy: int) -> list[Entry]:
        """Return the entries whose `embedding` is nearest to a vector of the same model, by cosine."""
        facets = [number for number, facet in self.facets().items() if facet.privacy <= max_privacy]
        match = self._models.Filter(must=[self._any("kind", [MEMO]), self._any("facet", facets)])
        with self._troubled():
            found = self._qdrant.query_points(
                self._collection, query=list(vector), using=VECTOR, query_filter=match, limit=limit
            )
        ranked = [(-point.score, entry_of(point.payload["body"].encode())) for point in found.points]
        return [entry for _, entry in sorted(ranked, key=lambda each: (each[0], each[1].id))]

    def get_stats(self) -> Stats:
        return stats_of(self.name, self.entries(), self.cursor())

    def cursor(self) -> Cursor:
        return _cursor_of(self._state())

    def version(self) -> int:
        return int(self._state()["changes"])

    def settle(self) -> None:
        """Nothing is left for later."""

    def close(self) -> None:
        self._qdrant.close()

    # ---- as a server ----

    def facets(self) -> dict[int, Entry]:
        known = self._scroll([FACET], ["facet", "body"])
        return {payload["facet"]: entry_of(payload["body"].encode()) for payload in known}

    def totals(self, facets: Collection[int]) -> tuple[int, int]:
        version = self.version()
        if self._totals[0] != version:
            sums: dict[int, tuple[int, int]] = {}
            for payload in self._scroll([MEMO], ["facet", "length"]):
                count, length = sums.get(payload["facet"], (0, 0))
                sums[payload["facet"]] = count + 1, length + payload["length"]
            self._totals = version, sums
        known = [self._totals[1].get(facet, (0, 0)) for facet in facets]
        return sum(count for count, _ in known), sum(length for _, length in known)

    def candidates(self, facets: Collection[int], terms: Collection[str], since: int) -> Iterator[Candidate]:
        must = [self._any("facet", facets), *([self._any("terms", terms)] if terms else [])]
        must.append(self._models.FieldCondition(key="last", range=self._models.Range(gt=since)))
        wanted = ["id", "last", "length", *(["terms", "often"] if terms else [])]
        for told in self._scroll([MEMO], wanted, must):
            counts = dict(zip(told["terms"], told["often"], strict=True)) if terms else {}
            yield Candidate(told["id"], told["last"], told["length"], counts)

    # ---- helpers ----

    def _make(self, is_server: bool) -> None:
        models = self._models
        size = self._vector_size
        config = {VECTOR: models.VectorParams(size=size, distance=models.Distance.COSINE)} if size else {}
        self._qdrant.create_collection(self._collection, vectors_config=config)
        if is_server:  # the local mode has none
            for key, form in INDEXED.items():
                self._qdrant.create_payload_index(self._collection, key, form)

    def _state(self) -> dict[str, Any]:
        with self._troubled():
            found = self._qdrant.retrieve(self._collection, [_uuid(FOLLOWS)])
        return dict(found[0].payload) if found else {"kind": FOLLOWS, "open": False, "changes": 0, **asdict(Cursor())}

    @contextmanager
    def _changing(self, state: Mapping[str, Any], cursor: Cursor | None) -> Iterator[None]:
        """Mark the collection as being written to, and take the mark away when all is written."""
        was_open = state["open"] and cursor is None
        begun = {**state, "open": True, "changes": state["changes"] + 1}
        done = {**begun, **(asdict(cursor) if cursor is not None else {}), "open": was_open}
        with self._troubled():
            self._qdrant.upsert(self._collection, [self._struct(FOLLOWS, begun)], wait=True)
            yield
            self._qdrant.upsert(self._collection, [self._struct(FOLLOWS, done)], wait=True)

    def _point(self, entry: Entry) -> Any:
        counts = counted_terms(entry)
        payload = {
            "kind": MEMO,
            "id": entry.id,
            "facet": _number(facet_of(entry)),
            "last": entry.last,
            "length": sum(counts.values()),
            "terms": list(counts),
            "often": list(counts.values()),
            "body": entry_bytes(entry).decode(),
        }
        return self._struct(f"{MEMO} {entry.id}", payload, entry.more(VECTOR))

    def _struct(self, name: str, payload: Mapping[str, Any], vector: Any = None) -> Any:
        has_vector = self._vector_size and isinstance(vector, list) and len(vector) == self._vector_size
        vectors = {VECTOR: vector} if has_vector else {}
        return self._models.PointStruct(id=_uuid(name), vector=vectors, payload=dict(payload))

    def _any(self, key: str, values: Iterable[Any]) -> Any:
        return self._models.FieldCondition(key=key, match=self._models.MatchAny(any=list(values)))

    def _scroll(self, kinds: list[str], wanted: list[str], must: Iterable[Any] = ()) -> Iterator[dict[str, Any]]:
        match = self._models.Filter(must=[self._any("kind", kinds), *must])
        at: Any = None
        while True:
            with self._troubled():
                points, at = self._qdrant.scroll(self._collection, match, AT_ONCE, offset=at, with_payload=wanted)
            yield from (point.payload for point in points)
            if at is None:
                return

    @contextmanager
    def _troubled(self) -> Iterator[None]:
        from_server = _module("qdrant_client.http.exceptions").ApiException
        try:
            yield
        except (from_server, RuntimeError, OSError) as error:
            hint = "It is tried again; the record has everything."
            told = str(error).strip().partition("\n")[0]
            raise Unavailable(f"can't be reached or used: {told}", place=self.place, hint=hint) from error


def _uuid(name: str) -> str:
    """Return the name of a point as Qdrant wants it."""
    return str(UUID(bytes=digest(name.encode())[:16]))


def _number(facet: Entry) -> int:
    return int.from_bytes(digest(entry_bytes(facet))[:7], "big")


def _cursor_of(state: Mapping[str, Any]) -> Cursor:
    if state["open"]:
        return Cursor()
    return Cursor(**{name: state[name] for name in asdict(Cursor())})


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        hint = "Install it with: pip install 'ccos-tui[qdrant]'"
        raise Unavailable("needs qdrant-client, which isn't installed", place="qdrant", hint=hint) from error
