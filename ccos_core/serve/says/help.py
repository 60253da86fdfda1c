"""The words of `help`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.help import Command, Help

BELOW = (
    "Most words take a step to be asked as of: why src/db.py @40",
    "A step is said as 40, start, end, 57%, +3, -3, @12m30s, a mark's name or the start of a hash.",
    "More of a word: help WORD",
)


def says(answer: Help, columns: int | None) -> Iterator[str]:
    """Each word on a line; of a single one all there is to know."""
    if not answer.whole:
        for command in answer.commands:
            yield from _one(command)
        return
    rows = [(_names(each), each.summary, each.example) for each in answer.commands]
    told = parts.table(rows, left=(0, 1))
    if columns and max(map(len, told)) > columns:
        told = parts.table([row[:2] for row in rows], left=(0,))
    yield from told
    yield ""
    yield from BELOW


def plain(answer: Help) -> Iterator[str]:
    for each in answer.commands:
        short = f", or {' or '.join(each.aliases)} for short" if each.aliases else ""
        yield f"{each.name}{short}: {each.summary} For example: {each.example}."
        if not answer.whole:
            yield f"It is said: {each.usage}."
            yield from parts.aloud(each.about.splitlines())
            for taken in each.arguments:
                default = f" Without it: {taken.default}." if taken.default else ""
                yield f"{taken.name}: {'; '.join(filter(None, [taken.what, taken.said]))}.{default}"


def _one(command: Command) -> Iterator[str]:
    yield command.usage + (f"   (short: {', '.join(command.aliases)})" if command.aliases else "")
    yield f"  {command.summary}"
    yield from (f"  {line}".rstrip() for line in command.about.splitlines())
    for each in command.arguments:
        default = f" [{each.default}]" if each.default else ""
        yield f"    {each.name:<20}  {each.what}{default}"
        if each.said:
            yield coloured(f"    {'':<20}  {each.said}", "quiet")
    yield f"  as in: {command.example}"


def _names(command: Command) -> str:
    return ", ".join([command.name, *command.aliases])
