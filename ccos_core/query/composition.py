"""`composition`: what fills the agent's window, by kind; how it grew; what in it is dead weight.

The parts add up to what the agent's program counted: what isn't explained is a part of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.query.composition_columns import Balance
from ccos_core.query.composition_rows import composition_rows
from ccos_core.query.dead_weight import DeadWeight, dead_weight
from ccos_core.query.hosted.item_kinds import KINDS
from ccos_core.query.hosted.item_names import ItemName, item_names
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.question import HOST, Argument, Question

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.replay.timeline import Timeline

LIMIT = 8
SYSTEM, RESTORED, LEFT, REST = "system", "restored", "left", "rest"
PARTS = (SYSTEM, RESTORED, *KINDS, LEFT, REST)
"""All parts, in the order in which they are listed and stacked."""
ITEM_OF = {"text": "text", "thinking": "thought", "summary": "summary", "prompt": "prompt", "note": "prompt"}
"""Kind → the beginning of its items' ids; all others are results."""


@dataclass(frozen=True, slots=True)
class WindowPart:
    """What one kind of thing takes."""

    kind: str
    """`system` (the system prompt and tools), `restored` (brought back after a compaction), a kind of item as in
    `recall`, `left` (gone, as the count fell without a compaction), `rest` (not explained)."""

    tokens: int
    """Below 0 of `left`, and of `rest` where our sizes are too large."""

    items: int
    """How many there are; 0 of parts that are inferred."""

    inferred: bool
    """Whether it is what the program counted beyond what is recorded."""


@dataclass(frozen=True, slots=True)
class Growth:
    """The window grew from one count to the next."""

    step: int
    """The step of the later count."""

    since: int
    """The step of the earlier one."""

    tokens: int
    """By how much, as it was counted; ..."""

    known: int
    """... and how much of that is recorded."""

    item: str
    """The largest item that came: its id, as in `recall`; empty where none did."""

    says: str
    """What that is called."""


@dataclass(frozen=True, slots=True)
class Course:
    """What filled the window over the whole session, in columns."""

    begins: tuple[int, ...]
    """The first step of each column."""

    kinds: tuple[str, ...]
    """The parts that ever were more than nothing."""

    tokens: tuple[tuple[int, ...], ...]
    """For each of these kinds, the tokens at the end of each column."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The answer to `composition`."""

    schema: ClassVar[str] = "ccos.composition/1"
    whose: Whose
    step: int
    head: int
    counted: int | None
    """The step of the count it is about; None where the program never counted since the window was cut, so that the
    parts are an estimate."""

    tokens: int
    """What was counted, or is estimated, as in `pressure`; the parts add up to it."""

    capacity: int | None
    """How many tokens the window can hold, where the program said so."""

    scale: int
    """Percent: how many tokens the program counts for a hundred of our estimate. Sizes of recorded parts are scaled by
    it."""

    samples: int
    """Large results that was measured on; 0 where the estimate stands as it is."""

    parts: tuple[WindowPart, ...]
    since: int
    """Tokens known to have come after the count."""

    growth: tuple[Growth, ...]
    """Where the window grew most since it was cut, the largest first."""

    dead: DeadWeight | None
    """What could be left out; None where only columns were asked for."""

    course: Course | None
    """None unless columns were asked for."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return composition_rows(self, view)


def composition(
    timeline: Timeline, at: int, *, limit: int, columns: int, session: str | None, context: str | None
) -> Composition:
    """Tell what fills a context's window at a step."""
    number, whose = chosen(timeline, at, HOST, session, context)
    balance = Balance(timeline, number)
    moments = np.array([at], np.int64)
    count = int(balance.last_counts(moments)[0])
    moment = count or at
    filled = balance.at(moments)
    op = timeline.op(count) if count else {}
    known_now, known_then = (int(balance.known(np.array([each], np.int64)).sum()) for each in (at, moment))
    return Composition(
        whose=whose,
        step=at,
        head=timeline.head,
        counted=count or None,
        tokens=int(filled.counted[0]),
        capacity=op.get("limit"),
        scale=balance.scale.percent,
        samples=balance.scale.samples,
        parts=tuple(_parts(balance, moment, filled.stacked[0].tolist())),
        since=known_now - known_then,
        growth=() if columns else tuple(_growth(timeline, balance, moment, limit)),
        dead=None if columns else dead_weight(timeline, balance, at, limit),
        course=_course(timeline, balance, columns) if columns else None,
    )


def _parts(balance: Balance, moment: int, tokens: Sequence[int]) -> list[WindowPart]:
    """All that are there, in their order."""
    items = balance.items(moment)
    numbers = dict(zip(KINDS, items, strict=True))
    found = [
        WindowPart(kind, taken, numbers.get(kind, 0), kind not in KINDS)
        for kind, taken in zip(PARTS, tokens, strict=True)
    ]
    return [part for part in found if part.tokens or part.items]


def _growth(timeline: Timeline, balance: Balance, moment: int, limit: int) -> list[Growth]:
    counts = balance.counts_since_cut(moment)
    if len(counts) < 2:
        return []
    sizes = timeline.journal.steps["tokens"][counts - 1]
    known = balance.known(counts).sum(axis=1)
    grew, recorded = np.diff(sizes), np.diff(known)
    order = np.argsort(-grew, kind="stable")[: limit or None]
    order = order[grew[order] > 0]
    items = {int(each): _largest(balance, int(counts[each]), int(counts[each + 1])) for each in order}
    names = item_names(timeline, [item for item in items.values() if item])
    return [
        Growth(
            step=int(counts[each + 1]),
            since=int(counts[each]),
            tokens=int(grew[each]),
            known=int(recorded[each]),
            item=items[int(each)],
            says=_says(names, items[int(each)]),
        )
        for each in order
    ]


def _says(names: dict[str, ItemName], item: str) -> str:
    return names[item].says if item in names else ""


def _largest(balance: Balance, since: int, step: int) -> str:
    """The id of the largest item that came between two counts."""
    window = slice(since - 1, step)
    taken = np.where(balance.mine[window], balance.texts.tokens[window] + balance.texts.calls[window], 0)
    if not taken.any():
        return ""
    at = since + int(np.argmax(taken))
    kind = KINDS[int(balance.texts.kinds[at - 1])]
    return f"{ITEM_OF.get(kind, 'result')}:{at}"


def _course(timeline: Timeline, balance: Balance, columns: int) -> Course:
    size = timeline.head
    count = min(columns, size)
    offsets = np.arange(count, dtype=np.int64) * size // max(count, 1)
    ends = np.append(offsets[1:], size)
    tokens = balance.at(ends).stacked
    there = [place for place in range(len(PARTS)) if tokens[:, place].any()]
    return Course(
        begins=tuple((offsets + 1).tolist()),
        kinds=tuple(PARTS[place] for place in there),
        tokens=tuple(tuple(tokens[:, place].tolist()) for place in there),
    )


QUESTION = Question(
    ask=composition,
    answers=(Composition,),
    example="composition @40",
    arguments=(
        Argument("limit", "count", "growths and dead items to list; 0 lists all", default=LIMIT, flag=True),
        Argument("columns", "count", "instead, the course over the session in this many columns", default=0, flag=True),
        *WHOSE,
    ),
    nothing=lambda answer: not answer.parts,
    about="The parts add up to what the agent's program counted. What it never told is inferred from its counts: the "
    "system prompt and tools from the first one. Dead weight is what was delivered and not used again, or what a later "
    "read or edit replaced.",
)
