"""The heats of a few nodes at a step: what each cause gave them last.

The first looks read all changes up to their step. Whoever goes on asking gets a column of all changes by node, cause
and row, which takes as long to sort as a few dozen such looks; from then on a look costs what is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import Journal
from ccos_core.state.rules import CAUSES

FEW = 6
"""Looks before the column is sorted: a process that answers one question makes no more."""
ROW_BITS = 31
"""Of a row in the sorted column; a journal numbers its rows in so many."""


def latest_heats(journal: Journal, nodes: Sequence[int], step: int) -> dict[int, tuple[int, ...]]:
    """Number of a node → its heats by cause at a step, in the order of CAUSES."""
    looks: list[int] = journal.once("looks at heats", list)
    if len(looks) < FEW:
        looks.append(step)
        return journal.heats_of(nodes, step)
    upto, known = journal.rows(step), _sorted(journal)
    wanted = _key(np.repeat(np.asarray(nodes, np.int64), len(CAUSES)), np.tile(np.arange(len(CAUSES)), len(nodes)))
    places = np.searchsorted(known, wanted << ROW_BITS | upto) - 1
    there = (places >= 0) & (known[places] >> ROW_BITS == wanted) if len(known) else np.zeros(len(wanted), bool)
    found = np.zeros(len(wanted), np.int64)
    found[there] = journal.changes["value"][known[places[there]] & ((1 << ROW_BITS) - 1)]
    heats = found.reshape(len(nodes), len(CAUSES)).tolist()
    return {node: tuple(each) for node, each in zip(nodes, heats, strict=True)}


def _sorted(journal: Journal) -> Numbers:
    found: Numbers = journal.once("changes by node", lambda: _sort(journal))
    return found


def _sort(journal: Journal) -> Numbers:
    changes = journal.changes
    keys = _key(changes["node"].astype(np.int64), changes["cause"])
    return np.sort(keys << ROW_BITS | np.arange(len(keys)))


def _key(nodes: Numbers, causes: Numbers) -> Numbers:
    found: Numbers = nodes * (len(CAUSES) + 1) + causes
    return found
