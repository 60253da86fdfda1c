"""The failures that were felt in a file, as they came, were renewed and ended: found without reading all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ccos_core.replay.journal import Journal
from ccos_core.values.canon import canonical, parse_known
from ccos_core.values.ids import escape


class Felt(NamedTuple):
    """What a failure was from a step on."""

    step: int
    key: int
    anchors: frozenset[str]
    """Where it was felt; nowhere, where it has ended."""
    reached: tuple[int, int]
    """The rows of what it reaches."""


def felt_in(journal: Journal, paths: Iterable[str]) -> list[Felt]:
    """All that became of failures that ever were felt in one of these files, in order."""
    rows = journal.failures
    told = rows["told"]
    named = np.isin(told, _naming(journal, paths)) & (told >= 0)
    mine = np.nonzero(np.isin(rows["key"], rows["key"][named]))[0]
    columns = (rows[name][mine].tolist() for name in ("step", "key", "told", "begin", "end"))
    return [
        Felt(step, key, _anchors(journal, said), (begin, end))
        for step, key, said, begin, end in zip(*columns, strict=True)
    ]


def strongest(journal: Journal, felt: Iterable[Felt]) -> dict[str, int]:
    """Node → the most that any of these failures gives it."""
    found: dict[int, int] = {}
    reached, strengths = journal.reached["node"], journal.reached["strength"]
    for each in felt:
        here = slice(*each.reached)
        for node, strength in zip(reached[here].tolist(), strengths[here].tolist(), strict=True):
            found[node] = max(found.get(node, 0), strength)
    return {journal.name(node): strength for node, strength in found.items()}


def _naming(journal: Journal, paths: Iterable[str]) -> list[int]:
    """Which of the told values have one of these paths in them."""
    whole, ends = journal.told.body["byte"].tobytes(), journal.told.ends["end"]
    found: dict[int, None] = {}
    for path in paths:
        said = canonical(escape(path))[1:-1]
        at = whole.find(said)
        while at >= 0:
            number = int(np.searchsorted(ends, at, side="right"))
            found[number] = None
            at = whole.find(said, int(ends[number]))
    return list(found)


def _anchors(journal: Journal, told: int) -> frozenset[str]:
    return frozenset(parse_known(journal.told[told])[1]) if told >= 0 else frozenset()
