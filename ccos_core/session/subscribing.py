"""Follow a record and keep a store of entries up with it: the ingestor of the working memory.

    ingestor = Ingestor(path, lambda: MemorySqlite(memory_path(path)))
    ingestor.catch_up()                                  # now, or in a thread of its own:
    ingestor.subscribe(); ingestor.start(); ...; ingestor.stop()

The store's cursor says up to which step it follows the record; the record is read from there, so no delivery is missed
and none counts twice. Where the record isn't the one the store followed, or something in it was forgotten, the store is
filled anew. Trouble with the store is counted and tried again; recording goes on undisturbed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from ccos_core.errors import CcosError
from ccos_core.memory.backend import Backend, Cursor, Moved
from ccos_core.memory.deriving import Course, Op, Origin, changed, derive, merged, nodes_changed, texts_wanted
from ccos_core.memory.entry import Entry
from ccos_core.ops.plain import unseal
from ccos_core.session import feed
from ccos_core.storage.facts import tombstones
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.canon import digest

if TYPE_CHECKING:
    from ccos_core.storage.record import Row

BATCH = 2_000
"""Ops of one transaction."""
LOOK_SECONDS = 0.25
"""After which the head is looked at, as other processes may have recorded something."""
RETRY_SECONDS = 1.0
ATTEMPTS = 5
BUCKETS_MS = (1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000)
"""Upper ends of the histogram of how long batches took; the last count is of longer ones."""

Progress = Callable[[int, int], None]
"""Hears (step, last step); what it raises ends the work, which goes on from there the next time."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What one run did."""

    ops: int
    entries: int
    """Entries that were stored, new or changed."""

    rebuilt: bool
    """Whether the store was emptied first."""

    cursor: Cursor


@dataclass(slots=True)
class IngestStats:
    """How well the ingestor keeps up, since it was made."""

    lag: int = 0
    """Steps of the record that the store doesn't have yet, as of the last look."""

    ops: int = 0
    entries: int = 0
    batches: int = 0
    errors: int = 0
    rebuilds: int = 0
    millis: int = 0
    """Spent on batches that were stored."""

    last_error: str = ""
    histogram: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_MS) + 1))

    @property
    def throughput(self) -> int:
        """Ops a second."""
        return self.ops * 1_000 // max(self.millis, 1)

    @property
    def error_rate(self) -> int:
        """Batches that failed, in thousandths."""
        return self.errors * 1_000 // max(self.errors + self.batches, 1)


class Ingestor:
    """Follows one record with one store. `open_store` is called in the thread that uses it."""

    def __init__(self, path: str, open_store: Callable[[], Backend], clock: Callable[[], float] = monotonic) -> None:
        self.path = path
        self._open_store = open_store
        self._clock = clock
        self._stats = IngestStats()
        self._woken = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def subscribe(self) -> None:
        """Hear of what this process records."""
        feed.subscribe(self.path, self._woken)

    def unsubscribe(self) -> None:
        """Hear of it no more."""
        feed.unsubscribe(self.path, self._woken)

    def start(self) -> None:
        """Keep the store up with the record, in a thread, until `stop`."""
        if not self.is_running():
            self._stopped.clear()
            self._thread = threading.Thread(target=self._run, name="memory", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the thread after its batch."""
        self._stopped.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def get_stats(self) -> IngestStats:
        return self._stats

    def catch_up(self, progress: Progress | None = None, *, anew: bool = False) -> Ingested:
        """Store what was recorded since; with `anew` all of it, into an emptied store. Raises CcosError."""
        with open_record(self.path) as record, closing(self._opened()) as store:
            for _ in range(ATTEMPTS):
                with suppress(Moved):  # another program stores the same
                    return self._follow(record, store, progress, anew=anew)
            return self._follow(record, store, progress, anew=anew)

    # ---- helpers ----

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                with open_record(self.path) as record, closing(self._opened()) as store:
                    while not self._stopped.is_set():
                        self._follow(record, store, None)
                        self._woken.wait(LOOK_SECONDS)
                        self._woken.clear()
            except Exception:  # it is counted; no store may end it
                self._look()
                self._stopped.wait(RETRY_SECONDS)

    def _opened(self) -> Backend:
        """Open the store; trouble with that counts as a batch that failed."""
        try:
            return self._open_store()
        except Exception as error:
            self._failed(error)
            raise

    def _failed(self, error: Exception) -> None:
        self._stats.errors += 1
        self._stats.last_error = str(error)

    def _look(self) -> None:
        """Tell how far the store is behind, as far as that can be told."""
        try:
            with open_record(self.path) as record:
                self._stats.lag = max(record.head()[0] - self._upto, 0)
        except CcosError:
            pass

    _upto = 0
    """The step up to which the store is known to follow the record."""

    def _follow(self, record: Record, store: Backend, progress: Progress | None, *, anew: bool = False) -> Ingested:
        """Bring the store up to the record's head."""
        ops = entries = 0
        rebuilt = False
        try:
            cursor = store.cursor()
            course = _course_at(record, cursor)
            if anew or course is None or not cursor.step:  # without a cursor it may hold a part
                store.clear()
                rebuilt = cursor != Cursor()
                self._stats.rebuilds += rebuilt
                cursor, course = store.cursor(), Course()
            self._upto = cursor.step
            last = record.head()[0]
            self._stats.lag = max(last - cursor.step, 0)
            for rows in _batches(record.rows(cursor.step + 1, last)):
                begun, erased = self._clock(), tombstones(record)
                found = derived(record, rows, course, store)
                step, chain, _ = rows[-1]
                after, cursor = cursor, Cursor(step, chain.hex(), course.text(), erased)
                store.store_batch(list(found.values()), cursor, after=after)
                ops, entries = ops + len(rows), entries + len(found)
                self._count(len(rows), len(found), round(1_000 * (self._clock() - begun)))
                self._upto = step
                last = max(last, record.head()[0])
                self._stats.lag = last - step
                if progress is not None:
                    progress(step, last)
                if self._stopped.is_set() and self.is_running():
                    break
        except Exception as error:
            self._failed(error)
            raise
        return Ingested(ops, entries, rebuilt, cursor)

    def _count(self, ops: int, entries: int, millis: int) -> None:
        stats = self._stats
        stats.ops, stats.entries, stats.batches = stats.ops + ops, stats.entries + entries, stats.batches + 1
        stats.millis += millis
        stats.histogram[next((at for at, end in enumerate(BUCKETS_MS) if millis <= end), len(BUCKETS_MS))] += 1


def derived(record: Record, rows: Iterable[Row], course: Course, store: Backend) -> dict[str, Entry]:
    """Return the entries that change by these rows, as they are after them."""
    ops = [(step, chain, digest(body), unseal(body, known=True)) for step, chain, body in rows]
    texts = record.contents(dict.fromkeys(bytes.fromhex(each) for *_, op in ops for each in texts_wanted(op)))

    def text(blob: Op | None) -> str:
        content = texts.get(bytes.fromhex(blob["blob"])) if blob is not None else None
        return content.decode("utf-8", "replace") if content is not None else ""

    made = [
        (op, step, derive(op, Origin(step, op_hash.hex(), chain.hex()), text, course))
        for step, chain, op_hash, op in ops
    ]
    wanted = {each.id: None for _, _, entries in made for each in entries}
    wanted |= {node: None for op, _, _ in made for node in nodes_changed(op)}
    known = store.retrieve_batch(wanted)
    found: dict[str, Entry] = {}
    for op, step, entries in made:
        for entry in entries:
            before = known.get(entry.id)
            known[entry.id] = found[entry.id] = merged(before, entry) if before is not None else entry
        for node in nodes_changed(op):
            before = known.get(node)
            if before is not None and (after := changed(before, op, step)) != before:
                known[node] = found[node] = after
    return found


def _course_at(record: Record, cursor: Cursor) -> Course | None:
    """Return what deriving remembers at a cursor; None if the record isn't the one that was followed."""
    if cursor.step:
        head = record.head()[0]
        if cursor.step > head or record.op(cursor.step)[1].hex() != cursor.head:
            return None
        if tombstones(record) != cursor.erased:
            return None
    return Course.read(cursor.course)


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(islice(rows, BATCH)):
        yield batch
