"""The port for what stores entries: in a file, in SQLite, in Postgres, in Qdrant.

A backend holds entries by id and knows how far it follows the record. It can always be emptied and filled anew, so it
is never the truth; `session/subscribing.py` fills it. All backends pass the suite in
`tests/core/storage/test_memory_backends.py`, and answer the same query with the same entries in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ccos_core.errors import CcosError
from ccos_core.memory.entry import LEVELS, Entry

Test = Callable[[Entry], bool]


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a store follows the record."""

    step: int = 0
    head: str = ""
    """The hash of the record's chain at that step."""

    course: str = ""
    """What deriving remembers, to go on from there."""

    erased: int = 0
    """Texts of the record that had been forgotten by then."""


@dataclass(frozen=True, slots=True)
class Search:
    """What to look for. Everything that is given must hold."""

    words: str = ""
    """Ranks by these; without them the latest come first."""

    phrase: str = ""
    """Stands in the entry, word for word."""

    since: int = 0
    """Only what came up after this step."""

    max_privacy: int = len(LEVELS) - 1
    labels: Test | None = None
    """Looks at the class, labels, author, provider, session, context and intent of an entry, at nothing else. What it
    refuses has no part in the ranking."""

    accepts: Test | None = None
    """Looks at the whole entry."""

    without: frozenset[str] = frozenset()
    """Ids of entries that have no part in the ranking either, whatever their labels."""

    limit: int = 20
    key: str = ""
    """Tells `labels` and `accepts` from those of other searches, and `labels_key` the first alone; empty if they may
    not be remembered."""

    labels_key: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What was found."""

    entries: tuple[Entry, ...]
    scores: tuple[int, ...]
    """How well each fits the words; 0 without words."""

    more: bool
    """Whether there are others."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What a backend holds."""

    backend: str
    entries: int
    tokens: int
    by_class: Mapping[str, int] = field(default_factory=dict)
    by_privacy: Mapping[str, int] = field(default_factory=dict)
    by_region: Mapping[str, int] = field(default_factory=dict)
    cursor: Cursor = field(default_factory=Cursor)


class Moved(CcosError):
    """Another program has stored entries meanwhile."""


class Backend(Protocol):
    """What every store of entries can do. Trouble with it is raised as CcosError."""

    @property
    def name(self) -> str:
        """What it is called: `sqlite`, `lines`, ..."""

    def store(self, entry: Entry) -> str:
        """Store an entry in the place of one with the same id; returns the id."""

    def store_batch(
        self, entries: Sequence[Entry], cursor: Cursor | None = None, after: Cursor | None = None
    ) -> list[str]:
        """Store all of them and the cursor, or nothing. Raises `Moved` if the cursor isn't the one it should come
        `after`."""

    def retrieve(self, id_: str) -> Entry | None:
        """Return an entry by its id."""

    def retrieve_batch(self, ids: Iterable[str]) -> dict[str, Entry]:
        """Return those of these entries that are there."""

    def entries(self) -> Iterator[Entry]:
        """Yield all entries, in the order of their ids."""

    def query(self, search: Search) -> Result:
        """Return what matches: by score, then the latest, then by id."""

    def get_stats(self) -> Stats:
        """Count what is there."""

    def clear(self) -> None:
        """Remove all entries, and the cursor with them."""

    def remove(self, ids: Iterable[str]) -> int:
        """Remove entries; returns how many there were."""

    def cursor(self) -> Cursor:
        """Return how far it follows the record."""

    def version(self) -> Hashable:
        """Return what is another after anything was stored or removed, by whichever program."""

    def settle(self) -> None:
        """Do now what a store leaves for the next query."""

    def close(self) -> None:
        """Give back what it holds."""


def stats_of(backend: str, entries: Iterable[Entry], cursor: Cursor) -> Stats:
    """Count entries."""
    classes, levels, regions = Counter[str](), Counter[str](), Counter[str]()
    tokens = 0
    for entry in entries:
        classes[entry.cls] += 1
        levels[LEVELS[entry.privacy]] += 1
        regions.update(entry.regions)
        tokens += entry.tokens
    by_class, by_privacy, by_region = (dict(sorted(each.items())) for each in (classes, levels, regions))
    return Stats(backend, classes.total(), tokens, by_class, by_privacy, by_region, cursor)
