"""`log` and `stats`: what a record says, as lines and as figures."""

from __future__ import annotations

import shlex
from collections.abc import Container
from typing import Any

import click

from ccos_core.errors import CcosError, ChainBroken, Damaged, NotFound, Refused, Unavailable
from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.serve import exits, terminal
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.asking import desk_of
from ccos_core.serve.cli.common import give, json_option, reading, tell, workspace_argument
from ccos_core.serve.op_line import OpLines
from ccos_core.storage.cache import keeps_journal
from ccos_core.storage.census import census
from ccos_core.storage.record import Record
from ccos_core.values.tally import Tally

LONG = 20_000
"""Ops from which on it takes longer to count them one by one than to load the journal that has counted them."""


def _only_owner(context: click.Context, option: click.Parameter, principal: str) -> None:
    if principal != "owner":
        raise Refused("shows all that is recorded, so only the owner may ask it", place=str(context.info_name))


owner_option = click.option("--as", default="owner", hidden=True, expose_value=False, callback=_only_owner)


@click.command("log")
@workspace_argument
@click.option("--since", type=click.IntRange(min=0), default=0, help="List only steps after this one.")
@click.option("--steps", is_flag=True, help="List every step on a line of its own.")
@click.option("--kind", "kinds", multiple=True, help="Only this kind of step (edit, prompt, text, ...) or tool.")
@click.option("--context", "contexts", multiple=True, help="Only main, or a subagent by the start of its name.")
@click.option("--outcome", "outcomes", multiple=True, help="Only ok, error, interrupted, failed, passed, or bad.")
@click.option("--file", "files", multiple=True, help="Only steps with this part in a file's path.")
@owner_option
@json_option
def log_command(
    ws: str,
    since: int,
    steps: bool,
    kinds: tuple[str, ...],
    contexts: tuple[str, ...],
    outcomes: tuple[str, ...],
    files: tuple[str, ...],
    as_json: bool,
) -> int:
    """List the steps of WS: a call with its effects and its tokens is one line. With --json, each step is an object on
    a line: step, kind, hash, and the step's own fields.

    \b
        ccos-tui log work.ccos --since 40
        ccos-tui log work.ccos --kind edit --file src/

    Filters can be combined and repeated; a repeated one means any of its values.
    """
    chosen = bool(kinds or contexts or outcomes or files)
    with reading(ws) as record:
        broken = None if as_json and not chosen else _first_break(record, since)
        if not chosen and (as_json or steps or broken is not None):
            return _print(record, since, as_json)
        from ccos_core.query.step_filter import Filter
        from ccos_core.serve.group_lines import group_lines, wanted_steps

        wanted = Filter(kinds, contexts, outcomes, files)
        with desk_of(record, terminal.Bars()) as desk:
            if as_json or steps:
                return _print(record, since, as_json, wanted_steps(desk.timeline, since, wanted))
            line = ""
            for line in group_lines(desk.timeline, since, wanted, terminal.columns()):
                terminal.show(line)
        code = _said_broken(record, broken)
    if chosen and not line:
        tell(f"ccos-tui: no step matches {wanted.text}")
        return exits.NO
    return code


def _first_break(record: Record, since: int) -> Break | None:
    """Return where the chain breaks behind a step, if it does or can't be read."""
    before, last = _hash_at(record, since), since
    try:
        rows = record.rows(since + 1) if before is not None else iter(())
        for found in follow(before or b"", rows, since + 1):
            if isinstance(found, Break):
                return found
            last = found[0]
    except CcosError as error:
        return Break(last + 1, error.fact, "", "")
    unread = before is None or last < _last_step(record)
    return Break(last + 1, "the steps from here on can't be read", "", "") if unread else None


def _print(record: Record, since: int, as_json: bool, wanted: Container[int] | None = None) -> int:
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
        if wanted is not None and step not in wanted:
            continue
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
    return _said_broken(record, broken)


def _said_broken(record: Record, broken: Break | None) -> int:
    """Return the exit code of a whole chain; raises where it breaks."""
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
@owner_option
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
