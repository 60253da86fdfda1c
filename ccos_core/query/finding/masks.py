"""Which steps a tree holds at: what costs nothing first, and what costs much only where that leaves something open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.finding import atoms, columns
from ccos_core.query.finding.columns import nothing
from ccos_core.query.finding.contents import Contents, Progress
from ccos_core.query.finding.nodes import Nodes
from ccos_core.query.finding.saying import Sayings, conditions_of, is_about_statements
from ccos_core.query.finding.tree import (
    AFTER,
    BEFORE,
    NEAREST,
    Compared,
    Flag,
    OfNode,
    Relative,
    Span,
    Text,
    Times,
    Tree,
    parts_of,
    tree_spelled,
)
from ccos_core.replay.columns import Numbers
from ccos_core.text.boolean import Every, Some, Without

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

CHEAP, OF_NODES, OF_CALLS, OF_STATEMENTS, OF_TEXTS = range(5)
"""What a tree costs."""


class Masks:
    """One question's look at all steps."""

    def __init__(
        self, timeline: Timeline, at: int, budget: int, progress: Progress, user: Timeline | None = None
    ) -> None:
        self.timeline = timeline
        self.at = at
        self.contents = Contents(timeline, progress)
        self.nodes = Nodes(timeline, at, budget)
        self.sayings = Sayings(timeline, user)
        self.narrowed: list[tuple[str, int]] = []
        """What was asked for by itself, in the order in which it was looked at → steps that were left then."""

    def of(self, tree: Tree) -> Numbers:
        """The steps at which the whole of it holds."""
        found = ~nothing(self.timeline)
        for part in _cheapest_first(tree):
            found = self.among(part, found)
            self.narrowed.append((tree_spelled(part), int(np.count_nonzero(found))))
        return found

    def among(self, tree: Tree, steps: Numbers) -> Numbers:
        """Those of some steps at which it holds."""
        if not steps.any():
            return steps
        if is_about_statements(tree):
            return steps & self.sayings.steps(conditions_of(tree))
        match tree:
            case Every():
                for part in _cheapest_first(tree):
                    steps = self.among(part, steps)
                return steps
            case Some(parts):
                found = nothing(self.timeline)
                for part in sorted(parts, key=cost):
                    found = found | self.among(part, steps & ~found)
                return found
            case Without(part):
                return steps & ~self.among(part, steps)
            case Relative(word, part):
                return steps & self._related(word, self.among(part, ~nothing(self.timeline)))
            case Text():
                return self.contents.saying(tree, steps)
        return steps & self._plain(tree)

    def _plain(self, tree: Flag | Compared | Span | Times | OfNode) -> Numbers:
        match tree:
            case Flag("repeated"):
                return self.contents.repeated()
            case Flag():
                return columns.flagged(self.timeline, tree)
            case Compared():
                return columns.compared(self.timeline, tree)
            case Span():
                return columns.between(self.timeline, tree)
            case Times():
                return columns.timed(self.timeline, tree)
            case OfNode():
                return self.nodes.of(tree)

    def _related(self, word: str, there: Numbers) -> Numbers:
        """Where steps lie to those."""
        places = np.nonzero(there)[0]
        found = nothing(self.timeline)
        if not len(places):
            return found if word in (BEFORE, AFTER, NEAREST) else ~found
        first = int(places[0])
        if word == NEAREST:
            found[places[int(np.argmin(np.abs(places + 1 - self.at)))]] = True
        elif word == AFTER:
            found[first + 1 :] = True
        else:
            found[: first + (word != BEFORE)] = True
        return found


def cost(tree: Tree) -> int:
    """What it takes to look at a tree."""
    return max(_own_cost(part) for part in parts_of(tree))


def _own_cost(tree: Tree) -> int:
    match tree:
        case Text():
            return OF_TEXTS
        case Flag("repeated"):
            return OF_CALLS
        case OfNode():
            return OF_NODES
        case Compared(name) if name in atoms.OF_STATEMENTS:
            return OF_STATEMENTS
    return CHEAP


def _cheapest_first(tree: Tree) -> list[Tree]:
    """The parts that must hold; those that one statement must fit are one part."""
    if not isinstance(tree, Every):
        return [tree]
    said = [part for part in tree.parts if is_about_statements(part)]
    others = [part for part in tree.parts if not is_about_statements(part)]
    return sorted([*others, *([Every(tuple(said))] if len(said) > 1 else said)], key=cost)
