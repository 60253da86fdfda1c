"""`reflect`: read new sessions and record what they teach."""

from __future__ import annotations

import click

from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.asking import plain_option
from ccos_core.serve.cli.common import json_option


@click.command("reflect")
@click.argument("ws", type=click.Path(path_type=str))
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=str))
@click.option("--dry-run", is_flag=True, help="Print each step and record nothing.")
@click.option(
    "--days", type=click.IntRange(1), default=7, show_default=True, help="Read sessions of the last DAYS days."
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Sessions to read at most.")
@click.option("--agent", "agents", multiple=True, metavar="NAME", help="Read only sessions of this agent.")
@click.option("--model", is_flag=True, help="Ask the configured model, too; --dry-run shows what it gets.")
@click.option("--now", default="", metavar="TIME", help="The time that --days counts back from; by default now.")
@json_option
@plain_option
def reflect_command(
    ws: str,
    paths: tuple[str, ...],
    dry_run: bool,
    days: int,
    limit: int,
    agents: tuple[str, ...],
    model: bool,
    now: str,
    as_json: bool,
    plain: bool,
) -> int:
    """Read the sessions that weren't read yet, and record the rules that they bear out in WS.

    \b
        ccos-tui reflect work.ccos --dry-run
        ccos-tui reflect work.ccos other.ccos session.jsonl --days 30

    Each PATH is a workspace or a transcript. Without one it reads WS and the sessions on this machine that began in its
    project. A session that has grown is read from where it ended. Rules become memos of WS; what was rejected is kept
    with the reason, and a read of another record is recorded in WS.

    A model is asked only with --model, and only if CCOS_MODEL_COMMAND or CCOS_MODEL_URL names one and CCOS_MODEL_TOKENS
    gives it a budget for each day.
    """
    from ccos_core.errors import Usage
    from ccos_core.memory.boundaries import time_of
    from ccos_core.session.makers import COMMAND, URL, configured_maker
    from ccos_core.session.reflecting import reflect_on
    from ccos_core.session.session import wall_clock

    at, maker = time_of(now) if now else wall_clock(), None
    if model and (maker := configured_maker()) is None:
        raise Usage("no model is configured", place="--model", hint=f"{COMMAND} or {URL} names one.")
    found = reflect_on(ws, paths, now=at, days=days, limit=limit, agents=agents, dry_run=dry_run, maker=maker)
    show(found, manner_of(as_json=as_json, aloud=plain))
    return exits.DONE
