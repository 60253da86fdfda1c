"""Foreign names on one line: as they are where they can be printed, else spelled as in a node id."""

from __future__ import annotations

from ccos_core.text.sanitize import surface
from ccos_core.values.ids import escape


def legible(name: str) -> str:
    """A path or a symbol's name without a character that a terminal would obey, or wouldn't show."""
    return name if name.isprintable() else surface(escape(name))[0]
