"""Where a context is read from, each behind a port of its own: files, the memory, search, the session.

`Documents` is a `FilesBroker` and a `MemoryBroker`, `QdrantBroker` a `SearchBroker`, and `RecordedSession` a
`SessionBroker`. Each can be switched off alone. One that is away raises `Unavailable` and holds up no answer:
its caller says what was missing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from ccos_core.errors import CcosError, Unavailable
from ccos_core.memory.backend import Backend, Result, Search

if TYPE_CHECKING:
    from ccos_core.query.recent_turns import RecentTurn
    from ccos_core.session.documents import DailyLog

T = TypeVar("T")
FILES, MEMORY, SEARCH, SESSION = NAMES = ("files", "memory", "search", "session")
WAIT_SECONDS = 0.15
"""How long a search waits for a server before it goes on without it."""

FILLING = "Fill it with: ccos-tui mirror add, and mirror run"


class Broker(Protocol):
    """What every broker can do."""

    def health(self) -> bool:
        """Whether it can be asked now. Never raises."""


class FilesBroker(Broker, Protocol):
    """The files of a project. Paths that lead out of it are refused."""

    def load(self, path: str) -> str:
        """Return the text of a file."""

    def store(self, path: str, content: str) -> bool:
        """Replace the text of a file, or make it; gives whether anything changed."""

    def summarize(self, path: str, target_tokens: int) -> str:
        """Shorten the text of a file."""

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""

    def size(self, path: str) -> int:
        """About how many tokens a file takes."""


class MemoryBroker(Broker, Protocol):
    """The memory by its sections, and the daily notes."""

    def get_section(self, name: str) -> str:
        """Return a section, by slug or title."""

    def append_section(self, name: str, content: str) -> bool:
        """Append to a section, which is made if it is missing; gives whether anything changed."""

    def get_recent(self, days: int) -> list[DailyLog]:
        """Return the notes of the last days."""


class SearchBroker(Broker, Protocol):
    """A search engine that holds entries of the working memory."""

    def search(self, query: str, collection: str, limit: int, within: Search = ...) -> Result:
        """Return the entries that fit, of those that `within` lets through. Raises `Unavailable`."""


class SessionBroker(Broker, Protocol):
    """What was said last in a session."""

    def get_recent_turns(self, n: int) -> Sequence[RecentTurn]:
        """Return the last turns, in their order."""

    def get_summary(self) -> str:
        """Return the summary of what came before them; empty if there is none."""


class QdrantBroker:
    """Collections of Qdrant, opened by name. A server that doesn't answer in time is asked in the background, and no
    second time meanwhile."""

    def __init__(
        self, open_store: Callable[[str], Backend], collection: str, wait_seconds: float = WAIT_SECONDS
    ) -> None:
        self.collection = collection
        self._open_store = open_store
        self._wait_seconds = wait_seconds
        self._stores: dict[str, Backend] = {}
        self._asking: threading.Thread | None = None

    def search(self, query: str, collection: str, limit: int, within: Search | None = None) -> Result:
        """Return the entries of a collection that have words of a query."""
        asked = replace(within or Search(), words=query, limit=limit)

        def ask() -> Result:
            store = self._store(collection)
            if not store.cursor().step:
                raise Unavailable("holds nothing yet", place=f"Qdrant's collection {collection}", hint=FILLING)
            return store.query(asked)

        return self._in_time(ask)

    def health(self) -> bool:
        """Whether the collection answers in time."""
        try:
            self._in_time(lambda: self._store(self.collection).version())
        except CcosError:
            return False
        return True

    def _store(self, collection: str) -> Backend:
        if collection not in self._stores:
            self._stores[collection] = self._open_store(collection)
        return self._stores[collection]

    def _in_time(self, ask: Callable[[], T]) -> T:
        """Return what `ask` gives, if that takes no longer than it may."""
        if self._asking is not None and self._asking.is_alive():
            raise Unavailable("hasn't answered the last time yet", place="Qdrant")
        answers: list[T] = []
        errors: list[Exception] = []

        def run() -> None:
            try:
                answers.append(ask())
            except Exception as error:  # told to the caller, if that still waits
                errors.append(error)

        self._asking = threading.Thread(target=run, name="qdrant", daemon=True)
        self._asking.start()
        self._asking.join(self._wait_seconds)
        if answers:
            return answers[0]
        if errors and isinstance(errors[0], CcosError):
            raise errors[0]
        raise Unavailable(str(errors[0]) if errors else "doesn't answer in time", place="Qdrant")
