"""`pressure`: how full the agent's window is, as its program counted, and what it should do about it.

Thresholds are upper bounds: low below .5, medium below .7, high below .85, critical from there on; from .95 on a
compaction is imminent. They are shares of the window, or of the tokens at which this context was compacted last. A
level falls only when the window is five points below the threshold that it passed, so the level at a step depends on
the way there.

    pressure(timeline, at, ...).level    # "high"
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ccos_core.present.parts import bar, fact
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, title
from ccos_core.query.candidates import Candidate, candidate_row, ordered_candidates
from ccos_core.query.composition_columns import Balance
from ccos_core.query.documents import context_policy
from ccos_core.query.hosted.item_names import read_ops
from ccos_core.query.hosted.rows import whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.question import HOST, Question
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.measure import CUTS
from ccos_core.values.models import LONG_WINDOW, window_of

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

LEVELS = ("low", "medium", "high", "critical")
THRESHOLDS = (500, 700, 850, 950)
"""Thousandths of the window: the upper bounds of low, medium and high, and where a compaction is imminent."""
BUFFER = 50  # thousandths
THOUSAND = 1_000
CONTEXT_MAX = 200_000
"""Tokens of a window of which neither the program nor the model's name says how large it is."""
MOST_CANDIDATES = 5
ADVICE = {
    "low": "none",
    "medium": "switch to the dense map (level 2)",
    "high": "page out what gets little attention",
    "critical": "evict now",
}
IMMINENT = "evict now: a compaction is imminent"
COUNTED, ESTIMATED = "counted", "estimated"
GAUGE_CELLS = 40


class Sample(NamedTuple):
    """How full a window was from a step on."""

    step: int
    used: int
    limit: int
    counted: bool
    """Whether its program counted them; else the window was cut without a count."""
    compacts_at: int = 0
    """Tokens at which it was compacted last; 0 if it never was by itself."""

    @property
    def room(self) -> int:
        """Tokens it can fill before it is compacted, as far as known."""
        return self.compacts_at or self.limit

    @property
    def utilization(self) -> int:
        """In thousandths of its room."""
        return self.used * THOUSAND // self.room


@dataclass(frozen=True, slots=True)
class Pressure:
    """The answer to `pressure`."""

    schema: ClassVar[str] = "ccos.pressure/1"
    at: int
    whose: Whose
    level: str
    """`low`, `medium`, `high` or `critical`."""

    utilization: int
    """In thousandths of `compacts_at`, or of the whole window where that isn't known."""

    context_used: int
    """Tokens."""

    context_max: int
    """Tokens of the whole window."""

    compacts_at: int | None
    """Tokens at which the context was compacted last, by itself; None if it never was up to there."""

    left: int
    """Tokens until it is compacted, or its window is full."""

    recommended_action: str
    """`none` if nothing has to be done."""

    eviction_candidates: tuple[Candidate, ...]
    """What could be dropped first, at most five."""

    source: str
    """`counted` by the agent's program, or `estimated` from what is recorded."""

    as_of: int
    """The step of that count; of an estimate the step itself."""

    managed: int
    """Tokens of all texts in the window that are recorded, summaries included, as we estimate them."""

    policy: str
    """In which order candidates come."""

    since: int
    """The step since when it has this level."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Show a gauge with its thresholds, then the candidates."""
        share = f"{self.utilization // 10}.{self.utilization % 10} %"
        used = f"{self.context_used:,} of {self.compacts_at or self.context_max:,} tokens"
        rows = [title(f"pressure {self.level} at step {self.at:,}: {used}, {share}"), gauge_row(self)]
        rows += [note(whose_words(self.whose)), fact("do", clean(self.recommended_action))]
        how = f"counted at step {self.as_of:,}" if self.source == COUNTED else "estimated; the program never said it"
        rows += [row(Span(f"{how}; {self.level} since step {self.since:,}", "quiet"), leads=Moment(self.since))]
        if self.compacts_at is not None:
            rows += [note(f"last compacted at {self.compacts_at:,} tokens, so about {self.left:,} are left")]
        rows += [heading(f"What could be dropped first ({clean(self.policy)})")] if self.eviction_candidates else []
        return [*rows, *(candidate_row(each, view) for each in self.eviction_candidates)]


def gauge_row(answer: Pressure) -> Row:
    """Return a bar of how full the window is, with the thresholds marked in it."""
    cells = bar(min(answer.utilization, THOUSAND), THOUSAND, GAUGE_CELLS).rstrip().ljust(GAUGE_CELLS, "·")
    marks = {threshold * GAUGE_CELLS // THOUSAND for threshold in THRESHOLDS}
    shown = "".join("│" if at in marks and cell == "·" else cell for at, cell in enumerate(cells))
    role = {"low": "good", "medium": "", "high": "changed", "critical": "bad"}[answer.level]
    return row("  ", Span(shown, role, ""), Span("  .5 .7 .85 .95", "quiet", ""))


def pressure(timeline: Timeline, at: int, session: str | None, context: str | None) -> Pressure:
    """Tell how full a context's window is at a step."""
    number, whose = chosen(timeline, at, HOST, session, context)
    return pressure_at(timeline, at, number, whose)


def pressure_at(timeline: Timeline, at: int, context: int, whose: Whose) -> Pressure:
    """Tell how full the window of the context with this number is at a step."""
    candidates, policy = ordered_candidates(timeline, at, context)
    course = samples(timeline, context, at)
    balance = Balance(timeline, context)
    thresholds, limit = in_force(timeline, at)
    last = course[-1] if course else Sample(0, 0, limit, False)
    is_counted = last.counted
    if not is_counted:
        last = last._replace(step=at, used=balance.tokens(at))
        course = [*course, last]
    numbers = levels(course, thresholds)
    turned = max((at for at in range(1, len(numbers)) if numbers[at] != numbers[at - 1]), default=0)
    level, utilization = LEVELS[numbers[-1]], last.utilization
    return Pressure(
        at=at,
        whose=whose,
        level=level,
        utilization=utilization,
        context_used=last.used,
        context_max=last.limit,
        compacts_at=last.compacts_at or None,
        left=max(0, last.room - last.used),
        recommended_action=IMMINENT if utilization >= thresholds[-1] else ADVICE[level],
        eviction_candidates=tuple(candidates[:MOST_CANDIDATES]),
        source=COUNTED if is_counted else ESTIMATED,
        as_of=last.step,
        managed=int(balance.known(np.array([at])).sum()),
        policy=policy,
        since=course[turned].step,
    )


def samples(timeline: Timeline, context: int, at: int) -> list[Sample]:
    """Return what a program counted up to a step, and where its window was cut, in order."""
    steps = timeline.journal.steps
    kinds, tokens = steps["kind"][:at], steps["tokens"][:at]
    mine = steps["context"][:at] == context
    is_count = (kinds == KIND_CODES["usage"]) & (tokens > 0)
    found = (np.flatnonzero(mine & (is_count | np.isin(kinds, CUTS))) + 1).tolist()
    return list(_sampled(read_ops(timeline, found), in_force(timeline, at)[1]))


def in_force(timeline: Timeline, at: int) -> tuple[Sequence[int], int]:
    """Return the thresholds in force at a step, and the size of a window whose program doesn't say it."""
    told = context_policy(timeline, at).get("pressure", {})
    return told.get("thresholds", THRESHOLDS), told.get("context_max", CONTEXT_MAX)


def levels(course: Iterable[Sample], thresholds: Sequence[int] = THRESHOLDS) -> list[int]:
    """Return the number of the level after each sample."""
    level, found = 0, []
    for each in course:
        level = next_level(level, each.utilization, thresholds)
        found.append(level)
    return found


def next_level(level: int, utilization: int, thresholds: Sequence[int] = THRESHOLDS) -> int:
    """Return the level that follows a level when the window is so full, in thousandths."""
    reached = bisect_right(thresholds[: len(LEVELS) - 1], utilization)
    while level > reached and utilization < thresholds[level - 1] - BUFFER:
        level -= 1
    return max(level, reached)


# ---- helpers ----


def _sampled(ops: dict[int, Plain], limit: int) -> Iterable[Sample]:
    used = compacts_at = 0
    for step, op in sorted(ops.items()):
        if op["kind"] != "usage":
            before = op.get("before", used)
            if op.get("trigger") == "auto" and limit // 2 <= before <= limit:  # else it was another model's window
                compacts_at = before
            used = op.get("after", 0)
            yield Sample(step, used, limit, "after" in op, compacts_at)
            continue
        used = op["window"]
        limit = op.get("limit") or window_of(op.get("model", "")) or limit
        if used > limit:
            limit = max(LONG_WINDOW, used)  # the model's longer window, which no transcript names
        compacts_at = max(compacts_at, used) if limit // 2 <= compacts_at <= limit else 0
        yield Sample(step, used, limit, True, compacts_at)


QUESTION = Question(
    ask=pressure,
    answers=(Pressure,),
    example="pressure @40",
    arguments=WHOSE,
    about="The level falls only five points below the threshold it passed. It advises; the agent decides.",
)
