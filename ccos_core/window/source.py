"""A file as windows see it: its lines, its outline, and what each way of showing a symbol costs.

Below its body a symbol is shown in bounded lines: heads are cut after so many lines, lines after so many characters,
so that no entry can cost more than a share of any useful budget. A body is shown as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ccos_core.text.compress.comments import spare_lines
from ccos_core.values.canon import digest
from ccos_core.values.code import MODULE, Outline
from ccos_core.values.nesting import Nesting
from ccos_core.values.once import once
from ccos_core.values.tokens import line_parts

NAME, SIGNATURE, SKELETON, CODE, BODY = "name", "signature", "skeleton", "code", "body"
LEVELS = (NAME, SIGNATURE, SKELETON, BODY)
"""Those of every window. Windows about a text also have `code`."""
IN_FULL = (CODE, BODY)
"""Levels whose lines are shown as they stand. At `code` comments and blank lines are left out, and of docs all but a
line or two."""
LONGEST_SIGNATURE = 12
"""Lines of a head, ..."""
LONGEST_CONSTANT = 3
"""... and of a constant."""
LONGEST_LINE = 240
"""Characters of a line."""
CUT = " ..."
UNKNOWN = "... lines {} to {} were never seen"
MOST_COUNTED = 256
"""Ways to show some of its lines of which is remembered what they take: each moment may show others together."""
FEW = 4
"""Definitions that stand for a whole file at its entry level."""


@dataclass(frozen=True)
class Source:
    """One file of a tree, or one version of it."""

    path: str
    text: str
    outline: Outline
    unknown: tuple[tuple[int, int], ...] = ()
    """Runs of lines nobody has seen; each is shown as one line that says so."""
    annotated: bool = False
    """Whether what is shown of it says what it is, and why it is there."""
    _shown: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)
    _parts: dict[tuple[tuple[int, ...], bool], int] = field(default_factory=dict, compare=False, repr=False)
    """(lines, whether they are shown whole) → what they take, as far as anybody has counted that."""

    @classmethod
    def of(cls, nesting: Nesting, text: str, unknown: tuple[tuple[int, int], ...] = ()) -> Source:
        """A file of which somebody knows already what stands inside of what."""
        found = cls(nesting.path, text, nesting.outline, unknown)
        found.__dict__["nesting"] = nesting
        return found

    def with_notes(self) -> Source:
        """The same, that says of what is shown what it is."""
        return Source(self.path, self.text, self.outline, self.unknown, True, self._shown, self._parts)

    @once
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @once
    def spare(self) -> frozenset[int]:
        """Its lines that are blank, comments or docs, but for the one-line descriptions and what tools read."""
        return spare_lines(self.text, self.path) - {symbol.doc for symbol in self.outline.symbols}

    @once
    def blob(self) -> str:
        """The hash of the text, by which the record knows it."""
        return digest(self.text.encode("utf-8", "surrogatepass")).hex()

    @once
    def size(self) -> int:
        """How many lines it has."""
        return len(self.lines)

    @once
    def ends_open(self) -> bool:
        """Whether there is anything in its last line."""
        return self.lines[-1] != ""

    def span(self, symbol: int) -> tuple[int, int]:
        """The first and last line of all that a symbol is."""
        if symbol == MODULE:
            return 1, self.size
        told = self.outline.symbols[symbol]
        return min(told.first, told.line), max(told.last, told.line)

    @once
    def nesting(self) -> Nesting:
        return Nesting(self.path, self.outline)

    @property
    def members(self) -> dict[int, list[int]]:
        """Symbol → the symbols directly inside of it; MODULE → the top ones."""
        return self.nesting.members

    def node(self, symbol: int) -> str:
        """The node id of one of its symbols, or of itself."""
        return self.nesting.node(symbol)

    def inside(self, symbol: int) -> set[int]:
        """A symbol with all that is inside of it; for MODULE everything."""
        return self.nesting.inside(symbol)

    def shown(self, symbol: int, level: str) -> tuple[int, ...]:
        """The lines (from 1) a symbol shows at a level."""
        known = self._shown.get((symbol, level))
        if known is None:
            known = self._whole(level) if symbol == MODULE else self._part(symbol, level)
            if known and known[-1] > self.size:  # an outline of another version
                known = tuple([line for line in known if line <= self.size])
            if self.unknown:
                known = tuple(sorted({self._stands_for.get(line, line) for line in known}))
            self._shown[symbol, level] = known
        return known

    def line(self, line: int, whole: bool) -> str:
        """One of its lines, cut where it is only part of an impression."""
        text = self.lines[line - 1]
        if line in self._runs:
            return UNKNOWN.format(line, self._runs[line])
        return text if whole or len(text) <= LONGEST_LINE else text[:LONGEST_LINE] + CUT

    def shows(self, line: int, whole: bool) -> bool:
        """Whether there is anything in a line as it is shown."""
        return bool(self.line(line, whole))

    @once
    def _runs(self) -> dict[int, int]:
        """First line of an unknown run → its last."""
        return dict(self.unknown)

    @once
    def _stands_for(self) -> dict[int, int]:
        """Unknown line → the first of its run, which is shown for all of them."""
        return {line: first for first, last in self.unknown for line in range(first, last + 1)}

    def parts(self, lines: tuple[int, ...], whole: bool) -> int:
        """What some of its lines take, in parts of a token."""
        known = self._parts.get((lines, whole))
        if known is None:
            if len(self._parts) >= MOST_COUNTED:
                self._parts.clear()
            known = self._parts[lines, whole] = sum(map(line_parts, self.shown_lines(lines, whole)))
        return known

    def shown_lines(self, lines: Sequence[int], whole: bool) -> list[str]:
        """Some of its lines as `line` gives each."""
        texts = self.lines
        if lines and lines[-1] - lines[0] + 1 == len(lines):  # a stretch of lines that follow each other
            found = texts[lines[0] - 1 : lines[-1]]
        else:
            found = [texts[line - 1] for line in lines]
        if self.unknown or (not whole and found and max(map(len, found)) > LONGEST_LINE):
            return [self.line(line, whole) for line in lines]
        return found

    def _part(self, symbol: int, level: str) -> tuple[int, ...]:
        if level == CODE:
            return self._without_spare(symbol)
        told = self.outline.symbols[symbol]
        if level == NAME:
            return (told.line,)
        if level == BODY:
            return tuple(range(min(told.first, told.line), max(told.last, told.line) + 1))
        if told.kind == "constant":
            head = range(told.line, min(max(told.last, told.line), told.line + LONGEST_CONSTANT - 1) + 1)
        else:
            head = range(told.line, min(max(told.signature, told.line), told.line + LONGEST_SIGNATURE - 1) + 1)
        if level == SIGNATURE:
            around = self._around(symbol)
            return tuple(sorted({*around, *head})) if around else tuple(head)
        within = [
            member
            for member in self.members.get(symbol, ())  # Go's methods and Rust's lie elsewhere, and show where they lie
            if told.first <= self.outline.symbols[member].line <= told.last
        ]
        if not within and not told.doc:
            return self.shown(symbol, SIGNATURE)  # there is nothing more to it
        inner = [line for member in within for line in self.shown(member, SIGNATURE)]
        doc = (told.doc,) if told.doc else ()
        return tuple(sorted({*self._around(symbol), *head, *doc, *inner}))

    def _around(self, symbol: int) -> list[int]:
        """Where the classes it stands in say their names: a method alone would hang in the air."""
        if "." not in self.outline.symbols[symbol].name:
            return []
        found = []
        line = self.outline.symbols[symbol].line
        while (symbol := self.nesting.parents[symbol]) != MODULE:
            outer = self.outline.symbols[symbol]
            if outer.first <= line <= outer.last:
                found.append(outer.line)
        return found

    def _without_spare(self, symbol: int) -> tuple[int, ...]:
        whole = self.shown(symbol, BODY)
        return tuple([line for line in whole if line not in self.spare]) or whole

    def _whole(self, level: str) -> tuple[int, ...]:
        if level == CODE:
            return self._without_spare(MODULE)
        if level == BODY:
            return tuple(range(1, self.size + self.ends_open))
        tops = self.members[MODULE]
        if level == SKELETON:
            return tuple(sorted({line for top in tops for line in self.shown(top, SKELETON)}))
        names = sorted({self.outline.symbols[top].line for top in tops})
        return tuple((names or self._first_lines())[: FEW if level == SIGNATURE else None])

    def _first_lines(self) -> list[int]:
        """What there is to see of a file that defines nothing."""
        return [at for at, line in enumerate(self.lines, 1) if line.strip()]
