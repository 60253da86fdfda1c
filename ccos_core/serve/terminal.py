"""What the other end of our streams can show: characters, colours, width. Set up once, before any command runs."""

from __future__ import annotations

import codecs
import contextlib
import os
import shutil
import sys
from typing import TextIO

import click

ASCII = {"–": "-", "—": "-", "…": "...", "→": "->", "✗": "x", "✓": "+", "≤": "<=", "×": "x",
         "●": "#", "◐": "~", "○": "o", "◌": "s", "·": ".", "▸": ">",
         "▁": "_", "▂": ":", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%", "█": "@"}  # fmt: skip
"""What we print instead where the stream has no such character."""
ROLES = {"bad": "red", "good": "green", "note": "yellow"}


def prepare() -> None:
    """No character and no missing stream may keep a command from doing its work."""
    codecs.register_error("ccos", _replaced)
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  (lives as long as we do)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (lives as long as we do)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="ccos")


def show(text: str, *, on: TextIO | None = None) -> None:
    """A line on stdout, or on the stream given, without colours where that is no terminal."""
    stream = on or sys.stdout
    stream.write((text if stream.isatty() else click.unstyle(text)) + "\n")


def show_bytes(line: bytes) -> None:
    """A line of data on stdout, as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(line + b"\n")


def silence() -> None:
    """Whoever read our output has seen enough; Python must not complain about it while it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def coloured(text: str, role: str) -> str:
    """`text` by its meaning, which its words carry as well. `show` takes the colour off where it is of no use."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text, fg=ROLES.get(role), dim=role == "quiet")


def columns() -> int | None:
    """How wide the terminal is; None where our output goes somewhere else."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(ASCII.get(char) or ascii(char)[1:-1] for char in text), error.end
