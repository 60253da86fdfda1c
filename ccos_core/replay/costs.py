"""What it takes to show each node of a file at all, as windows count it.

All of a file is counted when somebody asks for one of its nodes: reading its text is what takes time. Whoever has read
it already, to find out what it says, may have counted as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ccos_core.state import fold
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import World
from ccos_core.window.layout import entries
from ccos_core.window.source import Source


class Facts(fold.Facts, Protocol):
    """What is known of contents, and of how they are shown."""

    def entries(self, content: str, path: str) -> Sequence[int] | None:
        """What `window.layout.entries` counts of a content as the file at that path, by the outline that was given for
        it last; None where nobody has counted it."""


class Costs:
    """The costs in the files of one world, as they are now."""

    def __init__(self, world: World, facts: Facts) -> None:
        self._world = world
        self._facts = facts
        self._known: dict[str, Sequence[int]] = {}
        """Path → the cost of each symbol, and last that of the file itself."""

    def of(self, path: str, symbol: int) -> int:
        """What it takes to show a symbol of a file, or the file itself."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._counted(path)
        return known[symbol]  # MODULE being -1

    def forget(self, path: str) -> None:
        """The file may be another one."""
        self._known.pop(path, None)

    def _counted(self, path: str) -> Sequence[int]:
        world, nesting = self._world, self._world.graph.files[path]
        version, unknown = world.version(path), unknown_lines(world, path)
        if version is not None and version.content and not unknown and path not in world.sheets:
            known = self._facts.entries(version.content, path)
            if known is not None and len(known) == len(nesting.outline.symbols) + 1:
                return known
        return entries(Source.of(nesting, text_of(world, path, self._facts) or "", unknown))
