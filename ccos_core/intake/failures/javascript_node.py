"""Errors as node itself prints them: uncaught, rejected, logged; with their causes.

An uncaught error is told with the line of source it came from and ends with node's version. A stack that was
merely printed counts where the command failed or its end isn't known; what is traced or warned of is no failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.javascript_commands import NODE, programs
from ccos_core.intake.failures.javascript_runs import move
from ccos_core.intake.failures.javascript_stacks import SOURCE, frame_of, is_stack, parse_stack, path_of
from ccos_core.intake.failures.page import CLAIMED, CUT, Findings, Page
from ccos_core.values.outcome import TESTS, Failure, Frame, Pass

SIGNS = (
    *(".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".vue", ".svelte", ".astro", ".coffee", ".mdx"),
    *("node:", "]:"),
)
"""Every stack that counts leads through such a file, or through node itself; what it runs of no file is `[eval]`."""
_PLACE = re.compile(
    rf"(?P<path>(?:file://)?(?:/|[A-Za-z]:[\\/])\S.{{0,600}}?{SOURCE}|node:[\w/-]+|\[\w+\]):(?P<line>\d{{1,9}})$"
)
_CARET = re.compile(r"\s*\^+$")
_CARET_DISTANCE = 4  # lines below the place in which the mark under the source is looked for
_VERSION = re.compile(r"(?:Node\.js|Bun) v\d")
_ERROR = re.compile(
    r"\s*(?:\w+ ){0,3}?(?:Uncaught )?(?:\(in promise\) )?\[?(?P<name>[A-Za-z_$][\w$.]*)(?: \[[^\]]*\])*(?::|$)"
)
_SURELY = re.compile(r"(?:Error|Exception|Rejection|Failure|Fault)$")
_MOST_MESSAGE_LINES = 30  # between an error's name and its stack
_MOST_ERROR_LINES = 400
_MOST_ALIKE = 20  # files of one name that are told apart
_MAIN = ("executeUserEntryPoint", "run_main_module")
_LOADED = "Object.<anonymous> ("
_OURS = re.compile(rf"(?:{SOURCE}|node:[\w/]+)(?:\?[^:]*)?:\d+:\d+")


@dataclass(slots=True)
class Trace:
    """One error with its stack."""

    first: int
    last: int
    fatal: bool
    lines: list[str] = field(default_factory=list)  # the error and all below it
    place: Frame | None = None  # where node shows that it was thrown

    def parse(self) -> tuple[tuple[Frame, ...], str]:
        """(frames, message)."""
        frames, message = parse_stack(self.lines)
        if self.place is not None and all((at.path, at.line) != (self.place.path, self.place.line) for at in frames):
            frames = (self.place, *frames)
        return frames, message

    def script(self) -> str:
        """The file that was run, where the stack reaches down to it."""
        if not any(word in line for line in self.lines for word in _MAIN):
            return ""
        loaded = [frame for line in self.lines if _LOADED in line and (frame := frame_of(line)) is not None]
        return loaded[-1].path if loaded else self.place.path if self.place is not None else ""


class Crashes:
    """Errors by the files they lead through."""

    def __init__(self, traces: list[Trace]) -> None:
        self.by_name: dict[str, list[tuple[str, Trace]]] = {}
        for trace in traces:
            for path in dict.fromkeys(frame.path for frame in trace.parse()[0]):
                alike = self.by_name.setdefault(path.replace("\\", "/").rpartition("/")[2], [])
                if len(alike) < _MOST_ALIKE:
                    alike.append((path, trace))

    def of(self, file: str) -> Trace | None:
        """The first error that went through this file."""
        alike = self.by_name.get(file.replace("\\", "/").rpartition("/")[2], [])
        return next((trace for path, trace in alike if path == file or path.endswith("/" + file)), None)


def read(page: Page) -> Findings:
    """The errors no other reader claimed; and where a script ran through without any, that it did."""
    found = Findings()
    seen = find_traces(page.lines)
    running = [run for run in programs(page) if run.tool == NODE] if seen else []
    script = running[0].words[0] if len(running) == 1 and not running[0].dynamic else ""
    for trace in seen:
        if trace.fatal or page.ok is not True:
            frames, message = trace.parse()
            found.failures.append((trace.first, Failure(NODE, trace.script() or script, frames, message)))
        found.claimed.append((trace.first, trace.last + 1))
    if not found.failures and page.ok is True:
        last = next(reversed(programs(page)), None)
        if last is not None and last.decides and last.tool == NODE and not last.dynamic and last.words[0]:
            found.passes.append((0, Pass(NODE, TESTS, last.words[:1])))
    return move(found, page, NODE)


def find_traces(lines: list[str]) -> list[Trace]:
    """The errors in these lines."""
    found: list[Trace] = []
    at = 0
    while at < len(lines):
        trace = _uncaught(lines, at)
        if trace is None and is_stack(lines[at]):
            trace = _logged(lines, at, found[-1].last if found else -1)
        if trace is not None:
            found.append(trace)
        at = trace.last + 1 if trace is not None else at + 1
    return [trace for trace in found if trace.lines]


def _uncaught(lines: list[str], at: int) -> Trace | None:
    """`path:line`, the source, a mark below it, then the error."""
    place = _PLACE.match(lines[at]) if lines[at].endswith(tuple("0123456789")) else None
    if place is None:
        return None
    marks = (n for n in range(at + 2, min(at + 1 + _CARET_DISTANCE, len(lines))) if _CARET.match(lines[n]))
    mark = next(marks, None)
    if mark is None:
        return None
    end = _end(lines, mark + 1)
    path = path_of(place["path"])
    frame = Frame(path, int(place["line"])) if not path.startswith(("node:", "[")) else None
    fatal = end < len(lines) and _VERSION.match(lines[end]) is not None
    trace = Trace(at, end if fatal else end - 1, True, lines[mark + 1 : end], frame)
    return trace if any(trace.lines) else None


def _end(lines: list[str], start: int) -> int:
    """The line with node's version, or the first that can't belong to the error any more."""
    stacked = False
    for at in range(start, min(len(lines), start + _MOST_ERROR_LINES)):
        line = lines[at]
        if line in (CLAIMED, CUT) or _VERSION.match(line) or (at > start and _PLACE.match(line)):
            return at
        if stacked and line and not line.startswith((" ", "}", "Emitted ")):
            return at
        stacked = stacked or is_stack(line)
    return min(len(lines), start + _MOST_ERROR_LINES)


def _logged(lines: list[str], at: int, after: int) -> Trace:
    """A stack with its error above it, and what is told of the error below it; no lines where it isn't an error."""
    end = at
    base = len(lines[at]) - len(lines[at].lstrip())
    deep = False  # inside of the braces an error's properties are told in
    while end < len(lines) and (is_stack(lines[end]) or (deep and _is_property(lines[end], base))):
        deep = deep or lines[end].endswith(("{", "["))
        end += 1
    head = _head(lines, at, after)
    if head is None or not any(_OURS.search(line) for line in lines[at:end]):
        return Trace(at, end - 1, False)
    fatal = any(_VERSION.match(line) for line in lines[end : end + 3])
    return Trace(head, end - 1, fatal, lines[head:end])


def _is_property(line: str, base: int) -> bool:
    indent = len(line) - len(line.lstrip())
    return line not in (CLAIMED, CUT) and (indent >= max(base - 2, 1) or line in ("}", "]", ""))


def _head(lines: list[str], at: int, after: int) -> int | None:
    """The line that names the error this stack belongs to."""
    for n in range(at - 1, max(after, at - 1 - _MOST_MESSAGE_LINES, -1), -1):
        if lines[n] in (CLAIMED, CUT) or is_stack(lines[n]):
            return None
        found = _ERROR.match(lines[n][:400])
        if found is not None and _SURELY.search(found["name"]):
            return n
    return None
