"""Lines with their numbers in front, as tools print them for agents, back to lines of a file.

Knows the ways of `cat -n` and `nl` (a tab), of hosts (an arrow, a bar, a colon) and of searches (a colon, and a dash
where a line only stands beside a hit). One text has one way: that of the first line that has any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ccos_core.intake.calls.effects import Shown

TAB, ARROW, BAR, COLON, SEARCH = "tab", "arrow", "bar", "colon", "search"
FEWEST = 3
"""Lines from which a stretch that a search shows counts."""
_WAYS = {
    TAB: re.compile(r" {0,20}(\d{1,9})\t(.*)", re.DOTALL),
    ARROW: re.compile(r"\s{0,20}(\d{1,9})→(.*)", re.DOTALL),
    BAR: re.compile(r" {0,20}(\d{1,9}) {0,3}[|│] ?(.*)", re.DOTALL),
    COLON: re.compile(r" {0,20}(\d{1,9}): ?(.*)", re.DOTALL),
    SEARCH: re.compile(r"(\d{1,9})[:-](.*)", re.DOTALL),
}
_HIT = re.compile(r" {0,20}\d{1,9}:")
_INDENT = re.compile(r" {0,20}\d{1,9}:( *)\S")


def numbered(text: str, way: str = "") -> list[tuple[int, str]]:
    """(number, line) of every line that has a number; the others stand around the listing and aren't the file's.

    A number that isn't beyond the one before is none: it belongs to what is listed.
    """
    lines = lines_of(text)
    pattern = _WAYS[way or _way(lines)]
    found: list[tuple[int, str]] = []
    for line in lines:
        match = pattern.match(line)
        if match is not None and int(match[1]) > (found[-1][0] if found else 0):
            found.append((int(match[1]), match[2]))
    return found


def lines_of(text: str) -> list[str]:
    """At line feeds only: whatever else may end a line stands in a file's lines as well."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def shown(path: str, text: str, way: str = "", inferred: bool = False) -> list[Shown]:
    """What a numbered listing shows of a file: one for each stretch of lines that follow each other."""
    return stretches(path, numbered(text, way), inferred)


def stretches(path: str, lines: Iterable[tuple[int, str]], inferred: bool = False) -> list[Shown]:
    """Lines with their numbers, in rising order, as what was shown of a file."""
    return [
        Shown(path, "".join(line + "\n" for line in texts), first, inferred=inferred) for first, texts in _joined(lines)
    ]


def found_by_search(path: str, lines: Iterable[tuple[int, str]], inferred: bool = False) -> list[Shown]:
    """The same of what a search showed. A line or two is a place and no piece of the file: nobody knows the file any
    better for it, and what was printed is recorded with the call."""
    return [each for each in stretches(path, lines, inferred) if each.text.count("\n") >= FEWEST]


# -- helpers ----------------------------------------------------------------------------------------------------------


def _joined(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, list[str]]]:
    first, texts = 0, list[str]()
    for number, line in lines:
        if texts and number != first + len(texts):
            yield first, texts
            texts = []
        if not texts:
            first = number
        texts.append(line)
    if texts:
        yield first, texts


def _way(lines: Sequence[str]) -> str:
    """How these lines are numbered, by the first of them that is."""
    for line in lines:
        for way in (TAB, ARROW, BAR):
            if _WAYS[way].match(line):
                return way
        if _HIT.match(line):
            return COLON if _spaced(lines) else SEARCH
    return TAB


def _spaced(lines: Sequence[str]) -> bool:
    """Whether a blank stands between the colon and the line. Every line that isn't empty begins with one then; and as
    sources are indented by even numbers, the smallest indent tells the two apart."""
    indents = [len(match[1]) for line in lines if (match := _INDENT.match(line)) is not None]
    return bool(indents) and min(indents) % 2 == 1
