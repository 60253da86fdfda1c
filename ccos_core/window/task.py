"""`task:TEXT` and `hybrid:TEXT`: the code a text is about, an issue's or a person's.

`task` goes by the text alone, behind what fails now; `hybrid` weighs everything together: the text, what fails, and
what is linked to the best of what the text is about. Who is in is decided at the level of signatures, within a part
of the budget; the rest shows bodies, for who changes something needs to see it. It stops by itself where a score is a
small part of the best. Bodies lack their comments, but for the first few, unless `compress` is off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain

from ccos_core.text.retrieval.scores import best_first
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate, entry
from ccos_core.window.lexicon import Lexicon, View
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import Admission, admit, admit_closely, enrich, enrich_compressed, fill, likeliest
from ccos_core.window.ranking import FAILING, REASONS, Live, Ranking, failing, ranked
from ccos_core.window.source import SIGNATURE

SHARE, PLAIN_SHARE = (5, 9), (1, 3)
"""The part of the budget that decides who is in, with compressed bodies and without; a fixed one, so that a larger
budget loses nobody."""
EVIDENCE = 16
"""There is evidence for what has at least one part in so many of the best score."""


def task(text: str, lexicon: Lexicon, budget: int, live: Live = (), *, compress: bool = True) -> Window:
    """What fails now, and then what the text is about."""
    view = lexicon.view()
    return _packed(f"task:{text}", for_task(view, by_text(text, view), live), budget, compress)


def hybrid(text: str, lexicon: Lexicon, budget: int, live: Live = (), *, compress: bool = True) -> Window:
    """What the text, the failures and the links between all that speak for together."""
    view = lexicon.view()
    return _packed(f"hybrid:{text}", for_hybrid(view, ranked(text, view, live)), budget, compress)


def by_text(text: str, view: View) -> Ranking:
    """What a text is about, whatever fails."""
    return ranked(text, view, nearness=False)


def for_task(view: View, ranking: Ranking, live: Live) -> Iterator[Candidate]:
    """What fails, and behind it what fits a text."""
    pressed = failing(view, live)
    for at in best_first(pressed):
        yield _candidate(view, at, int(pressed[at]), REASONS[FAILING])
    for at, candidate in _fitting(view, ranking):
        if not pressed[at]:
            yield candidate


def for_hybrid(view: View, ranking: Ranking) -> Iterator[Candidate]:
    """What everything together speaks for."""
    for _, candidate in _fitting(view, ranking):
        yield candidate


def admitted(candidates: Iterable[Candidate], budget: int, compress: bool = True) -> Admission:
    """Who is in, before anybody is shown more fully."""
    if compress:
        return admit_closely(candidates, room_in(budget), SHARE)
    return admit(candidates, room_in(budget, PLAIN_SHARE), set(), PLAIN_SHARE)


def room_in(budget: int, share: tuple[int, int] = SHARE) -> int:
    """What there is room for in a budget before anybody is shown more fully, in parts of a token."""
    return budget * UNIT * share[0] // share[1]


def _fitting(view: View, ranking: Ranking) -> Iterator[tuple[int, Candidate]]:
    ordered = ((at, _candidate(view, at, int(ranking.scores[at]), ranking.reason(at))) for at in ranking.order())
    yield from spread(ordered)


def spread(ordered: Iterable[tuple[int, Candidate]]) -> Iterator[tuple[int, Candidate]]:
    """Candidates in their order, but for those of a file that has more than half of what all so far take: these wait
    while another file comes with evidence. It depends on no budget, so a larger one loses nobody."""
    taken, total, least = dict[str, int](), 0, None
    waiting: deque[tuple[int, Candidate]] = deque()
    coming = iter(ordered)
    for at, candidate in coming:
        least = candidate.score // EVIDENCE if least is None else least
        if candidate.score < least:
            coming = chain([(at, candidate)], coming)
            break
        waiting.append((at, candidate))
        if 2 * taken.get(candidate.source.path, 0) > total:
            continue
        waiting.rotate(1)
        while waiting and 2 * taken.get(waiting[0][1].source.path, 0) <= total:
            at, candidate = waiting.popleft()
            source = candidate.source
            cost = entry(source, source.shown(candidate.symbol, SIGNATURE))
            taken[source.path] = taken.get(source.path, 0) + cost
            total += cost
            yield at, candidate
    yield from waiting
    yield from coming


def _candidate(view: View, at: int, score: int, reason: str) -> Candidate:
    target = view.targets[at]
    return Candidate(view.code.source(target.path), target.symbol, score, reason)


def _packed(lens: str, candidates: Iterable[Candidate], budget: int, compress: bool) -> Window:
    found = admitted(candidates, budget, compress)
    if compress:
        enrich_compressed(found.members, fill(budget))
    else:
        enrich(found.members, fill(budget), likeliest, fair=True)
    return linearize(lens, budget, found.members, found.missed)
