"""An output as a person saw it, line by line: no colours, no carriage returns, no gutter of line numbers.

Hidden characters may have been made visible before this is read (`[U+001B ESC]`), and the middle of a long output may
have been replaced by a line that says so. Every step is linear, whatever the text.
"""

from __future__ import annotations

import re

CUT = "\0cut"
"""Stands for lines that are missing."""
CLAIMED = "\0claimed"
"""Stands for a line that one of the readers has taken."""
LONGEST = 4_000
"""Characters of a line that are looked at."""

_LITERALS = (
    ("[U+0000 NUL]", ""),  # every second character of UTF-16 that was read as something else
    ("[U+001B ESC]", "\x1b"),
    ("[U+009B CSI]", "\x9b"),
    ("[U+000D CR]", "\r"),
    ("[U+0007 BEL]", "\x07"),
)
_ESCAPES = re.compile(
    "\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?"  # titles and links
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # colours and cursors
    "|\x1b[ -/]*[0-~]?"
)
_GLUED = re.compile(r"(…\d+ \w+ truncated…)")

_CUT_WORDS = re.compile(r"truncated|left out|omitted|elided|clipped|lines hidden|lines skipped", re.IGNORECASE)
_CUT_STARTS = ("[", "(", "<", "...", "…")
_NO_CUT = "Full output truncated"
"""How pytest shortens a comparison: nothing of the output is missing."""
_NO_CUT_END = " frames elided..."
"""How Go shortens a deep stack."""
_LONGEST_CUT = 300

_NUMBERS = re.compile(r" {0,8}(\d{1,7})(?:\t|: ?| ?[|│→] ?|$)")
_COMPOSE = re.compile(r"([\w./-]{1,60} *\|)(?: |$)")
_STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?)(?: |$)")
_LEAD = "INTERNALERROR>"
"""What pytest writes before each line of its own end."""
_SMALLEST_RUN = 3
"""Lines in a row that must have the same kind of gutter before it is believed to be one."""


def lines_of(output: str) -> list[str]:
    """The lines, with `CUT` where some are missing."""
    text = _plain(output)
    lines = [line[:LONGEST].rstrip() for line in text.split("\n")]
    if _LEAD in text:
        lines = [line[len(_LEAD) :].removeprefix(" ") if line.startswith(_LEAD) else line for line in lines]
    marked = [CUT if line.lstrip().startswith(_CUT_STARTS) and _says_cut(line) else line for line in lines]
    return _without_gutters(marked)


def _plain(output: str) -> str:
    text = output.encode("utf-8", "replace").decode() if not output.isascii() else output
    text = text.replace("\0", "")
    for literal, char in _LITERALS:
        if literal in text:
            text = text.replace(literal, char)
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _GLUED.sub(r"\n\1\n", text) if "truncated…" in text else text


def _says_cut(line: str) -> bool:
    start = line[:40].lstrip()
    if not start.startswith(_CUT_STARTS) or len(line) > _LONGEST_CUT or _NO_CUT in line or line.endswith(_NO_CUT_END):
        return False
    return _CUT_WORDS.search(line) is not None


def _without_gutters(lines: list[str]) -> list[str]:
    """Each gutter is taken off where it runs through several lines, so a line that merely looks like one stays."""
    if any("|" in line for line in lines):
        lines = _without(lines, _COMPOSE, _same_name)
    return _without(_without(lines, _STAMP, _same_width), _NUMBERS, _next_number)


def _without(lines: list[str], gutter: re.Pattern[str], told: _Told) -> list[str]:
    """`told` says of a line's gutter what it is, and what that of the next line must be."""
    marks = list(map(gutter.match, lines))
    if len(marks) - marks.count(None) < _SMALLEST_RUN:
        return lines
    out: list[str] = []
    run: list[tuple[str, int]] = []
    expected: object = None
    for line, mark in zip((*lines, CUT), (*marks, None), strict=True):
        this, following = told(mark) if mark is not None else (None, None)
        if run and (mark is None or this != expected):
            out.extend(_stripped(run))
            run = []
        if mark is None:
            out.append(line)
        else:
            expected = following
            run.append((line, mark.end()))
    return out[:-1]


def _stripped(run: list[tuple[str, int]]) -> list[str]:
    return [line[width:] for line, width in run] if len(run) >= _SMALLEST_RUN else [line for line, _ in run]


def _next_number(mark: re.Match[str]) -> tuple[object, object]:
    number = int(mark[1])
    return number, number + 1


def _same_name(mark: re.Match[str]) -> tuple[object, object]:
    return mark[1], mark[1]


def _same_width(mark: re.Match[str]) -> tuple[object, object]:
    return mark.end(1), mark.end(1)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    _Told: TypeAlias = Callable[[re.Match[str]], tuple[object, object]]
