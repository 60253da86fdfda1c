"""`epochs`: under which rules what was folded. An epoch pins them, a retune weighs anew within one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ccos_core.query.question import Question
from ccos_core.replay.codes import KIND_CODES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline


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
    """Why somebody retuned."""

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


QUESTION = Question(
    ask=epochs,
    answers=(Epochs,),
    example="epochs",
    about="An epoch fixes the versions of the interpreters and the weights. Steps of earlier epochs keep the "
    "facts they had.",
)
