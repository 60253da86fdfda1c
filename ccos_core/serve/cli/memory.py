"""`memory`: a workspace as a pipe of JSON Lines, for scripts."""

from __future__ import annotations

import sys

import click

from ccos_core.serve.cli.common import give, workspace_argument


@click.command("memory")
@workspace_argument
def memory_command(ws: str) -> int:
    """Use WS from a script: one JSON object a line on stdin, one answer a line on stdout.

    \b
        echo '{"op":"ingest","uri":"a.py","source":"x = 1"}' | ccos-tui memory work.ccos
        {"op":"page_fault","output":"FAILED ...","command":"pytest"}
        {"op":"recall","strategy":"around","anchor":"a.py","budget":512,"id":7}
        {"op":"missing","node":"a.py","budget":40}

    WS is created if needed. {"op":"help"} lists all ops; the questions of postmortem are among them, with the same
    answers. An answer repeats the id of its request. An error is an answer too, and the next line is read; the exit
    code is the highest of all.
    """
    from ccos_core.serve.memory.lines import run
    from ccos_core.serve.memory.store import Store

    with Store(ws) as store:
        return run(store, sys.stdin.buffer, _give)


def _give(answer: dict[str, object]) -> None:
    """At once, for whoever waits for it before the next line."""
    give(answer)
    sys.stdout.flush()
