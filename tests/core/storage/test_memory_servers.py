"""Postgres and Qdrant: what is missing, away, migrated or found by vectors."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ccos_core.errors import Unavailable, Usage
from ccos_core.memory.backend import Cursor, Search
from ccos_core.memory.entry import Entry, content_hash, entry_bytes, with_extra
from ccos_core.session import subscribing
from ccos_core.session.session import Session
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage import memory_postgres, memory_qdrant
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_postgres import MIGRATIONS, MemoryPostgres
from ccos_core.storage.memory_qdrant import MemoryQdrant
from tests.core.storage.memory_stores import POSTGRES, QDRANT, place_for
from tests.story import new_session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with new_session(tmp_path) as found:
        yield found


@pytest.fixture
def postgres(tmp_path: Path) -> tuple[str, str]:
    """(address, schema)"""
    url, _, schema = place_for("postgres", tmp_path).rpartition(" ")
    return url, schema


def say(session: Session, words: str) -> None:
    session.record([{"kind": "prompt", "said": words, "source": "user", "host": "story", "session": "s"}])


def entry(number: int, vector: list[float], privacy: int = 2) -> Entry:
    extra = with_extra({"embedding": vector})
    return Entry(f"memo:{number:016x}", "note", "a", "a", privacy=privacy, content=content_hash("a"), extra=extra)


@pytest.mark.parametrize(("module", "store"), [(memory_postgres, MemoryPostgres), (memory_qdrant, MemoryQdrant)])
def test_an_extra_that_is_missing_is_named(module: Any, store: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(module, "import_module", missing)
    with pytest.raises(Unavailable, match=r"pip install 'ccos-tui\[(postgres|qdrant)\]'"):
        store("somewhere")


@pytest.mark.parametrize("kind", [POSTGRES])
def test_a_server_that_is_away_is_named_without_its_address(kind: str) -> None:
    with pytest.raises(Unavailable, match="can't be reached") as told:
        MemoryPostgres("host=/nowhere password=secret user=u")
    assert "secret" not in str(told.value)
    with pytest.raises(Usage):
        MemoryPostgres("host=/nowhere", 'x"; drop schema public')


@pytest.mark.parametrize("kind", [POSTGRES])
def test_while_it_is_away_it_lags_and_loses_nothing(
    kind: str, session: Session, postgres: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes away in the middle of a run, and isn't there for two more."""
    monkeypatch.setattr(subscribing, "BATCH", 2)
    url, schema = postgres
    for number in range(6):
        say(session, f"Rule {number} holds. Be brief.")
    addresses, opened = [url, "host=/nowhere", "host=/nowhere", url], list[MemoryPostgres]()

    def opening() -> MemoryPostgres:
        opened.append(MemoryPostgres(addresses.pop(0), schema))
        return opened[-1]

    ingestor = Ingestor(session.recorded.path, opening)

    def leaving(step: int, last: int) -> None:
        with closing(MemoryPostgres(url, schema)) as other:
            pid = opened[0]._connection.info.backend_pid
            other._connection.execute("SELECT pg_terminate_backend(%s)", (pid,))

    with pytest.raises(Unavailable):
        ingestor.catch_up(leaving)
    say(session, "Never push.")
    for _ in range(2):
        with pytest.raises(Unavailable):
            ingestor.catch_up()
    stats = ingestor.get_stats()
    assert (stats.ops, stats.lag > 0) == (2, True)
    assert ingestor.catch_up().ops == 6
    assert stats.lag == 0
    whole = MemoryLines()
    Ingestor(session.recorded.path, lambda: whole).catch_up()
    with closing(MemoryPostgres(url, schema)) as store:
        assert [entry_bytes(each) for each in store.entries()] == [entry_bytes(each) for each in whole.entries()]
        assert store.cursor() == whole.cursor()


@pytest.mark.parametrize("kind", [POSTGRES])
def test_a_schema_of_an_older_layout_is_migrated(
    kind: str, postgres: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_postgres, "MIGRATIONS", MIGRATIONS[:1])
    with closing(MemoryPostgres(*postgres)) as store:
        store._connection.execute("UPDATE follows SET step = 5")
    monkeypatch.setattr(memory_postgres, "MIGRATIONS", MIGRATIONS)
    for _ in range(2):
        with closing(MemoryPostgres(*postgres)) as store:
            assert store.cursor() == Cursor(5)
            store.store(entry(1, [1.0, 0.5]))
            assert len(store.nearest([1, 0], 5, 4)) == 1
            assert store._connection.execute("SELECT max(number) FROM layout").fetchone()[0] == len(MIGRATIONS)


@pytest.mark.parametrize("kind", [POSTGRES, QDRANT])
def test_vectors_find_what_is_near_and_may_be_seen(kind: str, tmp_path: Path) -> None:
    place = place_for(kind, tmp_path)
    url, _, schema = place.rpartition(" ")
    opened = MemoryPostgres(url, schema) if kind == "postgres" else MemoryQdrant(":memory:", vector_size=2)
    with closing(opened) as store:
        many = [entry(1, [1.0, 0.0]), entry(2, [0.6, 0.8]), entry(3, [0.0, 1.0], privacy=4), entry(4, [-1.0, 0.0])]
        store.store_batch([*many, replace(many[0], id="memo:none", extra=())])
        assert [each.id for each in store.nearest([0, 1], 3, 3)] == [many[1].id, many[0].id, many[3].id]
        assert [each.id for each in store.nearest([0, 1], 2, 4)] == [many[2].id, many[1].id]


@pytest.mark.parametrize("kind", [QDRANT])
def test_a_collection_left_in_the_middle_of_a_batch_is_filled_anew(kind: str, session: Session, tmp_path: Path) -> None:
    say(session, "Never push.")
    place = str(tmp_path / "qdrant")
    ingestor = Ingestor(session.recorded.path, lambda: MemoryQdrant(place))
    ingestor.catch_up()
    with closing(MemoryQdrant(place)) as store:
        before = [entry_bytes(each) for each in store.entries()]
        store.store(entry(9, []))
        state = store._state()
        store._qdrant.upsert(store._collection, [store._struct("follows", {**state, "open": True})])
        assert store.cursor() == Cursor()
    ingestor.catch_up()
    with closing(MemoryQdrant(place)) as store:
        assert [entry_bytes(each) for each in store.entries()] == before
        assert store.query(Search("push")).entries[0].words == "Never push."
