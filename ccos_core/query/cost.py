"""`cost`: what a session cost at list prices, by model and context, its dearest turns, and what the agent's program
says itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.present.cells import clip, wrap
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row, table, title
from ccos_core.present.words import clipped, count, visible
from ccos_core.query.contexts import MAIN, Context, contexts_of, meant
from ccos_core.query.hosted.item_names import read_ops
from ccos_core.query.hosted.whose import WHOSE
from ccos_core.query.question import Question
from ccos_core.query.step_groups import described
from ccos_core.query.step_outline import Outline, outline_of
from ccos_core.replay.codes import KIND_CODES
from ccos_core.values.prices import MILLION, Prices

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.timeline import Timeline

NO_MODEL = "model not recorded"
MODEL_COLUMNS, CONTEXT_COLUMNS = 32, 18
LONGEST_NAME = 200
DEAREST = 5
"""Turns that are named."""
NARROWEST = 16
WRITTEN = {"turn": "said", "thought": "said", "tool": "arguments"}
"""Kind of op → its field that the model wrote."""
MOST_BYTES = 8
"""Bytes of recorded text for each written token that an honest count can have; recordings have 1.4 to 2.0 of these, and
17 where only the begin of each answer was counted."""
CENT = 10_000
"""Millionths of a dollar."""


@dataclass(frozen=True, slots=True)
class CostRow:
    """What one context spent on one model."""

    model: str
    """As the agent's program names it; empty if it doesn't."""

    host: str
    session: str
    context: str
    """A subagent's name; empty for the main thread."""

    requests: int
    """How many answers of the model the agent's program counted tokens for."""

    fresh: int
    """Tokens that came neither from a cache nor went into one."""

    cached: int
    """Tokens read from a cache."""

    stored: int
    """Tokens written to a cache; ..."""

    stored_hour: int
    """... of these, kept for an hour."""

    written: int
    """Tokens that the model wrote; ..."""

    thinking: int
    """... of these, thinking, as far as it is told."""

    micros: int | None
    """The cost at list prices, in millionths of a dollar; None if the model has no price in the table."""

    told: int | None
    """What the agent's program says it cost, in the same unit; None if it says nothing."""


@dataclass(frozen=True, slots=True)
class TurnCost:
    """What the requests between two prompts of the user cost, subagents included."""

    step: int
    """The step of the prompt; 0 for what came before the first one."""

    says: str
    """The prompt, on one line."""

    requests: int
    """How many answers of a model it took."""

    micros: int
    """What those cost that have a price, in millionths of a dollar."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The answer to `cost`."""

    schema: ClassVar[str] = "ccos.cost/2"
    at: int
    """Requests up to this step are counted."""

    micros: int | None
    """The cost of all that has a price, in millionths of a dollar; null if nothing has one."""

    main: int
    """How much of it the main threads spent; subagents spent the rest."""

    told: int | None
    """What the agent's program says it cost, where it says so."""

    requests: int
    """Of all rows."""

    unpriced: int
    """Requests of models without a price."""

    prices: str
    """The date of the table of prices."""

    source: str
    """The file of the prices; empty for those of this program."""

    rows: tuple[CostRow, ...]
    """By context and model, in the order in which they came up."""

    turns: tuple[TurnCost, ...]
    """The turns that cost most, the dearest first."""

    undercounted: bool = False
    """Whether the agent's program counted far fewer written tokens than the recorded text has, as one does that counts
    where an answer begins: it cost more than this."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each context and model."""
        if not self.rows:
            return [title(f"no tokens were counted up to step {self.at:,}")]
        return [title(_headline(self)), *_spent_rows(self, view), *_turn_rows(self, view), *_notes(self, view)]


def cost(timeline: Timeline, at: int, session: str | None, context: str | None, *, prices: Prices) -> Cost:
    """Add up what the requests up to step `at` cost."""
    every, outline = contexts_of(timeline), outline_of(timeline)
    spent: dict[tuple[int, str], _Spent] = {}
    turns: dict[int, list[int]] = {}
    chosen = meant(timeline, session, context)
    steps = timeline.journal.steps
    counts = np.flatnonzero((steps["kind"][:at] == KIND_CODES["usage"]) & np.isin(steps["context"][:at], chosen)) + 1
    timeline.have_ready(counts.tolist())
    for step in counts.tolist():
        op = timeline.op(step)
        number = int(steps["context"][step - 1])
        pico = spent.setdefault((number, op.get("model", "")), _Spent(every[number], op.get("model", ""))).add(
            op, prices
        )
        turn = turns.setdefault(int(outline.turn[outline.group_of(step)]), [0, 0])
        turn[0] += not is_addition(op)
        turn[1] += pico
    rows = [each.row() for each in spent.values()]
    priced = [each for each in rows if each.micros is not None]
    told = [each.told for each in rows if each.told is not None]
    return Cost(
        at=at,
        micros=sum(each.micros or 0 for each in priced) if priced else None,
        main=sum(each.micros or 0 for each in priced if not each.context),
        told=sum(told) if told else None,
        requests=sum(each.requests for each in rows),
        unpriced=sum(each.requests for each in rows if each.micros is None),
        prices=prices.date,
        source=prices.source,
        rows=tuple(rows),
        turns=tuple(_dearest(timeline, outline, turns)),
        undercounted=_is_undercounted(timeline, at, spent),
    )


def _is_undercounted(timeline: Timeline, at: int, spent: Mapping[tuple[int, str], _Spent]) -> bool:
    """Whether a context has far more text than the tokens that were counted for it."""
    steps = timeline.journal.steps
    written: dict[int, int] = {}
    for (number, _), each in spent.items():
        written[number] = written.get(number, 0) + each.counts["written"]
    of_agent = np.isin(steps["kind"][:at], [KIND_CODES[kind] for kind in WRITTEN])
    sizes = dict.fromkeys(written, 0)
    for step, op in read_ops(
        timeline, (np.flatnonzero(of_agent & np.isin(steps["context"][:at], list(written))) + 1).tolist()
    ).items():
        sizes[int(steps["context"][step - 1])] += op.get(WRITTEN[op["kind"]], {}).get("bytes", 0)
    return any(size > MOST_BYTES * written[number] for number, size in sizes.items())


def is_addition(op: Plain) -> bool:
    """Whether a usage adds to a request that was counted."""
    return str(op.get("phase", "")).startswith("usage.")


def _dearest(timeline: Timeline, outline: Outline, turns: Mapping[int, list[int]]) -> Iterator[TurnCost]:
    """Yield the turns that cost most; `turns` are prompt → requests and cost."""
    dear = sorted((step for step in turns if turns[step][1]), key=lambda step: (-turns[step][1], step))[:DEAREST]
    prompts = [outline.group_of(step) for step in dear if step]
    says = {group.step: group.says for group in described(timeline, outline, prompts)}
    for step in dear:
        yield TurnCost(step, says.get(step, ""), turns[step][0], rounded(turns[step][1]))


def rounded(pico: int) -> int:
    """Return millionths of a dollar of an amount in millionths of those."""
    return (pico + MILLION // 2) // MILLION


class _Spent:
    """What one context spent on one model, being added up."""

    def __init__(self, context: Context, model: str) -> None:
        self.context, self.model = context, model
        self.requests = 0
        self.counts = dict.fromkeys(("fresh", "cached", "stored", "stored_hour", "written", "thinking"), 0)
        self.pico: int | None = 0
        """Millionths of a millionth of a dollar; None for a model without a price."""
        self.told: int | None = None

    def add(self, op: Plain, prices: Prices) -> int:
        """Add a usage; returns its own cost, 0 if it has none."""
        counts = {name: op.get(name, 0) for name in self.counts}
        if not is_addition(op):
            self.requests += 1
            if "fresh" not in op:
                counts["fresh"] = max(op["window"] - counts["cached"] - counts["stored"], 0)
        for name, tokens in counts.items():
            self.counts[name] += tokens
        price = prices.price_of(self.model, op["window"])
        parts = [counts[name] for name in ("fresh", "cached", "stored", "stored_hour", "written")]
        pico = price.cost(*parts) if price is not None else 0
        self.pico = None if price is None or self.pico is None else self.pico + pico
        if "cost" in op:
            self.told = (self.told or 0) + op["cost"]
        return pico

    def row(self) -> CostRow:
        micros = None if self.pico is None else rounded(self.pico)
        of = self.context
        return CostRow(
            model=self.model,
            host=of.host,
            session=of.session,
            context=of.context,
            requests=self.requests,
            micros=micros,
            told=self.told,
            **self.counts,
        )


# ---- its rows ----


def dollars(micros: int) -> str:
    """Return `$22.61`, or as many digits as an amount below a cent has."""
    if 0 < micros < CENT:
        return f"${micros / MILLION:.6f}".rstrip("0")
    cents = (micros + CENT // 2) // CENT
    return f"${cents // 100:,}.{cents % 100:02}"


def _plain(name: str) -> str:
    """A name that others gave, on one line."""
    return clipped(visible(name), LONGEST_NAME)


def priced_words(micros: int | None, unpriced: int) -> str:
    """Return what is known of a cost: `$22.61`, `at least $22.61`, `not known`."""
    if micros is None:
        return "not known"
    return f"at least {dollars(micros)}" if unpriced else dollars(micros)


def _headline(answer: Cost) -> str:
    requests = f"{count(answer.requests, 'request')} up to step {answer.at:,}"
    if answer.micros is None:
        return f"cost not known: no model here has a price; {requests}"
    inner = answer.micros - answer.main
    of = f", {dollars(answer.main)} of it in the main thread" if inner else ""
    return f"{priced_words(answer.micros, answer.unpriced + answer.undercounted)} at list prices{of}; {requests}"


def _spent_rows(answer: Cost, view: View) -> Iterator[Row]:
    """One line for each context and model, and below it the tokens."""
    cells = [
        (
            clip(_plain(each.model) or NO_MODEL, MODEL_COLUMNS),
            clip(_plain(each.context) or MAIN, CONTEXT_COLUMNS),
            "no price" if each.micros is None else dollars(each.micros),
        )
        for each in answer.rows
    ]
    for line, each in zip(table(cells, right=[2]), answer.rows, strict=True):
        yield line
        yield from _wrapped(_tokens(each), view)


def _tokens(each: CostRow) -> str:
    told = f", {dollars(each.told)} by its own count" if each.told is not None else ""
    hour = f" ({each.stored_hour:,} for an hour)" if each.stored_hour else ""
    read = f"{each.fresh:,} fresh, {each.cached:,} from cache, {each.stored:,} to cache{hour}"
    return f"{read}, {each.written:,} written{told}"


def _wrapped(text: str, view: View) -> Iterator[Row]:
    yield from (note(f"    {line}") for line in wrap(text, max(view.width - 6, NARROWEST)))


def _turn_rows(answer: Cost, view: View) -> Iterator[Row]:
    if len(answer.turns) > 1:
        yield Row()
        yield heading("turns that cost most")
    for each in answer.turns if len(answer.turns) > 1 else ():
        said = f"step {each.step:,}" if each.step else "before the first prompt"
        spent = f"  {dollars(each.micros):>9}  {count(each.requests, 'request'):<12} "
        words = clip(clean(each.says), max(view.width - len(spent) - len(said) - 4, NARROWEST))
        yield row(
            spent, Span(said, "link" if each.step else ""), f"  {words}" if words else "",
            leads=Moment(each.step) if each.step else None,
        )  # fmt: skip


def _notes(answer: Cost, view: View) -> Iterator[Row]:
    if answer.unpriced:
        models = dict.fromkeys(_plain(each.model) or NO_MODEL for each in answer.rows if each.micros is None)
        yield from _wrapped(f"without a price: {count(answer.unpriced, 'request')} ({', '.join(models)})", view)
    if answer.undercounted:
        yield from _wrapped("fewer written tokens were counted than the recorded text has, so it cost more", view)
    if answer.told is not None:
        yield note(f"    the agent's program says {dollars(answer.told)}")
    where = f"{_plain(answer.source)}, " if answer.source else "list prices of "
    yield from _wrapped(f"{where}{_plain(answer.prices)}; set CCOS_PRICES to a file with your own", view)


QUESTION = Question(
    ask=cost,
    answers=(Cost,),
    example="cost",
    arguments=WHOSE,
    needs=("prices",),
    nothing=lambda answer: not answer.rows,
    about="Tokens are those the agent's program counted; each message counts once. Writes to a five-minute and a "
    "one-hour cache have prices of their own.",
)
