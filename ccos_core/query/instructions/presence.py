"""How the window of a context had a statement just before a step, and which cut took it away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.carriers import Carriers
from ccos_core.query.hosted.happening import Cut, Witness
from ccos_core.query.op_text import text_of
from ccos_core.query.said import Said
from ccos_core.query.telling import one_line
from ccos_core.replay.residency.runs import OUT, PARTIAL, UNCERTAIN
from ccos_core.text.retrieval.carried import NONE, carried

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

QUOTED_CHARACTERS = 240
TELLING = ("prompt:", "summary:")
"""Items by a part of which a window has an instruction in part: a call that names the same file doesn't tell it."""
CUTTING = ("compaction", "cleared")


class Had(NamedTuple):
    """How a window had a statement."""

    state: int
    """One of the states of `replay.residency.runs`."""
    since: int
    """The step since when; 0 where it never got it."""
    cut: Cut | None
    """What dropped it, with what its summary says of it."""


class Presence:
    """What each context's window had of what was said."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._carriers: dict[int, Carriers] = {}
        self._witnesses: dict[int, Witness] = {}

    def before(self, said: Said, context: int, step: int) -> Had:
        """Return how a context had a statement just before a step."""
        carriers = self._carriers.setdefault(context, Carriers(self.timeline, context))
        found = [each for each in carriers.of_statement(said, step - 1) if each.whole or each.item.startswith(TELLING)]
        state, since = carriers.state(found, step - 1, said.first)
        return Had(state, since, self.cut(said, context, since) if state in (OUT, PARTIAL, UNCERTAIN) else None)

    def cut(self, said: Said, context: int, step: int) -> Cut | None:
        """Return what is known of a cut at a step, with what its summary says of a statement; None if it is none."""
        if not step or self.timeline.op(step)["kind"] not in CUTTING:
            return None
        witness = self._witnesses.setdefault(context, Witness(self.timeline, context))
        found = witness.cut(step)
        summary = text_of(self.timeline, self.timeline.op(step).get("summary"))
        words = carried(said.text, summary)
        quoted = one_line(summary[words.start : words.end], QUOTED_CHARACTERS) if words.state != NONE else found.summary
        return replace(found, carried=words.state, named=words.state != NONE, summary=quoted)
