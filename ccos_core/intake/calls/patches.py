"""Patches as agents write them: the `apply_patch` envelope, and unified diffs with or without git's headers.

Both become effects: a file written, removed, moved, or changed in places. A file of whose patch some part can't be read
is changed, nobody knows how; what can't even be told to be of a file is left out. Whether a patch was applied at all is
for the reader of its result to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ccos_core.intake.calls.effects import Changed, Effect, Hunk, Moved, Patched, Removed, Wrote

SECTION = re.compile(r"\*\*\* (Add|Delete|Update) File: ?(.*)")
MOVE = re.compile(r"\*\*\* (?:Move to|Rename to|Move File To): ?(.*)")
PLACES = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
NOWHERE = "/dev/null"
NO_NEWLINE = "\\"
ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, '"': 34, "\\": 92}


def parse_patch(text: str) -> list[Effect]:
    """The effects of a patch in the envelope; several in a row, and one without its first line, are read too."""
    lines = _Lines(text)
    found: list[Effect] = []
    while (line := lines.next()) is not None:
        if told := SECTION.match(line.strip()):
            found += _section(lines, told[1], told[2].strip())
    return found


def parse_diff(text: str) -> list[Effect]:
    """The effects of a unified diff of any number of files."""
    lines = _Lines(text)
    found: list[Effect] = []
    while lines.more():
        if (file := _header(lines)) is not None:
            found += file.effects()
    return found


def parse_hunks(text: str) -> list[Hunk] | None:
    """The places of one file's diff, given without its header; None where some of it can't be read."""
    lines = _Lines(text)
    hunks: list[Hunk] = []
    while (line := lines.peek()) is not None:
        if line.startswith("@@"):
            hunk = _hunk(lines)
            if hunk is None:
                return None
            hunks.append(hunk)
        else:
            lines.next()
    return hunks


def hunks_of_diff(text: str) -> list[Hunk]:
    """The places of a diff, whichever files its headers name."""
    return [hunk for each in parse_diff(text) if isinstance(each, Patched) for hunk in each.hunks]


class _Lines:
    """The lines of a patch, and how far it has been read. One that came with line ends of two characters loses them;
    where only the contents have them, they are the file's."""

    def __init__(self, text: str) -> None:
        self.lines = text.removesuffix("\n").split("\n")
        if all(line.endswith("\r") for line in self.lines[:-1]) and len(self.lines) > 1:
            self.lines = [line.removesuffix("\r") for line in self.lines]
        self.at = 0

    def more(self) -> bool:
        return self.at < len(self.lines)

    def peek(self, beyond: int = 0) -> str | None:
        at = self.at + beyond
        return self.lines[at] if at < len(self.lines) else None

    def begins(self, prefix: str, beyond: int = 0) -> bool:
        """Whether the line that comes next, or one beyond it, begins so."""
        return (self.peek(beyond) or "").startswith(prefix)

    def next(self) -> str | None:
        line = self.peek()
        self.at += 1
        return line


# -- the envelope -----------------------------------------------------------------------------------------------------


def _section(lines: _Lines, what: str, path: str) -> list[Effect]:
    if not path:
        return []
    if what == "Delete":
        return [Removed(path)]
    body = list(_body(lines))
    if what == "Add":
        added = _added(body)
        return [Changed(path) if added is None else Wrote(path, added)]
    moved = MOVE.match(body[0].strip()) if body else None
    hunks = _places(body[1:] if moved else body)
    found: list[Effect] = _changed(path, hunks)
    to = moved[1].strip() if moved else ""
    return [*found, Moved(path, to)] if to and to != path else found


def _body(lines: _Lines) -> Iterator[str]:
    """What stands below a header, up to the next or the end of the envelope."""
    while (line := lines.peek()) is not None:
        if line.startswith("*** ") and (SECTION.match(line) or line.startswith(("*** End Patch", "*** Begin Patch"))):
            return
        yield line
        lines.next()


def _added(body: Sequence[str]) -> str | None:
    """The text of a new file, all lines of which begin with a plus; empty ones may have lost it."""
    end = len(body)
    while end and not body[end - 1].strip():
        end -= 1
    if any(line and not line.startswith("+") for line in body[:end]):
        return None
    return "".join(f"{line[1:]}\n" for line in body[:end])


def _places(body: Sequence[str]) -> list[Hunk] | None:
    hunks: list[Hunk] = []
    place = _Place()
    for line in body:
        if line.startswith("@@"):
            hunks += place.hunk()
            place = _Place([*place.beside, *_beside(line)] if place.bare else _beside(line))
        elif line.strip() == "*** End of File":
            place.at_end = True
            hunks += place.hunk()
            place = _Place()
        elif not place.took(line):
            return None
    return hunks + place.hunk()


class _Place:
    """A hunk of the envelope while it is read."""

    def __init__(self, beside: Sequence[str] = ()) -> None:
        self.beside = list(beside)
        self.old: list[str] = []
        self.new: list[str] = []
        self.blank = 0
        """Empty lines at its end so far: part of it only if something follows."""
        self.at_end = False

    @property
    def bare(self) -> bool:
        """Whether there is nothing but what it stands below."""
        return not (self.old or self.new)

    def took(self, line: str) -> bool:
        """Take a line; False where it can't be one of a hunk."""
        if line == "":
            self.blank += 1
            return True
        if line[0] not in "+- ":
            return False
        self._blanks()
        if line[0] in "- ":
            self.old.append(line[1:])
        if line[0] in "+ ":
            self.new.append(line[1:])
        return True

    def hunk(self) -> list[Hunk]:
        if self.bare:
            return []
        return [Hunk(tuple(self.old), tuple(self.new), beside=tuple(self.beside), at_end=self.at_end)]

    def _blanks(self) -> None:
        empty = [""] * self.blank if not self.bare else []
        self.old += empty
        self.new += empty
        self.blank = 0


def _beside(line: str) -> list[str]:
    """The line a hunk stands below. Numbers, as diffs have them, say nothing here: agents make them up."""
    said = line[2:].removeprefix(" ")
    if re.match(r"-\d+(,\d+)? \+\d+(,\d+)? @@", said):
        said = said.partition("@@")[2].removeprefix(" ")
    said = said.removesuffix(" @@").rstrip()
    return [said] if said.strip() and said.strip() != "@@" else []


# -- diffs ------------------------------------------------------------------------------------------------------------


class _File:
    """What a diff says of one file."""

    def __init__(self) -> None:
        self.old = self.new = ""
        """Paths; `/dev/null` where there is none. Empty while nobody has said."""
        self.renamed = False
        self.unreadable = False
        """Whether some of it isn't told in lines: binary, a copy, a hunk that breaks off."""
        self.hunks: list[Hunk] = []
        self.ends_open = False
        """Whether the new file has no newline at its end."""

    def effects(self) -> list[Effect]:
        if self.new == NOWHERE:
            return [Removed(self.old)] if self.old not in ("", NOWHERE) else []
        if not self.new:
            return []
        if self.old == NOWHERE:
            return [self._made()]
        hunks = None if self.unreadable else self.hunks
        if self.renamed and self.old not in ("", self.new):
            return [*_changed(self.old, hunks), Moved(self.old, self.new)]
        return _changed(self.new, hunks)

    def _made(self) -> Effect:
        if self.unreadable or any(hunk.old for hunk in self.hunks):
            return Changed(self.new)
        lines = [line for hunk in self.hunks for line in hunk.new]
        text = "".join(f"{line}\n" for line in lines)
        return Wrote(self.new, text.removesuffix("\n") if self.ends_open else text, before="")


def _changed(path: str, hunks: list[Hunk] | None) -> list[Effect]:
    """A file changed in these places, or in some nobody could read."""
    if hunks is None:
        return [Changed(path)]
    return [Patched(path, tuple(hunks))] if hunks else []


def _header(lines: _Lines) -> _File | None:
    """Read on to the end of one file's part; None where what stands here begins none."""
    file = _File()
    git = lines.begins("diff --git ")
    if git:
        _named_by_git(file, (lines.next() or "")[len("diff --git ") :])
        _said_by_git(file, lines)
    if not (lines.begins("--- ") and lines.begins("+++ ", 1)):
        if not git:
            lines.next()
        return file if git else None
    _named(file, (lines.next() or "")[4:], (lines.next() or "")[4:])
    while lines.begins("@@"):
        hunk = _hunk(lines, file)
        file.unreadable = file.unreadable or hunk is None
        if hunk is not None:
            file.hunks.append(hunk)
    return file


def _named_by_git(file: _File, said: str) -> None:
    """The paths of a header, which count where no other line names them. Unless quoted they are told apart by being the
    same."""
    if said.startswith('"'):
        halves = re.findall(r'"(?:[^"\\]|\\.)*"', said)
        if len(halves) == 2:
            file.old, file.new = (_bare(_unquoted(half)) for half in halves)
        return
    half = len(said) // 2
    old, new = said[:half], said[half + 1 :]
    if said[half : half + 1] == " " and _bare(old) == _bare(new):
        file.old, file.new = _bare(old), _bare(new)


def _said_by_git(file: _File, lines: _Lines) -> None:
    """The lines between a header and the paths."""
    while (line := lines.peek()) is not None and not line.startswith(("--- ", "diff ", "@@")):
        word = line.partition(" ")[0]
        if line.startswith("new file"):
            file.old = NOWHERE
        elif line.startswith("deleted file"):
            file.new = NOWHERE
        elif line.startswith("rename from "):
            file.old, file.renamed = _unquoted(line[len("rename from ") :]), True
        elif line.startswith("rename to "):
            file.new, file.renamed = _unquoted(line[len("rename to ") :]), True
        elif word in ("copy", "Binary", "GIT"):
            file.unreadable = True
        elif word not in ("index", "similarity", "dissimilarity", "old", "new", "mode"):
            return
        lines.next()


def _named(file: _File, old: str, new: str) -> None:
    """The paths of the two lines above the first hunk."""
    old, new = _path(old), _path(new)
    prefixed = old.startswith(("a/", NOWHERE)) and new.startswith(("b/", NOWHERE))
    if file.renamed:
        return
    file.old, file.new = (_bare(old), _bare(new)) if prefixed else (old, new)


def _path(said: str) -> str:
    """A path as it stands behind `---`: quoted, or followed by a tab and a date."""
    return _unquoted(said.rstrip("\r")) if said.startswith('"') else said.partition("\t")[0].rstrip()


def _bare(path: str) -> str:
    return path[2:] if path.startswith(("a/", "b/")) else path


def _unquoted(said: str) -> str:
    """A path as git quotes it: bytes beyond ASCII in octal."""
    if not (len(said) > 1 and said.startswith('"') and said.endswith('"')):
        return said
    found = bytearray()
    for escaped, plain in re.findall(r"\\([0-7]{1,3}|.)|([^\\]+)", said[1:-1]):
        if escaped.isdigit():
            found.append(int(escaped, 8) & 255)
        elif escaped:
            found += bytes([ESCAPES[escaped]]) if escaped in ESCAPES else escaped.encode("utf-8", "replace")
        else:
            found += plain.encode("utf-8", "replace")
    return found.decode("utf-8", "replace")


def _hunk(lines: _Lines, file: _File | None = None) -> Hunk | None:
    """One place of a diff; None where it breaks off. Its numbers say how far it goes, so that lines which look like a
    header are lines of it."""
    told = PLACES.match(lines.next() or "")
    if told is None:
        return None
    left = [1 if size is None else int(size) for size in (told[2], told[4])]
    first = int(told[1]) + (0 if left[0] else 1)
    sides: tuple[list[str], list[str]] = [], []
    open_ends = [False, False]
    marks = ""
    while left[0] > 0 or left[1] > 0 or lines.begins(NO_NEWLINE):
        line = lines.next()
        if line is None:
            return None
        if line.startswith(NO_NEWLINE):
            open_ends = [open_ends[side] or side in _sides(marks) for side in (0, 1)]
            continue
        marks = line[:1] or " "
        for side in _sides(marks):
            sides[side].append(line[1:])
            left[side] -= 1
        if not _sides(marks) or min(left) < 0:
            return None
    if file is not None and open_ends[1]:
        file.ends_open = True
    return _ended(sides, open_ends, max(first, 1))


def _sides(mark: str) -> Sequence[int]:
    """Which of the two files a line is of."""
    return {" ": (0, 1), "-": (0,), "+": (1,)}.get(mark, ())


def _ended(sides: tuple[list[str], list[str]], open_ends: Sequence[bool], first: int) -> Hunk:
    """A hunk, with the newline at the end of the file as the empty line it leaves where only one side has it."""
    old, new = sides
    if open_ends[0] != open_ends[1] and old and new:
        (new if open_ends[0] else old).append("")
    return Hunk(tuple(old), tuple(new), first, at_end=any(open_ends))
