"""`ccos-tui config path|print|template`: where the settings lie, what they are, what can be said. Draws nothing."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import fields

from ccos_tui.bridge import config
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
        print(config.path())
    elif word == "template":
        print(template(), end="")
    else:
        _print()
    return DONE


def _print() -> None:
    """What is in force, in the form of the file."""
    settings, troubles = config.load()
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
