"""Which program shows a text outside of ours: the reader's pager, else the reader's editor, else one that is there."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence

VARIABLES = ("PAGER", "VISUAL", "EDITOR")
"""Who reads wants a pager first; what is shown is a copy, so nothing is lost by not editing it."""
USUAL = ("less", "more", "vi", "nano")
"""Tried where nobody said anything."""
NONE = "no program to show it: set $PAGER or $EDITOR"


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
        done = subprocess.run([*words, path], check=False)  # noqa: S603  (the reader said which program)
    except OSError as error:
        return f"{words[0]}: {(error.strerror or 'it could not be started').lower()}"
    return f"{words[0]} ended with {done.returncode}" if done.returncode else ""


def _words(said: str) -> list[str]:
    try:
        return shlex.split(said)
    except ValueError:  # quotes that don't end
        return []
