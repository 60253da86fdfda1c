"""`cause NODE`: which ops moved a node most, over all of its life: its change points, not just where it came up.

An op is ranked by how much it changed the node's score, as the window counts it: one that was sent away, or is gone,
counts nothing. It is told in reads of the step itself: 1.00 is what a fresh read of that node gave then, so an op
is measured by what it was at its time, and not by what is left of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ccos_core.present.cells import clip_path
from ccos_core.present.parts import CAUSES as CAUSE_WORDS
from ccos_core.present.parts import and_more, node_name, op_link, signed
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, note, table, title
from ccos_core.present.words import count
from ccos_core.query.question import Argument, Question
from ccos_core.query.telling import Told
from ccos_core.query.whereby import Telling
from ccos_core.replay.journal import GONE, NO_CAUSE
from ccos_core.replay.measure import Gauge
from ccos_core.replay.renames import Name, Renames, renames
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import ANCHOR, AWAY, NORMAL, PINNED

if TYPE_CHECKING:
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

LIMIT = 8
"""Ops that are listed by default."""
BECAME = {PINNED: "pinned", ANCHOR: "fails here", AWAY: "sent away", GONE: "gone"}
CEASED = {PINNED: "let go", ANCHOR: "works again", AWAY: "called back", GONE: "back", NORMAL: ""}
"""What a node becomes beside warmer or colder, and what it ceases to be."""
LONGEST_OP = 50
"""Columns of an op."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one cause has to do with it."""

    cause: str
    """`read`, `edit`, `engaged` or `failure`."""

    moved: int
    """Heat that came, less what went, in hundredths of a read; not counting what the node is worth by itself."""


@dataclass(frozen=True, slots=True)
class Change:
    """An op that moved the node."""

    op: Told
    moved: int
    """By how much its score changed, in hundredths of a read of it at that step."""

    score: int
    """What it was then, in the same measure."""

    causes: tuple[Share, ...]
    became: str
    """`pinned`, `fails here`, `sent away`, `gone`, or that this is over: `let go`, `works again`, `called back`,
    `back`."""

    rank_before: int | None
    """Its place in the order of the working set before, from 1; none where it had none."""

    rank: int | None
    """Its place after."""


@dataclass(frozen=True, slots=True)
class Total:
    """All that one cause did, over all of the node's life."""

    cause: str
    ops: int
    gained: int
    """The sum of what its ops gave, each in reads of its own step, in hundredths, ..."""

    lost: int
    """... and of what they took."""


@dataclass(frozen=True, slots=True)
class CauseOf:
    """The answer to `cause`."""

    schema: ClassVar[str] = "ccos.cause/1"
    node: str
    at: int
    """Its life is told up to this step."""

    was: tuple[str, ...]
    """Names it had before, the last first."""

    totals: tuple[Total, ...]
    changes: tuple[Change, ...]
    """What moved it most, the most first; of equals what came last."""

    more: int
    """Ops that moved it besides."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return _rows(self, view)


def cause(timeline: Timeline, at: int, *, node: str, limit: int) -> CauseOf:
    """What moved a node up to a step."""
    last = timeline.at(at).last
    names = Renames(renames(timeline, 0, last)).names(node, last)
    found = list(_turns(timeline.journal, names))
    ranked = sorted(found, key=lambda turn: (-abs(turn.moved), -turn.step))
    some, telling = ranked[: limit or None], Telling(timeline)
    return CauseOf(
        node=node,
        at=at,
        was=tuple(name.node for name in names[1:]),
        totals=tuple(_totals(found)),
        changes=tuple(_change(turn, telling) for turn in some),
        more=len(ranked) - len(some),
    )


class _Turn(NamedTuple):
    """A step at which a node became another."""

    step: int
    node: str
    """Its name then, ..."""
    was: str
    """... and just before."""
    moved: int
    score: int
    causes: tuple[int, ...]
    tiers: tuple[int, int]


def _turns(journal: Journal, names: Sequence[Name]) -> Iterator[_Turn]:
    gauge, changes = Gauge(journal), journal.changes
    heats, score, tier, prior = [0] * len(CAUSES), 0, NORMAL, 0
    for name, step, is_named, rows in _steps(journal, names):
        reads, now = gauge.at(step), [0] * len(CAUSES) if is_named else list(heats)
        for row in rows:
            if changes["cause"][row] != NO_CAUSE:
                now[changes["cause"][row]] = int(changes["value"][row])
        tier_now, prior_now = int(changes["tier"][rows[-1]]), int(changes["prior"][rows[-1]])
        score_now = int(changes["score"][rows[-1]]) if tier_now < AWAY else 0
        each = tuple(new - old for new, old in zip(reads.each(now), reads.each(heats), strict=True))
        counted = reads.of_score(score_now, prior_now or prior)
        moved = counted - reads.of_score(score, prior_now or prior)
        if moved or any(each) or tier != tier_now:
            yield _Turn(step, name, _called(journal, names, step - 1), moved, counted, each, (tier, tier_now))
        heats, score, tier, prior = now, score_now, tier_now, prior_now or prior


def _steps(journal: Journal, names: Sequence[Name]) -> Iterator[tuple[str, int, bool, list[int]]]:
    """(name, step, whether it got the name then, rows of the journal) of each step at which something was noted of a
    node, in order. With a name comes all that was ever noted under it: a file that takes the place of another gets the
    heat of both, and where its own was none, nothing is noted then."""
    ends = journal.steps["rows"]
    for name in reversed(names):
        rows = journal.history(journal.id(name.node))
        steps = np.searchsorted(ends, rows, side="right") + 1
        first, behind = _moment(journal, name.first), _moment(journal, name.last + 1)
        if first >= behind:
            continue
        came = first if name is not names[-1] else 0
        found: dict[int, list[int]] = {}
        for step, row in zip(np.maximum(steps, came).tolist(), rows.tolist(), strict=True):
            if first <= step < behind:
                found.setdefault(step, []).append(row)
        yield from ((name.node, step, step == came, each) for step, each in found.items())


def _called(journal: Journal, names: Sequence[Name], step: int) -> str:
    """What the node was called once a step was over."""
    return next((name.node for name in names if _moment(journal, name.first) <= step), names[-1].node)


def _moment(journal: Journal, step: int) -> int:
    """The first step of the moment a step belongs to."""
    return int(journal.steps["look"][step - 1]) or step if 1 <= step <= journal.head else step


def _change(turn: _Turn, telling: Telling) -> Change:
    journal, (before, now) = telling.timeline.journal, turn.tiers
    return Change(
        op=telling.of(turn.step, turn.node),
        moved=turn.moved,
        score=turn.score,
        causes=tuple(Share(each, moved) for each, moved in zip(CAUSES, turn.causes, strict=True) if moved),
        became=(BECAME.get(now) or CEASED[before]) if before != now else "",
        rank_before=rank(journal, turn.step - 1, turn.was),
        rank=rank(journal, journal.last_moment(turn.step), turn.node),
    )


def _totals(found: Sequence[_Turn]) -> Iterator[Total]:
    for at, each in enumerate(CAUSES):
        moved = [turn.causes[at] for turn in found if turn.causes[at]]
        if moved:
            gained = sum(more for more in moved if more > 0)
            yield Total(each, len(moved), gained, sum(moved) - gained)


def rank(journal: Journal, step: int, node: str) -> int | None:
    """A node's place in the order of the working set, from 1; None where it may not be in at all."""
    rows, changes, number = journal.latest(step), journal.changes, journal.id(node)
    rows = rows[changes["tier"][rows] < AWAY]
    tiers, scores, nodes = (changes[name][rows] for name in ("tier", "score", "node"))
    mine = np.nonzero(nodes == number)[0]
    if not len(mine):
        return None
    tier, score = tiers[mine[0]], scores[mine[0]]
    if not score and tier == NORMAL:
        return None
    equals: Numbers = nodes[(tiers == tier) & (scores == score)]
    before = sum(journal.name(int(each)) < node for each in equals)
    return 1 + before + int(np.count_nonzero((tiers < tier) | ((tiers == tier) & (scores > score))))


# ---- its rows ----


def _rows(answer: CauseOf, view: View) -> list[Row]:
    """The sum of each cause, then the ops one by one."""
    at = f"up to step {answer.at:,}"
    rows = [title(clip_path(node_name(answer.node), max(view.width - len(at) - 2, 8)), right=[Span(at, "quiet")])]
    if answer.was:
        rows.append(note(f"  was {', '.join(map(node_name, answer.was))}"))
    if not answer.changes:
        return [*rows, note("  Nothing has moved it: it was never warm.")]
    totals = "; ".join(map(_total_words, answer.totals)) or "no heat of its own"
    rows.append(Row((Span(f"  {totals}  "), Span("in reads: 1.00 is a read of it at that step", "quiet"))))
    leads = [Moment(each.op.step) for each in answer.changes]
    return [*rows, *table(list(map(_cells, answer.changes)), right=[0], leads=leads), *and_more(answer.more, "op")]


def _total_words(total: Total) -> str:
    lost = f" and {signed(total.lost)}" if total.lost else ""
    return f"{CAUSE_WORDS[total.cause]} {signed(total.gained)}{lost} in {count(total.ops, 'op')}"


def _cells(change: Change) -> tuple[Part, ...]:
    causes = ", ".join(filter(None, (clean(change.became), *(CAUSE_WORDS[each.cause] for each in change.causes))))
    before, after = (f"{rank:,}" if rank is not None else "none" for rank in (change.rank_before, change.rank))
    ranks = f"rank {before} → {after}" if before != after else f"rank {after}"
    moved = Span(signed(change.moved), "entered" if change.moved >= 0 else "left")
    return moved, causes or "its own worth", Span(ranks, "quiet"), op_link(change.op, LONGEST_OP)


QUESTION = Question(
    ask=cause,
    answers=(CauseOf,),
    example="cause src/db.py#load",
    arguments=(
        Argument("node", "node", "file or symbol", required=True),
        Argument("limit", "count", "steps to list; 0 lists all", default=LIMIT, flag=True),
    ),
    nothing=lambda answer: not answer.changes,
    about="The unit is one fresh read: +1.00 is what reading the node would have added at that step. A file does "
    "not include its symbols here.",
)
