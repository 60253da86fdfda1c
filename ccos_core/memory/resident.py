"""The entries that are held in memory, within a number of entries and of tokens.

What doesn't fit is read from its backend again; nothing is lost. Entries go in this order: those not pinned,
those of the least impact, those used longest ago, by id.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TypeAlias

from ccos_core.memory.entry import Entry
from ccos_core.memory.impact import impact_of

Key: TypeAlias = tuple[bool, int, int, str]
"""(whether it is pinned, its impact, when it was used last, its id): the smallest goes first."""
PINNED = "pinned"
STALE_SHARE = 4
"""The heap is rebuilt when it has more than this number of keys for each entry."""


class Resident:
    """A bounded set of entries by their ids."""

    def __init__(self, max_entries: int, max_tokens: int) -> None:
        self.max_entries, self.max_tokens = max_entries, max_tokens
        self.tokens = 0
        self._entries: dict[str, tuple[Entry, Key]] = {}
        self._order: list[Key] = []
        self._uses = 0

    def __len__(self) -> int:
        return len(self._entries)

    def ids(self) -> list[str]:
        """Return the ids that are held, the first to go first."""
        return [key[-1] for key in sorted(key for _, key in self._entries.values())]

    def put(self, entry: Entry) -> None:
        """Hold an entry; others go as long as there are too many, or it goes itself."""
        self.drop(entry.id)
        self.tokens += entry.tokens
        self._use(entry)
        while len(self._entries) > self.max_entries or self.tokens > self.max_tokens:
            key = heappop(self._order)
            if self._is_current(key):
                self.drop(key[-1])

    def get(self, id_: str) -> Entry | None:
        """Return an entry that is held, and count that as a use."""
        held = self._entries.get(id_)
        if held is None:
            return None
        self._use(held[0])
        return held[0]

    def drop(self, id_: str) -> None:
        """Hold an entry no more."""
        held = self._entries.pop(id_, None)
        if held is not None:
            self.tokens -= held[0].tokens

    def clear(self) -> None:
        """Hold nothing."""
        self._entries, self._order, self.tokens = {}, [], 0

    def _use(self, entry: Entry) -> None:
        self._uses += 1
        key = (PINNED in entry.tags, impact_of(entry), self._uses, entry.id)
        self._entries[entry.id] = entry, key
        heappush(self._order, key)
        if len(self._order) > STALE_SHARE * (len(self._entries) + 1):
            self._order = [key for _, key in self._entries.values()]
            heapify(self._order)

    def _is_current(self, key: Key) -> bool:
        held = self._entries.get(key[-1])
        return held is not None and held[1] == key
