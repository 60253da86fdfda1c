"""What the search over all sessions says where there is nothing to list."""

from __future__ import annotations

from ccos_core.present.cells import clip
from ccos_core.present.rows import Row, Span, clean, row

HINTS = (
    ("migration failed", "texts that hold both words"),
    ('"still fails"', "the phrase as it stands"),
    ("migrat*", "words that begin so"),
    ("in:prompt,thinking", "only what was said there: prompt, thinking, text, input, result, host"),
    ("agent:codex", "only this agent's sessions"),
    ("project:~/shop", "only sessions of this folder"),
    ("since:3d", "only what is newer: 45m, 12h, 3d, 2w, or 2026-02-14"),
)
"""What can be typed, and what it finds."""


def hint_rows(width: int) -> list[Row]:
    """How to search."""
    rows = [
        row(),
        row(Span("  Type words to search what was said in every session on this machine.", "strong")),
        row(Span("  Newest first; Enter opens the session at that step.", "quiet")),
        row(),
    ]
    return [*rows, *(row(Span(f"  {said:<20}", "link"), clip(means, max(width - 22, 10))) for said, means in HINTS)]


def nothing_rows(said: str, width: int) -> list[Row]:
    """Nothing was found."""
    return [
        row(),
        row(Span(f"  {clip(clean(said), max(width - 2, 10))}", "note")),
        row(),
        row(
            Span("  All words must stand in one text; ", "quiet"), Span("word*", "link"), Span(" finds more.", "quiet")
        ),
    ]
