"""Sources: files that were seen, went away, or moved."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen(Op):
    """A file had this content."""

    path: str

    how: str
    """`read`: an agent saw it. `edit`, `write`: an agent changed it. `ingest`: ccos-tui read it, no agent saw it."""

    content: Blob | None = None
    """The text; absent if it was withheld."""

    slice: Span | None = None
    """Which lines `content` is, if it isn't the whole file."""

    took: int | None = None
    """How many lines the slice replaced, if the edit says so."""

    inferred: bool | None = None
    """Whether this was concluded from a command and its output. Otherwise the tool reported it."""

    withheld: str | None = None
    """Why there is no content: `secret-path` or `ccosignore`; `unplaced`: the place of the edit is unknown; `crowded`:
    one call changed too many files; `uncertain`: the file may have changed; `mixed`: the output mixes it with other
    files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone(Op):
    """A file was deleted."""

    path: str
    inferred: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed(Op):
    """A file has a new path. It is still the same file, with its past."""

    path: str
    to: str
    inferred: bool | None = None
