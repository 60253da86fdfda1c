"""What is worked out of a journal row by row is what a pass over all of it finds, however it grows and is cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.journal import NEVER, Journal, _Following
from ccos_core.replay.sources import _ByPath

pieces = st.lists(st.tuples(st.lists(st.integers(0, 4), max_size=9), st.integers(0, 40)), max_size=8)
"""Numbers of nodes or paths that come, and how many rows stay when it is cut afterwards."""


@given(pieces)
def test_the_next_change_of_each_change(story: list[tuple[list[int], int]]) -> None:
    following, nodes = _Following(), list[int]()
    for new, stays in story:
        nodes += new
        rows = range(len(nodes))
        before = np.array([max((at for at in range(row) if nodes[at] == nodes[row]), default=-1) for row in rows], "i4")
        found = following.of(before).tolist()
        assert found == [
            min((at for at in rows if at > row and nodes[at] == nodes[row]), default=NEVER) for row in rows
        ]
        if stays < len(nodes):
            del nodes[stays:]
            following.cut({"changes": stays})


@given(pieces)
def test_the_versions_of_each_path(story: list[tuple[list[int], int]]) -> None:
    journal = Journal()
    known: _ByPath = journal.growing("versions by path", _ByPath)
    for new, stays in story:
        for path in new:
            journal.versions.add(1, path, bytes(32), 0)
        everything = journal.versions["path"].tolist()
        for path in range(5):
            assert list(known.rows(journal, path)) == [row for row, each in enumerate(everything) if each == path]
        if stays < len(everything):
            journal.cut({**journal.sizes(), "versions": stays})
