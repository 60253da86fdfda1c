"""What finders share: patterns compiled when first needed, spans of secrets with their masks, findings counted by kind.

A hook pays for compiling on every tool call, and most texts need none of the patterns. Classes mean their ASCII
members, so that no Python release changes what is masked. A mask is an ASCII word that is an identifier in every
language, so masked source still parses. A finding never holds what was found, only its kind, how often and where.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Lazy:
    """A pattern with a life: source until the first use, compiled afterwards."""

    __slots__ = ("_compiled", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._compiled: re.Pattern[str] | None = None

    def __call__(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self.source, re.ASCII)
        return self._compiled

    def __repr__(self) -> str:
        return f"Lazy({self.source!r})"


Finding = tuple[str, int, int]
"""(kind, count, line): "bidi-control" or "secret:github-token", how often it occurs, its first 1-based line."""


def tally(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """One finding per kind, in order of kind: counts added, the first line kept."""
    merged: dict[str, tuple[int, int]] = {}
    for kind, count, line in findings:
        known, first = merged.get(kind, (0, line))
        merged[kind] = (known + count, min(first, line))
    return tuple((kind, *merged[kind]) for kind in sorted(merged))


def line_at(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


Span = tuple[int, int, str]
"""(start, end, name): a stretch inside one line. `github-token` is masked as REDACTED_GITHUB_TOKEN."""

MASK = "REDACTED_"
_MASKED = Lazy(rf"(?<!\w){MASK}([A-Z][A-Z0-9_]*)")


def mask_of(name: str) -> str:
    return MASK + name.upper().replace("-", "_")


def masked_families(text: str) -> list[str]:
    """Return the family of each secret that was masked in a text: `github-token`, ..."""
    return [name.lower().replace("_", "-") for name in _MASKED().findall(text)]


def disjoint(spans: Iterable[Span]) -> list[Span]:
    """Overlapping spans joined, in order of place.

    The one given first names the whole: finders go from the sure to the vague.
    """
    joined: list[tuple[int, int, int, str]] = []
    for start, end, rank, name in sorted((s, e, rank, name) for rank, (s, e, name) in enumerate(spans)):
        if joined and start < joined[-1][1]:
            first, until, known, called = joined[-1]
            best = min((known, called), (rank, name))
            joined[-1] = (first, max(until, end), *best)
        else:
            joined.append((start, end, rank, name))
    return [(start, end, name) for start, end, _, name in joined]


def replace(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    position = 0
    for start, end, name in spans:
        pieces += (text[position:start], mask_of(name))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)
