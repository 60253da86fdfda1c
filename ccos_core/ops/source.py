"""Sources: files that were seen, went away, or moved."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.ops.base import Blob, Op, Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen(Op):
    """Somebody who knows a source's content says what it is."""

    path: str

    how: str
    """`read` an agent looked at it; `edit`, `write` an agent changed it; `ingest` we looked, and nobody else did."""

    content: Blob | None = None
    """What was seen. Absent when it was withheld."""

    slice: Span | None = None
    """Which lines `content` is, when it isn't the whole file."""

    took: int | None = None
    """How many lines the slice took the place of, where an edit of a part says so."""

    inferred: bool | None = None
    """Whether that was concluded, from a command and its output, rather than said by whoever did it."""

    withheld: str | None = None
    """Why there is no content: `secret-path` or `ccosignore`; `unplaced` for an edit nobody can place; `crowded`
    where one call changed too much to tell it all; `uncertain` for a file that may have been changed; `mixed` for one
    that was shown among others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone(Op):
    """A source isn't there any more."""

    path: str
    inferred: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed(Op):
    """A source has another path now; it is the same source."""

    path: str
    to: str
    inferred: bool | None = None
