"""What the host's own contexts held at any step: rows of the journal, looked up.

A context has the number of its name; `query.contexts` knows how people name them.
"""

from __future__ import annotations

import numpy as np

from ccos_core.replay.journal import STATES, Journal
from ccos_core.state.holding import OUT, Standing


def held_at(journal: Journal, context: int, step: int) -> dict[str, Standing]:
    """Everything a context held any of, or held before it was changed, at a step; the oldest delivery first."""
    rows = journal.held
    upto = rows.upto(step)
    mine = np.nonzero(rows["context"][:upto] == context)[0]
    last = np.full(len(journal.names), -1, np.int32)
    last[rows["item"][mine]] = mine
    latest = last[last >= 0]
    latest = latest[rows["state"][latest] != STATES.index(OUT)]
    found = {journal.name(int(rows["item"][row])): standing_of(journal, int(row)) for row in latest}
    return dict(sorted(found.items(), key=lambda each: (each[1].step, each[0])))


def standing_of(journal: Journal, row: int) -> Standing:
    """How an item is held from a row on."""
    rows = journal.held
    return Standing(STATES[int(rows["state"][row])], int(rows["tokens"][row]), int(rows["delivered"][row]))
