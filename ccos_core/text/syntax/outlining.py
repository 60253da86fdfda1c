"""What every outliner needs: the lines of a text, the symbol around a place, and uses counted.

An outliner sweeps over the captures of its query in the order of the text: definitions become symbols, bindings hide
names, and what is used is noted with the symbol it stands in. Positions are bytes until the outline is made.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Generic, TypeVar

from ccos_core.values.code import Reference, rows_of

if TYPE_CHECKING:
    from tree_sitter import Node

Value = TypeVar("Value")


class Text:
    """A source and its lines, counted from 1. Never `node.text`, which asks the tree for it and costs far more."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0, *accumulate(map((1).__add__, map(len, source.split(b"\n"))))]
        """Where each line begins; one more at the end."""

    def line(self, at: int) -> int:
        """The line a byte is in."""
        return bisect_right(self.starts, at)

    def bytes_of(self, node: Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def text_of(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


class Nested(Generic[Value]):
    """What lies around a place: spans in each other, told and asked in the order of the text."""

    def __init__(self, outside: Value, spans: Sequence[tuple[int, int, Value]] = ()) -> None:
        self.outside = outside
        self.spans = spans
        """(start, minus the end, value), in order: the outer before the inner."""
        self.begun = 0
        """How many of them have begun."""
        self.open: list[tuple[int, Value]] = []
        """(end, value) of those around the place, the innermost last."""

    def enter(self, end: int, value: Value) -> None:
        """A span begins at the place last asked for."""
        self.open.append((end, value))

    def at(self, place: int) -> Value:
        """The value of the innermost span around a place."""
        spans, open_ = self.spans, self.open
        while self.begun < len(spans) and spans[self.begun][0] <= place:
            start, minus_end, value = spans[self.begun]
            self.begun += 1
            while open_ and open_[-1][0] <= start:
                open_.pop()
            open_.append((-minus_end, value))
        while open_ and open_[-1][0] <= place:
            open_.pop()
        return open_[-1][1] if open_ else self.outside


class Uses:
    """What each symbol uses in which role, where first and how often."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.found: dict[tuple[int, bytes | str, str], list[int]] = {}
        """(owner, chain, role) → [place, count]."""

    def note(self, owner: int, chain: bytes | str, role: str, at: int) -> None:
        known = self.found.get((owner, chain, role))
        if known is None:
            self.found[owner, chain, role] = [at, 1]
        else:
            known[1] += 1

    def references(self) -> tuple[Reference, ...]:
        """All of them, in the order of the text."""
        line = self.text.line
        rows = [
            (line(at), owner, chain if isinstance(chain, str) else chain.decode("utf-8", "replace"), role, count)
            for (owner, chain, role), (at, count) in self.found.items()
        ]
        rows.sort()
        return rows_of(Reference, [(chain, role, line, owner, count) for line, owner, chain, role, count in rows])
