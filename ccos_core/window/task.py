"""`task:TEXT` and `hybrid:TEXT`: the code a text is about, an issue's or a person's.

`task` goes by the text alone, behind what fails now; `hybrid` weighs everything together: the text, what fails, and
what is linked to the best of it. Who is in is decided at the level of signatures, within a part of the budget; the rest
shows bodies, for who changes something needs to see it. It stops by itself where a score is a small part of the best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ccos_core.text.retrieval.fusion import best_first
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.lexicon import Lexicon, View
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, enrich, likeliest
from ccos_core.window.ranking import FAILING, REASONS, Live, Ranking, failing, ranked

SHARE = (1, 3)
"""The part of the budget that decides who is in; a fixed one, so that a larger budget loses nobody."""


def task(text: str, lexicon: Lexicon, budget: int, live: Live = ()) -> Window:
    """What fails now, and then what the text is about."""
    view = lexicon.view()
    pressed = failing(view, live)
    first = [_candidate(view, at, int(pressed[at]), REASONS[FAILING]) for at in best_first(pressed)]
    rest = (candidate for at, candidate in _fitting(view, ranked(text, view, nearness=False)) if not pressed[at])
    return _packed(f"task:{text}", (*first, *rest), budget)


def hybrid(text: str, lexicon: Lexicon, budget: int, live: Live = ()) -> Window:
    """What the text, the failures and the links between all that speak for together."""
    view = lexicon.view()
    found = _fitting(view, ranked(text, view, live))
    return _packed(f"hybrid:{text}", (candidate for _, candidate in found), budget)


def _fitting(view: View, ranking: Ranking) -> Iterator[tuple[int, Candidate]]:
    for at in ranking.order():
        yield at, _candidate(view, at, int(ranking.scores[at]), ranking.reason(at))


def _candidate(view: View, at: int, score: int, reason: str) -> Candidate:
    target = view.targets[at]
    return Candidate(view.code.source(target.path), target.symbol, score, reason)


def _packed(lens: str, candidates: Iterable[Candidate], budget: int) -> Window:
    found = admit(candidates, budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, budget * UNIT, likeliest)
    return linearize(lens, budget, found.members, found.missed)
