"""A path alone, without a command: a transcript, which is imported into a workspace of its own, or a workspace.

At a terminal it is opened on a screen, which is none of this file's business; with `--plain`, or where no screen can be
shown, it is asked in lines; into a pipe goes what there is to say of it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ccos_core.serve import exits, terminal
from ccos_core.serve.answering import manner_of
from ccos_core.serve.cli.asking import desk_of, plain_option
from ccos_core.serve.cli.common import give, json_option, reading, workspace
from ccos_core.serve.progress import Bars
from ccos_core.session.settings import recording_allowed
from ccos_core.storage import files, locate

if TYPE_CHECKING:
    from ccos_core.storage.record import Record


@click.command("open", hidden=True)
@click.argument("path", type=click.Path(path_type=str))
@click.option("--debug-unknowns", is_flag=True, help="List what wasn't understood, with its lines.")
@json_option
@plain_option
def open_command(path: str, debug_unknowns: bool, as_json: bool, plain: bool) -> int:
    """Open PATH, a transcript or a workspace: to be asked in lines at a terminal, else what there is to say of it.

    A transcript is imported into a workspace of its own below the user's state folder; next time, what is new of it.
    """
    ws = workspace(path)
    if not files.is_record(ws):
        from ccos_core.serve.cli.importing import Run

        recording_allowed()
        ws = locate.session_path(path)
        run = Run(ws, as_json=as_json, every_unknown=debug_unknowns)
        run.take([path])
        run.say()
        if as_json or not _is_terminal():
            return exits.DONE
    return _ask(ws, as_json, plain)


def _ask(ws: str, as_json: bool, plain: bool) -> int:
    bars = Bars()
    with reading(ws) as record:
        if as_json or not _is_terminal():
            return _overview(record, as_json)
        from ccos_core.serve.repl.run import run

        with desk_of(record, bars) as desk:
            return run(desk, manner_of(as_json=False, aloud=plain), bars)


def _overview(record: Record, as_json: bool) -> int:
    from ccos_core.serve.says import as_json_object, stats
    from ccos_core.storage.census import census

    answer = census(record)
    if as_json:
        give(as_json_object(answer))
    else:
        for line in stats.says(answer, terminal.columns()):
            terminal.show(line)
    return exits.DONE


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
