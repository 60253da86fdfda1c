"""`why NODE`: why a node is in a window or not: what made it warm, where that puts it, who stands next to it, and what
it would take.

Heat is told in hundredths of a fresh read at that step, scores in those of a fresh read of a plain function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.query.hosted.whose import WHOSE, is_theirs
from ccos_core.query.hosted.why import AgentWhy, agent_why
from ccos_core.query.leaving import Witness
from ccos_core.query.question import BOTH, THEIRS, Argument, Question
from ccos_core.query.telling import Told
from ccos_core.query.whereby import Telling
from ccos_core.query.why_rows import why_rows
from ccos_core.query.windows import window_at
from ccos_core.replay.journal import GONE
from ccos_core.replay.measure import Gauge, Reads
from ccos_core.replay.residency.entries import rows_of
from ccos_core.replay.residency.lens import WORKING_SET, Watched, watched
from ccos_core.replay.residency.runs import STATES, WITHIN, InWorkingSet
from ccos_core.state.heat import BITS
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import ANCHOR, AWAY, NORMAL, PINNED
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import tokens
from ccos_core.window.linearize import DEFAULT_BUDGET

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.replay.residency.order import Look
    from ccos_core.replay.timeline import Timeline

MOST_OPS = 4
"""Ops told of each cause."""
TIERS = {PINNED: "pinned", ANCHOR: "fails here", NORMAL: "warm", AWAY: "sent away", GONE: "gone"}


@dataclass(frozen=True, slots=True)
class Given:
    """An op that gave heat, or took it."""

    op: Told
    moved: int
    """How much, in hundredths of a read."""


@dataclass(frozen=True, slots=True)
class Heat:
    """What one cause makes of a node's heat."""

    cause: str
    """`read`, `edit`, `engaged` or `failure`."""

    reads: int
    """How much is left of it, in hundredths of a read."""

    ops: tuple[Given, ...]
    """What most of it comes from, the most first, ..."""

    more: int
    """... and how many ops it comes from besides."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another node in the order."""

    node: str
    rank: int
    tier: str
    """`pinned`, `fails here` or `warm`; the first stand above the second, and these above the third."""

    score: int
    tokens: int
    """What it takes to show it at all, the header of its file aside."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a node stands in the order of the working set."""

    node: str
    """Which node: of a file that of it which stands highest."""

    tier: str
    """`pinned`, `fails here`, `warm`, `sent away`, `gone`; `cold` where it never was warm, or nothing is left of it."""

    score: int
    best: int
    """The best score of all."""

    least: int
    """The stop rule: a score below this is too small a part of the best one's, whatever the budget."""

    rank: int | None
    """Its place, from 1; nothing where it is no candidate."""

    candidates: int
    """How many have one."""

    members: int
    """How many of them are in, ..."""

    tokens: int
    """... and what they take as they come in; the rest of the budget shows them more fully."""

    entry: int | None
    """The smallest budget at which it is in."""

    short: int
    """How many tokens larger than the budget that is; 0 where it is in, or no candidate."""

    last_in: Neighbour | None
    """The last of those who are in, with whom it competes."""

    above: Neighbour | None
    below: Neighbour | None


@dataclass(frozen=True, slots=True)
class Shown:
    """How a window shows a node."""

    level: str
    """`name`, `signature`, `skeleton` or `body`."""

    tokens: int
    """What its lines take."""

    reason: str
    """Why it is there, in the window's words."""


@dataclass(frozen=True, slots=True)
class SuggestedWhy:
    """Why a node is in a suggested window, or not."""

    lens: str
    budget: int
    state: str
    """`unborn`, `in`, `partial`, `out`, `gone`, ..."""

    shown: Shown | None
    """How it is shown, where it is in itself."""

    standing: Standing | None
    """Where it stands; None of lenses that have no order."""

    heats: tuple[Heat, ...]
    """What its heat comes from, the most first."""

    known_by: Told | None
    """The op by which its file became what it is."""


@dataclass(frozen=True, slots=True)
class Why:
    """The answer to `why`: about a suggested window, about the agent's, or about both."""

    schema: ClassVar[str] = "ccos.why/2"
    node: str
    at: int
    """The step it is asked about."""

    suggested: SuggestedWhy | None
    agent: AgentWhy | None

    def as_rows(self, view: View) -> list[Row]:
        return why_rows(self, view)


def why(
    timeline: Timeline,
    at: int,
    *,
    node: str,
    lens: str,
    budget: int,
    progress: Callable[[int, int], None],
    session: str | None = None,
    context: str | None = None,
) -> Why:
    """Tell why a node is in a window, or not."""
    name, suggested, agent = node, None, None
    if not is_theirs(lens) or lens == BOTH:
        own = WORKING_SET if lens == BOTH else lens
        name, suggested = _suggested(timeline, at, node=node, lens=own, budget=budget, progress=progress)
    if is_theirs(lens):
        name, agent = agent_why(timeline, at, node=node, lens=lens, session=session, context=context)
    return Why(name, at, suggested, agent)


def _suggested(
    timeline: Timeline, at: int, *, node: str, lens: str, budget: int, progress: Callable[[int, int], None]
) -> tuple[str, SuggestedWhy]:
    seen = watched(timeline, node, lens, at, progress)
    state = int(seen.residency.states(budget, at, at)[0])
    standing = None
    if isinstance(seen.residency, InWorkingSet):
        standing = _standing(timeline, seen.residency, budget, at)
    name = seen.name(at)
    return name, SuggestedWhy(
        lens=lens,
        budget=budget,
        state=STATES[state],
        shown=_shown(timeline, at, name, lens, budget) if state in WITHIN else None,
        standing=standing,
        heats=_heats(timeline, seen, at),
        known_by=_known_by(timeline, name, at),
    )


def _shown(timeline: Timeline, at: int, node: str, lens: str, budget: int) -> Shown | None:
    window = window_at(timeline, at, lens, budget)
    return next((Shown(item.level, item.tokens, item.reason) for item in window.items if item.uri == node), None)


def _known_by(timeline: Timeline, node: str, at: int) -> Told | None:
    version = timeline.sources.at(path_of(node) or "", timeline.at(at).last)
    return Telling(timeline).at(version.step) if version is not None else None


# ---- where it stands ----


def _standing(timeline: Timeline, residency: InWorkingSet, budget: int, at: int) -> Standing:
    witness, journal = Witness(timeline, residency, budget), timeline.journal
    now, look = witness.standing(at), witness.look(at)
    members, reads = look.members(budget), Gauge(journal).at(at)
    row = int(residency.highest.row[at])
    best = int(journal.steps["best"][at - 1]) if at else 0
    score = int(journal.changes["score"][row]) if row >= 0 else 0
    others = [_neighbour(timeline, look, reads, place) for place in _places(now.at, members, len(look.nodes))]
    return Standing(
        node=now.node,
        tier=_tier(timeline, row, score),
        score=reads.of_score(score),
        best=reads.of_score(best),
        least=reads.of_score(max(best - (timeline.at(at).rules.caps["stop"] << BITS), 0)),
        rank=now.rank,
        candidates=len(look.nodes),
        members=members,
        tokens=look.taken(members),
        entry=now.entry,
        short=max(now.entry - budget, 0) if now.entry is not None else 0,
        last_in=others[0],
        above=others[1],
        below=others[2],
    )


def _places(at: int | None, members: int, size: int) -> list[int | None]:
    """The positions of the last member, and of those above and below, where there are any."""
    last = members - 1 if members else None
    if at is None:
        return [last, None, None]
    return [last, at - 1 if at else None, at + 1 if at + 1 < size else None]


def _neighbour(timeline: Timeline, look: Look, reads: Reads, at: int | None) -> Neighbour | None:
    if at is None:
        return None
    changes, row = timeline.journal.changes, int(look.rows[at])
    return Neighbour(
        node=timeline.journal.name(int(look.nodes[at])),
        rank=at + 1,
        tier=TIERS[int(changes["tier"][row])],
        score=reads.of_score(int(changes["score"][row])),
        tokens=tokens(int(look.costs[at])),
    )


def _tier(timeline: Timeline, row: int, score: int) -> str:
    tier = int(timeline.journal.changes["tier"][row]) if row >= 0 else NORMAL
    return "cold" if tier == NORMAL and not score else TIERS[tier]


# ---- what made it warm ----


def _heats(timeline: Timeline, seen: Watched, at: int) -> tuple[Heat, ...]:
    journal, last = timeline.journal, timeline.at(at).last
    rows = np.concatenate([_rows(timeline, name.node, name.first, min(name.last, last)) for name in seen.names])
    reads, telling = Gauge(journal).at(at), Telling(timeline)
    found = []
    for code, cause in enumerate(CAUSES):
        mine = rows[journal.changes["cause"][rows] == code]
        left = reads.column(cause, journal.changes["value"][mine])
        moved = np.diff(left, prepend=0)
        most = [each for each in np.lexsort((-mine, -np.abs(moved))).tolist() if moved[each]]
        ops = [
            Given(telling.of(int(journal.stamps[mine[each]]), seen.name(at)), int(moved[each]))
            for each in most[:MOST_OPS]
        ]
        if len(left) and left[-1]:
            found.append(Heat(cause, int(left[-1]), tuple(ops), max(len(most) - MOST_OPS, 0)))
    return tuple(sorted(found, key=lambda heat: -heat.reads))


def _rows(timeline: Timeline, node: str, first: int, last: int) -> np.ndarray:
    """The changes of a name between two steps, in order."""
    journal = timeline.journal
    rows = np.asarray(rows_of(journal, journal.id(node))[::-1], np.int64)
    steps = journal.stamps[rows]
    return rows[(steps >= first) & (steps <= last)]


QUESTION = Question(
    ask=why,
    answers=(Why,),
    example="why src/db.py#load @40",
    arguments=(
        Argument("node", "node", "file or symbol", required=True),
        Argument("lens", "lens", "which window", default=WORKING_SET, flag=True, further=THEIRS),
        Argument("budget", "budget", "size of the window", default=DEFAULT_BUDGET, flag=True),
        *WHOSE,
    ),
    about="`cause NODE` lists the steps that changed its score; `provenance NODE` lists where it was recorded.",
    needs=("progress",),
)
