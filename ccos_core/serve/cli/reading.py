"""`log` and `stats`: what a record says, as lines and as figures."""

from __future__ import annotations

import shlex
from typing import Any

import click

from ccos_core.errors import CcosError, ChainBroken, Damaged, NotFound, Unavailable
from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.serve import exits, terminal
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.common import give, json_option, reading, workspace_argument
from ccos_core.serve.op_line import OpLines
from ccos_core.storage.cache import keeps_journal
from ccos_core.storage.census import census
from ccos_core.storage.record import Record
from ccos_core.values.tally import Tally

LONG = 20_000
"""Ops from which on it takes longer to count them one by one than to load the journal that has counted them."""


@click.command("log")
@workspace_argument
@click.option("--since", type=click.IntRange(min=0), default=0, help="List only steps after this one.")
@json_option
def log_command(ws: str, since: int, as_json: bool) -> int:
    """List the steps of WS, one a line. With --json, one object a line: step, kind, hash, and the step's own fields.

    \b
        ccos-tui log work.ccos --since 40
    """
    with reading(ws) as record:
        return _print(record, since, as_json)


def _print(record: Record, since: int, as_json: bool) -> int:
    """Print what can be read. Where the chain breaks it is said, and what lies behind is printed all the same."""
    lines = OpLines(terminal.columns(), record)
    broken: Break | None = None
    away: CcosError | None = None
    before = _hash_at(record, since)
    expected = since + 1
    for step, hash_, body in record.rows(expected, tolerant=True):
        if step > expected and (why := _out_of_reach(record, expected)) is not None:
            away, before = away or why, None
        if broken is None and before is not None:
            broken = next(
                (row for row in follow(before, [(step, hash_, body)], expected) if isinstance(row, Break)), None
            )
        before, expected = hash_, step + 1
        op = _op(body)
        if as_json:
            give({"step": step, "hash": hash_.hex(), **(op or {"unreadable": body.hex()})})
        else:
            for line in lines.of(step, op):
                terminal.show(line)
    if away is None and expected <= _last_step(record):
        away = _out_of_reach(record, expected)
    if broken is None and away is not None:
        raise away
    if broken is None and expected <= _last_step(record):
        broken = Break(expected, "the steps from here on can't be read", "", "")
    if broken is None:
        return exits.DONE
    raise ChainBroken(
        f"the chain breaks at step {broken.step}: {broken.what}",
        step=broken.step,
        place=record.path,
        hint=f"See: ccos-tui verify {shlex.quote(record.path)}",
    )


def _op(body: bytes) -> dict[str, Any] | None:
    """The op in these bytes, if that is what they are."""
    try:
        return unseal(body)
    except NotAnOp:
        return None


def _hash_at(record: Record, step: int) -> bytes | None:
    """The chain's hash at a step, or None where that can't be read any more."""
    if step == 0:
        return GENESIS
    try:
        return record.op(step)[1]
    except CcosError:
        return None


def _out_of_reach(record: Record, step: int) -> CcosError | None:
    """Why a step isn't here, where that is no damage: its archive isn't at hand."""
    try:
        record.op(step)
    except (NotFound, Unavailable) as error:
        return error
    except CcosError:
        return None
    return None


def _last_step(record: Record) -> int:
    try:
        return record.head()[0]
    except Damaged:
        return 2**62


@click.command("stats")
@workspace_argument
@json_option
def stats_command(ws: str, as_json: bool) -> int:
    """Show what WS contains and what takes up its space."""
    with reading(ws) as record:
        answer = census(record, _counted(record))
    show(answer, manner_of(as_json=as_json, aloud=False))
    return exits.DONE


def _counted(record: Record) -> Tally:
    """What a journal says of the ops in all, where somebody keeps one. Of a short record they are counted one by one
    before that is loaded."""
    if _last_step(record) < LONG or not keeps_journal(record):
        return Tally()
    from ccos_core.query.stats import tally
    from ccos_core.session.journaling import kept_timeline

    return tally(kept_timeline(record))
