"""Lines of files in what Claude Code's search prints, when it prints them with their numbers.

A search in a folder names the file in front of each line, one in a single file doesn't. A line that was hit has colons
around its number, one that only stands beside it dashes; `--` stands between stretches. Hits name their file relative
to the working folder, their neighbours often in full: so a stretch is read by the file its hit names.

The tool takes what stands before a line's first colon for a path and tidies it, also where that is text: slashes of a
neighbour that has a colon behind them may be gone. Such lines say nothing exact of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ccos_core.intake.calls.effects import Shown
from ccos_core.intake.calls.numbered import found_by_search
from ccos_core.values.paths import recorded

_HIT = re.compile(r"([^\t]+?):(\d{1,9}):(.*)", re.DOTALL)
_PLAIN = re.compile(r"(\d{1,9})([:-])(.*)", re.DOTALL)
_BESIDE = re.compile(r"-(\d{1,9})(?=-)")
_LONGEST_PATH = 4_096
_LEFT_OUT = ("[Omitted long matching line]", "[Omitted long context line]")

Line = tuple[int, str]


def shown(printed: str, searched: str, cwd: str) -> list[Shown]:
    """What a search showed; `searched` is where it was asked to look."""
    found: dict[str, list[Line]] = {}
    for stretch in _stretches(printed):
        read = _in_one_file(stretch, searched) or _in_files(stretch, cwd)
        for path, number, line in read:
            found.setdefault(path, []).append((number, line))
    return [each for path, lines in found.items() for each in found_by_search(path, _rising(lines))]


def _stretches(printed: str) -> Iterator[list[str]]:
    lines: list[str] = []
    for line in (*printed.split("\n"), "--"):
        if line in ("--", ""):
            if lines:
                yield lines
            lines = []
        else:
            lines.append(line)


def _in_one_file(stretch: list[str], searched: str) -> list[tuple[str, int, str]]:
    """All of its lines begin with their number; nothing otherwise."""
    read = [match for line in stretch if (match := _PLAIN.fullmatch(line)) is not None]
    if not searched or len(read) < len(stretch):
        return []
    return [(searched, int(each[1]), each[3]) for each in read if each[2] == ":" or not _tidied(each[3])]


def _in_files(stretch: list[str], cwd: str) -> list[tuple[str, int, str]]:
    """Nearly all of its lines name their file: hits by themselves, what stands beside them as a hit of the stretch
    does; nothing otherwise."""
    hits = [match[1] for line in stretch if (match := _HIT.fullmatch(line)) is not None]
    spelled = dict.fromkeys(each for path in dict.fromkeys(hits) for each in (path, recorded(path, cwd=cwd)))
    beside = [_beside(line, spelled) for line in stretch]
    read = [told for near, line in zip(beside, stretch, strict=True) if (told := near or _hit(line)) is not None]
    if len(read) * 10 < len(stretch) * 9:
        return []
    left_out = [near for near in beside if near is not None and _tidied(near[2])]
    return [(recorded(told[0], cwd=cwd), told[1], told[2]) for told in read if told not in left_out]


def _hit(line: str) -> tuple[str, int, str] | None:
    match = _HIT.fullmatch(line)
    return (match[1], int(match[2]), match[3]) if match is not None else None


def _beside(line: str, spelled: Mapping[str, None]) -> tuple[str, int, str] | None:
    """A line in front of which one of these files stands."""
    for match in _BESIDE.finditer(line, 1, _LONGEST_PATH):
        if line[: match.start()] in spelled:
            return line[: match.start()], int(match[1]), line[match.end() + 1 :]
    return None


def _tidied(line: str) -> bool:
    """Whether a line that only stands beside a hit may have lost something."""
    before, colon, _ = line.partition(":")
    return bool(colon) and "/" in before


def _rising(lines: list[Line]) -> list[Line]:
    """In order, each once, without those that were too long to be printed."""
    by_number = {number: line for number, line in lines if line not in _LEFT_OUT and number >= 1}
    return sorted(by_number.items())
