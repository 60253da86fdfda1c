"""What is known of each file while a session is read, and what each effect of a call lets the record say of it.

A host that gives whole files makes whole versions. Where only parts were ever shown, an edit is placed among the lines
that are known and recorded as a part with the number of lines it took the place of. One that can't be placed at all is
recorded as that: the file isn't what it was, and nobody here can say where.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from ccos_core.intake.calls.effects import (
    Appended,
    Changed,
    Effect,
    Mixed,
    Moved,
    Patched,
    Removed,
    Replaced,
    Rewrote,
    Shown,
    Uncertain,
    Wrote,
)
from ccos_core.intake.calls.placing import Edit, edits_of
from ccos_core.values import sheet as sheets
from ccos_core.values.paths import recorded
from ccos_core.values.sheet import BLANK, Sheet

Observation = dict[str, Any]

MOST = 128_000_000
"""Bytes of files that are remembered. Beyond them, those nobody touched for longest are unknown again."""
A_LINE = 60
"""Bytes a line takes besides its characters."""
UNPLACED = "unplaced"
"""Why there is no content of a file that was edited before anything of it was shown."""
UNCERTAIN = "uncertain"
"""Why there is none of a file that may have been changed: what is known of it is a guess until it is seen again."""
MIXED = "mixed"
"""Why there is none of a file that was shown among others."""
LONGEST_GLOB, MOST_STARS = 400, 12
"""Characters of a pattern of files, and stars in it: more than these take too long to match."""


class Files:
    """The files of one session."""

    def __init__(self) -> None:
        self._sheets: OrderedDict[str, Sheet] = OrderedDict()
        self._ends: dict[str, None] = {}
        """Those that are known to their end."""
        self._sizes: dict[str, int] = {}
        """What each takes at most: parts that were given again may count twice, until somebody looks."""
        self._size = 0

    def observed(self, effect: Effect, cwd: str = ".") -> Iterator[Observation]:
        """What the record is told of an effect; without the header."""
        path = recorded(effect.path, cwd=cwd)
        marked = {"inferred": True} if effect.inferred else {}
        for told in self._told(path, effect, cwd):
            yield {**told, **marked}

    def text(self, path: str, cwd: str = ".") -> str | None:
        """The whole text of a file; None where some of it isn't known."""
        return self._text_at(recorded(path, cwd=cwd))

    # -- one way per effect ---------------------------------------------------------------------------------------

    def _told(self, path: str, effect: Effect, cwd: str) -> Iterator[Observation]:
        match effect:
            case Shown():
                yield from self._shown(path, effect)
            case Wrote():
                self._keep(path, sheets.written(effect.text), whole=True)
                yield {"kind": "seen", "how": "write", "path": path, "content": effect.text}
            case Appended():
                yield from self._appended(path, effect)
            case Replaced() | Rewrote() | Patched():
                yield from self._edited(path, effect)
            case Changed():
                yield self._doubted(path) if path in self._sheets else _unplaced_edit(path)
            case Uncertain():
                yield from self._uncertain(path, effect)
            case Mixed():
                yield {"kind": "seen", "how": "read", "path": path, "withheld": MIXED}
            case Removed():
                self._drop(path)
                yield {"kind": "gone", "path": path}
            case Moved():
                yield from self._moved(path, recorded(effect.to, cwd=cwd))

    def _shown(self, path: str, effect: Shown) -> Iterator[Observation]:
        if effect.whole:
            self._keep(path, sheets.shown(effect.text), whole=True)
            yield {"kind": "seen", "how": "read", "path": path, "content": effect.text}
            return
        text = effect.text.removesuffix("\n")
        if not 1 <= effect.first < sheets.FARTHEST or not effect.text:
            return
        last = effect.first + text.count("\n")
        text += "\n" * text.endswith("\n")  # a blank last line stays one for who takes the last line's end off
        before = self._sheets.get(path, BLANK)
        to_the_end = effect.text + "\n" if effect.ends and effect.text.endswith("\n") else text
        after = sheets.read_in_part(before, effect.first, to_the_end)
        fits = len(after.lines) == len(before.lines)
        ended = effect.ends and len(after.lines) - last in (0, 1)
        whole = ended or (path in self._ends and fits)
        if whole and _is_certain(after) and self.text(path) != after.text:
            # a slice can't say that the file ends with it: its parts, now complete, are recorded as the whole they make
            yield {"kind": "seen", "how": "ingest", "path": path, "content": after.text}
        self._keep(path, after, whole=whole, more=_more(before, after, text))
        yield {"kind": "seen", "how": "read", "path": path, "content": text, "slice": [effect.first, last]}

    def _appended(self, path: str, effect: Appended) -> Iterator[Observation]:
        known = self.text(path)
        if known is None:
            yield from self._unplaced(path)
            return
        text = known + effect.text
        self._keep(path, sheets.edited(self._sheets[path], text), whole=True)
        yield {"kind": "seen", "how": "edit", "path": path, "content": text}

    def _edited(self, path: str, effect: Replaced | Rewrote | Patched) -> Iterator[Observation]:
        if effect.before is not None:
            if self.text(path) != effect.before:  # what it was, as nobody was shown
                yield {"kind": "seen", "how": "ingest", "path": path, "content": effect.before}
            self._keep(path, sheets.shown(effect.before), whole=True)
        if _replaces_nothing(effect, self._sheets.get(path), path in self._ends):
            return
        before = self._sheets.get(path, BLANK)
        edits = edits_of(before, effect, path in self._ends and before.whole)
        if edits is None:
            yield from self._unplaced(path)
            return
        after = before
        for edit in edits:
            after = sheets.edited_in_part(after, edit.first, _content(edit), edit.took)
        whole = path in self._ends and after.whole
        self._keep(path, after, whole=whole)
        if whole:
            yield {"kind": "seen", "how": "edit", "path": path, "content": after.text}
        else:
            yield from (_in_part(path, edit) for edit in edits)

    def _unplaced(self, path: str) -> Iterator[Observation]:
        """Say that it was edited. Where something is known of it, an edit that begins there and ends nobody knows where
        leaves the rest a guess."""
        sheet = self._sheets.get(path)
        known = next((run for run in sheet.runs if run[2] != sheets.UNKNOWN), None) if sheet is not None else None
        if sheet is None or known is None:
            yield _unplaced_edit(path)
            return
        first = known[0]
        line = sheet.lines[first - 1]
        self._keep(path, sheets.edited_in_part(sheet, first, line + "\n"), whole=False, more=0)
        told = {"kind": "seen", "how": "edit", "path": path, "content": line, "slice": [first, first]}
        yield {**told, "inferred": True}

    def _uncertain(self, path: str, effect: Uncertain) -> Iterator[Observation]:
        """Files that may have been changed. What holds none of the text that was to be replaced wasn't."""
        paths = [path]
        if effect.pattern:
            like = compile_glob(path)
            paths = [each for each in self._sheets if like is not None and like.fullmatch(each)]
        for each in paths:
            text = self._text_at(each) if effect.holding else None
            if text is not None and effect.holding not in text:
                continue
            yield self._doubted(each) if each in self._sheets or not effect.there else _unplaced_edit(each)

    def _doubted(self, path: str) -> Observation:
        """Say that a file may not be what it was."""
        if (sheet := self._sheets.get(path)) is not None:
            self._keep(path, sheets.doubted(sheet), whole=False, more=0)
        return {"kind": "seen", "how": "edit", "path": path, "withheld": UNCERTAIN}

    def _text_at(self, path: str) -> str | None:
        sheet = self._sheets.get(path)
        return sheet.text if sheet is not None and path in self._ends and sheet.whole else None

    def _moved(self, path: str, to: str) -> Iterator[Observation]:
        sheet, whole = self._sheets.get(path), path in self._ends
        self._drop(path)
        yield {"kind": "renamed", "path": path, "to": to}
        if sheet is not None:
            self._keep(to, sheet, whole=whole)
        elif to in self._sheets:  # what has taken its place nobody knows
            yield self._doubted(to)

    # -- what is remembered ---------------------------------------------------------------------------------------

    def _keep(self, path: str, sheet: Sheet, *, whole: bool, more: int | None = None) -> None:
        """Remember a file. `more` is how much was given of it, where it was known before."""
        size = _size(sheet) if more is None or path not in self._sizes else self._sizes[path] + more
        self._drop(path)
        self._sheets[path] = sheet
        self._sizes[path] = size
        self._size += size
        if whole:
            self._ends[path] = None
        if self._size > MOST:
            self._forget()

    def _forget(self) -> None:
        """Make room, and enough of it that this is rare."""
        self._sizes = {path: _size(sheet) for path, sheet in self._sheets.items()}
        self._size = sum(self._sizes.values())
        while self._size > MOST * 3 // 4 and len(self._sheets) > 1:
            self._drop(next(iter(self._sheets)))

    def _drop(self, path: str) -> None:
        self._sheets.pop(path, None)
        self._ends.pop(path, None)
        self._size -= self._sizes.pop(path, 0)


def _replaces_nothing(effect: Effect, sheet: Sheet | None, ended: bool) -> bool:
    """Whether a script replaces what stands nowhere. It reads other ends of lines as its own, and writes those."""
    if not isinstance(effect, Replaced) or not effect.inferred or not ended or sheet is None:
        return False
    return sheet.whole and effect.old not in sheet.text and "\r" not in sheet.text


def _is_certain(sheet: Sheet) -> bool:
    """Whether every line is known, and none of them by a guess."""
    return all(kind not in (sheets.UNKNOWN, sheets.INFERRED) for _, _, kind in sheet.runs)


def compile_glob(pattern: str) -> re.Pattern[str] | None:
    """A shell's pattern of files, with `**` for any depth and `{a,b}`; None for one that is beyond this reader."""
    if len(pattern) > LONGEST_GLOB or pattern.count("*") > MOST_STARS:
        return None
    said = [_glob_piece(match) for match in _GLOB.finditer(pattern)]
    try:
        return re.compile("".join(said))
    except re.error:
        return None


def _glob_piece(match: re.Match[str]) -> str:
    piece = match[0]
    if piece in _GLOB_PIECES:
        return _GLOB_PIECES[piece]
    if piece.startswith("[") and len(piece) > 2:
        inner = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[^{inner[1:]}]" if inner[0] in "!^" and len(inner) > 1 else f"[{inner}]"
    if piece.startswith("{") and "," in piece:
        return f"(?:{'|'.join(re.escape(each) for each in piece[1:-1].split(','))})"
    return re.escape(piece)


_GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[[!^]?\]?[^\]/]*\]|\{[^{}/]*\}|[^*?\[{]+|.", re.DOTALL)
_GLOB_PIECES = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def _unplaced_edit(path: str) -> Observation:
    return {"kind": "seen", "how": "edit", "path": path, "withheld": UNPLACED}


def _in_part(path: str, edit: Edit) -> Observation:
    last = edit.first + max(len(edit.new) - 1, 0)
    told = {"kind": "seen", "how": "edit", "path": path, "content": _content(edit)}
    marked = {"inferred": True} if edit.likely else {}
    return {**told, "slice": [edit.first, last], "took": edit.took, **marked}


def _content(edit: Edit) -> str:
    """The lines of an edit. A blank last line stays one for who takes the last line's end off."""
    return "\n".join(edit.new) + "\n" * (edit.new[-1] == "")


def _more(before: Sheet, after: Sheet, text: str) -> int:
    """How much larger a file may have become by a text it was given."""
    return len(text) + (len(after.lines) - len(before.lines)) * A_LINE


def _size(sheet: Sheet) -> int:
    return sum(map(len, sheet.lines)) + len(sheet.lines) * A_LINE
