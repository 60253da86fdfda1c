"""A secret's place in a text, and the replacing of many places by their masks.

A mask is an ASCII word that is an identifier in every language, so masked source still parses: quotes stand outside.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Span = tuple[int, int, str]
"""(start, end, name): a stretch inside one line. `github-token` is masked as REDACTED_GITHUB_TOKEN."""

MASK = "REDACTED_"


def mask_of(name: str) -> str:
    return MASK + name.upper().replace("-", "_")


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
