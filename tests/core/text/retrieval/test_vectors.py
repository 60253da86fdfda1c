"""Vectors in whole numbers: the same everywhere, near where words have parts in common, ties by id in a store."""

from __future__ import annotations

from contextlib import closing
from math import sqrt
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.memory.backend import Search
from ccos_core.memory.entry import Entry, content_hash
from ccos_core.storage.memory_sqlite import MemorySqlite
from ccos_core.text.retrieval.vectors import LARGEST, MILLION, SIZE, closeness, vectors_of

TEXTS = st.text(max_size=60)


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_text_has_the_same_vector_alone_and_among_others(texts: list[str]) -> None:
    found = vectors_of(texts)
    assert (found.dtype, found.shape) == (np.int8, (len(texts), SIZE))
    assert int(np.abs(found.astype(int)).max()) in (0, LARGEST)
    for text, row in zip(texts, found, strict=True):
        assert (vectors_of([text])[0] == row).all()


ROWS = st.lists(st.integers(-LARGEST, LARGEST), min_size=SIZE, max_size=SIZE).map(lambda row: np.array(row, np.int8))


@given(ROWS, ROWS)
def test_closeness_is_the_square_of_the_cosine(one: np.ndarray, other: np.ndarray) -> None:
    (found,) = closeness(one, other[None, :])
    a, b = one.astype(float), other.astype(float)
    norm = sqrt(float(a @ a) * float(b @ b))
    cosine = float(a @ b) / norm if norm else 0.0
    assert abs(int(found) - (1 if cosine >= 0 else -1) * cosine * cosine * MILLION) < 2


def test_other_forms_and_misspellings_are_near_and_others_are_not() -> None:
    asked = vectors_of(["reconnect after a timeout"])[0]
    near = closeness(asked, vectors_of(["reconnecting when timed-out", "recconect after timeouts", "paint the zebra"]))
    assert near[1] > near[0] > 60_000 > near[2]


def test_a_store_ranks_by_closeness_then_the_latest_then_by_id(tmp_path: Path) -> None:
    def entry(number: int, words: str, last: int) -> Entry:
        return Entry(f"memo:{number:016x}", "note", words, words, last=last, content=content_hash(words))

    many = [entry(3, "make it green", 1), entry(1, "make it green", 1), entry(2, "make it green", 5),
            entry(4, "making greener", 9), entry(5, "zebra", 9)]  # fmt: skip
    asked = vectors_of(["make green"])[0]

    def nearest(store: MemorySqlite) -> list[int]:
        found = store.nearest(Search(limit=9), lambda rows: closeness(asked, rows).clip(0), SIZE)
        assert list(found.scores) == sorted(found.scores, reverse=True)
        return [int(each.id[5:], 16) for each in found.entries]

    with closing(MemorySqlite(str(tmp_path / "memo.cache"))) as store:
        store.store_batch(many)
        assert nearest(store) == []
        assert (store.embed(vectors_of), store.embedded()) == (5, (5, 5))
        assert nearest(store)[:4] == [2, 1, 3, 4]
    with closing(MemorySqlite(str(tmp_path / "memo.cache"))) as store:
        assert nearest(store)[:4] == [2, 1, 3, 4]  # they were kept
        store.remove([many[2].id])
        assert (nearest(store)[:3], store.embedded()) == ([1, 3, 4], (4, 4))
        store.store(entry(4, "something else", 9))
        assert (4 in nearest(store), store.embedded()) == (False, (3, 4))
        store.clear()
        assert store.embedded() == (0, 0)
