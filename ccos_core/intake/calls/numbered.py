"""Numbered lines as tools print them, and the editor several agents share (`str_replace_editor`), which prints them.

Numbers come as in `cat -n` and `nl` (a tab), as hosts write them (an arrow, a bar, a colon) and as searches do (a
colon, and a dash beside a hit). One text has one way: that of its first line that has any. The editor prints the lines
around an edit, so an edit is told by whole lines and where they begin wherever that can be worked out, and otherwise
by its two texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ccos_core.intake.calls.effects import Changed, Effect, Hunk, Patched, Replaced, Shown, Wrote

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


NAMES = ("str_replace_editor", "str_replace_based_edit_tool", "text_editor")
"""What hosts call it."""

_LISTING = re.compile(r"(?:result of running `cat -n` on|Here's the content of) [^\n]*\n")
_CLIPPED = re.compile(r"<response clipped>|<NOTE>.{0,200}(?:abbreviated|truncated|clipped|too large)", re.IGNORECASE)
_DONE = re.compile(
    r"has been edited|created successfully|undone successfully|result of running `cat -n`|has been overwritten", re.I
)


def effects_of_str_replace(arguments: Any, result: str, succeeded: bool | None) -> list[Effect]:
    """What a call of it did, in the order it happened. Where nobody says whether it succeeded, its words tell."""
    if not isinstance(arguments, Mapping) or not isinstance(path := arguments.get("path"), str) or not path:
        return []
    result = result.replace("\r\n", "\n")
    if succeeded is None:
        succeeded = _DONE.search(result) is not None
    if not succeeded:
        return []
    lines = _listed(result)
    match arguments.get("command"):
        case "view":
            return _viewed(path, lines, result, part=bool(arguments.get("view_range")))
        case "create":
            text = arguments.get("file_text")
            return [Wrote(path, text)] if isinstance(text, str) else []
        case "str_replace":
            return [*_replaced(path, arguments, lines), *stretches(path, lines)]
        case "insert":
            return [*_inserted(path, arguments, lines), *stretches(path, lines)]
        case "undo_edit":
            return [Wrote(path, _text(lines)) if _is_whole(lines, result) else Changed(path)]
    return []


def placed(old: str, new: str, after: Sequence[tuple[int, str]]) -> Hunk | None:
    """The lines an edit left and those it found, if the new text stands in one place of what was shown after it."""
    first = after[0][0] if after else 0
    text = _text(after)
    at = text.find(new) if new and [number for number, _ in after] == [*range(first, first + len(after))] else -1
    if at < 0 or text.find(new, at + 1) >= 0:
        return None
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at + len(new))
    end = end if end >= 0 else len(text)
    before = text[begin:at] + old + text[at + len(new) : end]
    return Hunk(tuple(before.split("\n")), tuple(text[begin:end].split("\n")), first + text.count("\n", 0, begin))


# -- helpers ----------------------------------------------------------------------------------------------------------


def _viewed(path: str, lines: list[tuple[int, str]], result: str, *, part: bool) -> list[Effect]:
    """A view of all of a file shows it whole, unless something was left out."""
    if part or not _is_whole(lines, result):
        return list(stretches(path, lines))
    return [Shown(path, _text(lines), whole=True)]


def _replaced(path: str, arguments: Mapping[str, Any], after: list[tuple[int, str]]) -> list[Effect]:
    old, new = arguments.get("old_str"), arguments.get("new_str") or ""
    if not isinstance(old, str) or not isinstance(new, str) or not old:
        return []
    hunk = placed(old, new, after)
    return [Replaced(path, old, new) if hunk is None else Patched(path, (hunk,))]


def _inserted(path: str, arguments: Mapping[str, Any], after: list[tuple[int, str]]) -> list[Effect]:
    """The text goes behind a line. Whether its last line feed makes an empty line, only what is shown tells."""
    line = arguments.get("insert_line")
    text = arguments.get("new_str", arguments.get("insert_text"))
    if isinstance(line, bool) or not isinstance(line, int) or line < 0 or not isinstance(text, str):
        return []
    shown = dict(after)
    ways = (text.removesuffix("\n").split("\n"), text.split("\n"))
    fits = [way for way in ways if all(shown.get(line + 1 + at, said) == said for at, said in enumerate(way))]
    new = fits[-1] if fits and text.endswith("\n") and shown else ways[0]
    return [Patched(path, (Hunk((), tuple(new), line + 1),))]


def _listed(result: str) -> list[tuple[int, str]]:
    """The numbered lines it printed: the file, or what stands around an edit. They end where something else is said."""
    header = _LISTING.search(result)
    return numbered(result[header.end() :], TAB) if header is not None else []


def _is_whole(lines: list[tuple[int, str]], result: str) -> bool:
    numbers = [number for number, _ in lines]
    return bool(lines) and numbers == [*range(1, len(lines) + 1)] and _CLIPPED.search(result) is None


def _text(lines: Sequence[tuple[int, str]]) -> str:
    return "\n".join(line for _, line in lines)
