"""Names that a Go function makes its own, and how chains of names are read off the text.

A binding holds from the end of the statement that makes it to the end of the block it is in, so `url := url.Parse(x)`
uses the import on its right side. What is bound remembers what a dot after it leads into: `s` in `func (s *Server)`
leads into `Server`, `x` after `x := pkg.New()` into whatever `pkg.New` gives. Such a chain is written from there,
`Server.Listen`, `pkg.New.Run`, and means the same in every file of the package. What is deeper than that (elements of
slices and maps, results of function values) leads nowhere here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from ccos_core.text.syntax.parse import Captures

NAME = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*"
LONGEST = 8
"""Names in a chain; what is called on the results of results beyond that isn't followed."""

# Go 1.0 has always had these. Younger ones (any, comparable, min, max, clear) are defined by packages that are older.
PREDECLARED = frozenset(
    b"_ append bool byte cap close complex complex128 complex64 copy delete error false float32 float64 imag int int16"
    b" int32 int64 int8 iota len make new nil panic print println real recover rune string true uint uint16 uint32"
    b" uint64 uint8 uintptr".split()
)

_DOTS = re.compile(rb"(?:\.\s*" + NAME + rb")+")
_CHAIN = re.compile(rb"&?(" + NAME + rb")(?:\.\s*" + NAME + rb")*")
_TYPE = re.compile(rb"\*?\s*(?!(?:map|func|chan|struct|interface)\b)(" + NAME + rb"(?:\.\s*" + NAME + rb")?)")
DOT, OPEN, _BRACKET, _CLOSED, _AND = b".([}&"
_LITERAL = b"{["


class Scopes:
    """Who is bound to what, at the place the sweep has come to."""

    def __init__(self, source: bytes, captures: Captures, named: frozenset[bytes]) -> None:
        self.source = source + b"\n"
        """With something to look at behind the last name."""
        self.blocks = sorted((node.start_byte, node.end_byte) for node in captures.get("block", ()))
        """Those that have no parameters."""
        self.arguments = {node.start_byte: node.end_byte for node in captures.get("arguments", ())}
        """Start of the arguments of each call → their end."""
        self.dropped = PREDECLARED - named
        """Names that mean what the language says, since the file doesn't."""
        self.entered = 0
        """How many of the blocks have begun."""
        self.open: list[tuple[int, int]] = []
        """Blocks around this place, as (end, where parameters begin to hold)."""
        self.bound: dict[bytes, list[tuple[int, int, bytes]]] = {}
        """Name → its bindings as (since, until, what a dot leads into), those still to end last."""

    def enter(self, start: int, end: int, holds: int) -> None:
        """Something with parameters begins; they hold from `holds` on."""
        self.innermost(start)
        self.open.append((end, holds))

    def innermost(self, start: int) -> tuple[int, int]:
        """The block around this place; at the top there is none, so nothing can be bound."""
        opened = self.open
        while self.entered < len(self.blocks) and self.blocks[self.entered][0] <= start:
            begin, end = self.blocks[self.entered]
            self.entered += 1
            while opened and opened[-1][0] <= begin:
                opened.pop()
            if end > start:
                opened.append((end, begin))
        while opened and opened[-1][0] <= start:
            opened.pop()
        return opened[-1] if opened else (0, 0)

    def bind(self, name: bytes, since: int, until: int, leads: bytes) -> None:
        if since >= until:
            return
        found = self.bound.setdefault(name, [])
        while found and found[-1][1] <= since:
            found.pop()
        if not (found and found[-1][1] == until and found[-1][0] <= since):  # `:=` keeps what its own block has bound
            found.append((since, until, leads))

    def leads(self, name: bytes, at: int) -> bytes | None:
        """What a dot after `name` leads into at this place: empty if that isn't known, None for a name from outside."""
        found = self.bound.get(name)
        if not found:
            return None
        while found and found[-1][1] <= at:
            found.pop()
        for since, until, leads in reversed(found):
            if since <= at < until:
                return leads
        return None

    # -- chains ---------------------------------------------------------------------------------------------------

    def chains(self, start: int, end: int) -> list[tuple[bytes, int, bool]]:
        """The chains that begin with the name at `start`, as (chain, its end, whether it is called there).

        `a.b(x).c` gives `a.b`, which is called, and `a.b.c`. One cut short has no end. Nothing for what the language
        says itself, and for what is bound without leading anywhere.
        """
        source = self.source
        chain = source[start:end]
        leads = self.leads(chain, start) if chain in self.bound else None
        if leads == b"" or (leads is None and chain in self.dropped):
            return []
        match = _DOTS.match(source, end) if source[end] == DOT else None
        if leads is not None and match is None:
            return []
        if match is None and end not in self.arguments:
            return [(chain, end, False)]
        if match is not None:
            chain, end = (leads or chain) + b"".join(match.group().split()), match.end()
        if chain.count(b".") >= LONGEST:
            return [(b".".join(chain.split(b".")[:LONGEST]), -1, False)]
        found = [(chain, end, source[end] == OPEN)]
        while end in self.arguments and chain.count(b".") < LONGEST - 1:
            match = _DOTS.match(source, self.arguments[end])
            if match is None:
                break
            chain, end = chain + b"".join(match.group().split()), match.end()
            found.append((chain, end, source[end] == OPEN))
        return found

    def type_at(self, start: int, end: int) -> tuple[bytes, int]:
        """The named type that stands there or is pointed to, and where its name begins; empty for any other kind."""
        match = _TYPE.match(self.source, start, end)
        if match is None or (match.end() != end and self.source[match.end()] != _BRACKET):
            return b"", -1
        chain = b"".join(match.group(1).split())
        if self.leads(chain.partition(b".")[0], start) is not None or chain in self.dropped:
            return b"", -1
        return chain, match.start(1)

    def type_of(self, node: Node | None) -> tuple[bytes, int]:
        return self.type_at(node.start_byte, node.end_byte) if node is not None else (b"", -1)

    def value(self, start: int, end: int) -> bytes:
        """What a dot after the value of the expression that stands there leads into."""
        source = self.source
        head = _CHAIN.match(source, start, end)
        if head is None:
            return b""
        at, last = head.end(), source[end - 1]
        if source[at] in _LITERAL and last == _CLOSED:  # T{...}, &T{...}, T[K]{...}
            return self.type_at(head.start(1), at)[0]
        if source[start] == _AND:
            return b""
        if head.group() == b"new" and source[at] == OPEN:
            return self.type_at(at + 1, end - 1)[0]
        if source[at : at + 2] == b".(":
            asserted, begins = self.type_at(at + 2, end - 1)
            return asserted if begins + len(asserted) == end - 1 else b""
        for chain, ends, is_called in self.chains(*head.span(1)):
            if (self.arguments.get(ends) if is_called else ends) == end:
                return chain
        return (self.leads(head.group(), start) or b"") if at == end else b""
