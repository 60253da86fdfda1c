"""Whether the suggested window held what the agent's window had lost: the working set at the default budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.query.autopsy.answer import Ours
from ccos_core.query.autopsy.rereads import Reread
from ccos_core.replay.residency.lens import WORKING_SET, watched
from ccos_core.replay.residency.runs import STATES
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.query.autopsy.weighing import Weighed
    from ccos_core.replay.timeline import Timeline


def ours_of(timeline: Timeline, upto: int, node: str, each: Weighed | Reread) -> Ours | None:
    """What our window had of a file when it was missed; nothing where it wasn't. `node` is its name at a step."""
    step = _missed_at(each)
    if step is None:
        return None
    states = watched(timeline, node, WORKING_SET, upto).residency.states(DEFAULT_BUDGET, step, step)
    return Ours(step, DEFAULT_BUDGET, STATES[int(states[0])])


def _missed_at(each: Weighed | Reread) -> int | None:
    """Return the step at which the agent would have needed it: before the first change made without it, or before it
    was shown again."""
    if isinstance(each, Reread):
        return each.step - 1
    return each.blind[0].first - 1 if each.missed is not None else None
