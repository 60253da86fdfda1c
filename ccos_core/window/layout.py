"""How the members of one file stand in the text: in the order of the file, each line once, gaps marked.

What it takes is counted by the same rows that are printed, so a window can't be longer than what was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from ccos_core.values.code import MODULE
from ccos_core.values.once import once
from ccos_core.values.tokens import line_parts
from ccos_core.window.source import IN_FULL, SIGNATURE, Source

GAP = "..."
"""Between lines of different members that don't follow each other. Within one, the level says that lines are left
out."""
LONGEST_NOTE = 160
"""Characters of what a note says of a member."""
GAP_PARTS = line_parts(GAP)
A_GAP = (0, False)
"""Its row."""
BLANK_PARTS = line_parts("")


@dataclass(frozen=True)
class Candidate:
    """Something that may be shown, in its place in the order."""

    source: Source
    symbol: int
    score: int
    because: str | Callable[[], str]
    """Why it may be shown, or who finds that out: few ask, and only of what they show."""

    @once
    def reason(self) -> str:
        """Why it may be shown."""
        return self.because if isinstance(self.because, str) else self.because()


Row = tuple[int, bool]
"""A line of a file, and whether it is shown whole; line 0 is a gap."""
Fuller = dict[str, tuple[tuple[int, ...], int | None]]
"""Level → (the lines it shows there, what more they take than at its entry level, where somebody has counted that)."""


@dataclass(slots=True)
class Member:
    """A candidate that is in, at the level it has come to."""

    candidate: Candidate
    level: str
    lines: tuple[int, ...]
    fuller: Fuller = field(default_factory=dict, compare=False, repr=False)
    """What is known of it at levels above its entry level."""

    @property
    def whole(self) -> bool:
        """Whether its lines are shown as they stand, however long."""
        return self.level in IN_FULL


def header(path: str) -> str:
    """The line that begins a file's part of the window."""
    return f"# {path}"


def rows(members: Sequence[Member]) -> list[Row]:
    """The lines that members of one file show, with whether they are shown whole; (0, False) for a gap."""
    if len(members) == 1:
        return [(line, members[0].whole) for line in members[0].lines]
    showing, whole = _showing(members)
    found: list[Row] = []
    before = 0
    for line in sorted(showing):
        if before and line > before + 1 and not showing[before] & showing[line]:
            found.append(A_GAP)
        found.append((line, line in whole))
        before = line
    return found


def above(members: Sequence[Member]) -> list[str]:
    """What stands above the lines of one file: its header, and the notes where windows have any."""
    source = members[0].candidate.source
    return [header(source.path), *(note(each, each.level) for each in members if source.annotated)]


def note(member: Member, level: str) -> str:
    """The line that says what a member is and why it is there: in an annotated window, under the file's header."""
    candidate = member.candidate
    source, symbol = candidate.source, candidate.symbol
    name = source.outline.symbols[symbol].name if symbol != MODULE else "the file"
    reason = " ".join(candidate.reason.split())
    return f"#   {name} ({level}): {reason}"[:LONGEST_NOTE] + f" @{reference(source, symbol)}"


def reference(source: Source, symbol: int) -> str:
    """A short word by which the whole of a symbol is found again: the start of its content's hash, and its lines."""
    first, last = source.span(symbol)
    return f"{source.blob[:8]}:{first}-{last}"


def cost(members: Sequence[Member]) -> int:
    """What that part takes, in parts of a token."""
    source = members[0].candidate.source
    found = opening(source.path)
    if len(members) == 1 and not source.annotated:
        return found + source.parts(members[0].lines, members[0].whole)
    if source.annotated:
        found += sum(note_parts(each, each.level) for each in members)
    return found + row_parts(source, rows(members))


def row_parts(source: Source, lines: Sequence[Row]) -> int:
    """What rows take, in parts of a token."""
    cut, whole = [line for line, whole in lines if line and not whole], [line for line, whole in lines if whole]
    found = source.parts(tuple(cut), False) if cut else 0
    found += source.parts(tuple(whole), True) if whole else 0
    return found + GAP_PARTS * lines.count(A_GAP)


def note_parts(member: Member, level: str) -> int:
    """What its note takes at a level; nothing where windows have none."""
    return line_parts(note(member, level)) if member.candidate.source.annotated else 0


@lru_cache(maxsize=4096)  # the same files are in one window after another
def opening(path: str) -> int:
    """What a file takes before any of its lines: its header, and the blank line behind it."""
    return line_parts(header(path)) + BLANK_PARTS


def entries(source: Source) -> tuple[int, ...]:
    """What it takes at most to show each symbol of a file at all, and last the file itself."""
    symbols = (*range(len(source.outline.symbols)), MODULE)
    return tuple([entry(source, source.shown(symbol, SIGNATURE)) for symbol in symbols])


def entry(source: Source, lines: tuple[int, ...], whole: bool = False) -> int:
    """What lines take at most in company: each run of them may need a gap before it."""
    return source.parts(lines, whole) + _runs(lines) * GAP_PARTS


def _runs(lines: Sequence[int]) -> int:
    """How many stretches of lines that follow each other there are in lines that are in order."""
    if not lines or lines[-1] - lines[0] + 1 == len(lines):
        return min(len(lines), 1)
    return sum(before + 1 != line for before, line in pairwise((-1, *lines)))


def _showing(members: Sequence[Member]) -> tuple[dict[int, int], set[int]]:
    """(line → the members that show it, as bits; the lines that are shown whole)."""
    showing: dict[int, int] = {}
    whole: set[int] = set()
    for at, member in enumerate(members):
        bit = 1 << at
        for line in member.lines:
            showing[line] = showing.get(line, 0) | bit
        if member.whole:
            whole.update(member.lines)
    return showing, whole
