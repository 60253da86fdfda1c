"""What was found in foreign text: the shape of a finding, and the counting of many into one per kind.

A finding never holds what was found, only its kind, how often and where first, so that it may be stored and shown.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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
