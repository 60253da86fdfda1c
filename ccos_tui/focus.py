"""Where a reader stands: the cursor that all panes look at, the jump list, and up to eight watched nodes.

All are frozen values: moving makes another one, so a pane can tell what changed, and the jump list is a list of these.
Single steps leave no trace in it, jumps do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

DEFAULT_BUDGET = 2_048
BUDGETS = (512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768)
"""What a key steps through; any other can be said."""
OURS, THEIRS, BOTH = "working-set", "host", "both"
LENSES = (THEIRS, OURS, BOTH)
"""What a key steps through; `around:X`, `task:TEXT` and `hybrid:TEXT` can be said."""


@dataclass(frozen=True, slots=True)
class Focus:
    """A moment, what is looked at in it, and through which window."""

    step: int = 0
    node: str | None = None
    """What is selected: `watch`, `why` and the tree are about it."""

    mark: int | None = None
    """A step to compare with; without one it is the step before."""

    lens: str = OURS
    budget: int = DEFAULT_BUDGET
    session: str | None = None
    context: str | None = None

    def at(self, step: int) -> Focus:
        """The same at another step."""
        return replace(self, step=step)

    def on(self, node: str | None) -> Focus:
        """The same with something else selected."""
        return replace(self, node=node)

    def through(self, lens: str | None = None) -> dict[str, str | int | None]:
        """What a question about this window says of it; or about another lens, from the same place."""
        lens = lens or self.lens
        budget = None if lens == THEIRS else self.budget
        return {"budget": budget, "lens": lens, "session": self.session, "context": self.context}


def next_lens(lens: str) -> str:
    """What a key steps on to; from one that was said, back to the first."""
    return LENSES[(LENSES.index(lens) + 1) % len(LENSES)] if lens in LENSES else LENSES[0]


LONGEST = 200
"""Places that are remembered."""


class Trail:
    """Places, and where among them the reader is."""

    def __init__(self) -> None:
        self._behind: list[Focus] = []
        self._ahead: list[Focus] = []

    def leave(self, here: Focus) -> None:
        """Jump away from here; what lay ahead is forgotten."""
        self._ahead.clear()
        if not self._behind or self._behind[-1] != here:
            self._behind.append(here)
            del self._behind[:-LONGEST]

    def before(self, here: Focus) -> Focus | None:
        """Where the last jump began; None where nobody has jumped. It stays where it is."""
        return next((place for place in reversed(self._behind) if place != here), None)

    def back(self, here: Focus) -> Focus | None:
        """The place before; None at the wall."""
        return _exchanged(self._behind, self._ahead, here)

    def on(self, here: Focus) -> Focus | None:
        """The place one came back from."""
        return _exchanged(self._ahead, self._behind, here)


def _exchanged(taken: list[Focus], kept: list[Focus], here: Focus) -> Focus | None:
    while taken:
        found = taken.pop()
        if found != here:
            kept.append(here)
            return found
    return None


MOST = 8
"""Nodes that can be watched at once."""


@dataclass(frozen=True, slots=True)
class Watched:
    """One of them."""

    number: int
    """Given once, so that its answers find it whatever else comes and goes."""

    node: str
    at: int
    """The step at which it was called so; a renamed source is the same one under all its names."""


class Watches:
    """The list of them."""

    def __init__(self) -> None:
        self.each: tuple[Watched, ...] = ()
        self._number = 0

    def __contains__(self, node: str) -> bool:
        return any(watched.node == node for watched in self.each)

    @property
    def full(self) -> bool:
        """Whether there is room for no more."""
        return len(self.each) >= MOST

    def watch(self, node: str, at: int) -> bool:
        """Take a node up; gives whether it is watched now."""
        if node not in self:
            if self.full:
                return False
            self._number += 1
            self.each = (*self.each, Watched(self._number, node, at))
        return True

    def leave(self, node: str) -> None:
        """Watch it no more."""
        self.each = tuple(watched for watched in self.each if watched.node != node)
