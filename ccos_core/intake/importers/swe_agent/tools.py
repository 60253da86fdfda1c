"""What SWE-agent's own commands did to files: its windows onto a file, its edits, its searches.

Nearly all of them print a window afterwards: `[File: PATH (N lines total)]` and numbered lines. That is what the agent
sees of the file, and where an edit stood. An edit the linter refused prints two, of which only the second is the file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ccos_core.intake.calls.effects import Changed, Effect, Hunk, Patched, Replaced, Rewrote, Shown, Wrote
from ccos_core.intake.calls.numbered import found_by_search, stretches
from ccos_core.intake.calls.str_replace import NAMES, effects_of_str_replace, placed

WINDOWED = ("open", "goto", "scroll_up", "scroll_down", "create", "edit", "insert", "append")
OTHERS = ("search_file", "search_dir", "find_file", "submit", "view_image", "filemap", *NAMES)
"""Commands that are no shell's."""
REFUSED = "introduced new syntax error"
"""What the linter says of an edit that wasn't made."""

_HEADER = re.compile(r"^\[File: (.+) \((\d+) lines? total\)\][ \t]*$", re.MULTILINE)
_LINE = re.compile(r"(\d{1,9}):(.*)", re.DOTALL)
_MORE = re.compile(r"\(\d+ more lines? (?:above|below)\)\s*")
_FOUND = re.compile(r'^Found \d+ matches for ".*" in (.+):$', re.MULTILINE)
_HIT = re.compile(r"^Line (\d{1,9}):(.*)$", re.MULTILINE)
_EDITED = re.compile(r"^(?:File updated\.|Text replaced\.|Replaced \d+ occurrences\.|Edit successful\.)", re.MULTILINE)
_RANGE = re.compile(r"edit\s+(\d{1,9}):(\d{1,9})[ \t]*(?:\n|\s+)(.*)\Z", re.DOTALL)
_FLAGS = {"--view_range": 2, "--file_text": 1, "--old_str": 1, "--new_str": 1, "--insert_line": 1}


@dataclass(frozen=True, slots=True)
class Window:
    """Lines of a file as the agent has them before it."""

    path: str
    total: int
    lines: tuple[tuple[int, str], ...]

    @property
    def whole(self) -> bool:
        return bool(self.lines) and [number for number, _ in self.lines] == [*range(1, self.total + 1)]

    @property
    def text(self) -> str:
        return "".join(line + "\n" for _, line in self.lines)


def last_window(printed: str) -> Window | None:
    """The last window in what a command printed."""
    printed = printed.replace("\r\n", "\n")
    headers = list(_HEADER.finditer(printed))
    return _window(headers[-1], printed) if headers else None


def effects_of(
    name: str, arguments: Any, action: str, printed: str, before: Window | None, after: Window | None, file: str
) -> list[Effect]:
    """What one of these commands did. The agent had a window `before`, and another `after` it; `file` is open now."""
    if name in NAMES:
        return effects_of_str_replace(_flagged(arguments, action), printed, None)
    printed = printed.replace("\r\n", "\n")
    if name == "search_file":
        return _found(printed)
    refused = REFUSED in printed
    done: list[Effect] = []
    if name == "create" and after is not None:
        return [Wrote(after.path, after.text if after.whole else "")]
    if name == "edit" and not refused and _EDITED.search(printed):
        done = _edited(arguments, action, before, after, file)
    elif name in ("insert", "append") and not refused and after is not None:
        done = _inserted(arguments, action, after)
    return [*done, *(_shown(after) if after is not None else ())]


# -- helpers ----------------------------------------------------------------------------------------------------------


def _window(header: re.Match[str], printed: str) -> Window:
    lines: list[tuple[int, str]] = []
    for line in printed[header.end() + 1 :].split("\n"):
        match = _LINE.fullmatch(line)
        if match is not None and (not lines or int(match[1]) == lines[-1][0] + 1):
            lines.append((int(match[1]), match[2]))
        elif lines or not _MORE.fullmatch(line):
            break
    return Window(header[1], int(header[2][:9]), tuple(lines))


def _shown(window: Window) -> list[Shown]:
    if window.whole:
        return [Shown(window.path, window.text, whole=True)]
    shown = stretches(window.path, window.lines)
    if shown and window.lines[-1][0] == window.total:
        shown[-1] = replace(shown[-1], ends=True)
    return shown


def _found(printed: str) -> list[Effect]:
    header = _FOUND.search(printed)
    if header is None:
        return []
    return list(found_by_search(header[1], [(int(hit[1]), hit[2]) for hit in _HIT.finditer(printed, header.end())]))


def _edited(arguments: Any, action: str, before: Window | None, after: Window | None, file: str) -> list[Effect]:
    """An edit by line numbers, by what is to be replaced, or of all that the window shows."""
    path = after.path if after is not None else file or (before.path if before is not None else "")
    if not path:
        return []
    told = _named(arguments, action)
    search, replace, text = told.get("search"), told.get("replace"), told.get("text")
    if isinstance(search, str) and isinstance(replace, str) and search:
        everywhere = bool(told.get("replace-all") or told.get("replace_all"))
        hunk = None if everywhere or after is None else placed(search, replace, after.lines)
        return [Replaced(path, search, replace, everywhere) if hunk is None else Patched(path, (hunk,))]
    first, last = told.get("start_line"), told.get("end_line")
    if text is not None and first is None and before is not None and before.lines:
        first, last = before.lines[0][0], before.lines[-1][0]
    text = text if text is not None else told.get("replacement_text")
    if isinstance(first, int) and isinstance(last, int) and isinstance(text, str):
        return [Rewrote(path, first, last, text)]
    return [Changed(path)]


def _named(arguments: Any, action: str) -> Mapping[str, Any]:
    """The arguments of an edit by their names, however the agent's way of calling spells them."""
    if isinstance(arguments, Mapping):
        return arguments
    by_lines = _RANGE.match(action.strip())
    if by_lines is not None:
        text = _until_end(by_lines[3])
        return {"start_line": int(by_lines[1]), "end_line": int(by_lines[2]), "replacement_text": text}
    if action.rstrip().endswith("end_of_edit"):  # between two cursors, which no window shows
        return {}
    words = _words(action)[1:]
    if len(words) >= 2:
        return {"search": words[0], "replace": words[1], "replace_all": len(words) > 2}
    return {"text": words[0]} if words else {}


def _until_end(said: str) -> str:
    """The text between the numbers and what ends it: a word on a line of its own, or quotes."""
    said = said.removesuffix("\n")
    body, feed, last = said.rpartition("\n")
    if last.strip() == "end_of_edit":
        return body if feed else ""
    words = _words(said) if said[:1] in "'\"" else []
    return words[0] if len(words) == 1 else said


def _inserted(arguments: Any, action: str, after: Window) -> list[Effect]:
    """Text goes behind a line, or to the end; the window tells how long the file is now."""
    words = _words(action)[1:]
    told = arguments if isinstance(arguments, Mapping) else dict(zip(("text", "line"), words, strict=False))
    text, line = told.get("text"), told.get("line")
    if not isinstance(text, str) or not text:
        return []
    new = tuple(text.removesuffix("\n").split("\n"))
    if isinstance(line, str):
        line = int(line) if line.isdecimal() and len(line) < 9 else None
    first = line + 1 if isinstance(line, int) and line >= 0 else after.total - len(new) + 1
    return [Patched(after.path, (Hunk((), new, first),))] if first >= 1 else []


def _flagged(arguments: Any, action: str) -> Mapping[str, Any]:
    """`str_replace_editor view /a/b --view_range 1 20` as the object other ways of calling give."""
    if isinstance(arguments, Mapping):
        return arguments
    words = _words(action)[1:]
    told: dict[str, Any] = dict(zip(("command", "path"), words, strict=False))
    rest = words[2:]
    while rest:
        flag, rest = rest[0], rest[1:]
        count = _FLAGS.get(flag, 0)
        values, rest = rest[:count], rest[count:]
        if count:
            told[flag[2:]] = _value(flag, values)
    return told


def _value(flag: str, values: list[str]) -> Any:
    if flag in ("--view_range", "--insert_line"):
        numbers = [int(value) for value in values if re.fullmatch(r"-?\d{1,9}", value)]
        return numbers if flag == "--view_range" else next(iter(numbers), None)
    return values[0] if values else ""


def _words(action: str) -> list[str]:
    try:
        return shlex.split(action)
    except ValueError:
        return action.split()
