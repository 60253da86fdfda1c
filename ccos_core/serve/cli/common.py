"""What several commands share: the workspace argument, JSON output, and what people are told on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ccos_core.errors import NotFound, NotUnderstood, Usage
from ccos_core.present import words
from ccos_core.serve import terminal
from ccos_core.storage import files, locate
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record

Command = TypeVar("Command", bound=Callable[..., Any])


def workspace_argument(command: Command) -> Command:
    """`WS`: a workspace, a transcript, the folder of a project that has a workspace, or a folder with only one."""
    return click.argument("ws", metavar="WS", type=click.Path(path_type=str))(command)


JSON, TOON = FORMATS = ("json", "toon")
_FORMAT = "ccos.format"
"""What `click` calls the format that was asked for, while a command runs."""


def keep_format(context: click.Context, _: click.Parameter, value: str | None) -> str | None:
    """Let `give` know which format of data a command was asked for."""
    if value in FORMATS:
        context.meta[_FORMAT] = value
    return value


JSON_OPTION: dict[str, Any] = {
    "is_flag": True,
    "callback": lambda context, _, value: value or _FORMAT in context.meta,
    "help": "Print the answer as JSON.",
}
"""A command gets `as_json` for both formats of data; `give` knows which it was."""
FORMAT_OPTION: dict[str, Any] = {
    "type": click.Choice(FORMATS),
    "is_eager": True,  # known before `--json` is looked at
    "expose_value": False,
    "callback": keep_format,
    "help": "Print the answer as JSON, or as TOON, which takes fewer tokens.",
}


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", **JSON_OPTION)(click.option("--format", **FORMAT_OPTION)(command))


def format_in(words: Sequence[str]) -> str:
    """Return the format of data that the words of a command line ask for, even if no command understood them."""
    for word, after in zip(words, [*words[1:], ""], strict=True):
        name, _, said = word.partition("=")
        if name == "--format" and (said or after) in FORMATS:
            return said or after
    return JSON if "--json" in words else ""


def is_toon() -> bool:
    """Return whether the command that runs was asked for TOON."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(_FORMAT) == TOON


def require_folder(path: str) -> None:
    """Raise `NotFound` if a path is no folder, `NotUnderstood` if it is something else."""
    if not os.path.isdir(path):
        if os.path.exists(path):
            raise NotUnderstood("isn't a folder", place=path)
        raise NotFound("there is no such folder", place=path)


def tell(said: str) -> None:
    """A line for the person at the terminal; never data."""
    terminal.show(said, on=sys.stderr)


def give(answer: object, *, toon: bool = False) -> None:
    """Print an answer as one line of JSON, or as TOON with an empty line behind it: UTF-8, whatever the terminal
    speaks."""
    if toon or is_toon():
        terminal.show_bytes(terminal.toon_text(answer).encode("utf-8") + b"\n")
    else:
        terminal.show_bytes(as_bytes(answer))


def as_bytes(answer: object) -> bytes:
    """JSON as it leaves the program."""
    return terminal.json_text(answer).encode("utf-8", "backslashreplace")


def complain(fact: str, *, place: str = "", hint: str = "", code: int, as_json: bool, toon: bool = False) -> int:
    """Say what went wrong, to people and to those who asked for data; gives the exit code."""
    if as_json:
        try:
            give(error_object(fact, place, hint, code), toon=toon)
            sys.stdout.flush()
        except OSError:  # stdout itself may be what went wrong
            terminal.silence()
    with contextlib.suppress(OSError):
        tell(f"ccos-tui: {place + ': ' if place else ''}{fact}" + (f"\n  {hint}" if hint else ""))
    return code


def error_object(fact: str, place: str, hint: str, code: int) -> dict[str, object]:
    """What went wrong, for those who asked for JSON."""
    return {"schema": "ccos.error/1", "error": fact, "place": place, "hint": hint, "exit": code}


def workspace(named: str) -> str:
    """Return the record that `named` means: a workspace, a project's folder, or a transcript, which is imported first.

    What hooks heard for it is taken in; a person is told what has to wait.
    """
    from ccos_core.session.hearing import take_in  # for commands that open one
    from ccos_core.session.lost_events import lost_words

    if split_step(named)[1] is not None:
        raise Usage(
            "this command takes no @STEP", place=named, hint="Questions take one, such as why, missing and recall."
        )
    ws = locate.workspace(named)
    if not files.is_record(ws):
        return _import_transcript(ws)
    taken = take_in(ws)
    if taken.waiting:
        events = words.count(taken.waiting, "hook event")
        tell(f"ccos-tui: {events} can't be recorded yet: {taken.why}")
    if (lost := lost_words(ws)) is not None:
        tell(f"ccos-tui: {lost[0]}\n  {lost[1]}")
    return ws


def _import_transcript(path: str) -> str:
    from ccos_core.serve.terminal import Bar
    from ccos_core.session.named import import_transcript

    bar = Bar("importing")
    try:
        return import_transcript(path, lambda done, total, _: bar(done, total))
    finally:
        bar.end()


def split_step(named: str) -> tuple[str, str | None]:
    """Split `WS@STEP` into the record's name and the step; None where a file is called so, or no step is named."""
    name, mark, step = named.rpartition("@")
    if not (name and mark and step) or os.path.lexists(named) or not os.path.lexists(name):
        return named, None
    return name, step


def reading(ws: str) -> Record:
    """The record to read, with a word about it if it isn't whole."""
    record = open_record(workspace(ws))
    if record.notice is not None:
        tell(f"ccos-tui: {record.notice}")
    return record
