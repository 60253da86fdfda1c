"""What a language gives to the laws that hold for every language: `test_outline_laws` and `test_resolve_laws`.

A further language is one more file of such cases, named in `ALL`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ccos_core.text.syntax.resolution import Link


@dataclass(frozen=True)
class Outlines:
    """Sources of one language."""

    path: str
    """A name that gives the language."""

    source: str
    """A file with one of everything."""

    symbols: int
    """How many symbols it has."""

    pieces: Sequence[str]
    """Words that spoil a source when they are put in."""

    sizes: Mapping[str, Callable[[int], str]]
    """Shapes that hurt, for a size; at 1,000 they are as deep or long as anything that was met."""

    accented: bytes
    """A file that isn't UTF-8, with `café` as its first symbol."""

    heads: Sequence[str] = ("{}",)
    """Beginnings before a jumble of pieces, which goes to the braces."""

    flaws: tuple[str, ...] = ()
    """What its outline says is wrong with it."""

    has_unnamed_references: bool = True
    """Whether a broken source may give references without a name."""

    accepts_mark: bool = True
    """Whether a byte order mark before the source changes nothing; a `#!` line wants to be first."""


@dataclass(frozen=True)
class Trees:
    """What each file of a tree may be; None is that it isn't there."""

    family: str
    variants: Mapping[str, Sequence[str | None]]
    fewest_links: int
    """More links than this has the tree of first variants."""

    examples: Sequence[tuple[dict[str, str | None], list[tuple[str, str | None]]]] = field(default=())
    """Trees and changes that once went wrong."""


Links = dict[str, tuple[Link, ...]]
