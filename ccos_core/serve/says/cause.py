"""The words of `cause`: what moved a node most, each with its step, by how much, and from which place to which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.present.parts import CAUSES, signed
from ccos_core.present.words import count
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.cause import CauseOf, Change, Total

LONGEST = 50


def says(answer: CauseOf, columns: int | None) -> Iterator[str]:
    """All causes in short, and the ops one by one."""
    yield f"{parts.node(answer.node)}{_was(answer)}  up to step {answer.at:,}, in reads of each step"
    if not answer.changes:
        yield "  nothing has moved it: it was never warm"
        return
    yield f"  {'; '.join(map(_total, answer.totals)) or 'no heat of its own'}"
    yield from parts.table([_row(each) for each in answer.changes], left={1, 2})
    yield from parts.more(answer.more, "op")


def plain(answer: CauseOf) -> Iterator[str]:
    yield f"{parts.node(answer.node)}{_was(answer)}, up to step {answer.at:,}, in reads of each step."
    if not answer.changes:
        yield "Nothing has moved it: it was never warm."
    for total in answer.totals:
        yield f"{_total(total).capitalize()}."
    for each in answer.changes:
        became = f", {each.became}" if each.became else ""
        op = parts.step_words(each.op, 60)
        yield f"{op[0].upper()}{op[1:]}: {signed(each.moved)}{became}, {_ranks(each).replace('→', 'to')}."
    yield from parts.aloud(parts.more(answer.more, "op"))


def _was(answer: CauseOf) -> str:
    return f" (was {', '.join(map(parts.node, answer.was))})" if answer.was else ""


def _total(each: Total) -> str:
    lost = f" and {signed(each.lost)}" if each.lost else ""
    return f"{CAUSES[each.cause]} {signed(each.gained)}{lost} in {count(each.ops, 'op')}"


def _row(each: Change) -> tuple[str, str, str, str]:
    moved = coloured(signed(each.moved), "good" if each.moved >= 0 else "bad")
    said = [each.became, *(CAUSES[one.cause] for one in each.causes)]
    causes = ", ".join(one for one in said if one) or "its own worth"
    return moved, causes, _ranks(each), parts.step_words(each.op, LONGEST)


def _ranks(each: Change) -> str:
    before, after = (f"{rank:,}" if rank is not None else "none" for rank in (each.rank_before, each.rank))
    return f"rank {before} → {after}" if before != after else f"rank {after}"
