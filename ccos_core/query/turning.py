"""`last NODE` and `next NODE`: run back or on to where the residency of a node changed. The reverse watchpoint.

Only as many steps are looked at as it takes. Where there is no further change the cursor stays, and is told so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ccos_core.present.parts import looked, node_name, op_row, op_words
from ccos_core.present.rows import Moment, Row, Span, View, note, row, title
from ccos_core.present.words import STATES as SIGNS
from ccos_core.present.words import count
from ccos_core.query.hosted.rows import WHAT, details, state_words, window_words
from ccos_core.query.hosted.turn import AgentTurn, agent_turn
from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.leaving import Came, Entrance, Eviction, Left, looked_at, witness_of
from ccos_core.query.missing_rows import CAME, LEFT, event_rows
from ccos_core.query.question import DELIVERED, HOST, Argument, Question
from ccos_core.query.telling import Looked, Told
from ccos_core.query.whereby import Telling
from ccos_core.replay.residency.lens import WORKING_SET, Watched, unheard, watched
from ccos_core.replay.residency.runs import NOT_LOOKED_AT, STATES, WITHIN, turns
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.query.hosted.happening import Happening
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline
    from ccos_core.values.marks import Mark

FEWEST = 500
"""Steps that are looked at first; then four times as many, and so on."""


@dataclass(frozen=True, slots=True)
class SuggestedTurn:
    """What became of a node in a suggested window."""

    lens: str
    budget: int
    op: Told | None
    """What happened there."""

    eviction: Eviction | None
    """How it left, if it did, ..."""

    entrance: Entrance | None
    """... or how it came in."""

    looked: Looked | None = None
    """How many moments were looked at, in windows about a text; in others every step is known."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer to `last NODE` and `next NODE`: in a suggested window, or in the agent's."""

    schema: ClassVar[str] = "ccos.turn/2"
    node: str
    at: int
    """Where the cursor stood."""

    step: int | None
    """Where it stands now; None where there is no such change, and it stays."""

    wall: str
    """`start` or `end`, where that is what one ran into."""

    before: str
    """What the node was before that step, or where there is none, all the way: `unborn`, `in`, `partial`, `out`,
    `gone`, ..."""

    after: str
    """What it is from there on."""

    suggested: SuggestedTurn | None
    agent: AgentTurn | None

    def as_rows(self, view: View) -> list[Row]:
        return _rows(self, view)

    @property
    def line(self) -> str:
        """All of it in one line."""
        return turn_line(self)


def last(
    timeline: Timeline,
    at: int,
    *,
    node: str,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None],
    marks: Sequence[Mark] = (),
    session: str | None = None,
    context: str | None = None,
) -> Turn:
    """Go back to the last change of a node."""
    if is_theirs(lens):
        return turned_there(timeline, at, node, forward=False, lens=lens, session=session, context=context)
    return turned(timeline, at, node, forward=False, lens=lens, budget=budget, progress=progress, marks=marks)


def turned(
    timeline: Timeline,
    at: int,
    node: str,
    *,
    forward: bool,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None] = unheard,
    marks: Sequence[Mark] = (),
) -> Turn:
    """Go to the next change of a node in a suggested window, or back to the last one."""
    seen = watched(timeline, node, lens, at, progress, marks)
    here = int(seen.residency.states(budget, at, at)[0])
    found = (_later if forward else _earlier)(seen, budget, at, timeline.head)
    if found is None:
        state, wall = STATES[here], "end" if forward else "start"
        side = SuggestedTurn(lens, budget, None, None, None, looked_at(seen))
        return Turn(seen.name(at), at, None, wall, state, state, side, None)
    eviction, entrance = _told(timeline, seen, budget, found)
    step = found.step
    op = eviction.op if eviction else entrance.op if entrance else Telling(timeline).of(step, seen.name(step))
    side = SuggestedTurn(lens, budget, op, eviction, entrance, looked_at(seen))
    return Turn(seen.name(step), at, step, "", STATES[found.before], STATES[found.after], side, None)


def turned_there(
    timeline: Timeline, at: int, node: str, *, forward: bool, lens: str, session: str | None, context: str | None
) -> Turn:
    """Go to the next change of a node in the agent's window, or back to the last one."""
    seen, step, before, after, side = agent_turn(timeline, at, node, forward, lens, session, context)
    wall = "" if step is not None else "end" if forward else "start"
    return Turn(seen.name(at if step is None else step), at, step, wall, before, after, None, side)


class Change(NamedTuple):
    """The state of a node became another."""

    step: int
    before: int
    after: int
    known: int | None
    """The last step at which it was still known to be `before`, where that isn't the step before."""


def _told(timeline: Timeline, seen: Watched, budget: int, change: Change) -> tuple[Eviction | None, Entrance | None]:
    step, before, after, known = change
    if (before in WITHIN) == (after in WITHIN):
        return None, None
    witness = witness_of(timeline, seen, budget)
    if after in WITHIN:
        return None, witness.entered(Came(step, after, known))
    return witness.evicted(Left(step, after, _back(seen, budget, step, timeline.head), known)), None


def _back(seen: Watched, budget: int, step: int, head: int) -> int | None:
    """The step after `step` at which something of the node is in again."""
    while (later := _later(seen, budget, step, head)) is not None:
        if later.after in WITHIN:
            return later.step
        step = later.step
    return None


def _later(seen: Watched, budget: int, at: int, head: int) -> Change | None:
    """The first change behind `at`."""
    size = FEWEST
    while at < head:
        end = min(at + size, head)
        states = seen.residency.states(budget, at, end)
        if len(found := turns(states)):
            return _change(states, at, int(found[0]))
        at, size = end, 4 * size
    return None


def _earlier(seen: Watched, budget: int, at: int, _: int) -> Change | None:
    """The last change before `at`."""
    end, size = at - 1, FEWEST
    while end > 0:
        begin = max(end - size, 0)
        states = seen.residency.states(budget, begin, end)
        if len(found := turns(states)):
            return _change(states, begin, int(found[-1]))
        end, size = begin, 4 * size
    return None


def _change(states: Numbers, first: int, place: int) -> Change:
    """The change at a place of some states, the first of which is that of step `first`."""
    known = int(np.flatnonzero(states[:place] != NOT_LOOKED_AT)[-1])
    exact = known + 1 == place
    return Change(first + place, int(states[known]), int(states[place]), None if exact else first + known)


# ---- its rows ----

WALLS = {"end": "to the end", "start": "back to the start"}


def _rows(answer: Turn, view: View) -> list[Row]:
    """Show from which state to which, and why."""
    suggested, agent = answer.suggested, answer.agent
    words = state_words if agent is not None else lambda state: SIGNS[state][1]
    rows = [title(f"{node_name(answer.node)}  ", Span(window_words(suggested, agent), "quiet"))]
    if answer.step is None:
        rows.append(note(f"  it stays {words(answer.after)} {WALLS[answer.wall]}; still at step {answer.at:,}", "note"))
    else:
        signs = SIGNS[answer.before][0], SIGNS[answer.after][0]
        before = Span(f"{signs[0]} {words(answer.before)}", answer.before, words(answer.before))
        after = Span(f"{signs[1]} {words(answer.after)}", answer.after, words(answer.after))
        rows.append(row(f"step {answer.step:,}: ", before, " → ", after, leads=Moment(answer.step)))
    if suggested is not None and answer.step is not None:
        event = suggested.eviction or suggested.entrance
        if event is not None:
            rows += event_rows(event, left=suggested.eviction is not None)
        elif suggested.op is not None:
            rows.append(op_row(suggested.op, "  by "))
    if suggested is not None and suggested.looked is not None:
        rows.append(note(f"  {looked(suggested.looked)}"))
    if agent is not None and agent.happening is not None:
        rows += [op_row(agent.happening.op, "  by "), *details(agent.happening, view.width)]
    return rows


# ---- the same in one line ----

WAYS = {"end": ("later", "to the end"), "start": ("earlier", "back to the start")}
LOST = {
    "out": "left",
    "gone": "is gone",
    "partial": "left in part",
    "stale": "went stale",
    "uncertain": "may have left",
}
CAME_IN = {"in": "came in", "partial": "came in, in part"}
IN_A_LINE = 40
"""Columns of an op."""


def turn_line(answer: Turn) -> str:
    """Return `src/db.py left: dropped by a compaction, step 40`."""
    name = node_name(answer.node)
    words = state_words(answer.after) if answer.agent is not None else SIGNS[answer.after][1]
    if answer.step is None:
        side, way = WAYS[answer.wall]
        return f"no {side} change: {name} stays {words} {way}"
    if answer.agent is not None:
        happening = answer.agent.happening
        return f"{name} is {words}" if happening is None else f"{name} {_line_there(happening, words)}"
    return f"{name} {_line(answer, answer.suggested)}" if answer.suggested is not None else name


def _line(answer: Turn, side: SuggestedTurn) -> str:
    by = f", {op_words(side.op, IN_A_LINE)}" if side.op is not None else ""
    if side.eviction is not None:
        short = f", {count(side.eviction.short, 'token')} short" if side.eviction.short else ""
        what = "" if side.eviction.what == "left" else f": {LEFT[side.eviction.what]}"
        return f"left{what}{short}{by}"
    if side.entrance is not None:
        what = "" if side.entrance.what == "came" else f": {CAME[side.entrance.what]}"
        return f"came in{what}{by}"
    return f"was {SIGNS[answer.before][1]}, and is {SIGNS[answer.after][1]} from here on{by}"


def _line_there(happening: Happening, words: str) -> str:
    verb = (LOST if happening.lost else CAME_IN).get(happening.state, f"is {words}")
    cut = happening.cut
    if cut is None:
        return f"{verb}: {WHAT[happening.what]}, {op_words(happening.op, IN_A_LINE)}"
    size = f", {cut.before:,} → {cut.after:,} tokens" if cut.before is not None and cut.after is not None else ""
    return f"{verb}: {WHAT[happening.what]}, step {cut.step:,}{size}"


QUESTIONS = {
    "last": Question(
        ask=last,
        answers=(Turn,),
        example="last src/db.py",
        arguments=(
            Argument("node", "node", "file or symbol", required=True),
            Argument("lens", "lens", "which window", default=WORKING_SET, flag=True, further=(HOST, DELIVERED)),
            Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True),
            *WHOSE,
        ),
        about="A change is a step at which the node entered the window, left it, or was first recorded.",
        needs=("progress", "marks"),
        moves=lambda answer: answer.step,
        nothing=lambda answer: answer.step is None,
    ),
}
