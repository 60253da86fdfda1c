"""A file of which is known what each of its lines takes and where its symbols stand: enough to tell who is shown, how
fully, and what that takes. Its text is read when somebody asks for it, and whoever compares windows hardly does.

It is made by whoever has a text in hands anyway, and kept as bytes in one fixed order.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from struct import Struct, pack
from sys import byteorder
from typing import NamedTuple

from ccos_core.values import tokens
from ccos_core.values.code import Outline, Symbol, Unread
from ccos_core.values.once import once
from ccos_core.values.tokens import line_parts
from ccos_core.window.layout import BLANK_PARTS
from ccos_core.window.source import LONGEST_LINE, Source

VERSION = 1 << 8 | tokens.VERSION
"""Of the bytes, and of what a line takes."""
NUMBER, LARGEST = "H", 1 << 16
"""How a number is kept, and what every one is less than; a file in which one isn't, is not measured."""
SIZES = Struct("<II")
"""How many lines there are, and how many symbols."""
NUMBERS = ("line", "first", "signature", "last", "doc")
"""Of each symbol, column by column behind what the lines take."""


class Measure(NamedTuple):
    """What there is to know of a file without its text."""

    weights: Sequence[int]
    """Line (from 1) → what it takes, in parts of a token."""
    symbols: tuple[Symbol, ...]

    @classmethod
    def of(cls, body: bytes) -> Measure:
        """The one these bytes are; ValueError where they are none."""
        numbers = array(NUMBER)
        lines, count = SIZES.unpack_from(body) if len(body) >= SIZES.size else (0, 0)
        end = SIZES.size + numbers.itemsize * (lines + count * len(NUMBERS))
        if not 0 < lines <= end <= len(body):
            raise ValueError("it isn't all of a measure")
        numbers.frombytes(body[SIZES.size : end])
        if byteorder != "little":
            numbers.byteswap()
        words = body[end:].decode("utf-8", "surrogatepass").split("\n") if count else []
        columns = (numbers[at : at + count] for at in range(lines, len(numbers), count or 1))
        rows = zip(words[count:], words[:count], *columns, strict=True)
        weights = numbers[:lines]
        weights.insert(0, 0)
        return cls(weights, tuple(map(partial(tuple.__new__, Symbol), rows)))


def measure(outline: Outline, text: str) -> bytes | None:
    """A file's measure; None where it wouldn't say all that windows want to know: where a line is shown otherwise in
    full, or takes as much as none and isn't, or a number is too large."""
    lines, symbols = text.split("\n"), outline.symbols
    weights = list(map(line_parts, lines))
    words = [*(each.kind for each in symbols), *(each.name for each in symbols)]
    numbers = [*weights, *chain.from_iterable([getattr(each, name) for each in symbols] for name in NUMBERS)]
    if max(map(len, lines)) > LONGEST_LINE or weights.count(BLANK_PARTS) != sum(not line.strip() for line in lines):
        return None
    if max(numbers) >= LARGEST or any("\n" in word for word in words):
        return None
    told = "\n".join(words).encode("utf-8", "surrogatepass")
    return SIZES.pack(len(lines), len(symbols)) + pack(f"<{len(numbers)}{NUMBER}", *numbers) + told


class _Besides:
    """The text of a file, and all that its outline says; read once. Apart from the file, or its outline would hold it,
    and it its outline, and nobody looks for such a circle."""

    def __init__(self, read: Callable[[], tuple[str, Outline]]) -> None:
        self._read = read

    @once
    def told(self) -> tuple[str, Outline]:
        return self._read()

    def outline(self) -> Outline:
        return self.told[1]


class Measured(Source):
    """Such a file."""

    def __init__(self, path: str, measure: Measure, read: Callable[[], tuple[str, Outline]]) -> None:
        """`read` gives its text, and all that its outline says."""
        self.__dict__.update(path=path, unknown=(), annotated=False, _shown={}, _parts={})
        self.__dict__.update(size=len(measure.weights) - 1, ends_open=measure.weights[-1] != BLANK_PARTS)
        self._weights = measure.weights
        self._besides = _Besides(read)
        self._outline = Unread(measure.symbols, self._besides.outline)

    @property
    def text(self) -> str:
        text = self._besides.told[0]
        return text + "\n" * (self.size - 1 - text.count("\n"))  # one that got lost since says nothing in its lines

    @property
    def outline(self) -> Outline:
        return self._outline

    @property
    def is_open(self) -> bool:
        """Whether its text was read."""
        return "told" in self._besides.__dict__

    def open(self, source: Source) -> None:
        """Somebody has read it as that."""
        self._besides.__dict__["told"] = source.text, source.outline

    def parts(self, lines: tuple[int, ...], whole: bool) -> int:
        if lines and lines[-1] - lines[0] + 1 == len(lines):
            return sum(self._weights[lines[0] : lines[-1] + 1])
        return sum(map(self._weights.__getitem__, lines))

    def shows(self, line: int, whole: bool) -> bool:
        return self._weights[line] != BLANK_PARTS
