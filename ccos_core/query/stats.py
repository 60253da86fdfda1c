"""`stats`: what the whole record holds. This is the one answer at every door; a step of it is `state`.

What the ops say in all is in the journal's columns, so none of them is read again; what lies in the store, and what
came behind the last step that is known, is counted by the store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ccos_core.ops.table import KINDS
from ccos_core.query.contexts import contexts_of
from ccos_core.query.question import Question
from ccos_core.replay.codes import KIND_CODES, NO_TIME
from ccos_core.values.tally import Tally

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

OF_A_FILE = tuple(kind for kind, (_, fields) in KINDS.items() if any(name == "path" for name, _, _ in fields))
"""The kinds of ops that are about one file."""


def stats(timeline: Timeline, at: int, *, census: Callable[[Tally], Any]) -> Any:
    """What was counted; only the store knows what lies in it, so it is asked."""
    return census(tally(timeline))


def tally(timeline: Timeline) -> Tally:
    """What the ops say in all, as far as the timeline goes."""
    found: Tally = timeline.journal.once("tally", lambda: _tally(timeline))
    return found


def _tally(timeline: Timeline) -> Tally:
    steps = timeline.journal.steps
    sizes = steps["size"]
    counts = np.bincount(steps["kind"], minlength=max(KIND_CODES.values()) + 1).tolist()
    files = np.unique(steps["name"][np.isin(steps["kind"], [KIND_CODES[kind] for kind in OF_A_FILE])])
    times = steps["at"][steps["at"] != NO_TIME]
    return Tally(
        upto=timeline.head,
        kinds={kind: counts[code] for kind, code in KIND_CODES.items() if counts[code]},
        sessions=frozenset((each.host, each.session) for each in contexts_of(timeline).values() if each.session),
        files=frozenset(timeline.journal.spelled(files)),
        first_at=int(times.min()) if len(times) else None,
        last_at=int(times.max()) if len(times) else None,
        heavy=lambda size: (np.nonzero(sizes >= size)[0] + 1).tolist(),
    )


ABOUT = "It covers the whole record, wherever the cursor is."
QUESTION = Question(ask=stats, answers=(), example="stats", about=ABOUT, needs=("census",), timeless=True)
