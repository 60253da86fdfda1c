"""How the members of one file stand in the text: in the order of the file, each line once, gaps marked.

What it takes is counted by the same rows that are printed, so a window can't be longer than what was counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ccos_core.values.tokens import line_parts
from ccos_core.window.source import BODY, Source

GAP = "..."
"""Between lines of different members that don't follow each other. Within one, the level says that lines are left
out."""
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
    return [header(source.path), *(source.line(line, whole) if line else GAP for line, whole in rows(members)), ""]


def cost(members: Sequence[Member]) -> int:
    """What that part takes, in parts of a token."""
    source = members[0].candidate.source
    found = opening(source.path)
    for line, whole in rows(members):
        found += source.parts((line,), whole) if line else GAP_PARTS
    return found


def opening(path: str) -> int:
    """What a file takes before any of its lines: its header, and the blank line behind it."""
    return line_parts(header(path)) + BLANK_PARTS


def entry(source: Source, lines: Sequence[int], whole: bool = False) -> int:
    """What lines take at most in company: each run of them may need a gap before it."""
    runs = sum(before + 1 != line for before, line in pairwise((-1, *lines)))
    return source.parts(lines, whole) + runs * GAP_PARTS
