"""Playing a record: its rows in order, each folded into the state.

Rows are read a stretch at a time, so that the facts of many contents can be got ready at once. What can't be an op is
damage, and is said so with its step; nothing behind it is folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ccos_core.errors import Damaged
from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.state.fold import Facts, apply
from ccos_core.state.world import World
from ccos_core.values.canon import chained

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.scribe import Scribe

Row = tuple[int, bytes, bytes]
"""(step, hash, body), as a record has it."""
STRETCH = 4_000
"""Ops read ahead of the fold."""


def play(
    world: World,
    rows: Iterable[Row],
    facts: Facts,
    ahead: Callable[[Iterable[tuple[str, str]]], None] = lambda pairs: None,
    scribe: Scribe | None = None,
) -> bytes | None:
    """Fold the rows into the world; gives the hash of the last one. `ahead` hears which contents will be asked for,
    `scribe` writes down what changes."""
    rows = iter(rows)
    last: bytes | None = None
    while read := list(islice(rows, STRETCH)):
        stretch = list(_ops(read, last))
        ahead(_whole_sources(op for _, _, op in stretch))
        for step, hash_, op in stretch:
            if step != world.step + 1:
                raise Damaged(f"step {world.step + 1} is missing", hint="See what is left of it: ccos-tui verify")
            if scribe is not None:
                scribe.before(op)
            apply(world, step, op, facts)
            if scribe is not None:
                scribe.after(op)
            last = hash_
    if scribe is not None:
        scribe.finish()
    return last


def _ops(rows: Iterable[Row], before: bytes | None) -> Iterator[tuple[int, bytes, Plain]]:
    for step, hash_, body in rows:
        yield step, hash_, _op(step, body, known=before is not None and chained(before, body) == hash_)
        before = hash_


def _op(step: int, body: bytes, *, known: bool) -> Plain:
    try:
        return unseal(body, known=known)
    except NotAnOp as error:
        raise Damaged(f"step {step} isn't an op: {error}", hint="See what is left of it: ccos-tui verify") from error


def _whole_sources(ops: Iterable[Plain]) -> Iterator[tuple[str, str]]:
    for op in ops:
        if op["kind"] == "seen" and "content" in op and "slice" not in op:
            yield op["content"]["blob"], op["path"]
