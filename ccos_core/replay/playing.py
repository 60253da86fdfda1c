"""Playing a record: its rows in order, each folded into the state.

Rows are read a stretch at a time, so that the facts of many contents can be got ready at once. What can't be an op is
damage, and is said so with its step; nothing behind it is folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from ccos_core.errors import ChainBroken, Damaged
from ccos_core.log.chain import GENESIS
from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.state.fold import Facts, apply
from ccos_core.state.world import World
from ccos_core.values.canon import chained

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.scribe import Scribe

Row = tuple[int, bytes, bytes]
"""(step, hash, body), as a record has it."""
STRETCH = 2_000
"""Ops read ahead of the fold."""
HINT = "Check how much is readable: ccos-tui verify"


def play(
    world: World,
    rows: Iterable[Row],
    facts: Facts,
    ahead: Callable[[Iterable[Plain]], None] = lambda ops: None,
    scribe: Scribe | None = None,
    heard: Callable[[int], None] = lambda step: None,
    before: bytes | None = None,
) -> bytes | None:
    """Fold the rows into the world; gives the hash of the last one. `ahead` hears which ops come soon, `scribe`
    writes down what changes, and `heard` is told each step that is about to be folded, now and then more than once:
    what raises there leaves the world whole, as of the step before. `before` is the hash of the step that the world
    has seen last, where that is known. What comes before damage in a record is folded, and then it raises."""
    rows = iter(rows)
    last = before if world.step else GENESIS
    coming, trouble = _read(rows, world.step + 1, last)
    ahead([op for _, _, op in coming])
    while coming:
        stretch, coming = coming, []
        if trouble is None:  # what comes next is got ready while this is folded
            coming, trouble = _read(rows, stretch[-1][0] + 1, stretch[-1][1])
            ahead([op for _, _, op in coming])
        for step, hash_, op in stretch:
            heard(step)
            if scribe is not None:
                scribe.before(op, partial(heard, step))
            apply(world, step, op, facts)
            if scribe is not None:
                scribe.after(op)
            last = hash_
    if scribe is not None:
        scribe.finish()
    if trouble is not None:
        raise trouble
    return last


def _read(
    rows: Iterator[Row], step: int, before: bytes | None
) -> tuple[list[tuple[int, bytes, Plain]], Damaged | None]:
    """The next ops, as far as they are what was recorded; and what is wrong with the one behind them."""
    found: list[tuple[int, bytes, Plain]] = []
    try:
        for at, hash_, body in islice(rows, STRETCH):
            if at != step:
                raise Damaged(f"step {step} is missing", hint=HINT)
            if before is not None and chained(before, body) != hash_:
                raise ChainBroken(f"the chain breaks at step {step}", step=step, hint=HINT)
            found.append((step, hash_, _op(step, body, known=before is not None)))
            step, before = step + 1, hash_
    except Damaged as error:
        return found, error
    return found, None


def _op(step: int, body: bytes, *, known: bool) -> Plain:
    try:
        return unseal(body, known=known)
    except NotAnOp as error:
        raise Damaged(f"step {step} isn't an op: {error}", hint=HINT) from error
