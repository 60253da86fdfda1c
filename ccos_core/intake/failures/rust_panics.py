"""Rust's panics: the place, what was said, and the backtrace where there is one.

Until 1.72 the message stood before the place, `panicked at 'no', src/a.rs:3:5`, and since then it stands below. A
backtrace writes the package's own files from where the program ran, `./src/a.rs`, and the place from where cargo did,
`shop/src/a.rs`: where both are the same place, that tells what to put in front of the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import MOST_FRAMES, short
from ccos_core.values.outcome import Frame

_HEAD = re.compile(r"thread (?:'(?P<thread>[^\n]{0,300}?)'|(?P<bare><unnamed>)) (?:\(\d+\) )?panicked at (?P<rest>.*)$")
_OVERFLOW = re.compile(r"thread '(?P<thread>[^\n]{0,300}?)' (?:\(\d+\) )?has overflowed its stack$")
_PLACE = re.compile(r"(?P<path>\S.{0,1000}?):(?P<line>\d{1,9})(?::\d{1,9})?:?$")
_QUOTED_END = re.compile(r"', (?P<path>[^\s'][^']{0,1000}?):(?P<line>\d{1,9})(?::\d{1,9})?$")
_STEP = re.compile(r"\s*\d{1,5}: +(?:0x[0-9a-f]+ - )?(?P<name>\S.*)$")
_AT = re.compile(r"\s*at (?P<path>\S.{0,1000}?):(?P<line>\d{1,9})(?::\d{1,9})?$")
_TOOLCHAIN = re.compile(r"^/?(?:.*/)?(?:rustc[/-][\w.-]+|rustlib/src/rust)/(?:library|src|vendor)/")
_GENERIC = re.compile(r"<[^<>]*>|\{\{[\w#:-]+\}\}|\{[\w#:-]+\}|\[[0-9a-f]{8,16}\]")
_MANGLED = re.compile(r"::h[0-9a-f]{16}$")
_LONGEST_MESSAGE = 200
"""Lines."""
_DEEPEST = 12
OVERFLOWED = "stack overflow"
_SURELY_OVER = ("test ", "test result:", "----", "running ", "failures:", "successes:", "error: test failed")


@dataclass(slots=True)
class Panic:
    first: int
    last: int
    thread: str
    message: str = ""
    place: Frame | None = None
    trace: list[Frame] = field(default_factory=list)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The place, with the function's name where the backtrace has it, then the rest of the backtrace."""
        if self.place is None:
            return tuple(dict.fromkeys(self.trace))[:MOST_FRAMES]
        place = self.place
        same = [at for at in self.trace if at.line == place.line and ("/" + at.path).endswith("/" + place.path)]
        first = replace(place, name=same[0].name) if same else place
        return tuple(dict.fromkeys([first, *(at for at in self.trace if at not in same[:1])]))[:MOST_FRAMES]


def panics(lines: list[str], start: int = 0, end: int | None = None) -> list[Panic]:
    """Every panic in these lines, each with its backtrace."""
    stop = len(lines) if end is None else end
    found: list[Panic] = []
    at = start
    while at < stop:
        head = _head(lines[at])
        if head is None:
            at += 1
            continue
        panic = _opened(lines, at, stop, head)
        at = _traced(lines, panic, stop)
        found.append(panic)
    _prefixed(found)
    return found


def bare_traces(lines: list[str], start: int, end: int) -> list[Frame]:
    """The frames of a backtrace that belongs to no panic, as errors carry it that were made with one."""
    for at in range(start, end):
        if lines[at].strip().lower() in ("stack backtrace:", "backtrace:"):
            panic = Panic(at, at, "")
            _trace(lines, panic, at + 1, end)
            return panic.trace
    return []


def function(said: str) -> str:
    """`add` for `<shop::Cart<T> as shop::Basket>::add::{{closure}}::h0123456789abcdef`."""
    name = _MANGLED.sub("", said.strip())
    for _ in range(_DEEPEST):
        plain = _GENERIC.sub("", name)
        if plain == name:
            break
        name = plain
    parts = [part for part in name.split("::") if part.isidentifier()]
    return parts[-1] if parts else ""


def _head(line: str) -> re.Match[str] | None:
    if "thread " not in line or not ("panicked at" in line or line.endswith("its stack")):
        return None
    return _HEAD.search(line) or _OVERFLOW.search(line)


def _opened(lines: list[str], at: int, stop: int, head: re.Match[str]) -> Panic:
    panic = Panic(at, at, head["thread"] or "<unnamed>")
    if head.re is _OVERFLOW:
        panic.message = OVERFLOWED
    elif head["rest"].startswith("'"):
        _quoted(lines, panic, stop, head["rest"])
    elif (place := _PLACE.match(head["rest"])) is not None:
        panic.place = Frame(place["path"], int(place["line"]))
        if at + 1 < stop and not _is_other(lines[at + 1]):
            panic.message, panic.last = short(lines[at + 1]), at + 1
    return panic


def _quoted(lines: list[str], panic: Panic, stop: int, rest: str) -> None:
    """The message in quotes, perhaps of several lines, and the place behind it."""
    text = rest[1:]
    first = text
    for at in range(panic.first, min(stop, panic.first + _LONGEST_MESSAGE)):
        if at > panic.first:
            text = lines[at]
            if text in (CLAIMED, CUT) or _head(text) is not None:
                break
        if (end := _QUOTED_END.search(text)) is not None:
            panic.place, panic.last = Frame(end["path"], int(end["line"])), at
            first = text[: end.start()] if at == panic.first else first
            break
    panic.message = short(first)


def _is_other(line: str) -> bool:
    return line in ("", CLAIMED, CUT) or line.lstrip().startswith((*_SURELY_OVER, "stack backtrace:", "note: "))


def _traced(lines: list[str], panic: Panic, stop: int) -> int:
    """Goes on to the end of the panic, and takes its backtrace along; gives the line behind it."""
    for at in range(panic.last + 1, min(stop, panic.last + 1 + _LONGEST_MESSAGE)):
        text = lines[at].strip()
        if text == "stack backtrace:":
            return _trace(lines, panic, at + 1, stop)
        if text.startswith(_SURELY_OVER) or text in (CLAIMED, CUT) or _head(text) is not None:
            return at
        if text.startswith("note: run with "):
            panic.last = at
            return at + 1
    return panic.last + 1


def _trace(lines: list[str], panic: Panic, start: int, stop: int) -> int:
    name = ""
    for at in range(start, stop):
        line = lines[at]
        if (place := _AT.match(line)) is not None:
            _add(panic, Frame(place["path"], int(place["line"]), function(name)))
            name = ""
        elif (step := _STEP.match(line)) is not None:
            name = step["name"]
        elif _is_step(lines, at, stop):
            name = line
        else:
            return at
        panic.last = at
    return stop


def _is_step(lines: list[str], at: int, stop: int) -> bool:
    """Whether this is a function whose number was taken for a gutter."""
    if at + 1 < stop and _AT.match(lines[at + 1]):
        return True
    return "::" in lines[at] and not lines[at].startswith((" ", *_SURELY_OVER, "thread "))


def _add(panic: Panic, frame: Frame) -> None:
    if len(panic.trace) < MOST_FRAMES and not _TOOLCHAIN.match(frame.path):
        panic.trace.append(frame)


def _prefixed(found: list[Panic]) -> None:
    """Puts what the places tell in front of the files the backtraces have from where the program ran."""
    prefix = next((at for panic in found if (at := _prefix(panic)) is not None), "")
    for panic in found:
        panic.trace = [replace(at, path=prefix + at.path[2:]) if at.path.startswith("./") else at for at in panic.trace]


def _prefix(panic: Panic) -> str | None:
    for at in panic.trace:
        place = panic.place
        if place is not None and at.line == place.line and at.path.startswith("./"):
            whole = place.path.removeprefix("./")
            if whole == at.path[2:] or whole.endswith(at.path[1:]):
                return whole[: len(whole) - len(at.path) + 2]
    return None
