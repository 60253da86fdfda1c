"""Python's own tracebacks: chained, grouped, from threads and from the fault handler.

A traceback is known by its frames; header and last line may be missing where an output was cut. Standard output may
have fallen between its lines, for the two streams are written apart. What was printed with `ignored` or as a mere stack
is no failure. The other readers of Python's outputs use `traces` for the tracebacks inside of theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.command import runs
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import MOST_FRAMES, Findings, Page, short
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

PYTHON = "python"
SIGNS = ('File "',)

FRAME = re.compile(r'(\s*)File "([^"]+)", line (\d{1,9})(?:,? in (.+))?$')
CHAINS = {
    "The above exception was the direct cause of the following exception:": "cause",
    "During handling of the above exception, another exception occurred:": "handling",
}

_HEADER = "Traceback (most recent call last):"
_STACK = "Stack (most recent call last):"
_FAULT = re.compile(r"\s*Current thread 0x[0-9a-f]+.*\(most recent call first\):$")
_GROUP = re.compile(r"(\s*)\+ Exception Group Traceback \(most recent call last\):$")
_MARGIN = re.compile(r"\s*\| ?")
_NEXT_OF_GROUP = re.compile(r"\s*\+(?:-\+)?-{3,} (?:\d+|\.\.\.) -{3,}$")
_SUB = "\0sub"
"""Stands for the line between the exceptions of a group."""

_EXCEPTION = re.compile(r"[A-Za-z_]\w*(?:\.[\w<>]+)*(?=:|$)")
_SURELY = re.compile(
    r"(?:error|exception|warning|exit|interrupt|group|iteration|fail(?:ure|ed)?|fault|timeout|abort|exist|notfound)$",
    re.IGNORECASE,
)
_MOST_NOISE = 40
"""Lines of something else that may stand inside of one traceback."""


def read(page: Page) -> Findings:
    """The tracebacks nobody else claimed; and where a script ran through without any, that it did."""
    found = Findings()
    for trace in traces(page.lines):
        found.failures.append((trace.first, trace.failure()))
        found.claimed.append((trace.first, trace.last + 1))
    script = _script(page) if not found.failures else None
    if script is not None:
        found.passes.append((0, Pass(PYTHON, TESTS, (script,))))
    return found


@dataclass(slots=True)
class Segment:
    """One exception with its frames, as they stand: outermost first."""

    link: str
    """How it goes with the one before it: `cause`, `handling`, `sub` (of a group), or not at all."""
    headed: bool
    base: int
    """The column the last line stands in."""
    first: int
    last: int
    frames: list[tuple[str, int, str]] = field(default_factory=list)
    message: str = ""
    state: str = "open"
    """`open`, `doubtful` (the last line may have been it), `closed`."""
    noise: int = 0
    reverse: bool = False
    """Innermost first, as the fault handler has it."""
    void: bool = False
    """No failure."""


@dataclass(slots=True)
class Trace:
    """An exception with all that led to it."""

    segments: list[Segment]

    @property
    def first(self) -> int:
        return self.segments[0].first

    @property
    def last(self) -> int:
        return self.segments[-1].last

    @property
    def message(self) -> str:
        whole = [segment for segment in self.segments if segment.link != "sub"]
        return short((whole or self.segments)[-1].message)

    @property
    def frames(self) -> tuple[Frame, ...]:
        return chained([(segment.link, _inner_first(segment)) for segment in self.segments])

    def failure(self) -> Failure:
        return Failure(PYTHON, self._script(), self.frames, self.message)

    def _script(self) -> str:
        """The file it began in; empty for the prompt, a server's worker, a thread."""
        whole = [segment for segment in self.segments if segment.link != "sub"]
        outer = (whole or self.segments)[-1]
        frames = outer.frames[::-1] if outer.reverse else outer.frames
        for path, _, name in frames:
            if name == "<module>" or (not name and len(frames) == 1):
                return "" if path.startswith("<") else path
            if not path.startswith("<frozen ") and not path.endswith("/runpy.py"):
                break
        return ""


def chained(segments: list[tuple[str, list[Frame]]]) -> tuple[Frame, ...]:
    """The frames of exceptions that go together: what broke first comes first, each once."""
    total: list[Frame] = []
    subs: list[Frame] = []
    for link, said in segments:
        frames = list(dict.fromkeys(said))[:MOST_FRAMES]
        if link == "sub":
            subs = (subs + frames)[:MOST_FRAMES]
        elif link == "cause":
            total = (total + frames)[:MOST_FRAMES]
        else:
            total = (frames + total)[:MOST_FRAMES]
    return tuple(dict.fromkeys(subs + total))[:MOST_FRAMES]


def traces(lines: list[str], start: int = 0, end: int | None = None) -> list[Trace]:
    """The tracebacks in these lines."""
    reader = _Reader()
    for at, line in enumerate(_without_margins(lines[start:end]), start):
        reader.take(at, line)
    return reader.done()


class _Reader:
    """Goes through an output once, with the traceback it is in."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self.now: Segment | None = None
        self.link = ""
        self.before = ""
        """The last line that wasn't empty."""

    def done(self) -> list[Trace]:
        kept = []
        for trace in self.traces:
            trace.segments = [each for each in trace.segments if each.frames and (each.headed or each.message)]
            if trace.segments and not trace.segments[0].void:
                kept.append(trace)
        return kept

    def take(self, at: int, line: str) -> None:
        text = line.strip()
        if text in CHAINS:
            self.link, self.now = CHAINS[text], None
        elif text == _SUB:
            self.link, self.now = "sub", None
        elif text.endswith(":") and self._opens(at, line, text):
            pass
        elif (frame := FRAME.match(line)) is not None:
            self._frame(at, frame)
        elif line == CLAIMED:
            self.now, self.link = None, ""
        elif self.now is not None and self.now.state != "closed" and line != CUT:
            self._inside(self.now, at, line, text)
        if text:
            self.before = text

    def _opens(self, at: int, line: str, text: str) -> bool:
        if not text.endswith((_HEADER, _STACK, "first):")):
            return False
        indent = len(line) - len(line.lstrip())
        if text.endswith(_HEADER):
            void = self.before.startswith("Exception ignored ")
            self._start(Segment(self.link, True, indent, at, at, void=void))
        elif text.endswith(_STACK):
            self._start(Segment("", True, indent, at, at, void=True))
        elif _FAULT.match(line):
            said = self.before if self.before.startswith("Fatal Python error") else ""
            self._start(Segment("", True, indent, at, at, message=short(said), reverse=True))
        return True

    def _start(self, segment: Segment) -> None:
        if segment.link and self.traces:
            self.traces[-1].segments.append(segment)
        else:
            segment.link = ""
            self.traces.append(Trace([segment]))
        self.now, self.link = segment, ""

    def _frame(self, at: int, frame: re.Match[str]) -> None:
        indent = len(frame[1])
        if self.now is None or self.now.state == "closed":
            self._start(Segment(self.link, False, max(indent - 2, 0), at, at))
        now = self.now
        assert now is not None
        if now.state == "doubtful":
            now.state, now.message = "open", ""
        now.base = max(indent - 2, 0)
        now.last, now.noise = at, 0
        now.frames.append((frame[2], int(frame[3]), frame[4] or ""))

    def _inside(self, now: Segment, at: int, line: str, text: str) -> None:
        """A line of source, the exception itself, or something that fell in between."""
        indent = len(line) - len(line.lstrip())
        if now.state == "open" and indent > now.base:
            now.last = at
            return
        found = _EXCEPTION.match(text)
        surely = found is not None and _is_surely(found[0])
        if found is None or now.reverse or not now.frames or not (surely or (now.headed and indent == now.base)):
            now.noise += 1
            if now.noise > _MOST_NOISE or (now.reverse and not text):
                now.state = "closed"
        elif now.state == "open" or (surely and at == now.last + 1):
            now.message, now.last = short(text), at
            now.state = "closed" if surely else "doubtful"


def _is_surely(name: str) -> bool:
    """Whether this is how exceptions are called, and not a word before a colon."""
    return _SURELY.search(name) is not None or ("." in name and name.rpartition(".")[2][:1].isupper())


def _inner_first(segment: Segment) -> list[Frame]:
    frames = segment.frames if segment.reverse else segment.frames[::-1]
    return [Frame(path, line, "" if name == "<module>" else name) for path, line, name in frames]


def _without_margins(lines: list[str]) -> list[str]:
    """The margin `  | ` of exception groups taken off."""
    out: list[str] = []
    inside = False
    for line in lines:
        if (opening := _GROUP.match(line)) is not None:
            inside = True
            out.append(opening[1] + _HEADER)
        elif inside and _NEXT_OF_GROUP.match(line):
            out.append(_SUB)
        elif inside and (margin := _MARGIN.match(line)) is not None:
            out.append(line[margin.end() :])
        elif inside and line.lstrip().startswith("+-"):
            out.append("")
        else:
            inside = False
            out.append(line)
    return out


def _script(page: Page) -> str | None:
    """The script that ran and succeeded, when that is all the command did last."""
    if page.ok is not True:
        return None
    last = runs(page.command)[-1:]
    if not last or not last[0].decides or last[0].tool != PYTHON:
        return None
    words = last[0].words
    return words[0] if words and words[0].endswith(".py") else None
