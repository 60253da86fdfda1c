"""`verify` derives a sample of the entries again, and names the one that differs."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ccos_core.memory.entry import Entry, content_hash
from ccos_core.serve import exits
from ccos_core.serve.cli.main import main
from ccos_core.session.memory_proof import differing
from ccos_core.session.session import Session
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path
from tests.story import new_session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    header = {"host": "story", "session": "s", "actor": "user"}
    with new_session(tmp_path) as found:
        for number in range(3):
            said = f"Never push. Be brief.\n- Rule {number} holds."
            found.record([{"kind": "prompt", "said": said, "source": "user", **header}])
            found.record([{"kind": "failed", "runner": "pytest", "test": "test_x", **header}])
        arguments = {"todos": [{"content": "Fix it", "status": "pending"}]}
        found.record([{"kind": "tool", "name": "TodoWrite", "outcome": "ok", "arguments": arguments, **header}])
        found.record([{"kind": "labelled", "nodes": ["memo:x"], "privacy": "high", **header}])
        yield found


def filled(session: Session) -> MemoryLines:
    store = MemoryLines()
    Ingestor(session.recorded.path, lambda: store).catch_up()
    return store


def test_entries_that_were_derived_hold(session: Session) -> None:
    assert list(differing(session.recorded, filled(session), thorough=True)) == []


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"words": "Always push."}, "has words that aren't those of its hash"),
        ({"words": "Always push.", "content": content_hash("Always push.")}, "has another words than its op gives"),
        ({"chain": "00"}, "the chain hasn't at its step"),
        ({"action": "2:00"}, "isn't the one of its step"),
        ({"action": "99:00"}, "a step that isn't there"),
        ({"id": "memo:0000000000000000"}, "isn't derived from its op"),
        ({"call": "c"}, "another call"),
    ],
)
def test_one_that_was_changed_is_named(session: Session, change: dict[str, Any], fact: str) -> None:
    store = filled(session)
    entry = said(store)
    store.remove([entry.id])
    store.store(replace(entry, **change))
    (found,) = differing(session.recorded, store, thorough=True)
    assert found.id == change.get("id", entry.id)
    assert fact in found.fact


def test_verify_names_it(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    path = session.recorded.path
    Ingestor(path, lambda: MemorySqlite(memory_path(path))).catch_up()
    session.close()
    assert main(["verify", path]) == exits.DONE
    with closing(MemorySqlite(memory_path(path))) as store:
        entry = said(store)
        store.store(replace(entry, call="c"))
    assert main(["verify", path]) == exits.DAMAGED
    assert entry.id in capsys.readouterr().out


def said(store: Any) -> Entry:
    return next(entry for entry in store.entries() if entry.words == "Never push.")
