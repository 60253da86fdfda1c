"""Python's own tracebacks: chained, grouped, from threads and from the fault handler; and doctests.

A traceback is known by its frames; header and last line may be missing where an output was cut. Standard output may
have fallen between its lines, for the two streams are written apart. What was printed with `ignored` or as a mere stack
is no failure. The other readers of Python's outputs use `find_traces` for the tracebacks inside of theirs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.command import runs
from ccos_core.intake.failures.page import CLAIMED, CUT, MOST_FRAMES, Findings, Page, short
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

PYTHON, DOCTEST = "python", "doctest"
SIGNS = ('File "',)
DOCTEST_SIGNS = ("Failed example:",)

_FRAME = re.compile(r'(\s*)File "([^"]+)", line (\d{1,9})(?:,? in (.+))?$')
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
_SUB = "\0sub"  # stands for the line between the exceptions of a group

_EXCEPTION = re.compile(r"[A-Za-z_]\w*(?:\.[\w<>]+)*(?=:|$)")
_SURELY = re.compile(
    r"(?:error|exception|warning|exit|interrupt|group|iteration|fail(?:ure|ed)?|fault|timeout|abort|exist|notfound)$",
    re.IGNORECASE,
)
_MOST_NOISE = 40  # lines of something else that may stand inside of one traceback
_RULE = re.compile(r"\s*(?:\*{60,}|-{60,}|={60,})$")
_EXAMPLE = "Failed example:"
EXPECTED = "Expected:"
_MOST_EXAMPLE_LINES = 400


def read(page: Page) -> Findings:
    """The tracebacks no other reader claimed; and where a script ran through without any, that it did."""
    found = Findings()
    for trace in find_traces(page.lines):
        found.failures.append((trace.first, Failure(PYTHON, trace.script(), trace.frames, trace.message)))
        found.claimed.append((trace.first, trace.last + 1))
    if not found.failures and page.ok is True:
        last = next(reversed(runs(page.command)), None)
        script = "".join(last.words[:1]) if last is not None and last.decides and last.tool == PYTHON else ""
        if script.endswith(".py"):
            found.passes.append((0, Pass(PYTHON, TESTS, (script,))))
    return found


@dataclass(slots=True)
class _Segment:
    """One exception with its frames, as they stand: outermost first."""

    link: str  # how it goes with the one before it: `cause`, `handling`, `sub` (of a group), or not at all
    headed: bool
    base: int  # the column the last line stands in
    first: int
    last: int
    frames: list[tuple[str, int, str]] = field(default_factory=list)
    message: str = ""
    state: str = "open"  # `open`, `doubtful` (the last line may have been it), `closed`
    noise: int = 0
    reverse: bool = False  # innermost first, as the fault handler has it
    void: bool = False  # no failure

    def inner_first(self) -> list[Frame]:
        frames = self.frames if self.reverse else self.frames[::-1]
        return [Frame(path, line, "" if name == "<module>" else name) for path, line, name in frames]


class Trace:
    """An exception with all that led to it."""

    def __init__(self, segments: list[_Segment]) -> None:
        whole = [segment for segment in segments if segment.link != "sub"]
        self.outer = (whole or segments)[-1]
        self.first, self.last = segments[0].first, segments[-1].last
        self.message = short(self.outer.message)
        self.frames = chain_frames([(segment.link, segment.inner_first()) for segment in segments])

    def script(self) -> str:
        """The file it began in; empty for the prompt, a server's worker, a thread."""
        frames = self.outer.frames[::-1] if self.outer.reverse else self.outer.frames
        for path, _, name in frames:
            if name == "<module>" or (not name and len(frames) == 1):
                return "" if path.startswith("<") else path
            if not path.startswith("<frozen ") and not path.endswith("/runpy.py"):
                break
        return ""


def chain_frames(segments: list[tuple[str, list[Frame]]]) -> tuple[Frame, ...]:
    """The frames of exceptions that go together: what broke first comes first, each once."""
    total: list[Frame] = []
    subs: list[Frame] = []
    for link, said in segments:
        frames = list(dict.fromkeys(said))[:MOST_FRAMES]
        if link == "sub":
            subs = (subs + frames)[:MOST_FRAMES]
        else:
            total = (total + frames if link == "cause" else frames + total)[:MOST_FRAMES]
    return tuple(dict.fromkeys(subs + total))[:MOST_FRAMES]


def find_traces(lines: list[str], start: int = 0, end: int | None = None) -> list[Trace]:
    """The tracebacks in these lines."""
    reader = _Tracebacks()
    for at, line in enumerate(_without_margins(lines[start:end]), start):
        reader.take(at, line)
    told = ([each for each in some if each.frames and (each.headed or each.message)] for some in reader.traces)
    return [Trace(segments) for segments in told if segments and not segments[0].void]


class _Tracebacks:
    """Goes through an output once, with the traceback it is in."""

    def __init__(self) -> None:
        self.traces: list[list[_Segment]] = []
        self.now: _Segment | None = None
        self.link = ""
        self.before = ""
        """The last line that wasn't empty."""

    def take(self, at: int, line: str) -> None:
        text = line.strip()
        if text in CHAINS or text == _SUB:
            self.link, self.now = CHAINS.get(text, "sub"), None
        elif text.endswith((_HEADER, _STACK, "first):")):
            self._open(at, line, text)
        elif (frame := _FRAME.match(line)) is not None:
            self._frame(at, frame)
        elif line == CLAIMED:
            self.now, self.link = None, ""
        elif self.now is not None and self.now.state != "closed" and line != CUT:
            self._inside(self.now, at, line, text)
        self.before = text or self.before

    def _open(self, at: int, line: str, text: str) -> None:
        indent = len(line) - len(line.lstrip())
        if text.endswith(_HEADER):
            void = self.before.startswith("Exception ignored ")
            self._start(_Segment(self.link, True, indent, at, at, void=void))
        elif text.endswith(_STACK):
            self._start(_Segment("", True, indent, at, at, void=True))
        elif _FAULT.match(line):
            said = self.before if self.before.startswith("Fatal Python error") else ""
            self._start(_Segment("", True, indent, at, at, message=short(said), reverse=True))

    def _start(self, segment: _Segment) -> _Segment:
        if segment.link and self.traces:
            self.traces[-1].append(segment)
        else:
            segment.link = ""
            self.traces.append([segment])
        self.now, self.link = segment, ""
        return segment

    def _frame(self, at: int, frame: re.Match[str]) -> None:
        base = max(len(frame[1]) - 2, 0)
        now = self.now
        if now is None or now.state == "closed":
            now = self._start(_Segment(self.link, False, base, at, at))
        if now.state == "doubtful":
            now.state, now.message = "open", ""
        now.base, now.last, now.noise = base, at, 0
        now.frames.append((frame[2], int(frame[3]), frame[4] or ""))

    def _inside(self, now: _Segment, at: int, line: str, text: str) -> None:
        """A line of source, the exception itself, or something that fell in between."""
        indent = len(line) - len(line.lstrip())
        if now.state == "open" and indent > now.base:
            now.last = at
            return
        found = _EXCEPTION.match(text)
        surely = found is not None and _is_exception(found[0])
        if found is None or now.reverse or not now.frames or not (surely or (now.headed and indent == now.base)):
            now.noise += 1
            if now.noise > _MOST_NOISE or (now.reverse and not text):
                now.state = "closed"
        elif now.state == "open" or (surely and at == now.last + 1):
            now.message, now.last = short(text), at
            now.state = "closed" if surely else "doubtful"


def _is_exception(name: str) -> bool:
    """Whether this is how exceptions are called, and not a word before a colon."""
    return _SURELY.search(name) is not None or ("." in name and name.rpartition(".")[2][:1].isupper())


def _without_margins(lines: list[str]) -> list[str]:
    """The margin `  | ` of exception groups taken off."""
    out: list[str] = []
    inside = False
    for line in lines:
        if (opening := _GROUP.match(line)) is not None:
            inside = True
            line = opening[1] + _HEADER
        elif inside and _NEXT_OF_GROUP.match(line):
            line = _SUB
        elif inside and (margin := _MARGIN.match(line)) is not None:
            line = line[margin.end() :]
        elif inside and line.lstrip().startswith("+-"):
            line = ""
        else:
            inside = False
        out.append(line)
    return out


# ---- doctests: an example, what it should give, what it gave ----


def read_doctest(page: Page) -> Findings:
    """Doctests, run by `python -m doctest` or by a suite of unittest."""
    found = Findings()
    begun = find_examples(page.lines)
    for at, following in zip(begun, [*begun[1:], len(page.lines)], strict=False):
        last = min(len(page.lines), at + _MOST_EXAMPLE_LINES)
        ends = (n for n in range(at + 1, last) if page.lines[n] in (CLAIMED, CUT) or _RULE.match(page.lines[n]))
        end = min(next(ends, last), following)
        frame = _FRAME.match(page.lines[at])
        frames, message = parse_example(page.lines, at, end)
        test = (frame[4] or "") if frame is not None else ""
        found.failures.append((at, Failure(DOCTEST, test, frames, message)))
        found.claimed.append((at, end))
    return found


def find_examples(lines: list[str], start: int = 0, end: int | None = None) -> list[int]:
    """The lines that name a failed example's place."""
    within = range(start + 1, len(lines) if end is None else end)
    return [at - 1 for at in within if lines[at].strip() == _EXAMPLE and _FRAME.match(lines[at - 1]) is not None]


def parse_example(lines: list[str], start: int, end: int) -> tuple[tuple[Frame, ...], str]:
    """(frames, message): what was raised inside, then the example itself; a mismatch is in the example alone."""
    place = _FRAME.match(lines[start])
    site = (Frame(place[2], int(place[3])),) if place is not None else ()
    raised = find_traces(lines, start + 2, end)
    if raised:
        return raised[0].frames + site, raised[0].message
    return site, short(mismatch([line.strip() for line in lines[start + 2 : end] if line.strip()]))


def mismatch(said: list[str]) -> str:
    """What an example should give and what it gave, in one line."""
    return " ".join(said[said.index(EXPECTED) :] if EXPECTED in said else said)
