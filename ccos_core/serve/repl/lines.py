"""Lines of commands, from wherever they come. Whatever bytes they are, lines come out, and none is too long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

from ccos_core.errors import NotUnderstood

LONGEST = 64 * 1024
"""Bytes of a command."""


class TooLong(NotUnderstood):
    """A line that is no command."""


def piped(stream: BinaryIO) -> Iterator[str | TooLong]:
    """The lines of a stream; in place of one that is too long, what is to be said of it."""
    first = True
    while line := stream.readline(LONGEST + 1):
        if len(line) > LONGEST and not line.endswith(b"\n"):
            _skip(stream)
            yield TooLong(f"a command has at most {LONGEST:,} bytes", place=line[:40].decode("utf-8", "replace") + "…")
        else:
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            yield text.removeprefix("\ufeff") if first else text
        first = False


def stdin() -> BinaryIO:
    """Where commands come from, as bytes."""
    return sys.stdin.buffer


def _skip(stream: BinaryIO) -> None:
    """Go on to the next line."""
    while (part := stream.readline(LONGEST)) and not part.endswith(b"\n"):
        pass
