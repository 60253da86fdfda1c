"""`working-set`: what matters now, whoever asks.

What somebody pinned comes first, then the places where failures are felt, then everything warm by its score. It stops
by itself where a score is only a small part of the best one's. What somebody sent away isn't in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccos_core.state.heat import scaled, within
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import ANCHOR, AWAY, PINNED, World
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, enrich, likeliest
from ccos_core.window.source import Source

SHARE = (3, 5)
"""The part of the budget that decides who is in; the rest shows the hottest of them more fully."""


def working_set(world: World, sources: Callable[[str], Source], budget: int) -> Window:
    """The window of what is warm."""
    found = admit(ranked(world, sources), budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, budget * UNIT, likeliest)
    return linearize("working-set", budget, found.members, found.missed)


def ranked(world: World, sources: Callable[[str], Source]) -> Iterator[Candidate]:
    """Everything that may be in, in its order; made as far as somebody asks."""
    found = sorted(_rows(world))
    best = max((-negative for tier, negative, _ in found if tier != AWAY), default=0)
    stop = world.rules.caps["stop"]
    for tier, negative, node in found:
        there = world.graph.find(node)
        if there is None or tier == AWAY:
            continue
        if tier > ANCHOR and not within(-negative, best, stop):
            continue
        yield Candidate(sources(there.path), there.symbol, -negative, reason(world, node, tier))


def reason(world: World, node: str, tier: int) -> str:
    """Why a node is in, in words."""
    if tier == PINNED:
        return f"pinned at step {world.pinned[node]}"
    if tier == ANCHOR:
        here = (world.failures.live[key] for key in world.failures.felt_at([node]))
        felt = next(each.failure for each in here if each.anchors[:1] == (node,))
        return f"{felt.runner} fails here: {felt.test or felt.message or 'no test named'}"
    weighed = [
        scaled(each, world.rules.weights[cause]) for each, cause in zip(world.heat_of(node), CAUSES, strict=True)
    ]
    cause = CAUSES[weighed.index(max(weighed))]
    if cause == "failure":
        live = [world.failures.live[key] for key in world.failures.on[node]]
        strongest = max(live, key=lambda each: (each.strengths[node], -each.since))
        if node in strongest.anchors:
            return f"on the way to where {strongest.failure.runner} fails"
        anchor = strongest.anchors[0] if strongest.anchors else ""
        return f"{anchor.partition('#')[2] or path_of(anchor) or 'something'} fails, and depends on it"
    return {"read": "read", "edit": "edited", "engaged": "pointed at"}[cause]


def _rows(world: World) -> Iterator[tuple[int, int, str]]:
    """(tier, negative score, node), so that they sort as they rank."""
    anchors = dict.fromkeys(world.failures.anchored())
    for node in world.warm():
        yield world.tier(node, anchors), -world.score(node), node
