"""`epochs`: under which rules what was folded. An epoch pins them, a retune weighs anew within one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more, steps
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import count, moment
from ccos_core.query.question import Question
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

CHANGES = 8
"""Changed rules of an epoch that a terminal shows."""


@dataclass(frozen=True, slots=True)
class Change:
    """One of the rules, and what it became."""

    rule: str
    """`weights.half_life`, `interpreters.python`, `caps.reach`, `ticks.tool`."""

    before: int | None
    after: int | None
    """Nothing where there is no such rule any more, or was none."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """Steps that are folded by the same rules."""

    number: int
    """Which epoch; a retune belongs to the one it falls into."""

    kind: str
    """What began it: `epoch` or `retune`."""

    first: int
    last: int
    at: int | None
    """When it began, in milliseconds since 1970."""

    reason: str
    """Why the weights were changed, as given."""

    changes: tuple[Change, ...]
    """What is another than before; of the first nothing."""


@dataclass(frozen=True, slots=True)
class Epochs:
    """The answer to `epochs`."""

    schema: ClassVar[str] = "ccos.epochs/1"
    at: int
    """Where the cursor stands."""

    head: int
    epochs: tuple[Epoch, ...]

    def as_rows(self, view: View) -> Sequence[Row]:
        began = count(sum(each.kind == "epoch" for each in self.epochs), "epoch")
        return [title(began), *(row for each in self.epochs for row in _rows(each, self.at, view))]


def epochs(timeline: Timeline, at: int) -> Epochs:
    """All of them, in order."""
    kinds = timeline.journal.steps["kind"]
    began = np.nonzero((kinds == KIND_CODES["epoch"]) | (kinds == KIND_CODES["retune"]))[0] + 1
    steps = began.tolist()
    found: list[Epoch] = []
    rules: dict[str, int] = {}
    for step, then in zip(steps, [*steps[1:], timeline.head + 1], strict=True):
        op = timeline.op(step)
        now = _retuned(rules, op) if op["kind"] == "retune" else _pinned(op)
        number = (found[-1].number if found else 0) + (op["kind"] == "epoch")
        changes = tuple(_changes(rules, now)) if rules else ()
        reason = str(op.get("reason", ""))
        found.append(Epoch(number, op["kind"], step, then - 1, op.get("at"), reason, changes))
        rules = now
    return Epochs(at, timeline.head, tuple(found))


def _pinned(op: Mapping[str, Any]) -> dict[str, int]:
    tables = {name: op[name] for name in ("interpreters", "ticks", "weights", "caps")}
    named = {f"{name}.{rule}": value for name, table in tables.items() for rule, value in table.items()}
    return {"format": op["format"], "vocabulary": op["vocabulary"], **named}


def _retuned(rules: Mapping[str, int], op: Mapping[str, Any]) -> dict[str, int]:
    return {**rules, **{f"weights.{rule}": value for rule, value in op["weights"].items()}}


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[Change]:
    rules = sorted({**before, **after})
    return [Change(rule, before.get(rule), after.get(rule)) for rule in rules if before.get(rule) != after.get(rule)]


# ---- its rows ----


def _rows(each: Epoch, at: int, view: View) -> Iterator[Row]:
    name = Span(f"  {f'epoch {each.number}' if each.kind == 'epoch' else 'retune':<10}  ", "strong")
    here = [Span("  the cursor is here", "note")] if each.first <= at <= each.last else []
    when = f"  {moment(each.at)} UTC" if each.at is not None else ""
    yield row(name, Span(steps(each.first, each.last), "link"), when, *here, leads=Moment(each.first))
    if each.reason:
        yield note(f"      reason: {clip(clean(each.reason), 100)}")
    changes, hidden = view.some(each.changes, CHANGES)
    for change in changes:
        before, after = ("none" if value is None else f"{value:,}" for value in (change.before, change.after))
        yield row(f"      {clean(change.rule)}: ", Span(f"{before} → {after}", "changed"))
    yield from and_more(hidden, "changed rule")
    if not each.changes and each.first > 1:
        yield note("      same rules as before")


QUESTION = Question(
    ask=epochs,
    answers=(Epochs,),
    example="epochs",
    about="An epoch fixes the versions of the interpreters and the weights. Steps of earlier epochs keep the "
    "facts they had.",
)
