"""What a call did to files, in plain values, as far as the host or the command says it.

Texts are as they stand in the file, without the numbers a tool prints in front of lines. Paths are as the host spells
them. Whatever was concluded from a command rather than said by the host is `inferred`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


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
