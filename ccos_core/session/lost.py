"""What matters in a session and isn't in its host's window any more, as a small window of its own.

Nothing is lost before a host has cut its window; and what was told once is left out, unless it reads otherwise by now.
What failures depend on comes before what else is warm: an agent often reads that only after it has seen them fail, when
it was too late to feel their pressure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from ccos_core.state.holding import IN, PATCHED
from ccos_core.state.host import Held
from ccos_core.state.spread import WHOLE, spread
from ccos_core.values.canon import digest
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, enrich, fill, likeliest
from ccos_core.window.working_set import SHARE, ranked

if TYPE_CHECKING:
    from ccos_core.state.failures import Key, Live
    from ccos_core.state.graph import Graph
    from ccos_core.window.source import Source
    from ccos_core.window.state import State

NAME = 16
"""Characters of the hash something is known by that was told."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What there is to tell a session."""

    window: Window
    told: tuple[str, ...]
    """By what each item of it is known that is told now."""
    since: int
    """The step at which its host cut its window last; 0 where no step says so."""


def lost(
    state: State,
    graph: Graph,
    sources: Callable[[str], Source],
    held: Held,
    budget: int,
    told: Collection[str],
    *,
    everything: bool = False,
    stands: Callable[[Source], bool] = lambda source: True,
) -> Lost:
    """What a session lost that has `held` something in its host's window. `everything` where that was cut just now, and
    the record may not know yet. Sources of which `stands` is false are left out; it is asked of few more than those
    that are shown."""
    since = held.cuts[-1][0] if held.cuts else 0
    warm = _left_out(_in_order(state, graph, sources), held, told, everything=everything)
    candidates = (each for each in warm if stands(each.source)) if since or everything else ()
    found = admit(candidates, budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, fill(budget), likeliest)
    names = tuple(name_of(member.candidate) for member in found.members)
    return Lost(linearize("lost", budget, found.members), names, since)


def failing(live: Mapping[Key, Live]) -> tuple[str, ...]:
    """What fails just now, by runner and test, and what it says; what failed last comes first. A state that was kept
    has them in another order than one that was folded."""
    newest = (live[key].failure for key in sorted(live, key=lambda key: (-live[key].step, key)))
    return tuple(dict.fromkeys(": ".join(filter(None, (each.runner, each.test, each.message))) for each in newest))


def name_of(candidate: Candidate) -> str:
    """What was told of something, in short: its name and its text."""
    source = candidate.source
    first, last = source.span(candidate.symbol)
    text = "\n".join([source.node(candidate.symbol), *source.lines[first - 1 : last]])
    return digest(text.encode("utf-8", "surrogatepass")).hex()[:NAME]


def _left_out(warm: Iterable[Candidate], held: Held, told: Collection[str], *, everything: bool) -> Iterator[Candidate]:
    """What is warm and not in the host's window, in its order; each once."""
    met: dict[str, None] = {}
    for candidate in warm:
        node = candidate.source.node(candidate.symbol)
        is_there = held.state(node).state in (IN, PATCHED) and not everything
        if node not in met and not is_there and name_of(candidate) not in told:
            yield candidate
        met[node] = None


def _in_order(state: State, graph: Graph, sources: Callable[[str], Source]) -> Iterator[Candidate]:
    """What the user pinned, what failures depend on, and then everything warm."""
    pinned = state.pinned
    if pinned:
        yield from takewhile(lambda each: each.source.node(each.symbol) in pinned, ranked(state, sources))
    yield from _behind_failures(state, graph, sources)
    yield from ranked(state, sources)


def _behind_failures(state: State, graph: Graph, sources: Callable[[str], Source]) -> Iterator[Candidate]:
    """Where failures are felt, and what that depends on as far as it is known by now, the nearest first."""
    felt = [there for node in state.failures.anchored() if (there := graph.find(node)) is not None]
    reached = spread(graph, state.rules, [((each.path, each.symbol), WHOLE) for each in felt])
    for node, strength in sorted(reached.items(), key=lambda each: (-each[1], each[0])):
        if (there := graph.find(node)) is not None:
            yield Candidate(sources(there.path), there.symbol, strength, "what fails depends on it")
