"""Where the reader has been: the jump list. Steps one by one leave no trace, jumps do."""

from __future__ import annotations

from ccos_tui.focus import Focus

LONGEST = 200
"""Places that are remembered."""


class Trail:
    """Places, and where among them the reader is."""

    def __init__(self) -> None:
        self._behind: list[Focus] = []
        self._ahead: list[Focus] = []

    def leave(self, here: Focus) -> None:
        """Jump away from here; what lay ahead is forgotten."""
        self._ahead.clear()
        if not self._behind or self._behind[-1] != here:
            self._behind.append(here)
            del self._behind[:-LONGEST]

    def before(self, here: Focus) -> Focus | None:
        """Where the last jump began; None where nobody has jumped. It stays where it is."""
        return next((place for place in reversed(self._behind) if place != here), None)

    def back(self, here: Focus) -> Focus | None:
        """The place before; None at the wall."""
        return _exchanged(self._behind, self._ahead, here)

    def on(self, here: Focus) -> Focus | None:
        """The place one came back from."""
        return _exchanged(self._ahead, self._behind, here)


def _exchanged(taken: list[Focus], kept: list[Focus], here: Focus) -> Focus | None:
    while taken:
        found = taken.pop()
        if found != here:
            kept.append(here)
            return found
    return None
