"""Which program shows a text outside of ours: the reader's pager, else the reader's editor, else one that is there."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

VARIABLES = ("PAGER", "VISUAL", "EDITOR")
"""Who reads wants a pager first; what is shown is a copy, so nothing is lost by not editing it."""
USUAL = ("less", "more", "vi", "nano")
"""Tried where nobody said anything."""
ITS_OWN = ("SIGINT", "SIGQUIT")
"""What a terminal sends to all who sit at it, and what only the program that has the terminal is meant by: who
interrupts a pager's search wants to go on reading."""
NONE = "no program to open it: set $PAGER or $EDITOR"


def reader(environment: Mapping[str, str]) -> list[str]:
    """The words to call it by; none where there is no program of the kind."""
    for name in VARIABLES:
        words = _words(environment.get(name, ""))
        if words and shutil.which(words[0]):
            return words
    found = next((each for each in USUAL if shutil.which(each)), None)
    return [found] if found else []


def show_with(words: Sequence[str], path: str) -> str:
    """Let it show a file until somebody leaves it; gives what went wrong, if anything did."""
    try:
        with subprocess.Popen([*words, path]) as shown, _left_to_it():  # noqa: S603  (the reader said which program)
            code = shown.wait()
    except OSError as error:
        return f"{words[0]}: {(error.strerror or 'not started').lower()}"
    return f"{words[0]} ended with exit code {code}" if code else ""


@contextmanager
def _left_to_it() -> Iterator[None]:
    """Don't hear what isn't meant for us. It begins behind the other program's start, who would inherit it."""
    before: dict[int, Any] = {}
    for name in ITS_OWN:
        with suppress(AttributeError, ValueError):  # no such signal, or not the thread that has them
            number = getattr(signal, name)
            before[number] = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)


def _words(said: str) -> list[str]:
    try:
        return shlex.split(said)
    except ValueError:  # quotes that don't end
        return []
