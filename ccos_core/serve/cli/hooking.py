"""`hook`, as its help has it. What it does runs without this: see `serve.hook`."""

from __future__ import annotations

import click

from ccos_core.serve import exits, hook


@click.command("hook")
@click.option("--ws", default="", metavar="WS", help="Record into WS, not into the project's own.  [CCOS_WORKSPACE]")
@click.option("--host", default="", metavar="HOST", help="The agent whose event it is; unasked it is Claude Code's.")
@click.option("--inject", is_flag=True, help="Answer with what the agent lost, where its host asks for that.")
@click.option("--within", type=float, metavar="SECONDS", help="What an answer may take; silent where it takes more.")
def hook_command(ws: str, host: str, inject: bool, within: float | None) -> int:
    """Hear one event from stdin, as coding agents give them to their hooks, and put it on disk.

    Prints nothing and ends with 0 whatever happens. Who opens the workspace next takes in what was heard.
    `docs/HOOKS.md` tells what events may look like.

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
