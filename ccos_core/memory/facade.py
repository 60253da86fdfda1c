"""The working memory as its callers see it, whichever backend is behind it.

    memory = WorkingMemory(MemorySqlite(path))
    memory.ingest(ingestor)
    memory.query(Search("make file", limit=5)).entries

Answers are kept until something is stored: each is known by the query, the state of the backend and the
policy by which it was asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias, TypeVar

from ccos_core.memory.backend import Backend, Result, Search, Stats
from ccos_core.memory.entry import Entry
from ccos_core.memory.resident import Resident

MAX_ENTRIES, MAX_TOKENS = 10_000, 500_000
MAX_ANSWERS = 256

T = TypeVar("T", covariant=True)
Progress: TypeAlias = Callable[[int, int], None]
"""Hears (step, last step)."""


class Ingests(Protocol[T]):
    """What fills a backend from a record."""

    def catch_up(self, progress: Progress | None = None) -> T:
        """Store what was recorded since; returns how that went."""


class WorkingMemory:
    """A backend with a bounded set of entries and of answers in memory."""

    def __init__(self, backend: Backend, max_entries: int = MAX_ENTRIES, max_tokens: int = MAX_TOKENS) -> None:
        self.backend = backend
        self.resident = Resident(max_entries, max_tokens)
        self._version: object = None
        self._answers: OrderedDict[tuple[Search, str], Result] = OrderedDict()

    def store(self, entry: Entry) -> str:
        """Store an entry in the place of one with the same id; returns the id."""
        return self.store_batch([entry])[0]

    def store_batch(self, entries: Sequence[Entry]) -> list[str]:
        """Store all of them, or nothing."""
        ids = self.backend.store_batch(entries)
        self._come_up()
        for entry in entries:
            self.resident.put(entry)
        return ids

    def retrieve(self, id_: str) -> Entry | None:
        """Return an entry by its id."""
        self._come_up()
        entry = self.resident.get(id_)
        if entry is None and (entry := self.backend.retrieve(id_)) is not None:
            self.resident.put(entry)
        return entry

    def query(self, search: Search, policy: str = "") -> Result:
        """Return what a search finds; `policy` is the hash of the policy by which it was made."""
        self._come_up()
        is_known = bool(search.key) or (search.labels is None and search.accepts is None)
        key = (replace(search, labels=None, accepts=None), policy)
        if is_known and key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        result = self.backend.query(search)
        for entry in reversed(result.entries):
            self.resident.put(entry)
        if is_known:
            self._answers[key] = result
            if len(self._answers) > MAX_ANSWERS:
                self._answers.popitem(last=False)
        return result

    def remove(self, ids: Iterable[str]) -> int:
        """Remove entries from the backend; returns how many there were. They come back when it is filled anew."""
        return self.backend.remove(ids)

    def clear(self) -> None:
        """Empty the backend, never the record."""
        self.backend.clear()

    def get_stats(self) -> Stats:
        """Count what is there."""
        return self.backend.get_stats()

    def ingest(self, ingestor: Ingests[T], progress: Progress | None = None) -> T:
        """Store what was recorded since the last time."""
        return ingestor.catch_up(progress)

    def close(self) -> None:
        """Close the backend."""
        self.backend.close()

    def _come_up(self) -> None:
        """Forget what is held in memory if anything was stored or removed."""
        version = self.backend.version()
        if version != self._version:
            self._version = version
            self._answers.clear()
            self.resident.clear()
