"""`around:X`: X itself, and what it depends on, nearest first.

X, a file or a symbol, is shown within its share of the budget. What it depends on comes as heads: of each file what X
leans on most, then the rest, so that a budget too small for everything still shows where everything is. What is left
shows them more fully, the smallest first. It stops by itself: what X doesn't depend on isn't there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import MODULE
from ccos_core.window.layout import Candidate, Member
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import (
    ANCHOR_SHARE,
    FILLED,
    Admission,
    Miss,
    admit,
    enrich,
    fill,
    fit_anchor,
    share_of_anchor,
)
from ccos_core.window.source import Source

WEIGHTS: Mapping[str, int] = {"base": 6, "call": 4, "decorator": 4, "name": 3, "type": 2, "import": 2, "link": 1}
"""How much one use of each role says. Only their order against each other matters."""
REST = (FILLED[0] * ANCHOR_SHARE - FILLED[1], FILLED[1] * ANCHOR_SHARE)
"""The part of a budget that is filled and isn't the anchor's."""
MOST_USES = 8
"""Uses of one role that still add something."""


def around(
    path: str,
    sources: Callable[[str], Source],
    links: Iterable[Link],
    budget: int,
    symbol: int = MODULE,
    focus: Sequence[int] = (),
    further: Sequence[Candidate] = (),
) -> Window:
    """The window around the file at `path`, or around one of its symbols. `focus` has symbols of it that are shown in
    full where all of it isn't: what fails, what was touched last. `further` comes after all that it depends on by
    itself."""
    members, missed = admitted(path, sources, links, budget, symbol, focus, further)
    enrich(members, fill(budget))
    lens = path if symbol == MODULE else sources(path).node(symbol)
    return linearize(f"around:{lens}", budget, members, missed)


def admitted(
    path: str,
    sources: Callable[[str], Source],
    links: Iterable[Link],
    budget: int,
    symbol: int = MODULE,
    focus: Sequence[int] = (),
    further: Iterable[Candidate] = (),
) -> tuple[list[Member], list[Miss]]:
    """(who is in, the first of those who aren't), before anybody is shown more fully; `further` is asked for as far as
    it takes."""
    whole, share = fill(budget), share_of_anchor(budget)
    itself = Candidate(sources(path), symbol, 0, "the anchor")
    anchor = fit_anchor(itself, share, focus)
    if anchor is not None:
        each = _once(chain(candidates(sources, links, path, symbol), further))
        found = admit(each, whole - share, {path}, REST)
    else:  # so little that the share doesn't hold a line of it: then it has everything, and nobody else is in
        anchor, found = fit_anchor(itself, whole), Admission([], [])
    return [anchor, *found.members] if anchor is not None else [], found.missed


def candidates(
    sources: Callable[[str], Source], links: Iterable[Link], path: str, symbol: int = MODULE
) -> list[Candidate]:
    """What the links lead to from the file at `path`, or from within one of its symbols, most needed first."""
    inside = sources(path).inside(symbol)
    scores: dict[Target, int] = {}
    roles: dict[Target, set[str]] = {}
    for link in links:
        if (symbol == MODULE and link.target.path != path) or (link.owner in inside and not _is_in(link, path, inside)):
            scores[link.target] = scores.get(link.target, 0) + WEIGHTS[link.role] * min(link.count, MOST_USES)
            roles.setdefault(link.target, set()).add(link.role)
    with_symbols = {target.path for target in scores if target.symbol != MODULE}
    found = []
    for target, score in scores.items():
        if target.symbol == MODULE and (target.path in with_symbols or target.path == path):
            continue  # the file is there by what is used of it
        reason = f"{', '.join(sorted(roles[target]))} by {path}"
        found.append(Candidate(sources(target.path), target.symbol, score, reason))
    found.sort(key=lambda each: (_is_member(each), -each.score, each.source.node(each.symbol)))
    first: dict[str, Candidate] = {}
    for each in found:
        first.setdefault(each.source.path, each)
    return [*first.values(), *(each for each in found if first[each.source.path] is not each)]


def _once(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Each at its first place."""
    met: set[Target] = set()
    for each in candidates:
        target = Target(each.source.path, each.symbol)
        if target not in met:
            met.add(target)
            yield each


def _is_member(candidate: Candidate) -> bool:
    """Whether it is a part of something else: a type says more of itself than one of its fields does."""
    symbols = candidate.source.outline.symbols
    return candidate.symbol != MODULE and symbols[candidate.symbol].kind in ("field", "method")


def _is_in(link: Link, path: str, inside: set[int]) -> bool:
    return link.target.path == path and link.target.symbol in inside
