"""What a call did to files, in plain values, as far as the host, the command or a file server's tool says it.

Texts are as they stand in the file, without the numbers a tool prints before lines. Paths are as the host spells them.
What was concluded from a command rather than said by the host is `inferred`. Tools of file servers are known by the
names the common servers give them, behind the server's (`mcp__files__read_file`, `files_read_file`); what a read
printed is the file as it stands, unless its arguments or a line before it say that it is a part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines of a file were shown."""

    path: str
    text: str

    first: int = 1
    """The line the text begins with."""

    whole: bool = False
    """Whether that is all of the file, from its first line to its last."""

    inferred: bool = False

    ends: bool = False
    """Whether the file ends with it, where it isn't all of the file."""


@dataclass(frozen=True, slots=True)
class Wrote:
    """A file is this text now."""

    path: str
    text: str
    before: str | None = None
    """What it was, where the host says so; empty for a file that wasn't there."""
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Appended:
    """This text stands at the end of a file now."""

    path: str
    text: str
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Replaced:
    """One text of a file was replaced by another."""

    path: str
    old: str
    new: str
    everywhere: bool = False
    """Wherever it stood, rather than in the one place it stands."""

    before: str | None = None
    """The whole file as it was, where the host says so."""

    line: int | None = None
    """Where it began, where the host says so."""

    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Rewrote:
    """These lines of a file were replaced, whatever stood in them."""

    path: str
    first: int
    last: int
    """Lines as they were counted before, both ends in."""
    text: str
    """What is there now, with or without the end of its last line; empty where they were only taken away."""
    before: str | None = None
    """The whole file as it was, where the host says so."""
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place of a patch."""

    old: tuple[str, ...]
    new: tuple[str, ...]
    """Lines as they were and are, what stands around the change included."""

    first: int | None = None
    """The line it began at, in the file as it was, where the patch says so."""

    beside: tuple[str, ...] = ()
    """Lines that stand somewhere above it, from the outside in: a class, a function."""

    at_end: bool = False
    """Whether it ends where the file ends."""


@dataclass(frozen=True, slots=True)
class Patched:
    """A file was changed in some places."""

    path: str
    hunks: Sequence[Hunk]
    before: str | None = None
    """The whole file as it was, where the host says so."""
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Removed:
    """A file isn't there any more."""

    path: str
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """A file has another path now."""

    path: str
    to: str
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Changed:
    """A file isn't what it was, and nobody here can tell what it is now."""

    path: str
    inferred: bool = False

    like: str = ""
    """The file it is a copy of now, where that is known."""

    restored: bool = False
    """Whether version control was asked to put it back as it was."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """A file was shown whole among others, and which lines of the output are its own isn't known."""

    path: str
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Uncertain:
    """A file may not be what it was: something may have been run that changes it, or may not have changed it."""

    path: str
    """Or, where it is a `pattern`, what the files are called like."""
    pattern: bool = False
    holding: str = ""
    """Of files whose text is known, only those that hold this; empty for all."""
    there: bool = False
    """Whether the file was surely there, for a program that surely ran took it without complaint."""
    inferred: bool = False


Effect: TypeAlias = (
    Shown | Wrote | Appended | Replaced | Rewrote | Patched | Removed | Moved | Changed | Mixed | Uncertain
)


READS = ("read_text_file", "read_file")
WRITES, EDITS, MOVES = ("write_file",), ("edit_file",), ("move_file",)
PATHS = ("path", "file_path", "filePath", "relative_path", "uri")
PARTS = (
    "head", "tail", "offset", "limit", "length", "start", "end", "start_line", "end_line", "line_start", "line_end",
    "startLine", "endLine", "range", "view_range",
)  # fmt: skip
"""Arguments that ask for a part of a file."""
_HEADER = re.compile(
    r"\[Reading (\d{1,9}) lines from (?:start|line (\d{1,9})) \(total: (\d{1,9}) lines, \d{1,9} remaining\)\]\n\n?"
)
"""What one server prints in front of lines; it counts them from 0."""


def effects_of_mcp(name: str, arguments: Any, printed: str, cut: bool = False) -> list[Effect]:
    """What a call of a file server that went well did. `cut` says that the host shortened what it printed."""
    tool = _tool(name)
    path = _text(arguments, *PATHS).removeprefix("file://")
    if tool in MOVES:
        source, to = _text(arguments, "source"), _text(arguments, "destination")
        return [Moved(source, to)] if source and to else []
    if not path:
        return []
    if tool in READS:
        return _read(path, arguments, printed, cut)
    if tool in WRITES and isinstance(arguments.get("content"), str):
        return [Wrote(path, arguments["content"])]
    if tool in EDITS and arguments.get("dryRun") is not True:
        edits = _objects(arguments.get("edits"))
        return [Replaced(path, _text(each, "oldText"), _text(each, "newText")) for each in edits]
    return []


def _tool(name: str) -> str:
    """The name its server gives a tool; empty for one of a host's own."""
    own = re.split(r"__|\.", name)[-1]
    if own != name:
        return own
    return next((each for each in (*READS, *WRITES, *EDITS, *MOVES) if name.endswith(f"_{each}")), "")


def _read(path: str, arguments: Any, printed: str, cut: bool) -> list[Effect]:
    header = _HEADER.match(printed)
    if header is not None:
        first, size = int(header[2] or 0) + 1, int(header[1])
        text = printed[header.end() :]
        ends = first + size > int(header[3])
        return [Shown(path, text, first, whole=ends and first == 1 and not cut)] if text else []
    asked = [each for each in PARTS if arguments.get(each) is not None]
    if asked not in ([], ["head"]) or not printed:
        return []  # nobody says which lines these are
    return [Shown(path, printed if not asked else f"{printed.removesuffix(chr(10))}\n", whole=not asked and not cut)]


def _text(arguments: Any, *names: str) -> str:
    if not isinstance(arguments, dict):
        return ""
    return next((arguments[name] for name in names if isinstance(arguments.get(name), str)), "")


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
