"""Where a reader stands: the one cursor that all panes look at.

Everything on the debugger's screen is a question about this. It is frozen: whoever moves makes another, so that a pane
can tell what changed, and a jump list is a list of these.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

DEFAULT_BUDGET = 2_048
BUDGETS = (512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768)
"""What a key steps through; any other can be said."""
OURS, THEIRS, BOTH = "working-set", "host", "both"
LENSES = (OURS, THEIRS, BOTH)
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
