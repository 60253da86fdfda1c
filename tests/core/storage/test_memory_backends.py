"""What every store of entries can do: one suite over all of them."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ccos_core.memory.backend import Backend, Cursor, Moved, Search
from ccos_core.memory.entry import Entry, content_hash, entry_bytes
from ccos_core.storage.memory_lines import MemoryLines
from tests.core.storage.memory_stores import KINDS, Opening, opening_of, place_for

CURSOR = Cursor(7, "ab" * 32, '{"some":"state"}')
WORDS = ("make", "tests", "green", "invoice", "tabs", "Makefile", "ünï", "漢字", "red-line", "a_b")


def entry(number: int, words: str = "", **more: Any) -> Entry:
    words = words or f"entry number {number}"
    given = {"first": number, "last": number, "tags": (f"t{number % 3}",), "cls": "note", **more}
    return Entry(f"memo:{number:016x}", title=words[:20], words=words, content=content_hash(words), **given)


@pytest.fixture(params=["memory", *KINDS])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """Opens a store, the same one each time but for the one in memory."""
    return MemoryLines if request.param == "memory" else opening_of(request.param, place_for(request.param, tmp_path))


@pytest.fixture
def backend(opening: Opening) -> Iterator[Backend]:
    with closing(opening()) as found:
        yield found


def ids(backend: Backend, **search: Any) -> list[int]:
    return [int(each.id[5:], 16) for each in backend.query(Search(**search)).entries]


def test_an_entry_is_retrieved_as_it_was_stored(backend: Backend) -> None:
    one = entry(1, "Use tabs in Makefiles. ü漢\n", regions=("EU",), privacy=3, extra=(("a", "[0.5]"),))
    assert backend.store(one) == one.id
    assert backend.retrieve(one.id) == one
    assert backend.retrieve("memo:nothing") is None


def test_a_batch_is_stored_with_its_cursor(backend: Backend) -> None:
    many = [entry(number) for number in range(1, 521)]
    assert backend.store_batch(many, CURSOR) == [each.id for each in many]
    assert backend.cursor() == CURSOR
    assert backend.retrieve_batch([many[3].id, "memo:no", many[510].id]) == {
        many[3].id: many[3],
        many[510].id: many[510],
    }
    assert list(backend.entries()) == many


def test_a_batch_that_comes_too_late_changes_nothing(backend: Backend) -> None:
    backend.store_batch([entry(1)], CURSOR)
    with pytest.raises(Moved):
        backend.store_batch([entry(2)], Cursor(9, "x"), after=Cursor())
    assert (backend.cursor(), [each.id for each in backend.entries()]) == (CURSOR, [entry(1).id])
    backend.store_batch([entry(2)], Cursor(9, "x"), after=CURSOR)
    assert backend.cursor().step == 9


def test_a_batch_with_a_spoilt_entry_stores_nothing(backend: Backend) -> None:
    backend.store(entry(1))
    with pytest.raises(Exception):  # noqa: B017 (each store says it in its own way)
        backend.store_batch([entry(2), replace(entry(3), words="\ud800", content="x")], CURSOR)
    assert [each.id for each in backend.entries()] == [entry(1).id]
    assert backend.cursor() == Cursor()


def test_an_entry_takes_the_place_of_one_with_its_id(backend: Backend) -> None:
    backend.store_batch([entry(1, "make it green"), entry(2, "make it red")])
    assert ids(backend, words="green") == [1]
    backend.store(replace(entry(1, "make it blue"), last=9))
    assert (ids(backend, words="green"), ids(backend, words="blue"), ids(backend)) == ([], [1], [1, 2])
    assert ids(backend, phrase="it green") == []
    backend.store(replace(entry(1, "make it blue"), privacy=4))
    assert (ids(backend, words="make"), ids(backend, words="make", max_privacy=3)) == ([2, 1], [2])
    assert backend.get_stats().entries == 2


def test_the_same_twice_is_once(backend: Backend) -> None:
    backend.store_batch([entry(1), entry(2), entry(1)])
    backend.store_batch([entry(1), entry(2)])
    assert len(list(backend.entries())) == backend.get_stats().entries == 2
    assert ids(backend) == [2, 1]


def test_removed_and_cleared_entries_are_gone(opening: Opening) -> None:
    with closing(opening()) as backend:
        backend.store_batch([entry(number, f"make {number}") for number in range(1, 6)], CURSOR)
        assert ids(backend, words="make") == [5, 4, 3, 2, 1]
        assert backend.remove([entry(2).id, entry(2).id, "memo:no", entry(4).id]) == 2
        assert ids(backend, words="make") == ids(backend, phrase="make") == [5, 3, 1]
        assert (backend.retrieve(entry(2).id), backend.cursor()) == (None, CURSOR)
        backend.clear()
        assert (list(backend.entries()), ids(backend, words="make"), backend.cursor()) == ([], [], Cursor())
        backend.store(entry(2, "make 2"))
        assert ids(backend, words="make") == [2]


def test_what_is_stored_is_there_when_it_is_opened_again(opening: Opening, request: pytest.FixtureRequest) -> None:
    if "[memory]" in request.node.name:
        pytest.skip("it is in memory")
    many = [entry(number, f"make {number} tests") for number in range(1, 50)]
    with closing(opening()) as backend:
        backend.store_batch(many, CURSOR)
        backend.remove([many[0].id])
        backend.store(replace(many[1], count=2))
        before = backend.query(Search("tests", limit=9))
    with closing(opening()) as backend:
        assert list(backend.entries()) == [replace(many[1], count=2), *many[2:]]
        assert backend.cursor() == CURSOR
        assert backend.query(Search("tests", limit=9)) == before


def test_stats_count_by_class_level_and_region(backend: Backend) -> None:
    backend.store_batch([entry(1, tokens=3), entry(2, tokens=4, cls="rule", privacy=4, regions=("EU", "US"))], CURSOR)
    stats = backend.get_stats()
    assert (stats.entries, stats.tokens, stats.cursor) == (2, 7, CURSOR)
    assert stats.by_class == {"note": 1, "rule": 1}
    assert stats.by_privacy == {"critical": 1, "medium": 1}
    assert stats.by_region == {"EU": 1, "US": 1}


def test_the_latest_come_first_then_by_id(backend: Backend) -> None:
    backend.store_batch([entry(3, last=5), entry(1, last=5), entry(2, last=8), entry(4, last=1)])
    assert ids(backend) == [2, 1, 3, 4]
    found = backend.query(Search(limit=2))
    assert ([each.id for each in found.entries], found.more) == ([entry(2).id, entry(1).id], True)
    assert not backend.query(Search(limit=4)).more
    assert ids(backend, since=1) == [2, 1, 3]


def test_rare_words_count_more(backend: Backend) -> None:
    backend.store_batch([entry(number, f"make the tests {'green' if number == 3 else 'pass'}") for number in range(9)])
    found = backend.query(Search("make it green", limit=3))
    assert found.entries[0].id == entry(3).id
    assert list(found.scores) == sorted(found.scores, reverse=True)
    assert found.scores[0] > found.scores[1] > 0
    assert ids(backend, words="of the") == ids(backend, words="zebra") == []


def test_a_phrase_stands_word_for_word(backend: Backend) -> None:
    said = ["make it green", "it makes green", "Make  IT\nGreen now", "漢字を書く", "a_b c"]
    backend.store_batch([entry(number, words) for number, words in enumerate(said)])
    assert ids(backend, phrase="make it green") == [2, 0]
    assert ids(backend, phrase="漢字") == [3]
    assert ids(backend, phrase="b c") == [4]
    assert ids(backend, phrase='"; --') == []
    assert ids(backend, phrase="make it green", words="now") == [2]


def test_what_may_not_be_seen_has_no_part_in_the_ranking(backend: Backend) -> None:
    seen = [entry(number, f"make tests {'green' if number % 2 else 'red'} again") for number in range(8)]
    hidden = [entry(100 + number, "make green green", privacy=4) for number in range(50)]
    backend.store_batch(seen)
    for search in (Search("make green", max_privacy=3, limit=50), Search(limit=50, max_privacy=3)):
        backend.remove([each.id for each in hidden])
        alone = backend.query(search)
        backend.store_batch(hidden)
        assert backend.query(search) == alone
    by_labels = replace(search, words="make green", max_privacy=4, labels=lambda each: each.privacy < 4)
    assert backend.query(by_labels) == backend.query(Search("make green", max_privacy=3, limit=50))
    without = frozenset(each.id for each in hidden)
    by_id = replace(search, words="make green", max_privacy=4, without=without)
    assert backend.query(by_id) == backend.query(Search("make green", max_privacy=3, limit=50))
    assert not without & {each.id for each in backend.query(Search(limit=99, without=without)).entries}


def test_labels_look_at_labels_and_accepts_at_all(backend: Backend) -> None:
    backend.store_batch([entry(number, cls="rule" if number > 5 else "note") for number in range(9)])
    assert ids(backend, labels=lambda each: each.cls == "rule" and not each.words) == [8, 7, 6]
    assert ids(backend, accepts=lambda each: each.words.endswith(("7", "2"))) == [7, 2]
    assert ids(backend, labels=lambda each: each.tags == ("t1",), labels_key="t1") == [7, 4, 1]
    backend.store(entry(10))
    assert ids(backend, labels=lambda each: each.tags == ("t1",), labels_key="t1") == [10, 7, 4, 1]


LISTS = st.lists(
    st.tuples(st.integers(1, 12), st.lists(st.sampled_from(WORDS), max_size=5), st.integers(0, 4), st.integers(1, 5)),
    max_size=12,
)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LISTS, st.lists(st.sampled_from(WORDS), max_size=3), st.integers(0, 4), st.integers(0, 12))
def test_every_store_answers_alike(
    backend: Backend, told: list[tuple[int, list[str], int, int]], asked: list[str], cap: int, removed: int
) -> None:
    """The one in memory, filled at once, is what the others are held to; they are filled one by one."""
    backend.clear()
    plain = MemoryLines()
    for number, words, privacy, last in told:
        backend.store(entry(number, " ".join(words), privacy=privacy, last=last))
        if last == 3:
            backend.query(Search("make"))
    backend.remove([entry(removed).id])
    latest = {
        number: entry(number, " ".join(words), privacy=privacy, last=last) for number, words, privacy, last in told
    }
    latest.pop(removed, None)
    plain.store_batch(list(latest.values()))
    assert [entry_bytes(each) for each in backend.entries()] == [entry_bytes(each) for each in plain.entries()]
    for search in (
        Search(" ".join(asked), max_privacy=cap, limit=5),
        Search(phrase=" ".join(asked[:2]), max_privacy=cap),
        Search(" ".join(asked[1:]), phrase=" ".join(asked[:1]), since=2),
    ):
        assert backend.query(search) == plain.query(search)
    fits = [each for each in latest.values() if each.privacy <= cap]
    wanted = sorted(fits, key=lambda each: (-each.last, each.id))
    assert list(backend.query(Search(max_privacy=cap, limit=99)).entries) == wanted
