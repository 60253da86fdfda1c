"""Bundles: a few sections in one budget, each a first part of what it could say, and a line on what is left out.

    pack([Part("Rules", ("- use tabs", "- no mocks"), weight=2, source="statements")], 500).text

Lines enter in one order that doesn't depend on the budget: of all parts that have a line left, the one that has got
least for its weight. So a larger budget never loses a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ccos_core.values.tokens import UNIT, estimate, line_parts

LONGEST_LINE = 400
"""Characters of a line that isn't `exact`."""
CUT = " ..."


@dataclass(frozen=True, slots=True)
class Part:
    """What one section of a bundle could say."""

    title: str
    lines: tuple[str, ...]
    weight: int = 1
    """How much of the budget it gets, against the others."""

    source: str = ""
    """Where all of it can be read."""

    exact: bool = False
    """Whether its lines are kept word for word, however long."""


@dataclass(frozen=True, slots=True)
class Section:
    """What a bundle says of a part."""

    title: str
    """Its heading."""

    lines: int
    """Lines of it that are in, ..."""

    left: int
    """... and those that aren't, ..."""

    tokens_left: int
    """... with about this many tokens."""

    source: str
    """Where all of it can be read."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A bundle."""

    text: str
    tokens: int
    sections: tuple[Section, ...]


def pack(parts: Sequence[Part], budget: int) -> Packed:
    """Fill a budget with the first lines of each part. The text never takes more; without room it is empty."""
    parts = [part for part in parts if part.lines]
    lines = [[_bounded(part, line) for line in part.lines] for part in parts]
    costs = [[sum(map(line_parts, line.split("\n"))) for line in each] for each in lines]
    left = budget * UNIT - _note_parts(parts, costs)
    shown = [0] * len(parts)
    waiting = [(0, at) for at in range(len(parts))]
    spent = [0] * len(parts)
    heapify(waiting)
    while waiting:
        _, at = heappop(waiting)
        head = 0 if shown[at] else line_parts(f"## {parts[at].title}") + line_parts("")
        cost = costs[at][shown[at]] + head
        if cost > left:
            break  # a line that doesn't fit ends them all, or a larger budget would lose those behind it
        left -= cost
        spent[at] += cost
        shown[at] += 1
        if shown[at] < len(lines[at]):
            heappush(waiting, (spent[at] // max(parts[at].weight, 1), at))
    sections = tuple(
        Section(part.title, shown[at], len(lines[at]) - shown[at], -(-sum(costs[at][shown[at] :]) // UNIT), part.source)
        for at, part in enumerate(parts)
    )
    told = ["\n".join([f"## {part.title}", *lines[at][: shown[at]]]) for at, part in enumerate(parts) if shown[at]]
    note = left_out(sections)
    text = "\n\n".join([*told, note] if note else told)
    tokens = estimate(text) if text else 0
    return Packed(text, tokens, sections) if tokens <= budget else Packed("", 0, sections)


def left_out(sections: Sequence[Section]) -> str:
    """The line that tells what isn't in; empty if all is."""
    said = [
        f"{each.title} {each.left:,} of {each.lines + each.left:,} lines (about {each.tokens_left:,} tokens"
        f"{f', {each.source}' if each.source else ''})"
        for each in sections
        if each.left
    ]
    return f"Left out: {'; '.join(said)}." if said else ""


def _note_parts(parts: Sequence[Part], costs: Sequence[Sequence[int]]) -> int:
    """What the note takes at most: that everything is left out."""
    none = [
        Section(part.title, len(each), len(each), -(-sum(each) // UNIT), part.source)
        for part, each in zip(parts, costs, strict=True)
    ]
    return line_parts(left_out(none)) + 2 * line_parts("") + UNIT if parts else 0


def _bounded(part: Part, line: str) -> str:
    return line if part.exact or len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + CUT
