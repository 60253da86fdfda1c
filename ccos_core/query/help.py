"""Help, as the catalogue and the questions themselves tell it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ccos_core.present.cells import width_of
from ccos_core.present.rows import Part, Row, Span, View, clean, note, row, table
from ccos_core.query.catalogue import QUESTIONS
from ccos_core.query.question import FORMS, LENS_WORDS, SELF_EVIDENT, Argument
from ccos_core.query.tool import Entry
from ccos_core.query.words import AT, usage


@dataclass(frozen=True, slots=True)
class Taken:
    """One thing a question takes."""

    name: str
    said: str
    """How it is said."""

    what: str
    default: str
    """What it is by default; empty if there is no default."""


@dataclass(frozen=True, slots=True)
class Command:
    """One word of the REPL."""

    name: str
    aliases: tuple[str, ...]
    summary: str
    usage: str
    example: str
    about: str
    arguments: tuple[Taken, ...]


@dataclass(frozen=True, slots=True)
class Help:
    """What can be said; or one word of it, with what it takes."""

    schema: ClassVar[str] = "ccos.help/1"
    commands: tuple[Command, ...]
    whole: bool
    """Whether these are all there are."""

    def as_rows(self, view: View) -> Sequence[Row]:
        if not self.whole:
            return [row for each in self.commands for row in _about(each)]
        cells: list[list[Part]] = [_cells(each) for each in self.commands]
        listed = table(cells)
        if view.columns is not None and any(width_of(each.text) > view.columns for each in listed):
            listed = table([each[:2] for each in cells])
        return [*listed, Row(), *map(row, BELOW)]


BELOW = (
    "Most commands can be asked about a step: why src/db.py @40",
    "A step is 40, start, end, 57%, +3, -3, @12m30s, a mark's name, or the start of a hash.",
    "More about a command: help COMMAND",
)

HELP = Command("help", ("h",), "List the commands, or show the arguments of one.", "help [WORD]", "help goto", "", ())
QUIT = Command("quit", ("q",), "Leave. The end of the input does the same.", "quit", "quit", "", ())


def all_help() -> Help:
    """All there is."""
    return Help((*(command_of(entry) for entry in QUESTIONS), HELP, QUIT), True)


def command_of(entry: Entry) -> Command:
    """What the catalogue and the question say of themselves."""
    question = entry.load()
    taken = [_taken(argument) for argument in question.arguments]
    if not question.timeless:
        taken.append(
            Taken(
                f"@STEP or --{AT} STEP",
                "",
                "step to look at, written as for goto",
                "the cursor; in a shell, the last step",
            )
        )
    said = usage(entry.name, question)
    return Command(entry.name, entry.aliases, entry.summary, said, question.example, question.about, tuple(taken))


def _taken(argument: Argument) -> Taken:
    said = " | ".join(argument.words) or ", ".join(
        [FORMS[argument.form], *filter(None, map(LENS_WORDS.__getitem__, argument.further))]
    )
    said = "" if argument.form in SELF_EVIDENT else said
    name = f"--{argument.name}" if argument.flag else "A B" if argument.form == "span" else argument.name.upper()
    default = "" if argument.default in (None, "", False, ()) else f"{argument.default}"
    return Taken(name, said, argument.says, default)


# ---- its rows ----


def _cells(command: Command) -> list[Part]:
    names, example = [command.name, *command.aliases], clean(command.example)
    return [
        Span(clean(", ".join(names)), "key", clean(" or ".join(names)) + ":"),
        clean(command.summary),
        Span(example, "quiet", f"For example: {example}"),
    ]


def _about(command: Command) -> Iterator[Row]:
    short = f"  (short: {clean(', '.join(command.aliases))})" if command.aliases else ""
    yield row(Span(clean(command.usage), "strong"), Span(short, "quiet"))
    yield row(f"  {clean(command.summary)}")
    yield from (row(f"  {clean(line)}") for line in command.about.splitlines())
    for each in command.arguments:
        default = clean(each.default)
        shown = [Span(f" [{default}]", "quiet", f"; by default {default}")] if default else []
        yield row(Span(f"    {clean(each.name):<20}", "key"), f"  {clean(each.what)}", *shown)
        if each.said:
            yield note(f"    {'':<20}  {clean(each.said)}")
    yield row("  as in: ", Span(clean(command.example), "link"))
