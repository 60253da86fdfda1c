"""What is worked out of a journal row by row is what a pass over all of it finds, however it grows and is cut."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.replay.heat_columns import latest_heats
from ccos_core.replay.journal import NEVER, NO_CAUSE, STEPS, Journal, _Following
from ccos_core.replay.past import _NextOfKey
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


@given(pieces, st.booleans())
def test_the_heats_at_the_end(story: list[tuple[list[int], int]], asked_before: bool) -> None:
    journal = Journal()
    nodes = [journal.names.add(name) for name in (b"a", b"b", b"c", b"d", b"e")]
    if asked_before:
        latest_heats(journal, nodes, 0)
    for new, stays in story:
        for at in new:
            journal.changes.add(at, at % (NO_CAUSE + 1), len(journal.changes) + 1, 0, 0, 0, 0, -1)
            journal.names.add(b"more")
            journal.steps.add(len(journal.changes), *[0] * (len(STEPS) - 1))
        assert latest_heats(journal, nodes, journal.head) == journal.heats_of(nodes, journal.head)
        if stays < len(journal.changes):
            journal.cut({**journal.sizes(), "changes": stays, "steps": stays})


@given(pieces)
def test_the_next_row_of_each_failure(story: list[tuple[list[int], int]]) -> None:
    following, keys = _NextOfKey(), list[int]()
    for new, stays in story:
        keys += new
        rows = range(len(keys))
        wanted = [min((at for at in rows if at > row and keys[at] == keys[row]), default=NEVER) for row in rows]
        assert following.of(np.array(keys, "i4")).tolist() == wanted
        if stays < len(keys):
            del keys[stays:]
            following.cut({"failures": stays})
