"""What pytest tells below the headline of a failure: the frames, in any of its styles, and what was raised.

`long` shows the source of each frame and its place below it, `short` the place and one line, `native` what Python
prints; `auto` mixes the first two, and a doctest has a form of its own.
"""

from __future__ import annotations

import re

from ccos_core.intake.failures import python
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


def parse_body(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    """(frames, message) of the lines below a headline."""
    if any(line.endswith("(most recent call last):") and not line.startswith("E") for line in lines):
        found = python.traces(lines)
        places = [place for line in lines if (place := _LONG.match(line)) and place["raised"] in _IN_DOCTEST]
        site = tuple(Frame(place["path"], int(place["line"])) for place in places[-1:])
        if found and (found[0].frames or site):
            return tuple(dict.fromkeys(found[0].frames + site)), plain_message(found[0].message)
    return _parse_styled(lines)


def parse_crash(line: str) -> tuple[Frame, str] | None:
    """(place, message) of a line of `--tb=line`."""
    place = None if line.startswith(("E ", " ", ">")) else _CRASH.match(line)
    if place is None or not _is_path(place["path"]):
        return None
    return Frame(place["path"], int(place["line"])), place["message"]


def plain_message(message: str) -> str:
    """Said alike by all styles: of a bare assertion, only what was asserted."""
    message = message.strip()
    return short(message.removeprefix("AssertionError: ") if message.startswith(_ASSERTION) else message)


def _parse_styled(lines: list[str]) -> tuple[tuple[Frame, ...], str]:
    segments: list[tuple[str, list[Frame]]] = [("", [])]
    message = ""
    syntax: list[Frame] = []
    source: list[str] = []  # of the function that is being shown
    for line in lines:
        if line in python.CHAINS:
            segments[-1][1][:0] = syntax
            segments.append((python.CHAINS[line], []))
            message, source, syntax = "", [], []
        elif line.startswith("E ") or line == "E":
            message = message or line[1:].strip()
            if (wrong := _SYNTAX.match(line)) is not None:
                syntax = [Frame(wrong[1], int(wrong[2]))]
                message = ""
        elif line.startswith((" ", ">")):
            source += [code[1]] if (code := _SOURCE.match(line)) is not None else []
        elif (frame := _frame(line, source)) is not None:
            segments[-1][1].insert(0, frame)
            source = []
        elif line.startswith("_ _"):
            source = []
    segments[-1][1][:0] = syntax
    frames = python.chain_frames(segments)
    if syntax:
        message = [line[1:].strip() for line in lines if line.startswith("E ")][-1]
    elif not message:
        said = [line.strip() for line in lines if line.strip() and not line.startswith("[gw") and not _LONG.match(line)]
        first = said[0] if said and not frames else ""
        message = python.mismatch(said) if python.EXPECTED in said else first
    return frames, plain_message(message)


def _frame(line: str, source: list[str]) -> Frame | None:
    """The place a line names, in the function whose source stands above."""
    if not line or ":" not in line:
        return None
    place = _SHORT.match(line)
    if place is not None:
        return Frame(place["path"], int(place["line"]), "" if place["name"] == "<module>" else place["name"])
    place = _LONG.match(line)
    if place is None or not _is_path(place["path"]):
        return None
    return Frame(place["path"], int(place["line"]), _function(source))


def _function(source: list[str]) -> str:
    """The function some source defines: below decorators, whatever they hold, else in its first line."""
    for at, code in enumerate(source):
        if (defined := _DEFINED.match(code)) is not None:
            return defined[1]
        if not at and not code.startswith("@"):
            break
    return ""


def _is_path(path: str) -> bool:
    """Not the `12:30` of a time, nor a name and a number."""
    file = path.replace("\\", "/").rpartition("/")[2]
    return path.startswith("<") or ("." in file and not file.rpartition(".")[2].isdigit())
