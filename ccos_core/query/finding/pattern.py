"""Patterns of texts, as people know them from other tools, without what makes those slow.

A pattern is read into a tree here; `automaton` walks a text with it once, whatever the pattern. So there are no groups
to refer back to and no looking ahead. There is

    .  [a-z]  [^a-z]  \\d \\w \\s  \\D \\W \\S  \\n \\t     ^  $  \\b  \\B
    (...)  (?:...)  a|b     *  +  ?  {2}  {2,}  {2,5}

and a backslash before anything else makes it a character. `^` and `$` are the ends of a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

LARGEST = 1_000
"""Places a pattern may have when it is written out."""
DEEPEST = 40
CLASSES = "dwsDWS"
ASSERTIONS = {"^": "line begins", "$": "line ends", "b": "word's edge", "B": "no word's edge"}
BEGIN, END = "text begins", "text ends"
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v"}
_TIMES = re.compile(r"\{(\d{1,4})(,?)(\d{0,4})\}")


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of some."""

    ranges: tuple[tuple[str, str], ...]
    classes: str = ""
    """Letters of CLASSES; a capital means the others."""

    negated: bool = False

    def fits(self, char: str) -> bool:
        """Whether a character is one of them."""
        here = any(first <= char <= last for first, last in self.ranges) or any(_is(char, of) for of in self.classes)
        return here != self.negated


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between characters."""

    what: str


@dataclass(frozen=True, slots=True)
class Row:
    """One after the other."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of them."""

    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Times:
    """So many of it."""

    part: Pattern
    least: int
    most: int | None


Pattern: TypeAlias = Chars | Edge | Row | Either | Times
ANY = Chars((("\n", "\n"),), negated=True)
EVERY = Chars((), negated=True)


def pattern(text: str) -> Pattern:
    """Parse a pattern. Raises `ValueError` if it is none, or too large."""
    reader = _Reader(text)
    found = reader.either(0)
    if reader.at < len(text):
        raise ValueError("unmatched closing bracket")
    if size(found) > LARGEST:
        raise ValueError("too large")
    return found


def glob(text: str, *, path: bool) -> Pattern:
    """A whole name with `*` and `?`; of a path they don't go beyond a stroke, `**` does, a stroke at the front means
    the root, and a folder stands for all that is in it."""
    some = Chars((("/", "/"),), negated=True) if path else EVERY
    parts: list[Pattern] = [Edge(BEGIN)]
    if path and not text.startswith("/"):
        parts.append(_folders())
    pieces = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]", text.removeprefix("/") if path else text)
    if len(pieces) > LARGEST:
        raise ValueError("too large")
    for piece in pieces:
        if piece == "**/" and path:
            parts.append(_folders())
        elif piece.startswith("**"):
            parts.append(Times(EVERY, 0, None))
        elif piece == "*":
            parts.append(Times(some, 0, None))
        else:
            parts.append(some if piece == "?" else character(piece))
    if path and not text.endswith("/"):
        parts.append(Times(Row((character("/"), Times(EVERY, 0, None))), 0, 1))
    elif path:
        parts.append(Times(EVERY, 0, None))
    return Row((*parts, Edge(END)))


def character(char: str) -> Chars:
    """That one."""
    return Chars(((char, char),))


def size(found: Pattern) -> int:
    """Places it has when it is written out."""
    match found:
        case Row(parts) | Either(parts):
            return 1 + sum(map(size, parts))
        case Times(part, least, most):
            return 1 + size(part) * max(1, least + 1 if most is None else most)
    return 1


def has_capitals(found: Pattern) -> bool:
    """Whether it asks for capitals, so that they matter."""
    match found:
        case Chars(ranges):
            return any(char != char.lower() for pair in ranges for char in pair)
        case Row(parts) | Either(parts):
            return any(map(has_capitals, parts))
        case Times(part):
            return has_capitals(part)
    return False


def needed(found: Pattern) -> str:
    """The longest stretch of characters that is in every text it fits."""
    stretch, longest = "", ""
    for part in found.parts if isinstance(found, Row) else (found,):
        match part:
            case Chars(((first, last),), "", False) if first == last:
                stretch += first
            case Edge():
                pass
            case _:
                stretch = ""
        longest = max(longest, stretch, key=len)
    return longest


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def either(self, depth: int) -> Pattern:
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        rows = [self.row(depth)]
        while self.takes("|"):
            rows.append(self.row(depth))
        return Either(tuple(rows)) if len(rows) > 1 else rows[0]

    def row(self, depth: int) -> Pattern:
        parts: list[Pattern] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            part = self.one(depth)
            while (times := self.times()) is not None:
                if isinstance(part, Edge):
                    raise ValueError("an edge can't be repeated")
                part = Times(part, *times)
                if size(part) > LARGEST:
                    raise ValueError("too large")
            parts.append(part)
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def one(self, depth: int) -> Pattern:
        char = self.next()
        if char == "(":
            if self.takes("?") and not self.takes(":"):
                raise ValueError("only a colon can follow (?")
            found = self.either(depth + 1)
            if not self.takes(")"):
                raise ValueError("missing closing bracket")
            return found
        if char == "[":
            return self.chars()
        if char == "\\":
            return self.escaped()
        if char in "*+?":
            raise ValueError(f"nothing to repeat before {char}")
        return ANY if char == "." else Edge(ASSERTIONS[char]) if char in "^$" else character(char)

    def escaped(self) -> Pattern:
        char = self.next("ends with a backslash")
        if char in CLASSES:
            return Chars((), char)
        if char in "bB":
            return Edge(ASSERTIONS[char])
        if char.isalnum() and char.isascii() and char not in LETTERS:
            raise ValueError(f"\\{char} is not supported")
        return character(LETTERS.get(char, char))

    def chars(self) -> Pattern:
        negated, ranges, classes = self.takes("^"), [], ""
        first = True
        while first or not self.takes("]"):
            first = False
            low = self.member()
            if isinstance(low, Chars):
                classes += low.classes
                continue
            high: str | Chars = low
            if self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self.member()
            if isinstance(high, Chars) or high < low:
                raise ValueError("the range is reversed")
            ranges.append((low, high))
        return Chars(tuple(ranges), classes, negated)

    def member(self) -> str | Chars:
        char = self.next("missing closing square bracket")
        if char != "\\":
            return char
        found = self.escaped()
        if isinstance(found, Edge):
            raise ValueError("an edge isn't a character")
        assert isinstance(found, Chars)
        return found if found.classes else found.ranges[0][0]

    def times(self) -> tuple[int, int | None] | None:
        for mark, times in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.takes(mark):
                self.takes("?")  # how much it takes makes no difference to whether it fits
                return times
        found = _TIMES.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        least = int(found[1])
        most = int(found[3]) if found[3] else None if found[2] else least
        if most is not None and most < least:
            raise ValueError("the maximum is below the minimum")
        return least, most

    def takes(self, char: str) -> bool:
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def next(self, otherwise: str = "ends too soon") -> str:
        if self.at >= len(self.text):
            raise ValueError(otherwise)
        self.at += 1
        return self.text[self.at - 1]


def _folders() -> Pattern:
    return Times(Row((Times(EVERY, 0, None), character("/"))), 0, 1)


def _is(char: str, of: str) -> bool:
    letter = of.lower()
    if letter == "d":
        found = char.isdecimal()
    elif letter == "w":
        found = char.isalnum() or char == "_"
    else:
        found = char.isspace()
    return found != of.isupper()
