"""Errors as node itself prints them: uncaught, rejected, logged; with their causes.

An error nobody caught is told with the line of source it came from and ends with node's version. A stack that was
merely printed counts where the command failed or nobody knows; what is traced or warned of is no failure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ccos_core.intake.failures.javascript_commands import NODE, programs
from ccos_core.intake.failures.javascript_places import moved
from ccos_core.intake.failures.javascript_stacks import SOURCE, frame_of, is_stack, path_of, told
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page
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
_NEAR = 4
"""Lines below the place in which the mark under the source is looked for."""
_VERSION = re.compile(r"(?:Node\.js|Bun) v\d")
_ERROR = re.compile(
    r"\s*(?:\w+ ){0,3}?(?:Uncaught )?(?:\(in promise\) )?\[?(?P<name>[A-Za-z_$][\w$.]*)(?: \[[^\]]*\])*(?::|$)"
)
_SURELY = re.compile(r"(?:Error|Exception|Rejection|Failure|Fault)$")
_MOST_MESSAGE = 30
"""Lines of a message between an error's name and its stack."""
_LONGEST = 400
_MOST_ALIKE = 20
"""Files of one name that are told apart."""
_MAIN = ("executeUserEntryPoint", "run_main_module")
_LOADED = "Object.<anonymous> ("
_OURS = re.compile(rf"(?:{SOURCE}|node:[\w/]+)(?:\?[^:]*)?:\d+:\d+")


@dataclass(slots=True)
class Trace:
    """One error with its stack."""

    first: int
    last: int
    fatal: bool
    lines: list[str] = field(default_factory=list)
    """The error and all below it."""
    place: Frame | None = None
    """Where node shows that it was thrown."""

    def told(self) -> tuple[tuple[Frame, ...], str]:
        frames, message = told(self.lines)
        if self.place is not None and all((at.path, at.line) != (self.place.path, self.place.line) for at in frames):
            frames = (self.place, *frames)
        return frames, message

    def script(self) -> str:
        """The file that was run, where the stack reaches down to it."""
        if not any(word in line for line in self.lines for word in _MAIN):
            return ""
        loaded = [frame for line in self.lines if _LOADED in line and (frame := frame_of(line)) is not None]
        if loaded:
            return loaded[-1].path
        return self.place.path if self.place is not None and _is_source(self.place.path) else ""


class Crashes:
    """Errors by the files they lead through."""

    def __init__(self, traces: list[Trace]) -> None:
        self.by_name: dict[str, list[tuple[str, Trace]]] = {}
        for trace in traces:
            for path in dict.fromkeys(frame.path for frame in trace.told()[0]):
                alike = self.by_name.setdefault(_file(path), [])
                if len(alike) < _MOST_ALIKE:
                    alike.append((path, trace))

    def of(self, file: str) -> Trace | None:
        """The first error that went through this file."""
        alike = self.by_name.get(_file(file), [])
        return next((trace for path, trace in alike if path == file or path.endswith("/" + file)), None)


def read(page: Page) -> Findings:
    """The errors nobody else claimed; and where a script ran through without any, that it did."""
    found = Findings()
    told_of = traces(page.lines)
    script = _script(page) if told_of else ""
    for trace in told_of:
        if trace.fatal or page.ok is not True:
            frames, message = trace.told()
            found.failures.append((trace.first, Failure(NODE, trace.script() or script, frames, message)))
        found.claimed.append((trace.first, trace.last + 1))
    passed = _passed(page) if not found.failures else ""
    if passed:
        found.passes.append((0, Pass(NODE, TESTS, (passed,))))
    return moved(found, page, NODE)


def traces(lines: list[str]) -> list[Trace]:
    """The errors in these lines."""
    found: list[Trace] = []
    at = 0
    while at < len(lines):
        trace = _uncaught(lines, at) or (_logged(lines, at, found) if is_stack(lines[at]) else None)
        if trace is not None:
            found.append(trace)
        at = trace.last + 1 if trace is not None else at + 1
    return [trace for trace in found if trace.lines]


def _uncaught(lines: list[str], at: int) -> Trace | None:
    """`path:line`, the source, a mark below it, then the error."""
    place = _PLACE.match(lines[at]) if lines[at].endswith(tuple("0123456789")) else None
    if place is None:
        return None
    marks = (n for n in range(at + 2, min(at + 1 + _NEAR, len(lines))) if _CARET.match(lines[n]))
    mark = next(marks, None)
    if mark is None:
        return None
    end = _end(lines, mark + 1)
    path = path_of(place["path"])
    frame = Frame(path, int(place["line"])) if _is_source(path) else None
    fatal = end < len(lines) and _VERSION.match(lines[end]) is not None
    trace = Trace(at, min(end, len(lines) - 1) if fatal else end - 1, True, lines[mark + 1 : end], frame)
    return trace if any(trace.lines) else None


def _end(lines: list[str], start: int) -> int:
    """The line with node's version, or the first that can't belong to the error any more."""
    stacked = False
    for at in range(start, min(len(lines), start + _LONGEST)):
        line = lines[at]
        if line in (CLAIMED, CUT) or _VERSION.match(line):
            return at
        if at > start and _PLACE.match(line) is not None:
            return at
        if stacked and line and not line.startswith((" ", "}", "Emitted ")):
            return at
        stacked = stacked or is_stack(line)
    return min(len(lines), start + _LONGEST)


def _logged(lines: list[str], at: int, before: list[Trace]) -> Trace | None:
    """A stack with its error above it, and what is told of the error below it."""
    end = at
    base = len(lines[at]) - len(lines[at].lstrip())
    deep = False
    while end < len(lines) and (is_stack(lines[end]) or (deep and _is_below(lines[end], base))):
        deep = deep or lines[end].endswith(("{", "["))
        end += 1
    head = _head(lines, at, before[-1].last if before else -1)
    ours = any(_OURS.search(line) for line in lines[at:end])
    if head is None or not ours:
        return Trace(at, end - 1, False)
    fatal = end < len(lines) and any(_VERSION.match(line) for line in lines[end : end + 3])
    return Trace(head, end - 1, fatal, lines[head:end])


def _is_below(line: str, base: int) -> bool:
    """Whether a line stands inside of the braces an error's properties are told in."""
    indent = len(line) - len(line.lstrip())
    return line not in (CLAIMED, CUT) and (indent >= max(base - 2, 1) or line in ("}", "]", ""))


def _head(lines: list[str], at: int, after: int) -> int | None:
    """The line that names the error this stack belongs to."""
    for n in range(at - 1, max(after, at - 1 - _MOST_MESSAGE, -1), -1):
        if lines[n] in (CLAIMED, CUT) or is_stack(lines[n]):
            return None
        found = _ERROR.match(lines[n][:400])
        if found is not None and _SURELY.search(found["name"]):
            return n
    return None


def _file(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _is_source(path: str) -> bool:
    return not path.startswith(("node:", "["))


def _script(page: Page) -> str:
    """The one script the command runs."""
    found = [run for run in programs(page) if run.tool == NODE]
    return found[0].words[0] if len(found) == 1 and not found[0].dynamic else ""


def _passed(page: Page) -> str:
    """The script that ran and succeeded, when that is all the command did last."""
    if page.ok is not True:
        return ""
    last = programs(page)[-1:]
    if not last or not last[0].decides or last[0].tool != NODE or last[0].dynamic:
        return ""
    return last[0].words[0]
