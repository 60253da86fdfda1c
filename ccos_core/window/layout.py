"""How the members of one file stand in the text: in the order of the file, each line once, gaps marked.

What it takes is counted by the same rows that are printed, so a window can't be longer than what was counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ccos_core.values.code import MODULE
from ccos_core.values.tokens import line_parts
from ccos_core.window.source import BODY, SIGNATURE, Source

GAP = "..."
"""Between lines of different members that don't follow each other. Within one, the level says that lines are left
out."""
LONGEST_NOTE = 160
"""Characters of what a note says of a member."""
GAP_PARTS = line_parts(GAP)
BLANK_PARTS = line_parts("")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be shown, in its place in the order."""

    source: Source
    symbol: int
    score: int
    reason: str


@dataclass(slots=True)
class Member:
    """A candidate that is in, at the level it has come to."""

    candidate: Candidate
    level: str
    lines: tuple[int, ...]

    @property
    def whole(self) -> bool:
        """Whether its lines are shown as they stand, however long."""
        return self.level == BODY


def header(path: str) -> str:
    """The line that begins a file's part of the window."""
    return f"# {path}"


def rows(members: Sequence[Member]) -> list[tuple[int, bool]]:
    """The lines that members of one file show, with whether they are shown whole; (0, False) for a gap."""
    showing: dict[int, list[int]] = {}
    whole: set[int] = set()
    for at, member in enumerate(members):
        for line in member.lines:
            showing.setdefault(line, []).append(at)
        if member.whole:
            whole.update(member.lines)
    found: list[tuple[int, bool]] = []
    before = 0
    for line in sorted(showing):
        if before and line > before + 1 and not set(showing[before]) & set(showing[line]):
            found.append((0, False))
        found.append((line, line in whole))
        before = line
    return found


def texts(members: Sequence[Member]) -> list[str]:
    """The part of the window that is one file's, as lines."""
    source = members[0].candidate.source
    shown = [source.line(line, whole) if line else GAP for line, whole in rows(members)]
    return [header(source.path), *(note(each, each.level) for each in members if source.annotated), *shown, ""]


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
    found = opening(source.path) + sum(note_parts(each, each.level) for each in members)
    for line, whole in rows(members):
        found += source.parts((line,), whole) if line else GAP_PARTS
    return found


def note_parts(member: Member, level: str) -> int:
    """What its note takes at a level; nothing where windows have none."""
    return line_parts(note(member, level)) if member.candidate.source.annotated else 0


def opening(path: str) -> int:
    """What a file takes before any of its lines: its header, and the blank line behind it."""
    return line_parts(header(path)) + BLANK_PARTS


def entries(source: Source) -> tuple[int, ...]:
    """What it takes at most to show each symbol of a file at all, and last the file itself."""
    symbols = (*range(len(source.outline.symbols)), MODULE)
    return tuple([entry(source, source.shown(symbol, SIGNATURE)) for symbol in symbols])


def entry(source: Source, lines: Sequence[int], whole: bool = False) -> int:
    """What lines take at most in company: each run of them may need a gap before it."""
    runs = 1 if len(lines) == 1 else sum(before + 1 != line for before, line in pairwise((-1, *lines)))
    return source.parts(lines, whole) + runs * GAP_PARTS
