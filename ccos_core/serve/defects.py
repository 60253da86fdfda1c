"""What is said of whatever ends a command: of our own defects too, whose details go to a file and not to a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from ccos_core._version import __version__
from ccos_core.errors import CcosError
from ccos_core.serve import exits


def explained(error: Exception, given: Sequence[str]) -> tuple[str, str, str, int]:
    """(fact, place, hint, exit code) of what ended a command that was given so."""
    if isinstance(error, CcosError):
        return error.fact, error.place, error.hint, exits.code_of(error)
    if isinstance(error, click.UsageError) and error.ctx:
        return error.format_message(), "", f"See: {error.ctx.command_path} --help", exits.USAGE
    if isinstance(error, click.ClickException):
        return error.format_message(), "", "", exits.USAGE
    if isinstance(error, click.exceptions.Abort):
        return "interrupted", "", "", exits.INTERRUPTED
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower(), os.fspath(error.filename or ""), "", exits.UNAVAILABLE
    fact = f"a bug in ccos-tui ({type(error).__name__}: {error})"
    return fact, "", _report(given), exits.DEFECT


def _report(given: Sequence[str]) -> str:
    """Keep what a developer needs in a file of the user's; a terminal is no place for it."""
    import traceback

    from ccos_core.storage.locate import state_home

    path = os.path.join(state_home(), "defects", f"{os.getpid()}.txt")
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"ccos-tui {__version__}, Python {sys.version}\n{list(given)!r}\n\n{traceback.format_exc()}")
    except OSError:
        return "The report couldn't be written."
    return f"The report is in {path}. Recorded data is safe."
