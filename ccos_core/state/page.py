"""The text of one file as it was at one time, and which lines of two such texts are the same.

Made for comparing what a context was told with what is so now: a page knows its lines, where its symbols stand and
how large they are, and nothing of who saw it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate

from ccos_core.values.ids import file_node
from ccos_core.values.nesting import Nesting
from ccos_core.values.sheet import ends_alike, lines_of

Block = tuple[int, int, int]
"""Lines that two pages have alike: the first in the later page, the first in the earlier one, and how many."""

_WORD = re.compile(r"\w")
_OPENERS = (":", "{", "(", "[", ",", "\\", "=", "=>")
"""How a line ends that can't be the last one of what it belongs to."""


@dataclass(frozen=True, eq=False)
class Page:
    """One text of one file. Pages are the same when they are one object."""

    name: str
    """The hash of its text."""

    text: str | None
    """None where nobody here can say: erased, withheld."""

    nodes: Mapping[str, tuple[int, int]]
    """Its own node and those of its symbols → first and last line."""

    composed: bool = False
    """Whether it was put together from parts, so that the record has no such content."""

    ended: bool = True
    """Whether it is known that nothing follows its last line."""

    doubted: tuple[tuple[int, int], ...] = ()
    """First and last of lines that may have been changed since anybody saw them."""

    @cached_property
    def size(self) -> int:
        """Its lines, what follows the last line break being one."""
        if self.text is not None:
            return self.text.count("\n") + 1
        return max((last for _, last in self.nodes.values()), default=1)

    @cached_property
    def sums(self) -> Sequence[int]:
        """Line → its bytes together with those of all before it."""
        if self.text is None:
            return (0,) * (self.size + 1)
        lines = self.lines
        sizes = map(len, lines if self.text.isascii() else [line.encode("utf-8", "surrogatepass") for line in lines])
        return tuple(accumulate([size + 1 for size in sizes], initial=0))

    @property
    def lines(self) -> tuple[str, ...]:
        """Its text, line by line; none where it isn't known."""
        return () if self.text is None else lines_of(self.text)

    def has(self, first: int, text: str) -> bool:
        """Whether these lines stand there from a line on."""
        if self.text is None or not 1 <= first <= self.size:
            return False
        if not self.text.isascii():
            lines = tuple(text.split("\n"))
            return self.lines[first - 1 : first - 1 + len(lines)] == lines
        begins = self.sums[first - 1]
        return self.text.startswith(text, begins) and self.text[begins + len(text) : begins + len(text) + 1] in (
            "",
            "\n",
        )

    def last_line(self, last: int) -> int:
        """Where a slice up to some line ends: whoever has seen the last line has seen that nothing follows it."""
        ends = self.text is not None and self.text.endswith("\n")
        return self.size if ends and last == self.size - 1 else min(last, self.size)

    def among(self, first: int, last: int) -> Iterator[str]:
        """The nodes that have any of these lines."""
        for node, (begins, ends) in self.nodes.items():
            if begins <= last and first <= ends:
                yield node

    def may_go_on(self, node: str) -> bool:
        """Whether lines that nobody has seen may belong to a node.

        They may belong to a file whose end nobody has seen, and to a symbol that was cut off there: its last line is
        indented deeper than its first, or ends with an open bracket.
        """
        if self.ended or self.text is None:
            return False
        first, last = self.nodes.get(node, (0, 0))
        if not first or last < self.size - (not self.text or self.text.endswith("\n")):
            return False
        if node.startswith("file:"):
            return True
        begins, ends = self.lines[first - 1], self.lines[min(last, len(self.lines)) - 1]
        return _indent(ends) > _indent(begins) or ends.rstrip().endswith(_OPENERS)

    def named(self, spelled: Callable[[str], str]) -> Page:
        """The same page, with other names for its nodes."""
        return replace(self, nodes={spelled(node): span for node, span in self.nodes.items()})


NOWHERE = Page("gone", None, {})
"""What a file is that isn't there."""


def page_of(nesting: Nesting, name: str, text: str | None, composed: bool, ended: bool = True) -> Page:
    """What a file is that has these symbols and this text."""
    symbols = nesting.outline.symbols
    size = text.count("\n") + 1 if text is not None else max([1, *(each.last for each in symbols)])
    nodes = {file_node(nesting.path): (1, size)}
    for node, symbol in zip(nesting.nodes, symbols, strict=True):
        first, last = symbol.first, symbol.last
        if not 1 <= first <= symbol.line <= last <= size:  # an outline of another text, or a strange one
            first = max(1, min(first, symbol.line, size))
            last = max(first, min(max(last, symbol.line), size))
        nodes[node] = first, last
    return Page(name, text, nodes, composed, ended)


@lru_cache(maxsize=8)  # every context that was told the earlier page asks
def alike(after: Page, before: Page) -> tuple[Block, ...]:
    """What two pages of a file have in common, in the order of the later one; no line is in two blocks.

    A symbol of one name and one text is found wherever it has moved to. Of other lines, those count that both pages
    begin or end with; then those there is only one of in what is left of each, and what stands around them alike.
    """
    now, then = after.lines, before.lines
    if not now or not then:
        return ()
    head, tail = ends_alike(now, then)
    ends = [(1, 1, head), (len(now) - tail + 1, len(then) - tail + 1, tail)]
    moved = list(_moved(after, before, now, then, head, tail))
    if any(_crosses(block, head, len(now) - tail, len(then) - tail) for block in moved):
        moved = [*_moved(after, before, now, then, 0, 0), *ends]
        return tuple(_blocks(_pairs(now, then, 0, 0, moved)))
    within = _blocks(_pairs(now, then, head, tail, moved))
    return tuple([block for block in (ends[0], *within, ends[1]) if block[2]])


def _moved(after: Page, before: Page, now: Sequence[str], then: Sequence[str], head: int, tail: int) -> Iterator[Block]:
    """The nodes that read as they did, but for those of which heads and tails say it already."""
    for node, (first, last) in after.nodes.items():
        begins, ends = before.nodes.get(node, (0, -1))
        if ends - begins != last - first:
            continue
        stays = begins == first and last <= head
        if stays or (first > len(now) - tail and begins > len(then) - tail and first - begins == len(now) - len(then)):
            continue
        if now[first - 1 : last] == then[begins - 1 : ends]:
            yield first, begins, last - first + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _crosses(block: Block, head: int, ends_now: int, ends_then: int) -> bool:
    first, begins, size = block
    return min(first, begins) <= head or first + size - 1 > ends_now or begins + size - 1 > ends_then


def _pairs(now: Sequence[str], then: Sequence[str], head: int, tail: int, known: list[Block]) -> dict[int, int]:
    """Line → line it was, between head and tail. What is known goes first; no line is in two pairs."""
    found: dict[int, int] = {}
    taken: dict[int, None] = {}

    def pair(line: int, was: int) -> None:
        if line not in found and was not in taken:
            found[line] = was
            taken[was] = None

    for first, begins, size in known:
        for at in range(size):
            pair(first + at, begins + at)
    lines, before = range(head + 1, len(now) - tail + 1), range(head + 1, len(then) - tail + 1)
    single = _singles((then[at - 1], at) for at in before if at not in taken)
    for text, at in _singles((now[at - 1], at) for at in lines if at not in found).items():
        if at and single.get(text):
            pair(at, single[text])
    for way, step in ((lines, 1), (reversed(lines), -1)):
        for at in way:
            if at - step in found and (was := found[at - step] + step) in before and now[at - 1] == then[was - 1]:
                pair(at, was)
    return found


def _singles(lines: Iterator[tuple[str, int]]) -> dict[str, int]:
    """Text → the one line it is on; 0 where it is on several. Brackets alone say nothing."""
    found: dict[str, int] = {}
    for text, at in lines:
        if _WORD.search(text):
            found[text] = 0 if text in found else at
    return found


def _blocks(pairs: Mapping[int, int]) -> list[Block]:
    found: list[Block] = []
    for line, was in sorted(pairs.items()):
        first, begins, size = found[-1] if found else (0, 0, 0)
        if found and (line, was) == (first + size, begins + size):
            found[-1] = first, begins, size + 1
        else:
            found.append((line, was, 1))
    return found
