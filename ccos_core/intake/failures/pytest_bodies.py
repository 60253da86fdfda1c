"""What pytest tells below the headline of a failure: the frames, in any of its styles, and what was raised.

`long` shows the source of each frame and its place below it, `short` the place and one line, `native` what Python
prints; `auto` mixes the first two, and a doctest has a form of its own.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures import python, python_doctest
from ccos_core.intake.failures.page import short
from ccos_core.values.outcome import Frame

_SHORT = re.compile(r"""(?P<path>[^\s"'][^"']*?):(?P<line>\d{1,9}): in (?P<name>\S.*)$""")
_LONG = re.compile(r"""(?P<path>[^\s"'][^"'=]*?):(?P<line>\d{1,9}):(?: (?P<raised>[A-Za-z_][\w.]*))?$""")
_CRASH = re.compile(r"""(?P<path>[^\s"'][^"'=]*?):(?P<line>\d{1,9}): (?P<message>\S.*)$""")
_SYNTAX = re.compile(r'E\s+File "([^"]+)", line (\d{1,9})$')
_SOURCE = re.compile(r"[> ]   (\S.*)$")
_DEFINED = re.compile(r"(?:async )?def (\w+)")
_IN_DOCTEST = ("DocTestFailure", "UnexpectedException")
_ASSERTION = "AssertionError: assert "


class _Entry:
    """The function whose source is being shown."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.decorated = False

    def take(self, line: str) -> None:
        source = _SOURCE.match(line)
        if source is None or self.name is not None:
            return
        defined = _DEFINED.match(source[1])
        if defined is not None:
            self.name = defined[1]
        elif not source[1].startswith("@") and not self.decorated:
            self.name = ""
        self.decorated = source[1].startswith("@") or self.decorated


def told(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    """(frames, message) of the lines below a headline."""
    if any(line.endswith("(most recent call last):") and not line.startswith("E") for line in lines):
        frames, message = _native(lines)
        if frames:
            return frames, message
    return _styled(lines)


def crash(line: str) -> tuple[Frame, str] | None:
    """(place, message) of a line of `--tb=line`."""
    place = None if line.startswith(("E ", " ", ">")) else _CRASH.match(line)
    if place is None or not _is_path(place["path"]):
        return None
    return Frame(place["path"], int(place["line"])), place["message"]


def plain_message(message: str) -> str:
    """Said alike by all styles: of a bare assertion, only what was asserted."""
    message = message.strip()
    return short(message.removeprefix("AssertionError: ") if message.startswith(_ASSERTION) else message)


def _native(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    found = python.traces(lines)
    if not found:
        return (), ""
    places = [place for line in lines if (place := _LONG.match(line)) and place["raised"] in _IN_DOCTEST]
    site = tuple(Frame(place["path"], int(place["line"])) for place in places[-1:])
    return tuple(dict.fromkeys(found[0].frames + site)), plain_message(found[0].message)


def _styled(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    segments: list[tuple[str, list[Frame]]] = [("", [])]
    messages: list[str] = [""]
    entry = _Entry()
    syntax: list[Frame] = []
    for line in lines:
        if line in python.CHAINS:
            segments[-1][1][:0] = syntax
            segments.append((python.CHAINS[line], []))
            messages.append("")
            entry, syntax = _Entry(), []
        elif line.startswith("E ") or line == "E":
            messages[-1] = messages[-1] or line[1:].strip()
            if (wrong := _SYNTAX.match(line)) is not None:
                syntax = [Frame(wrong[1], int(wrong[2]))]
                messages[-1] = ""
        elif line.startswith((" ", ">")):
            entry.take(line)
        elif (frame := _frame(line, entry)) is not None:
            segments[-1][1].insert(0, frame)
            entry = _Entry()
        elif line.startswith("_ _"):
            entry = _Entry()
    segments[-1][1][:0] = syntax
    frames = python.chained(segments)
    return frames, plain_message(_said(messages[-1], lines, frames, bool(syntax)))


def _frame(line: str, entry: _Entry) -> Frame | None:
    if not line or ":" not in line:
        return None
    place = _SHORT.match(line)
    if place is not None:
        name = place["name"]
        return Frame(place["path"], int(place["line"]), "" if name == "<module>" else name)
    place = _LONG.match(line)
    if place is None or not _is_path(place["path"]):
        return None
    return Frame(place["path"], int(place["line"]), entry.name or "")


def _is_path(path: str) -> bool:
    """Not the `12:30` of a time, nor a name and a number."""
    file = path.replace("\\", "/").rpartition("/")[2]
    return path.startswith("<") or ("." in file and not file.rpartition(".")[2].isdigit())


def _said(message: str, lines: list[str], frames: tuple[Frame, ...], syntax: bool) -> str:
    """The message of the last exception: of a `SyntaxError` the last line, where there is no frame the first."""
    if syntax:
        marked = [line[1:].strip() for line in lines if line.startswith("E ")]
        return marked[-1]
    if message:
        return message
    said = [line.strip() for line in lines if line.strip() and not line.startswith("[gw") and not _LONG.match(line)]
    if python_doctest.EXPECTED in said:
        return python_doctest.mismatch(said)
    return said[0] if said and not frames else ""
