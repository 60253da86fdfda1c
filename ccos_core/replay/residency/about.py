"""Residency in the windows of `task:TEXT` and `hybrid:TEXT`: what a text was about, at every step.

Any file may put any other in another place, for words are weighed by how rare they are among all. So who is in is
decided anew at every step at which a source, a failure or a link became another: by bounds that hold for many steps in
a row, and by closer ones where these don't decide. It says how far it has come, and can be stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.renames import Name
from ccos_core.replay.residency.runs import OUT, presence
from ccos_core.replay.residency.shared import gone_through
from ccos_core.replay.residency.walks import InHybrid, InTask, Walk

if TYPE_CHECKING:
    from ccos_core.replay.residency.lens import Progress
    from ccos_core.replay.timeline import Timeline

HYBRID = "hybrid"


@dataclass(frozen=True)
class About:
    """The residency of a node in the windows about a text."""

    timeline: Timeline
    names: Sequence[Name]
    """What the node was called, from step 0 to the head."""
    lens: str
    """`task` or `hybrid`."""
    text: str
    progress: Progress

    def states(self, budget: int, first: int, last: int) -> Numbers:
        """A file is in when its own node is, and partial when only symbols of it are."""
        found = presence(self.timeline.journal, self.names)[first : last + 1]
        if not (found == OUT).any():
            return found
        steps = [first, *self._changed(first, last)]
        told = gone_through(lambda: self.walk(budget).state, steps, self.timeline.keeper, self.progress)
        about = np.repeat(np.frombuffer(told, np.uint8), np.diff(steps, append=last + 1))
        found[found == OUT] = about[found == OUT]
        return found

    def walk(self, budget: int) -> Walk:
        """Whoever goes through all steps."""
        walks = InHybrid if self.lens == HYBRID else InTask
        return walks(self.timeline, self.names, self.text, budget, self.progress)

    def _changed(self, first: int, last: int) -> list[int]:
        """The first steps of all moments that changed a source, a failure or a link."""
        journal = self.timeline.journal
        tables = [journal.versions, journal.failures, *([journal.uses] if self.lens == HYBRID else [])]
        begun = np.unique(journal.begun(np.concatenate([table["step"] for table in tables])))
        found: list[int] = begun[(begun > first) & (begun <= last)].tolist()
        return found
