"""An output as a person saw it, line by line; what its readers hand back; and the walk that they share.

No colours, no carriage returns, no gutter of line numbers. Hidden characters may have been made visible before this is
read (`[U+001B ESC]`), and the middle of a long output may have been replaced by a line that says so. Every step is
linear, whatever the text. A runner's reader subclasses `Walk`, says in `take` what each of its lines means, and turns
its runs into failures and passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Generic, TypeVar

from ccos_core.values.outcome import Failure, Pass

MOST_FRAMES = 100
LONGEST_MESSAGE = 300
CUT = "\0cut"  # stands for lines that are missing
CLAIMED = "\0claimed"  # stands for a line that one of the readers has taken
LONGEST_LINE = 4_000  # characters of it that are looked at

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
_LONGEST_CUT = 300
_NO_CUT = "Full output truncated"
"""How pytest shortens a comparison, and Go a deep stack: nothing of the output is missing."""
_NO_CUT_END = " frames elided..."
_LEAD = "INTERNALERROR>"  # what pytest writes before each line of its own end
_GUTTERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], object]], ...] = (
    (re.compile(r"([\w./-]{1,60} *\|)(?: |$)"), lambda mark, at: mark[1]),  # compose's names
    (re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?)(?: |$)"), lambda mark, at: mark.end(1)),
    (re.compile(r" {0,8}(\d{1,7})(?:\t|: ?| ?[|│→] ?|$)"), lambda mark, at: int(mark[1]) - at),  # line numbers
)
"""Each with what stays the same from line to line as long as it goes on."""
_COUNT = re.compile(r"(\d{1,9}) (\w+)")
_SMALLEST_RUN = 3  # lines in a row that must have the same kind of gutter before it is believed to be one


@dataclass(slots=True)
class Span:
    """The lines of one run, both included."""

    first: int
    last: int


@dataclass(slots=True)
class Page:
    """An output, and what is known about the command that made it."""

    lines: list[str]  # `CUT` where something is missing, `CLAIMED` where a reader was
    command: str = ""
    ok: bool | None = None  # whether the command succeeded, if that is known


@dataclass(slots=True)
class Findings:
    """What one reader found, each with the line it starts on."""

    failures: list[tuple[int, Failure]] = field(default_factory=list)
    passes: list[tuple[int, Pass]] = field(default_factory=list)
    looked: list[Pass] = field(default_factory=list)
    """What a run that failed took in, and of which it reports all that is wrong."""
    claimed: list[tuple[int, int]] = field(default_factory=list)
    """Lines [from, to) that are this reader's, so that no later one reads them again."""

    def add_run(self, run: Span, failures: list[tuple[int, Failure]], passes: list[Pass]) -> None:
        """Add what a run says: its passes stand at its end, and all its lines are claimed."""
        self.failures += failures
        self.passes += [(run.last, each) for each in passes]
        self.claimed.append((run.first, run.last + 1))


def page_of(output: str, command: str = "", ok: bool | None = None) -> Page:
    return Page(lines_of(output), command, ok)


def short(message: str) -> str:
    """One line, not too long."""
    message = message.strip()
    return message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"


def count_words(text: str) -> dict[str, int]:
    """`{"failed": 1, "passed": 2}` for `1 failed, 2 passed`."""
    return {word: int(number) for number, word in _COUNT.findall(text)}


def lines_of(output: str) -> list[str]:
    """The lines, with `CUT` where some are missing."""
    text = output.encode("utf-8", "replace").decode() if not output.isascii() else output
    text = text.replace("\0", "")
    for literal, char in _LITERALS:
        text = text.replace(literal, char)
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _GLUED.sub(r"\n\1\n", text) if "truncated…" in text else text
    lines = [line[:LONGEST_LINE].rstrip() for line in text.split("\n")]
    if _LEAD in text:
        lines = [line[len(_LEAD) :].removeprefix(" ") if line.startswith(_LEAD) else line for line in lines]
    lines = [CUT if line.lstrip().startswith(_CUT_STARTS) and _is_cut(line) else line for line in lines]
    for gutter, constant in _GUTTERS if "|" in text else _GUTTERS[1:]:
        lines = _without_gutter(lines, gutter, constant)
    return lines


def _is_cut(line: str) -> bool:
    begun = line[:40].lstrip().startswith(_CUT_STARTS) and len(line) <= _LONGEST_CUT
    return begun and _CUT_WORDS.search(line) is not None and not (_NO_CUT in line or line.endswith(_NO_CUT_END))


def _without_gutter(
    lines: list[str], gutter: re.Pattern[str], constant: Callable[[re.Match[str], int], object]
) -> list[str]:
    """Take a gutter off where it runs through several lines, so that a line that merely looks like one stays."""
    marks = list(map(gutter.match, lines))
    if len(marks) - marks.count(None) < _SMALLEST_RUN:
        return lines
    out: list[str] = []
    values = [None if mark is None else constant(mark, at) for at, mark in enumerate(marks)]
    for value, places in groupby(range(len(lines)), values.__getitem__):
        run = [(lines[at], marks[at]) for at in places]
        taken = value is not None and len(run) >= _SMALLEST_RUN
        out += [line[mark.end() :] if taken and mark is not None else line for line, mark in run]
    return out


# ---- the walk ----

R = TypeVar("R", bound=Span)


class Walk(Generic[R]):
    """Goes through an output once; `start` makes a run that begins and, so far, ends at these lines."""

    def __init__(self, lines: list[str], start: Callable[[int, int], R]) -> None:
        self.lines, self.start = lines, start
        self.runs: list[R] = []
        self.now: R | None = None
        self.suites = Suites()

    def take(self, at: int, line: str) -> None:
        raise NotImplementedError

    def interrupt(self, at: int) -> None:
        """Forget what the lines so far began: what follows may be anything."""

    def walk(self) -> list[R]:
        for at, line in enumerate(self.lines):
            if line in (CLAIMED, CUT):
                self.interrupt(at)
            else:
                self.take(at, line)
        return self.runs

    def run(self, at: int, first: int = -1) -> R:
        """Extend the current run to this line; where none is open, begin one at `first`, or here."""
        if self.now is None:
            self.now = self.start(first if first >= 0 else at, at)
            self.runs.append(self.now)
        self.now.last = max(self.now.last, at)
        return self.now


class Suites(list[tuple[int, str]]):
    """(indent, name) of the suites that are open, outermost first."""

    def open(self, indent: int, name: str) -> None:
        """Open a suite in those that stand further out."""
        self.above(indent)
        self.append((indent, name))

    def above(self, indent: int) -> list[str]:
        """Close the suites that stand at this indent or further in; return the names of the rest."""
        while self and self[-1][0] >= indent:
            self.pop()
        return [name for _, name in self]
