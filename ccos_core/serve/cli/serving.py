"""`hook`, `mcp` and `memory`: what hosts and scripts start, see `serve.hook`, `serve.mcp`, `serve.memory`."""

from __future__ import annotations

import sys

import click

from ccos_core.serve import exits, hook
from ccos_core.serve.cli.asking import as_option
from ccos_core.serve.cli.common import give, workspace_argument
from ccos_core.serve.mcp import start


@click.command("hook")
@click.option(
    "--ws", default="", metavar="WS", help="Record into WS instead of the project's workspace.  [CCOS_WORKSPACE]"
)
@click.option("--host", default="", metavar="HOST", help="The agent that sends the event.  [default: Claude Code]")
@click.option("--inject", is_flag=True, help="Answer with what the agent's window lost, if the agent asks for that.")
@click.option("--within", type=float, metavar="SECONDS", help="Time limit of the answer; past it, stay silent.")
def hook_command(ws: str, host: str, inject: bool, within: float | None) -> int:
    """Read one event of a coding agent from stdin and write it to disk.

    It prints nothing and always ends with 0. The next command that opens the workspace records the event.
    `docs/HOOKS.md` describes the events.

    \b
        ccos-tui hook < event.json
    """
    in_time = [] if within is None else ["--within", str(within)]
    hook.main(
        [
            *(["--ws", ws] if ws else []),
            *(["--host", host] if host else []),
            *(["--inject"] if inject else []),
            *in_time,
        ]
    )
    return exits.DONE


class _Own(click.Command):
    """A command whose help stands elsewhere."""

    def get_help(self, ctx: click.Context) -> str:
        return start.HELP.rstrip()


@click.command("mcp", cls=_Own, add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def mcp_command(words: tuple[str, ...]) -> int:
    """The server of a workspace for an agent, on stdin and stdout."""
    return start.main(words)


@click.command("memory")
@workspace_argument
@as_option
def memory_command(ws: str, principal: str) -> int:
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

    with Store(ws, principal) as store:
        return run(store, sys.stdin.buffer, _give)


def _give(answer: dict[str, object]) -> None:
    """At once, for whoever waits for it before the next line."""
    give(answer)
    sys.stdout.flush()
