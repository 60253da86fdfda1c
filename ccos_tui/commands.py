"""Commands of the screens that draw nothing: `ccos-tui config path|print|template`. The command line lists them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import fields

import click

from ccos_tui.bridge import keepsakes
from ccos_tui.settings import Settings, template

DONE, USAGE = 0, 2
WORDS = ("path", "print", "template")


def main(arguments: Sequence[str]) -> int:
    """Do what is asked; gives the exit code."""
    word = arguments[0] if arguments else "print"
    if word not in WORDS or len(arguments) > 1:
        print(f"ccos-tui: config takes one of: {'  '.join(WORDS)}", file=sys.stderr)
        return USAGE
    if word == "path":
        print(keepsakes.path())
    elif word == "template":
        print(template(), end="")
    else:
        _print()
    return DONE


def _print() -> None:
    """What is in force, in the form of the file."""
    settings, troubles = keepsakes.load_settings()
    for trouble in troubles:
        print(f"ccos-tui: {trouble}", file=sys.stderr)
    for each in fields(Settings):
        value = getattr(settings, each.name)
        if each.name != "keys":
            print(f"{each.name} = {_spelled(value)}")
    if settings.keys:
        print("\n[keys]")
    for action, keys in sorted(settings.keys.items()):
        print(f"{action} = [{', '.join(map(_spelled, keys))}]")


def _spelled(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else f'"{value}"'


def load_config() -> click.Command:
    """Make the `config` command."""

    @click.command("config")
    @click.argument("what", type=click.Choice(WORDS), default="print")
    def config_command(what: str) -> int:
        """Show the settings of the screens, print a template for them, or print the path of their file.

        \b
            ccos-tui config
            ccos-tui config template > settings.toml
            ccos-tui config path
        """
        return main([what])

    return config_command


COMMANDS: dict[str, tuple[Callable[[], click.Command], str]] = {
    "config": (load_config, "Show the settings of the screens, or print a template."),
}
"""Command → what makes it, and what it does in one line."""
