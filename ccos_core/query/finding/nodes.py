"""What became of a node, step by step: whether it was in the working set, and what changed it. It is followed through
all names it had. Of words it is asked whether the agent's window had them, that of the step's own context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.finding.columns import nothing
from ccos_core.query.finding.tree import OfNode
from ccos_core.query.spoken import Spoken, node_meant
from ccos_core.replay.columns import Numbers
from ccos_core.replay.renames import life
from ccos_core.replay.residency.runs import OUT, WITHIN, InWorkingSet, turns
from ccos_core.values.ids import SPOKEN_PREFIXES, file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.renames import Name
    from ccos_core.replay.timeline import Timeline


class Nodes:
    """What one question asks of nodes, named as of a step."""

    def __init__(self, timeline: Timeline, at: int, budget: int) -> None:
        self._timeline = timeline
        self._at = at
        self._budget = budget
        self._residencies: dict[str, InWorkingSet] = {}

    def of(self, asked: OfNode) -> Numbers:
        """The steps at which that is so."""
        node = node_meant(self._timeline, asked.node, self._at)
        if node.startswith(SPOKEN_PREFIXES):
            return self._of_words(node, asked.word)
        names = life(self._timeline, node, self._at)
        if asked.word == "changed":
            return changed(self._timeline, names)
        if node not in self._residencies:
            self._residencies[node] = InWorkingSet(self._timeline.journal, names)
        states = self._residencies[node].states(asked.budget or self._budget, 0, self._timeline.head)[1:]
        return np.isin(states, WITHIN if asked.word == "present" else (OUT,))

    def _of_words(self, node: str, word: str) -> Numbers:
        """The steps at which the window of their own context has some words, has lost them, or turns."""
        found, contexts = nothing(self._timeline), self._timeline.journal.steps["context"]
        for context in np.unique(contexts).tolist():
            states = Spoken(self._timeline, node, context).states(0, 0, self._timeline.head)
            if word == "changed":
                found[turns(states) - 1] = True
            else:
                found |= (contexts == context) & np.isin(states[1:], WITHIN if word == "present" else (OUT,))
        return found


def changed(timeline: Timeline, names: list[Name]) -> Numbers:
    """The steps that gave a node another text, heat, prior, cost or tier. A look at a tree changes all of that but the
    text with its first one."""
    journal, found = timeline.journal, nothing(timeline)
    versions = journal.versions
    for name in names:
        mine = versions["path"] == journal.id(file_node(path_of(name.node) or ""))
        steps = np.concatenate([journal.stamps[journal.history(journal.id(name.node))], versions["step"][mine]])
        found[steps[(name.first <= steps) & (steps <= name.last)] - 1] = True
    return found
