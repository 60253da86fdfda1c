"""`help` and `completion`: the help of any command, and a script that completes commands in a shell."""

from __future__ import annotations

import click

from ccos_core.serve import exits, terminal

SHELLS = ("bash", "zsh", "fish")
COMPLETE_VARIABLE = "_CCOS_TUI_COMPLETE"
"""Set by the shell's script when it asks this program for completions; click reads it under this name."""


@click.command("help")
@click.argument("words", metavar="[COMMAND]", nargs=-1)
@click.pass_context
def help_command(ctx: click.Context, words: tuple[str, ...]) -> int:
    """Show the help of COMMAND, or the list of commands.

    \b
        ccos-tui help
        ccos-tui help missing
    """
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    if not words:
        terminal.show(root.get_help())
        return exits.DONE
    if len(words) > 1:
        raise click.UsageError("help takes one command.", ctx)
    name, command, _ = root.command.resolve_command(root, [words[0]])
    assert command is not None
    terminal.show(command.get_help(click.Context(command, info_name=name, parent=root)))
    return exits.DONE


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> int:
    """Print a script that completes commands, options and paths in SHELL.

    \b
        ccos-tui completion bash >> ~/.bashrc
        ccos-tui completion zsh > ~/.zfunc/_ccos-tui
        ccos-tui completion fish > ~/.config/fish/completions/ccos-tui.fish
    """
    from click.shell_completion import get_completion_class

    completing = get_completion_class(shell)
    assert completing is not None
    root = ctx.find_root()
    script = completing(root.command, {}, "ccos-tui", COMPLETE_VARIABLE)
    terminal.show((script.source_template % script.source_vars()).removesuffix("\n"))
    return exits.DONE
