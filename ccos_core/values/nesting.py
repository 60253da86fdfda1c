"""What stands inside of what in one file, and what its symbols are called in the graph.

Made from an outline alone, so the fold and the windows name and nest symbols alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, takewhile

from ccos_core.values.code import MODULE, Outline
from ccos_core.values.ids import file_node, sym_nodes
from ccos_core.values.once import once

BY_NAMES = frozenset({"file", "nodes", "names", "parents", "members", "places"})
"""What rests on nothing but what a file and its symbols are called."""


@dataclass(frozen=True)
class Nesting:
    """The symbols of one outline as a tree."""

    path: str
    outline: Outline

    @once
    def parents(self) -> list[int]:
        """Symbol → the symbol it is a member of. Of several of that name the last that has begun, or else the first."""
        return parents_of([symbol.name for symbol in self.outline.symbols])

    @once
    def members(self) -> dict[int, list[int]]:
        """Symbol → the symbols directly inside of it; MODULE → the top ones. In the order of the text."""
        found: dict[int, list[int]] = {MODULE: []}
        for at, parent in enumerate(self.parents):
            found.setdefault(parent, []).append(at)
        return found

    @once
    def nodes(self) -> list[str]:
        """The node ids of its symbols."""
        return sym_nodes(self.path, [symbol.name for symbol in self.outline.symbols])

    @once
    def names(self) -> list[str]:
        """The same, and last the node id of the file: that of MODULE, which is -1."""
        return [*self.nodes, self.file]

    def go_on_from(self, other: Nesting) -> None:
        """The file it was before had symbols of the same names in the same order: what follows from names is known."""
        self.__dict__.update({name: value for name, value in other.__dict__.items() if name in BY_NAMES})

    @once
    def places(self) -> dict[str, int]:
        """Node id → symbol, the file's own included."""
        return {self.file: MODULE, **dict(zip(self.nodes, count()))}

    @once
    def file(self) -> str:
        """The node id of itself."""
        return file_node(self.path)

    @once
    def spans(self) -> list[tuple[int, int]]:
        """Symbol → the first and last line of all that it is."""
        return [(min(each.first, each.line), max(each.last, each.line)) for each in self.outline.symbols]

    def node(self, symbol: int) -> str:
        """The node id of one of its symbols, or of itself."""
        return self.names[symbol]

    def inside(self, symbol: int) -> set[int]:
        """A symbol with all that is inside of it; for MODULE everything."""
        found, waiting = {symbol}, [symbol]
        while waiting:
            for member in self.members.get(waiting.pop(), ()):
                if member not in found:
                    found.add(member)
                    waiting.append(member)
        return found

    def around(self, symbol: int) -> Iterator[int]:
        """Yield the symbols that one of its symbols stands in, the innermost first; none for MODULE."""
        while symbol != MODULE and (symbol := self.parents[symbol]) != MODULE:
            yield symbol

    def innermost(self, line: int) -> int:
        """The smallest symbol that has the line; MODULE where none does."""
        best, size = MODULE, 0
        for at, (first, last) in enumerate(self.spans):
            if first <= line <= last and (best == MODULE or last - first <= size):
                best, size = at, last - first
        return best

    def touched(self, runs: Iterable[tuple[int, int]]) -> list[int]:
        """The innermost symbols that have a line of these spans (both ends in), in the order of the text."""
        among = {
            at
            for first, last in runs
            for at, (begins, ends) in enumerate(self.spans)
            if begins <= last and first <= ends
        }
        met = sorted(among)
        outer = {parent for at in met for parent in takewhile(among.__contains__, self.around(at))}
        return [at for at in met if at not in outer]


def parents_of(names: Sequence[str]) -> list[int]:
    """The same, of symbols of these names."""
    first = dict(zip(reversed(names), reversed(range(len(names))), strict=True))
    latest: dict[str, int] = {}
    found = []
    for at, name in enumerate(names):
        outer = name.rpartition(".")[0]
        found.append(latest.get(outer, first.get(outer, MODULE)) if outer else MODULE)
        latest[name] = at
    return found
