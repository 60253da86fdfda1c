"""The ingestor: what is recorded gets into the store, whatever becomes of the store, and no append waits for it."""

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Unavailable
from ccos_core.memory.backend import Backend, Cursor
from ccos_core.memory.entry import Entry, entry_bytes
from ccos_core.session import subscribing
from ccos_core.session.lifecycle import compact
from ccos_core.session.session import Session
from ccos_core.session.subscribing import BUCKETS_MS, Ingestor, IngestStats
from ccos_core.storage.memory_lines import MemoryLines
from tests.story import new_session

PATIENCE = 20.0


class Odd(MemoryLines):
    """A store in memory that can be made to fail or to wait. It stays open."""

    def __init__(self) -> None:
        super().__init__()
        self.before: Callable[[], None] = lambda: None
        self.stored = threading.Event()

    def store_batch(
        self, entries: Sequence[Entry], cursor: Cursor | None = None, after: Cursor | None = None
    ) -> list[str]:
        self.before()
        found = super().store_batch(entries, cursor, after)
        self.stored.set()
        return found


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with new_session(tmp_path) as found:
        yield found


def say(session: Session, words: str) -> int:
    prompt = {"kind": "prompt", "said": words, "source": "user", "host": "story", "session": "s", "actor": "user"}
    return session.record([prompt])[-1]


def held(store: Backend) -> list[bytes]:
    return [entry_bytes(entry) for entry in store.entries()]


def words_in(store: Backend) -> set[str]:
    return {entry.words for entry in store.entries() if "statement" in entry.tags}


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE / 0.01)):
        if holds():
            return
        threading.Event().wait(0.01)
    raise AssertionError("it never came to hold")


def test_what_is_recorded_is_ingested_once(session: Session) -> None:
    store = MemoryLines()
    ingestor = Ingestor(session.recorded.path, lambda: store)
    say(session, "Never push.")
    first = ingestor.catch_up()
    assert (first.ops, first.rebuilt) == (2, False)
    assert words_in(store) == {"Never push."}
    assert ingestor.catch_up().ops == 0
    step = say(session, "Never push. Be brief.")
    again = ingestor.catch_up()
    assert (again.ops, again.cursor.step) == (1, step)
    said = {entry.words: entry for entry in store.entries()}
    assert (said["Never push."].count, said["Never push."].last, said["Be brief."].count) == (2, step, 1)
    assert session.recorded.head()[0] == step


def test_in_a_thread_it_follows_what_is_recorded(session: Session) -> None:
    store = Odd()
    ingestor = Ingestor(session.recorded.path, lambda: store)
    ingestor.subscribe()
    ingestor.start()
    try:
        assert ingestor.is_running()
        for number in range(5):
            say(session, f"Rule {number} holds.")
        wait_until(lambda: len(words_in(store)) == 5)
    finally:
        ingestor.stop()
        ingestor.unsubscribe()
    assert not ingestor.is_running()
    say(session, "Stop.")
    assert "Stop." not in words_in(store)
    ingestor.start()
    wait_until(lambda: "Stop." in words_in(store))
    ingestor.stop()
    fresh = MemoryLines()
    Ingestor(session.recorded.path, lambda: fresh).catch_up()
    assert held(store) == held(fresh)


def test_a_subscriber_is_woken_by_an_append(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribing, "LOOK_SECONDS", 3_600)
    store = Odd()
    ingestor = Ingestor(session.recorded.path, lambda: store)
    ingestor.subscribe()
    ingestor.start()
    wait_until(lambda: store.cursor().step == 1)
    say(session, "Never push.")
    wait_until(lambda: words_in(store) == {"Never push."})
    ingestor.stop()
    ingestor.unsubscribe()


def test_no_append_waits_for_a_sleeping_subscriber(session: Session) -> None:
    """The store waits until the appends are done, so they can't have waited for it."""
    store, woken = Odd(), threading.Event()
    store.before = lambda: (woken.wait(PATIENCE), None)[1]
    ingestor = Ingestor(session.recorded.path, lambda: store)
    ingestor.subscribe()
    ingestor.start()
    for number in range(20):
        say(session, f"Rule {number} holds.")
    assert not store.stored.is_set()
    wait_until(lambda: ingestor.get_stats().lag > 0)
    woken.set()
    wait_until(lambda: len(words_in(store)) == 20)
    wait_until(lambda: ingestor.get_stats().lag == 0)
    ingestor.stop()
    ingestor.unsubscribe()


def test_a_broken_store_fails_no_append_and_catches_up(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribing, "RETRY_SECONDS", 0.01)
    store = Odd()

    def broken() -> None:
        raise Unavailable("is away")

    store.before = broken
    ingestor = Ingestor(session.recorded.path, lambda: store)
    ingestor.subscribe()
    ingestor.start()
    for number in range(5):
        say(session, f"Rule {number} holds.")
    stats = ingestor.get_stats()
    wait_until(lambda: stats.errors >= 2 and stats.lag == 6)
    assert (stats.error_rate, stats.last_error, stats.ops) == (1_000, "is away", 0)
    assert ingestor.is_running()
    store.before = lambda: None
    wait_until(lambda: len(words_in(store)) == 5)
    assert 0 < stats.error_rate < 1_000
    ingestor.stop()
    ingestor.unsubscribe()


def test_a_store_that_cannot_be_opened_counts_as_trouble(session: Session) -> None:
    def away() -> Odd:
        raise Unavailable("is away")

    ingestor = Ingestor(session.recorded.path, away)
    with pytest.raises(Unavailable):
        ingestor.catch_up()
    stats = ingestor.get_stats()
    assert (stats.errors, stats.error_rate, stats.last_error) == (1, 1_000, "is away")


def test_ops_appended_during_the_scan_are_there_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribing, "BATCH", 3)
    for number in range(8):
        say(session, f"Rule {number} holds.")
    store = MemoryLines()
    ingestor = Ingestor(session.recorded.path, lambda: store)
    late = iter(range(3))

    def appending(step: int, last: int) -> None:
        for number in [next(late, None)]:
            if number is not None:
                say(session, f"Late rule {number} holds. Rule 0 holds.")

    ingestor.catch_up(appending)
    ingestor.catch_up()
    said = {entry.words: entry.count for entry in store.entries() if "statement" in entry.tags}
    assert said == {
        **{f"Rule {n} holds.": 1 for n in range(1, 8)},
        **{f"Late rule {n} holds.": 1 for n in range(3)},
    } | {"Rule 0 holds.": 4}


def test_a_rebuild_is_cancelled_and_goes_on(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subscribing, "BATCH", 4)
    for number in range(10):
        say(session, f"Rule {number} holds.")
    whole = MemoryLines()
    Ingestor(session.recorded.path, lambda: whole).catch_up()
    store, seen = MemoryLines(), list[tuple[int, int]]()
    ingestor = Ingestor(session.recorded.path, lambda: store)

    def cancelling(step: int, last: int) -> None:
        seen.append((step, last))
        if step >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingestor.catch_up(cancelling, anew=True)
    assert (seen, store.cursor().step, ingestor.get_stats().errors) == ([(4, 11), (8, 11)], 8, 0)
    done = ingestor.catch_up()
    assert (done.ops, done.rebuilt) == (3, False)
    assert held(store) == held(whole)


def test_an_archived_log_is_read_as_well(session: Session, tmp_path: Path) -> None:
    for number in range(10):
        say(session, f"Rule {number} holds. Be brief.")
    live, anew = MemoryLines(), MemoryLines()
    Ingestor(session.recorded.path, lambda: live).catch_up()
    session.close()
    assert compact(session.recorded.path, most=2, keep=2, outside=str(tmp_path / "old"))
    Ingestor(session.recorded.path, lambda: anew).catch_up()
    assert held(anew) == held(live)
    assert live.cursor() == anew.cursor()


def test_another_record_at_the_cursor_is_ingested_anew(session: Session, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    store = MemoryLines()
    with new_session(tmp_path / "other") as other:
        for number in range(3):
            say(other, f"Rule {number} holds.")
        Ingestor(other.recorded.path, lambda: store).catch_up()
    for number in range(5):
        say(session, f"Law {number} holds.")
    ingestor = Ingestor(session.recorded.path, lambda: store)
    assert ingestor.catch_up().rebuilt
    assert words_in(store) == {f"Law {number} holds." for number in range(5)}
    assert ingestor.get_stats().rebuilds == 1


def test_stats_tell_rates_and_a_histogram(session: Session) -> None:
    times = iter([0.0, 0.004, 1.0, 1.2, 2.0, 9.0])
    store = MemoryLines()
    ingestor = Ingestor(session.recorded.path, lambda: store, clock=lambda: next(times))
    for words in ("One.", "Two.", "Three."):
        say(session, words)
        ingestor.catch_up()
    stats = ingestor.get_stats()
    assert (stats.ops, stats.batches, stats.millis, stats.throughput) == (4, 3, 7_204, 0)
    counted = {end: count for end, count in zip((*BUCKETS_MS, 0), stats.histogram, strict=True) if count}
    assert counted == {5: 1, 250: 1, 0: 1}
    assert IngestStats(ops=40, millis=2_000).throughput == 20
    assert IngestStats(errors=1, batches=3).error_rate == 250


def test_two_that_fill_one_store_agree(session: Session, tmp_path: Path) -> None:
    """The other one stores the same batch first; it isn't counted twice."""
    store: Any = Odd()
    say(session, "Never push.")
    Ingestor(session.recorded.path, lambda: store).catch_up()
    say(session, "Never push.")

    def overtake() -> None:
        store.before = lambda: None
        Ingestor(session.recorded.path, lambda: store).catch_up()

    store.before = overtake
    Ingestor(session.recorded.path, lambda: store).catch_up()
    assert [entry.count for entry in store.entries() if "statement" in entry.tags] == [2]
