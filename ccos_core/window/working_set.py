"""`working-set`: what matters now, whoever asks.

What somebody pinned comes first, then the places where failures are felt, then everything warm by its score. It stops
by itself where a score is only a small part of the best one's. What somebody sent away isn't in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from ccos_core.state.heat import scaled, within
from ccos_core.state.rules import CAUSES
from ccos_core.state.world import ANCHOR, PINNED
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import UNIT
from ccos_core.window import fuller
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Places, Window, linearize, places
from ccos_core.window.pack import Admission, Entering, admit_entering, enrich, entering, fill, likeliest
from ccos_core.window.source import Source
from ccos_core.window.state import State

SHARE = (3, 5)
"""The part of the budget that decides who is in; the rest shows the hottest of them more fully."""
FAR = 400
"""Lines of one candidate that are counted ahead: who has more takes as long as many."""


def working_set(state: State, sources: Callable[[str], Source], budget: int) -> Window:
    """The window of what is warm."""
    return window_of(entering(ranked(state, sources)), budget)


def window_of(warm: Iterable[Entering], budget: int) -> Window:
    """The same, of all that may be in: who looks through several budgets finds that out once."""
    found = _shown(warm, budget)
    return linearize("working-set", budget, found.members, found.missed)


def places_of(warm: Iterable[Entering], budget: int) -> Places:
    """The same without its text. Who knows already who is in hands in no others."""
    return places(_shown(warm, budget).members)


def admitting(budget: int) -> int:
    """The part of a budget that decides who is in, in parts of a token."""
    return budget * UNIT * SHARE[0] // SHARE[1]


def look_ahead(warm: Iterable[Entering], budget: int) -> Iterator[None]:
    """Find out, one by one, what windows of budgets up to this one rest on, for whoever may look through one soon."""
    left = admitting(budget)
    for each in warm:
        fuller.look_ahead(each, FAR)
        left -= each.parts
        yield
        if left < 0:
            return


def ranked(state: State, sources: Callable[[str], Source]) -> Iterator[Candidate]:
    """Everything that may be in, in its order; made as far as somebody asks."""
    stop = state.rules.caps["stop"]
    best, rows = state.ranking()
    for tier, score, node in rows:
        if tier > ANCHOR and not within(score, best, stop):
            return  # all that follow matter less
        if (there := state.find(node)) is not None:
            yield Candidate(sources(there.path), there.symbol, score, partial(reason, state, node, tier))


def reason(state: State, node: str, tier: int) -> str:
    """Why a node is in, in words."""
    if tier == PINNED:
        return f"pinned at step {state.pinned[node]}"
    if tier == ANCHOR:
        keys = sorted(state.failures.felt_at([node]), key=lambda key: (state.failures.live[key].since, key))
        here = (state.failures.live[key] for key in keys)
        felt = next(each.failure for each in here if each.anchors[:1] == (node,))
        return f"{felt.runner} fails here: {felt.test or felt.message or 'no test named'}"
    weights = state.rules.weights
    weighed = [
        scaled(each, weights[cause]) if each else 0 for each, cause in zip(state.heat_of(node), CAUSES, strict=True)
    ]
    cause = CAUSES[weighed.index(max(weighed))]
    if cause == "failure":
        live = [state.failures.live[key] for key in sorted(state.failures.on[node])]
        strongest = max(live, key=lambda each: (each.strengths[node], -each.since))
        if node in strongest.anchors:
            return f"on the way to where {strongest.failure.runner} fails"
        anchor = strongest.anchors[0] if strongest.anchors else ""
        return f"{anchor.partition('#')[2] or path_of(anchor) or 'something'} fails, and depends on it"
    return {"read": "read", "edit": "edited", "engaged": "pointed at"}[cause]


def _shown(warm: Iterable[Entering], budget: int) -> Admission:
    """Who is in, as fully as there is room for."""
    found = admit_entering(warm, admitting(budget), SHARE)
    enrich(found.members, fill(budget), likeliest)
    return found
