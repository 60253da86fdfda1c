"""What the other end of our streams can show (characters, colours, width), and progress for a person who waits there.

Every word for a terminal leaves through `show`, or through `json_text` where it is JSON: names of files and texts of
others hold characters that a terminal obeys.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import re
import shutil
import sys
import time
from typing import TextIO

import click

from ccos_core.text.sanitize import hidden_in, surface

ASCII = {"–": "-", "—": "-", "…": "...", "→": "->", "✗": "x", "✓": "+", "≤": "<=", "×": "x",
         "−": "-", "✂": "C", "✎": "w", "▤": "=", "●": "#", "◐": "~", "○": "o", "◌": "s", "·": ".", "▸": ">",
         "▁": "_", "▂": ":", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%", "█": "@",
         "⚙": "*", "❯": ">", "∑": "#", "§": "E", "◫": "r", "←": "<-", "└": "+", "├": "+", "│": "|", "─": "-",
         "▏": ".", "▎": ".", "▍": ".", "▌": ":", "▋": "+", "▊": "*", "▉": "%",
         "┈": "-", "“": '"', "”": '"'}  # fmt: skip
"""What we print instead where the stream has no such character."""
ROLES = {"bad": "red", "good": "green", "note": "yellow"}
_COLOURS = re.compile("(\x1b\\[(?:0|1|2|22|31|32|33)m)")
"""What `coloured` writes, and nothing else that a terminal obeys."""


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
    shown = harmless(text)
    stream.write((shown if stream.isatty() else click.unstyle(shown)) + "\n")


def harmless(text: str) -> str:
    """`text` with every character spelled out that a terminal would obey instead of show; our own colours stay."""
    if "\x1b" in text:
        return "".join(part if at % 2 else _spelled_out(part) for at, part in enumerate(_COLOURS.split(text)))
    return _spelled_out(text)


def _spelled_out(text: str) -> str:
    """Line ends of Windows become ours; a page break, which sources may have, a sign."""
    return surface(text)[0].replace("\r\n", "\n").replace("\f", "␌")


def json_text(value: object) -> str:
    """`value` as JSON on one line, with escapes for all that a terminal would obey: the same value to who reads it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    hidden = hidden_in(text)
    return text.translate({ord(char): json.dumps(char)[1:-1] for char in hidden}) if hidden else text


def toon_text(value: object) -> str:
    """`value` as TOON, with escapes for all that a terminal would obey."""
    from ccos_core.serve.toon_tables import write

    text = json.dumps(value, ensure_ascii=False)
    return write(json.loads(text), frozenset(hidden_in(text)))


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
    return (
        text
        if plain
        else click.style(text, fg=ROLES.get(role), dim=role == "quiet" or None, bold=role == "strong" or None)
    )


def columns() -> int | None:
    """How wide the terminal is; None where our output goes somewhere else."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def _replaced(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(ASCII.get(char) or ascii(char)[1:-1] for char in text), error.end


PATIENCE = 0.5
"""Seconds nobody minds waiting."""
OFTEN = 0.1
"""Seconds between two looks."""


class Bar:
    """One line on stderr that goes away again: `folding 34 %`."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._begun: float | None = None
        self._next = 0.0
        self._shown = 0

    def __call__(self, done: int, total: int) -> None:
        """So much is done of so much."""
        if not sys.stderr.isatty():
            return
        now = time.monotonic()
        if self._begun is None:
            self._begun, self._next = now, now + PATIENCE
        if now >= self._next:
            self._next = now + OFTEN
            self._write(f"{self.what} {min(100 * done // max(total, 1), 100)} %")

    def end(self) -> None:
        """It is done, or was given up."""
        if self._shown:
            self._write("")
        self._begun, self._shown = None, 0

    def _write(self, line: str) -> None:
        sys.stderr.write(f"\r{line:<{self._shown}}" + ("" if line else "\r"))
        sys.stderr.flush()
        self._shown = len(line)


class Bars:
    """What can be waited for while a record is asked."""

    def __init__(self) -> None:
        self.folding = Bar("folding")
        self.asking = Bar("asking")

    def end(self) -> None:
        """Nobody waits any more."""
        self.folding.end()
        self.asking.end()
