"""Help, as the catalogue and the questions themselves tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ccos_core.query.catalogue import QUESTIONS, Entry
from ccos_core.query.question import FORMS, LENS_WORDS, SELF_EVIDENT, Argument
from ccos_core.query.words import AT, usage


@dataclass(frozen=True, slots=True)
class Taken:
    """One thing a question takes."""

    name: str
    said: str
    """How it is said."""

    what: str
    default: str
    """What is meant where nobody says it; empty where there is no such thing."""


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
        [FORMS[argument.form], *map(LENS_WORDS.__getitem__, argument.further)]
    )
    said = "" if argument.form in SELF_EVIDENT else said
    name = f"--{argument.name}" if argument.flag else "A B" if argument.form == "span" else argument.name.upper()
    default = "" if argument.default in (None, "", False) else f"{argument.default}"
    return Taken(name, said, argument.says, default)
