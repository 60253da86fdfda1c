"""Search results and lists of paths, with each file or folder written once: nothing is left out.

    src/app.py:12:def run()            src/app.py:
    src/app.py:40:run()          →       12:def run()
                                         40:run()

Neighbours alone are grouped, so the order stays, and `ungrouped` gives the original. A text that has a line which could
be taken for one of ours stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from ccos_core.text.compress.shortened import Shortened
from ccos_core.values.tokens import estimate

LEAST_LINES = 4
LEAST_LISTED_PERCENT = 80
"""Part of the lines that must be results of a search, or paths."""
INDENT = "  "
LONGEST_LINE = 1_000
"""Characters of a line that may be a result or a path; a longer one stays as it is."""
_RESULT = re.compile(r"((?!\d{4}-\d|[^:]*\s)(?:[A-Za-z]:[\\/])?[^:\s]*[A-Za-z_/.][^:\s]*)([:-]\d+[:-].*)", re.DOTALL)
_LISTED = re.compile(r"((?:[^/\s][^/\n]*|)/(?:[^/\n]+/)*)([^/\n\s][^/\n]*)")


def is_search(text: str) -> bool:
    """Tell whether most lines are results of a search: path, line number, text."""
    return _part(text, _RESULT)


def is_listing(text: str) -> bool:
    """Tell whether most lines are paths with folders."""
    return _part(text, _LISTED) and not any(" " in line.strip() for line in text.split("\n", 20)[:20])


def group_search(text: str, ref: str) -> Shortened | None:
    """Write the file of neighbouring results once."""
    return _grouped("search", text, _RESULT, ":")


def group_listing(text: str, ref: str) -> Shortened | None:
    """Write the folder of neighbouring paths once."""
    return _grouped("listing", text, _LISTED, "")


def ungrouped(text: str) -> str:
    """Return what was grouped as it was before."""
    lines: list[str] = []
    head = ""
    for line in text.split("\n"):
        if line.startswith(INDENT):
            if lines and head and lines[-1] is head:
                lines.pop()
            lines.append(head.removesuffix(":") + line.removeprefix(INDENT))
        else:
            lines.append(line)
            head = line
    return "\n".join(lines)


def _part(text: str, pattern: re.Pattern[str]) -> bool:
    lines = [line for line in text.split("\n", 200)[:200] if line]
    listed = sum(len(line) <= LONGEST_LINE and pattern.fullmatch(line) is not None for line in lines)
    return len(lines) >= LEAST_LINES and listed * 100 >= LEAST_LISTED_PERCENT * len(lines)


def _grouped(kind: str, text: str, pattern: re.Pattern[str], end: str) -> Shortened | None:
    lines = text.split("\n")
    if any(line.startswith(INDENT) for line in lines):
        return None
    short = "\n".join(_written(lines, pattern, end))
    if estimate(short) >= estimate(text) or ungrouped(short) != text:
        return None
    return Shortened(kind, short)


def _written(lines: Sequence[str], pattern: re.Pattern[str], end: str) -> Iterator[str]:
    parted = [_parted(line, pattern) for line in lines]
    for head, run in groupby(parted, lambda each: each[0]):
        rest = [each for _, each in run]
        if not head:
            yield from rest
        elif len(rest) == 1:
            yield head + rest[0]
        else:
            yield head + end
            yield from (INDENT + each for each in rest)


def _parted(line: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    """Return what neighbours may have in common, and the rest."""
    found = pattern.fullmatch(line) if len(line) <= LONGEST_LINE else None
    return (found[1], found[2]) if found else ("", line)
