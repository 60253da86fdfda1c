"""`hook`, as its help has it. What it does runs without this: see `serve.hook`."""

from __future__ import annotations

import click

from ccos_core.serve import exits, hook


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
