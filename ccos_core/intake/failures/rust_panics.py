"""Rust's panics: the place, what was said, and the backtrace where there is one.

Until 1.72 the message stood before the place, `panicked at 'no', src/a.rs:3:5`, and since then it stands below. A
backtrace writes the package's own files from where the program ran, `./src/a.rs`, and the place from where cargo did,
`shop/src/a.rs`: where both are the same place, that tells what to put in front of the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ccos_core.intake.failures.page import CLAIMED, CUT, MOST_FRAMES, short
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
_MOST_MESSAGE_LINES = 200
_MOST_NESTED_GENERICS = 12
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
        place = self.place
        if place is None:
            return tuple(dict.fromkeys(self.trace))[:MOST_FRAMES]
        same = [at for at in self.trace if at.line == place.line and ("/" + at.path).endswith("/" + place.path)][:1]
        first = replace(place, name=same[0].name) if same else place
        return tuple(dict.fromkeys([first, *(at for at in self.trace if at not in same)]))[:MOST_FRAMES]

    @property
    def prefix(self) -> str | None:
        """What stands in front of the place that the backtrace has from where the program ran; None if unknown."""
        for at in self.trace if self.place is not None else ():
            if self.place is not None and at.line == self.place.line and at.path.startswith("./"):
                whole = self.place.path.removeprefix("./")
                if whole == at.path[2:] or whole.endswith(at.path[1:]):
                    return whole[: len(whole) - len(at.path) + 2]
        return None


def find_panics(lines: list[str], start: int = 0, end: int | None = None) -> list[Panic]:
    """Every panic in these lines, each with its backtrace."""
    stop = len(lines) if end is None else end
    found: list[Panic] = []
    at = start
    while at < stop:
        head = _head(lines[at])
        if head is None:
            at += 1
            continue
        found.append(_open(lines, at, stop, head))
        at = _follow(lines, found[-1], stop)
    prefix = next((prefix for panic in found if (prefix := panic.prefix) is not None), "")
    for panic in found:
        panic.trace = [replace(at, path=prefix + at.path[2:]) if at.path.startswith("./") else at for at in panic.trace]
    return found


def bare_trace(lines: list[str], start: int, end: int) -> list[Frame]:
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
    for _ in range(_MOST_NESTED_GENERICS):
        name, before = _GENERIC.sub("", name), name
        if name == before:
            break
    parts = [part for part in name.split("::") if part.isidentifier()]
    return parts[-1] if parts else ""


def _head(line: str) -> re.Match[str] | None:
    if "thread " not in line or not ("panicked at" in line or line.endswith("its stack")):
        return None
    return _HEAD.search(line) or _OVERFLOW.search(line)


def _open(lines: list[str], at: int, stop: int, head: re.Match[str]) -> Panic:
    """A panic with its place and its message."""
    panic = Panic(at, at, head["thread"] or "<unnamed>")
    if head.re is _OVERFLOW:
        panic.message = OVERFLOWED
    elif head["rest"].startswith("'"):
        _read_quoted(lines, panic, stop, head["rest"][1:])
    elif (place := _PLACE.match(head["rest"])) is not None:
        panic.place = Frame(place["path"], int(place["line"]))
        below = lines[at + 1] if at + 1 < stop else ""
        other = below.lstrip().startswith((*_SURELY_OVER, "stack backtrace:", "note: "))
        if below not in ("", CLAIMED, CUT) and not other:
            panic.message, panic.last = short(below), at + 1
    return panic


def _read_quoted(lines: list[str], panic: Panic, stop: int, text: str) -> None:
    """The message in quotes, perhaps of several lines, and the place behind it."""
    panic.message = short(text)
    for at in range(panic.first, min(stop, panic.first + _MOST_MESSAGE_LINES)):
        if at > panic.first:
            text = lines[at]
            if text in (CLAIMED, CUT) or _head(text) is not None:
                break
        if (end := _QUOTED_END.search(text)) is not None:
            panic.place, panic.last = Frame(end["path"], int(end["line"])), at
            if at == panic.first:
                panic.message = short(text[: end.start()])
            break


def _follow(lines: list[str], panic: Panic, stop: int) -> int:
    """Go on to the end of the panic, and take its backtrace along; return the line behind it."""
    for at in range(panic.last + 1, min(stop, panic.last + 1 + _MOST_MESSAGE_LINES)):
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
            if len(panic.trace) < MOST_FRAMES and not _TOOLCHAIN.match(place["path"]):
                panic.trace.append(Frame(place["path"], int(place["line"]), function(name)))
            name = ""
        elif (step := _STEP.match(line)) is not None:
            name = step["name"]
        elif (at + 1 < stop and _AT.match(lines[at + 1])) or (
            "::" in line and not line.startswith((" ", *_SURELY_OVER, "thread "))
        ):  # a function whose number was taken for a gutter
            name = line
        else:
            return at
        panic.last = at
    return stop
