"""`mcp`: the server for agents, which takes its own words apart."""

from __future__ import annotations

import click

from ccos_core.serve.mcp import start


class _Own(click.Command):
    """A command whose help stands elsewhere."""

    def get_help(self, ctx: click.Context) -> str:
        return start.HELP.rstrip()


@click.command("mcp", cls=_Own, add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def mcp_command(words: tuple[str, ...]) -> int:
    """The server of a workspace for an agent, on stdin and stdout."""
    return start.main(words)
