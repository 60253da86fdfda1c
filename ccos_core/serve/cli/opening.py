"""A path alone, without a command: a transcript, which is imported into a workspace of its own, or a workspace.

At a terminal the screens open it, which is none of this file's business. With `--plain`, or where the terminal shows no
screens, it is asked in lines, typed or piped. Else a summary is printed.
"""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

import click

from ccos_core.serve import exits
from ccos_core.serve.answering import manner_of, show
from ccos_core.serve.cli.asking import desk_of, plain_option
from ccos_core.serve.cli.common import json_option, reading
from ccos_core.serve.terminal import Bars
from ccos_core.session.settings import recording_allowed
from ccos_core.storage import files, locate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccos_core.serve.repl.loop import TooLong
    from ccos_core.storage.record import Record


@click.command("open", hidden=True)
@click.argument("path", type=click.Path(path_type=str))
@click.option("--debug-unknowns", is_flag=True, help="List the lines that were not understood.")
@json_option
@plain_option
def open_command(path: str, debug_unknowns: bool, as_json: bool, plain: bool) -> int:
    """Open PATH, a transcript or a workspace. At a terminal or with --plain it reads questions; piped, it prints a
    summary.

    \b
        printf '%s\\n' 'autopsy' 'missing src/db.py' | ccos-tui session.jsonl --plain

    A transcript is imported into its own workspace in the user's state folder; the next time, only new lines are
    added.
    """
    questions = None if as_json or not plain or sys.stdin.isatty() else _piped_questions()
    if questions is not None:
        with reading(path) as record, desk_of(record, bars := Bars()) as desk:
            from ccos_core.serve.repl.loop import run_lines

            return run_lines(desk, manner_of(as_json=False, aloud=True), bars, questions)
    ws = locate.workspace(path)
    if not files.is_record(ws):
        ws = _imported(path, debug_unknowns, as_json)
        if as_json or not _is_terminal():
            return exits.DONE
    return _ask(ws, as_json, plain)


def _imported(path: str, debug_unknowns: bool, as_json: bool) -> str:
    """Import a transcript, and print what it held."""
    from ccos_core.serve.cli.importing import Run

    recording_allowed()
    run = Run(locate.session_path(path), as_json=as_json, every_unknown=debug_unknowns)
    run.take([path])
    run.say()
    return run.ws


def _piped_questions() -> Iterator[str | TooLong] | None:
    """The lines of stdin, or None where it is empty."""
    from ccos_core.serve.repl import loop

    given = loop.piped(sys.stdin.buffer)
    first = list(itertools.islice(given, 1))
    return itertools.chain(first, given) if first else None


def _ask(ws: str, as_json: bool, plain: bool) -> int:
    bars = Bars()
    with reading(ws) as record:
        if as_json or not _is_terminal():
            return _overview(record, as_json)
        from ccos_core.serve.repl.loop import run

        with desk_of(record, bars) as desk:
            return run(desk, manner_of(as_json=False, aloud=plain), bars)


def _overview(record: Record, as_json: bool) -> int:
    from ccos_core.storage.census import census

    show(census(record), manner_of(as_json=as_json, aloud=False))
    return exits.DONE


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()
