"""The facade: answers that are kept are never stale, and what is held in memory is bounded."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.memory.backend import Backend, Result, Search
from ccos_core.memory.entry import Entry, content_hash
from ccos_core.memory.facade import WorkingMemory
from ccos_core.memory.impact import impact_of
from ccos_core.memory.resident import Resident
from ccos_core.storage import cache
from ccos_core.storage.memory_lines import MemoryLines
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path

Opening = Callable[[], Backend]


def entry(number: int, words: str = "make it green", cls: str = "note", tokens: int = 1) -> Entry:
    return Entry(
        f"memo:{number:016x}", cls, words, words, first=number, last=number, tokens=tokens, content=content_hash(words)
    )


class Counting:
    """A backend that counts the queries that reach it."""

    def __init__(self, backend: Backend) -> None:
        self.backend, self.queries = backend, 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.backend, name)

    def query(self, search: Search) -> Result:
        self.queries += 1
        return self.backend.query(search)


@pytest.fixture(params=["lines", "sqlite"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Counting]:
    made = MemoryLines() if request.param == "lines" else MemorySqlite(memory_path(str(tmp_path / "x.ccos")))
    with closing(made) as found:
        yield Counting(found)


def test_an_answer_is_kept_until_something_changes(backend: Counting) -> None:
    memory = WorkingMemory(backend)
    memory.store_batch([entry(1), entry(2)])
    search = Search("green")
    first = memory.query(search)
    assert [memory.query(Search("green")) for _ in range(3)] == [first] * 3
    assert backend.queries == 1
    memory.store(entry(3))
    assert memory.query(search).entries == (entry(3), entry(2), entry(1))
    memory.remove([entry(2).id])
    assert memory.query(search).entries == (entry(3), entry(1))
    memory.clear()
    assert memory.query(search).entries == ()
    assert memory.retrieve(entry(1).id) is None
    assert backend.queries == 4


def test_an_answer_is_of_its_policy_and_its_tests(backend: Counting) -> None:
    memory = WorkingMemory(backend)
    memory.store(entry(1))
    memory.query(Search("green"), "policy 1")
    memory.query(Search("green"), "policy 2")
    assert backend.queries == 2
    nothing = Search("green", accepts=lambda _: False)
    for search in (nothing, nothing, replace(nothing, key="a"), replace(nothing, key="a"), replace(nothing, key="b")):
        assert memory.query(search, "policy 2").entries == ()
    assert backend.queries == 6


def test_what_another_program_stores_is_seen(tmp_path: Path) -> None:
    path = memory_path(str(tmp_path / "x.ccos"))
    with closing(WorkingMemory(MemorySqlite(path))) as one, closing(MemorySqlite(path)) as other:
        one.store(entry(1))
        assert one.query(Search("green")).entries == (entry(1),)
        other.store(entry(2))
        assert one.query(Search("green")).entries == (entry(2), entry(1))
        assert other.query(Search("green")).entries == (entry(2), entry(1))
        other.store(replace(entry(1), count=5))
        assert one.retrieve(entry(1).id) == replace(entry(1), count=5)
        other.remove([entry(2).id])
        assert one.query(Search("green")).entries == (replace(entry(1), count=5),)


def test_what_is_forgotten_is_in_no_answer(tmp_path: Path) -> None:
    record = str(tmp_path / "x.ccos")
    with closing(WorkingMemory(MemorySqlite(memory_path(record)))) as memory:
        memory.store(entry(1))
        assert memory.query(Search("green")).entries == (entry(1),)
        cache.drop(record)  # as `forget` does
        assert memory.query(Search("green")).entries == ()
        assert memory.retrieve(entry(1).id) is None


PUTS = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(["note", "correction", "tool"]), st.integers(0, 9), st.booleans()),
    max_size=40,
)


@given(PUTS, st.integers(0, 6), st.integers(0, 30))
def test_the_bounds_hold_after_every_entry(puts: list[tuple[int, str, int, bool]], most: int, tokens: int) -> None:
    resident, used = Resident(most, tokens), dict[str, int]()
    for time, (number, cls, size, pinned) in enumerate(puts):
        one = replace(entry(number, cls=cls, tokens=size), tags=("pinned",) if pinned else ())
        before = {id_: resident._entries[id_][0] for id_ in resident.ids()} | {one.id: one}
        resident.put(one)
        used[one.id] = time
        held = resident.ids()
        assert len(held) <= most
        assert resident.tokens == sum(before[id_].tokens for id_ in held) <= tokens
        order = sorted(before, key=lambda id_: ("pinned" in before[id_].tags, impact_of(before[id_]), used[id_], id_))
        assert held == order[len(before) - len(held) :]
        kept = before[order[len(before) - len(held) - 1]] if len(held) < len(before) else None
        assert kept is None or len(held) == most or resident.tokens + kept.tokens > tokens


def test_what_is_not_held_is_read_again() -> None:
    memory = WorkingMemory(MemoryLines(), max_entries=3, max_tokens=100)
    many = [entry(number, f"make it {number}") for number in range(20)]
    memory.store_batch(many)
    assert len(memory.resident) == 3
    assert [memory.retrieve(each.id) for each in many] == many
    assert len(memory.query(Search("make", limit=20)).entries) == 20
    assert len(memory.resident) == 3
