"""The cone around where an agent stands: what fails and what was edited, what that depends on, and who calls it.

It is bounded whatever the size of the graph: few places to start from, few dependencies far, and one ring of callers.
Ranked by what a node is there (a place to start from, a dependency, a caller), then by how far away, by the strength of
its way, by its name. No question of the catalogue yet: a server for agents asks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from ccos_core.replay.dependence import Dependence, Reached
from ccos_core.state.rules import CAUSES
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, enrich, fill, likeliest
from ccos_core.window.working_set import SHARE

if TYPE_CHECKING:
    from ccos_core.replay.moment import Moment
    from ccos_core.replay.timeline import Timeline
    from ccos_core.state.failures import Live

LENS = "causal-flash"
HOPS = 3
"""Dependencies a way has at most by default."""
LIMIT = 64
"""Nodes that are listed by default."""
MOST_SEEDS = 6
"""Places to start from: what fails first, then the hottest of what was edited."""
WARMEST = 200
"""Of how many nodes it is looked whether they were edited."""
WIDEST = 500
"""Nodes after which the search stops."""
SEED, DEPENDENCY, CALLER = "seed", "dependency", "caller"
EDIT = CAUSES.index("edit")


@dataclass(frozen=True, slots=True)
class Coned:
    """A node of the cone."""

    node: str
    role: str
    """`seed`, `dependency` or `caller`."""

    hops: int
    strength: int
    """That of the weakest dependency on the way to it; 0 of a seed."""

    reason: str


@dataclass(frozen=True, slots=True)
class Cone:
    """What is around where an agent stands."""

    schema: ClassVar[str] = "ccos.cone/1"
    step: int
    hops: int
    seeds: int
    """How many places it starts from; with none there is no cone."""

    nodes: tuple[Coned, ...]
    omitted: int
    """Nodes of it that aren't told."""

    complete: bool
    """Whether all that the seeds depend on, so far away, is among them."""


def cone(timeline: Timeline, at: int, *, hops: int = HOPS, limit: int = LIMIT) -> Cone:
    """The cone at a step."""
    moment = timeline.at(at)
    seeds = _first(_seeds(moment), MOST_SEEDS)
    found = {node: Coned(node, SEED, 0, 0, why) for node, why in seeds.items()}
    graphs = [_graph(timeline, moment, node) for node in seeds]
    for role, reached in ((DEPENDENCY, _nearest(graphs, hops, on=False)), (CALLER, _nearest(graphs, 1, on=True))):
        for node, (each, seed) in reached.items():
            found.setdefault(node, Coned(node, role, each.hops, each.strength, _because(role, each, seed)))
    nodes = tuple(found.values())
    told = nodes[: limit or None]
    lost = any(each.role != CALLER for each in nodes[len(told) :])
    return Cone(at, hops, len(seeds), told, len(nodes) - len(told), not lost and not any(each.cut for each in graphs))


def window(timeline: Timeline, at: int, budget: int) -> Window:
    """The cone as text within a budget."""
    candidates = _candidates(timeline.at(at), cone(timeline, at))
    found = admit(candidates, budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, fill(budget), likeliest)
    return linearize(LENS, budget, found.members, found.missed)


def _seeds(moment: Moment) -> Iterator[tuple[str, str]]:
    """(node, why it is a place to start from): may say one twice."""
    failing = list(moment.failures.live.values())
    felt = [(live.anchors[0], f"{_told(live)} fails here") for live in failing if live.anchors]
    way = [(node, f"on the way to where {_told(live)} fails") for live in failing for node in live.anchors[1:]]
    yield from ((node, why) for node, why in (*felt, *way) if moment.find(node) is not None)
    for _, _, node in islice(moment.ranking()[1], WARMEST):
        if moment.heat_of(node)[EDIT] and moment.find(node) is not None:
            yield node, "edited"


def _first(rows: Iterator[tuple[str, str]], most: int) -> dict[str, str]:
    """The first so many nodes, each with what is said of it first."""
    found: dict[str, str] = {}
    for node, why in rows:
        if len(found) == most:
            break
        found.setdefault(node, why)
    return found


def _told(live: Live) -> str:
    return f"{live.failure.runner} {live.failure.test or live.failure.message}".rstrip()


def _graph(timeline: Timeline, moment: Moment, node: str) -> Dependence:
    there = moment.find(node)
    assert there is not None
    source = moment.source(there.path)
    inside = [source.node(each) for each in sorted(source.inside(there.symbol))]
    return Dependence(timeline.journal, moment.last, node, inside, WIDEST)


def _nearest(graphs: list[Dependence], hops: int, *, on: bool) -> dict[str, tuple[Reached, str]]:
    """Node → its best way of all, and where that starts; the nearest and strongest first."""
    found: dict[str, tuple[Reached, str]] = {}
    for graph in graphs:
        for each in graph.on(hops) if on else graph.of(hops):
            known = found.get(each.node)
            if known is None or _rank(each) < _rank(known[0]):
                found[each.node] = each, graph.node
    return dict(sorted(found.items(), key=lambda row: _rank(row[1][0])))


def _rank(each: Reached) -> tuple[int, int, str]:
    return each.hops, -each.strength, each.node


def _because(role: str, each: Reached, seed: str) -> str:
    roles = ", ".join(sorted(each.roles))
    if role == CALLER:
        return f"depends on {seed}: {roles}"
    return f"{roles} by {each.before.node if each.before is not None else seed}"


def _candidates(moment: Moment, around: Cone) -> Iterator[Candidate]:
    for each in around.nodes:
        if (there := moment.find(each.node)) is not None:
            yield Candidate(moment.source(there.path), there.symbol, 0, each.reason)
