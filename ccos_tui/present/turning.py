"""What became of a node where `[` and `]` went, in one line; or that they went nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ccos_core.present.words import STATES, count
from ccos_tui.present.parts import node_name, op_words

if TYPE_CHECKING:
    from ccos_core.query.hosted.turn import HostTurn
    from ccos_core.query.turning import Turn

WALLS = {"end": ("later", "to the end"), "start": ("earlier", "back to the start")}
LOST = {
    "out": "left",
    "gone": "is gone",
    "partial": "left in part",
    "stale": "went stale",
    "uncertain": "may have left",
}
CAME_IN = {"in": "came in", "partial": "came in, in part"}
LONGEST = 40
"""Characters of an op."""


def turn_line(answer: Turn | HostTurn) -> str:
    """`src/db.py left: dropped by a compaction, step 40`."""
    name = node_name(answer.node)
    host = answer.schema == "ccos.host-turn/1"
    if answer.step is None:
        side, way = WALLS[answer.wall]
        state = answer.state if host else answer.after  # type: ignore[union-attr]
        return f"no {side} change: {name} stays {_word(state, host=host)} {way}"
    return f"{name} {_theirs(answer) if host else _ours(answer)}"  # type: ignore[arg-type]


def _ours(answer: Turn) -> str:
    from ccos_core.serve.says.missing import CAME, LEFT  # which loads what a first frame need not wait for

    by = f", {op_words(answer.op, LONGEST)}" if answer.op is not None else ""
    if answer.eviction is not None:
        short = f", {count(answer.eviction.short, 'token')} short" if answer.eviction.short else ""
        what = "" if answer.eviction.what == "left" else f": {LEFT[answer.eviction.what]}"
        return f"left{what}{short}{by}"
    if answer.entrance is not None:
        what = "" if answer.entrance.what == "came" else f": {CAME[answer.entrance.what]}"
        return f"came in{what}{by}"
    return f"was {STATES[answer.before][1]}, and is {STATES[answer.after][1]} from here on{by}"


def _theirs(answer: HostTurn) -> str:
    from ccos_core.query.hosted.rows import WHAT

    told = answer.happening
    if told is None:
        return f"is {_word(answer.state, host=True)}"
    verb = (LOST if told.lost else CAME_IN).get(told.state, f"is {_word(told.state, host=True)}")
    cut = told.cut
    if cut is None:
        return f"{verb}: {WHAT[told.what]}, {op_words(told.op, LONGEST)}"
    size = f", {cut.before:,} → {cut.after:,} tokens" if cut.before is not None and cut.after is not None else ""
    return f"{verb}: {WHAT[told.what]}, step {cut.step:,}{size}"


def _word(state: str, *, host: bool) -> str:
    """A state in words; what no host was shown yet may be there all the same."""
    return "not yet shown" if host and state == "unborn" else STATES[state][1]
