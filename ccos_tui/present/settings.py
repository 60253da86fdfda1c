"""Settings as rows: what is in force, what else there is, and where it is written down."""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.present.rows import Row, Span, clean, heading, row
from ccos_tui.settings import SAID, Settings

NAMES = 12
"""Columns for a setting's name."""


def rows_of(settings: Settings, themes: Sequence[str], theme: str, path: str, troubles: Sequence[str]) -> list[Row]:
    """Rows whose copies are `NAME VALUE`: what Enter makes of the setting."""
    rows = [row(Span(clean(each), "note")) for each in troubles]
    rows += [heading("Themes")]
    for each in themes:
        sign, role = ("● ", "good") if each == theme else ("○ ", "quiet")
        rows.append(Row((Span(f"  {sign}", role), Span(clean(each))), copies=f"theme {each}"))
    rows += [Row(), heading("Settings")]
    for name in ("ascii", "mouse"):
        on = getattr(settings, name)
        value = Span("● on " if on else "○ off", "good" if on else "quiet")
        spans = (Span(f"  {name:<{NAMES}}"), value, Span(f"  {SAID[name]}", "quiet"))
        rows.append(Row(spans, copies=f"{name} {'off' if on else 'on'}"))
    for name in ("budget", "lens"):
        value = Span(f"{getattr(settings, name)}", "number")
        spans = (Span(f"  {name:<{NAMES}}"), value, Span(f"  {SAID[name]}", "quiet"))
        rows.append(Row(spans, copies=f"{name} "))
    rows += [Row(), row(Span(f"Saved in {clean(path)}, where keys can be set too.", "quiet"))]
    return [*rows, row(Span("ccos-tui config template lists all settings.", "quiet"))]
