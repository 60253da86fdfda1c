"""The brokers: one suite for all of them, and what each gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from ccos_core.errors import CcosError, Unavailable
from ccos_core.memory.backend import Search
from ccos_core.query.recent_turns import RecordedSession
from ccos_core.session.asking import Desk
from ccos_core.session.brokers import (
    WAIT_SECONDS,
    Broker,
    FilesBroker,
    MemoryBroker,
    QdrantBroker,
    SearchBroker,
    SessionBroker,
)
from ccos_core.session.documents import Documents
from ccos_core.session.session import open_session
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_qdrant import MemoryQdrant
from ccos_core.storage.opening import open_record
from tests.core.storage.memory_stores import QDRANT
from tests.story import START, Story, new_session

STORY = """
    prompt "Never push to main."
    prompt "Fix the invoice."
"""
AWAY = "http://127.0.0.1:9"


@pytest.fixture
def path(tmp_path: Path) -> str:
    with new_session(tmp_path) as session:
        Story(session).tell(STORY)
    return str(tmp_path / "work.ccos")


@pytest.fixture
def desk(path: str) -> Iterator[Desk]:
    with open_record(path) as record, Desk(record) as found:
        yield found


def filled(path: str, place: str) -> Callable[[str], Any]:
    """Have Qdrant's local mode follow a record; return what opens its collections."""
    store = MemoryQdrant(place)
    unclosed = store.close
    store.close = lambda: None  # type: ignore[method-assign]
    Ingestor(path, lambda: store).catch_up()
    store.close = unclosed  # type: ignore[method-assign]
    return lambda name: store


def well_and_away(kind: str, path: str, desk: Desk, folder: Path) -> tuple[Broker, Broker, Callable[[Any], object]]:
    """A broker that can be asked, one that can't, and something to ask."""
    if kind == "session":
        first_step = RecordedSession(desk.timeline, 0)
        return RecordedSession(desk.timeline, desk.timeline.head), first_step, lambda broker: broker.get_recent_turns(9)
    if kind == "qdrant":
        there = QdrantBroker(filled(path, ":memory:"), "ccos", wait_seconds=30)
        away = QdrantBroker(lambda name: MemoryQdrant(AWAY, name), "ccos", wait_seconds=30)
        return there, away, lambda broker: broker.search("push", "ccos", 5).entries
    (folder / "there").mkdir()
    there, away = Documents(str(folder / "there")), Documents(str(folder / "gone"))
    if kind == "files":
        there.store("a.md", "words")
        return there, away, lambda broker: broker.load("a.md")
    there.append_section("Build", "- make")
    return there, away, lambda broker: broker.get_section("build")


@pytest.mark.parametrize("kind", ["files", "memory", "session", QDRANT])
def test_each_tells_whether_it_can_be_asked(kind: str, path: str, desk: Desk, tmp_path: Path) -> None:
    there, away, ask = well_and_away(kind, path, desk, tmp_path)
    assert (there.health(), away.health()) == (True, False)
    assert ask(there)
    if kind == "session":
        assert not ask(away)
    else:
        with pytest.raises(CcosError) as told:
            ask(away)
        assert told.value.place


def test_each_port_is_served(desk: Desk, tmp_path: Path) -> None:
    shelf = Documents(str(tmp_path))
    files: FilesBroker = shelf
    memory: MemoryBroker = shelf
    search: SearchBroker = QdrantBroker(lambda name: MemoryLines(), "ccos")
    session: SessionBroker = RecordedSession(desk.timeline, 0)
    ports = {FilesBroker: files, MemoryBroker: memory, SearchBroker: search, SessionBroker: session}
    for port, broker in ports.items():
        names = {name for name in {**vars(Broker), **vars(port)} if not name.startswith("_")}
        assert names > {"health"}
        assert all(callable(getattr(broker, name)) for name in names)


@pytest.mark.parametrize("host", ["claude-code", "codex"])
def test_the_last_turns_and_the_summary_are_those_of_the_session_that_spoke_last(path: str, host: str) -> None:
    mine, other = {"host": host, "session": "mine"}, {"host": host, "session": "other"}
    with open_session(path, clock=lambda: START) as session:
        session.record([
            {"kind": "prompt", "said": "An older request.", "source": "user", **mine},
            {"kind": "prompt", "said": "Of somebody else.", "source": "user", **other},
            {"kind": "turn", "said": "I look at it.", **mine},
            {"kind": "compaction", "trigger": "auto", "exact": False, "summary": "The user fixes invoices.", **mine},
            {"kind": "prompt", "said": "Go on.", "source": "user", **mine},
            {"kind": "prompt", "said": "A subagent's.", "source": "agent", "context": "helper", **mine},
            {"kind": "turn", "said": "Done.", **mine},
        ])  # fmt: skip
    with open_record(path) as record, Desk(record) as desk:
        head = desk.timeline.head
        session = RecordedSession(desk.timeline, head)
        turns = session.get_recent_turns(3)
        assert [(each.speaker, each.text) for each in turns] == [
            ("agent", "I look at it."), ("user", "Go on."), ("agent", "Done."),
        ]  # fmt: skip
        assert [each.step for each in turns] == sorted(each.step for each in turns)
        assert len(session.get_recent_turns(99)) == 4
        assert session.get_recent_turns(0) == []
        assert session.get_summary() == "The user fixes invoices."
        assert RecordedSession(desk.timeline, head - 4).get_summary() == ""


@pytest.mark.parametrize("kind", [QDRANT])
def test_qdrant_finds_what_the_local_store_finds(kind: str, path: str) -> None:
    whole = MemoryLines()
    Ingestor(path, lambda: whole).catch_up()
    broker = QdrantBroker(filled(path, ":memory:"), "ccos", wait_seconds=30)
    found = broker.search("push the invoice", "ccos", 5)
    assert found.entries
    assert found == whole.query(Search("push the invoice", limit=5))
    assert broker.search("push", "ccos", 5, Search(max_privacy=0)).entries == ()


def test_a_server_that_hangs_is_not_waited_for_nor_asked_twice() -> None:
    assert WAIT_SECONDS < 0.2
    answer, asked = Event(), []

    def opening(name: str) -> MemoryLines:
        asked.append(name)
        answer.wait(60)
        return MemoryLines()

    broker = QdrantBroker(opening, "ccos", wait_seconds=0.01)
    with pytest.raises(Unavailable, match="in time"):
        broker.search("push", "ccos", 5)
    assert not broker.health()
    with pytest.raises(Unavailable, match="last time"):
        broker.search("push", "ccos", 5)
    assert asked == ["ccos"]
    answer.set()
    assert broker._asking is not None
    broker._asking.join()
    broker._wait_seconds = 30
    with pytest.raises(Unavailable, match="holds nothing yet"):
        broker.search("push", "ccos", 5)
    assert broker.health()
