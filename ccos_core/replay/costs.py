"""What it takes to show each node of a file at all, as windows count it.

All of a file is counted when somebody asks for one of its nodes: reading its text is what takes time.
"""

from __future__ import annotations

from ccos_core.state.fold import Facts
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import World
from ccos_core.values.code import MODULE
from ccos_core.window.layout import entry
from ccos_core.window.source import SIGNATURE, Source


class Costs:
    """The costs in the files of one world, as they are now."""

    def __init__(self, world: World, facts: Facts) -> None:
        self._world = world
        self._facts = facts
        self._known: dict[str, tuple[int, ...]] = {}
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

    def _counted(self, path: str) -> tuple[int, ...]:
        nesting = self._world.graph.files[path]
        text = text_of(self._world, path, self._facts) or ""
        source = Source.of(nesting, text, unknown_lines(self._world, path))
        symbols = (*range(len(nesting.outline.symbols)), MODULE)
        return tuple([entry(source, source.shown(symbol, SIGNATURE)) for symbol in symbols])
