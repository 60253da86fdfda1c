"""Packing by levels: membership before richness.

Who is in is decided first, in rank order and at each one's entry level, and the pass stops at the first that doesn't
fit; it never skips. What is left of the budget is then spent on showing members more fully, which never changes who is
a member. So every candidate has one entry budget, and a larger budget never loses a member.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from ccos_core.values.code import MODULE
from ccos_core.values.tokens import UNIT
from ccos_core.window.fuller import Order, Turns, fuller, joined
from ccos_core.window.layout import BLANK_PARTS, Candidate, Fuller, Member, cost, entry, note_parts, opening
from ccos_core.window.source import BODY, CODE, NAME, SIGNATURE, SKELETON

NEAR_MISSES = 5
"""How many of those who aren't in are told."""
FILLED = (24, 25)
"""The share of a budget that a window may spend. Counted in cl100k, one window in a hundred takes 4 % more than the
estimate says (`tests/bench/tokens.py`), and a budget is a ceiling."""
ANCHOR_SHARE = 4
WHOLE_FIRST = 4
"""Of what comes first bodies are shown with their comments, where bodies are compressed."""
"""One part in so many is the anchor's, whether it needs it or not: a share that moved would move membership."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A candidate that isn't in."""

    candidate: Candidate
    parts: int
    """What it takes to show it at all."""
    short: int
    """What the whole budget lacks for it and all that come before it."""


class Entering(NamedTuple):
    """A candidate at its entry level, behind all that come before it."""

    candidate: Candidate
    lines: tuple[int, ...]
    parts: int
    """What it takes to show it at all."""
    fuller: Fuller
    """What is known of it at other levels; all members that it becomes share that."""


@dataclass(frozen=True, slots=True)
class Admission:
    """Who is in, and the first of those who aren't."""

    members: list[Member]
    missed: list[Miss]


def admit(candidates: Iterable[Candidate], parts: int, opened: set[str], share: tuple[int, int] = (1, 1)) -> Admission:
    """The members among the candidates. `opened` has the files whose header stands already; `share` says which part of
    a budget `parts` is."""
    return admit_entering(entering(candidates, opened), parts, share)


def entering(candidates: Iterable[Candidate], opened: Collection[str] = ()) -> Iterator[Entering]:
    """Each with what it takes in its place, whatever the budget; made as far as somebody asks."""
    opened = set(opened)
    for candidate in candidates:
        source = candidate.source
        lines = source.shown(candidate.symbol, SIGNATURE)
        taken = entry(source, lines)
        if source.annotated:
            taken += note_parts(Member(candidate, SIGNATURE, lines), SIGNATURE)
        if source.path not in opened:
            opened.add(source.path)
            taken += opening(source.path)
        yield Entering(candidate, lines, taken, {})


def admit_closely(candidates: Iterable[Candidate], parts: int, share: tuple[int, int]) -> Admission:
    """The same, where each is counted with the lines that its file shows already: its class, what needs no gap."""
    members: list[Member] = []
    missed: list[Miss] = []
    files: dict[str, list[Member]] = {}
    costs: dict[str, int] = {}
    for candidate in candidates:
        source = candidate.source
        member = Member(candidate, SIGNATURE, source.shown(candidate.symbol, SIGNATURE))
        shown = files.setdefault(source.path, [])
        shown.append(member)
        before = costs.get(source.path, 0)
        taken = max(cost(shown) - before, 0)  # one that closes a gap makes no room, so more budget loses nobody
        costs[source.path] = before + taken
        parts -= taken
        if parts >= 0:
            members.append(member)
        else:
            missed.append(Miss(candidate, taken, -(parts * share[1] // share[0])))
            if len(missed) == NEAR_MISSES:
                break
    return Admission(members, missed)


def admit_entering(entering: Iterable[Entering], parts: int, share: tuple[int, int] = (1, 1)) -> Admission:
    """The members among candidates of which is known what they take."""
    members: list[Member] = []
    missed: list[Miss] = []
    for each in entering:
        parts -= each.parts
        if parts >= 0:
            members.append(Member(each.candidate, SIGNATURE, each.lines, each.fuller))
        else:
            missed.append(Miss(each.candidate, each.parts, -(parts * share[1] // share[0])))
            if len(missed) == NEAR_MISSES:
                break
    return Admission(members, missed)


def cheapest(gain: int, _place: int) -> int:
    """What takes the least comes first: most members are shown more fully."""
    return gain


def likeliest(gain: int, place: int) -> int:
    """What is worth the most for what it takes comes first, where a place (from 0) is worth its inverse."""
    return gain * (place + 1)


def flatter(gain: int, place: int) -> int:
    """Between the two: a place is worth the inverse of its root."""
    return gain * isqrt(16 * (place + 1))


def fill(budget: int) -> int:
    """Return the parts that a window may take."""
    return budget * UNIT * FILLED[0] // FILLED[1]


def enrich(members: Sequence[Member], parts: int, order: Order = cheapest, *, fair: bool = False) -> int:
    """Show members that are at their entry level more fully, in an order by gain and place, while all of them together
    stay within `parts`; gives what is left. If `fair`, no file takes more than half until no other has more to show."""
    files = by_file(members)
    costs = {path: cost(shown) for path, shown in files.items()}
    half, left = parts // 2, parts - sum(costs.values())
    if fair and len(files) > 1:  # bodies alone: who became a skeleton here would never become a body
        left = _enrich(members, files, costs, left, order, half, (BODY,))
    return _enrich(members, files, costs, left, order, parts)


def enrich_compressed(members: Sequence[Member], parts: int) -> int:
    """Show members more fully, as `enrich` does, with bodies that lack their comments: only of the first few and where
    room is left they have them. No file takes more than half until no other has more to show."""
    files = by_file(members)
    costs = {path: cost(shown) for path, shown in files.items()}
    half, left = parts // 2, parts - sum(costs.values())
    left = _enrich(members[:WHOLE_FIRST], files, costs, left, likeliest, half, (BODY,))
    if len(files) > 1:
        left = _enrich(members, files, costs, left, flatter, half, (CODE,))
    left = _enrich(members, files, costs, left, flatter, parts, (CODE, SKELETON))
    for member in members:
        if member.level == CODE:
            left -= _with_comments(member, files[member.candidate.source.path], costs, left)
    return left


def _with_comments(member: Member, shown: Sequence[Member], costs: dict[str, int], parts: int) -> int:
    """Show all of a body if there is room for it; gives what more that takes."""
    source, symbol = member.candidate.source, member.candidate.symbol
    before = member.lines
    member.level, member.lines = BODY, joined(before, source.shown(symbol, BODY))
    more = cost(shown) - costs[source.path]
    if more > parts:
        member.level, member.lines = CODE, before
        return 0
    costs[source.path] += more
    return more


def _enrich(
    members: Sequence[Member],
    files: Mapping[str, list[Member]],
    costs: dict[str, int],
    parts: int,
    order: Order,
    most: int,
    levels: Sequence[str] = (BODY, SKELETON),
) -> int:
    """Spend what is left, while no file takes more than `most`."""
    for level in levels:
        turns = Turns(members, level, parts, order)
        while (member := turns.next(parts)) is not None:
            path = member.candidate.source.path
            before = member.level, member.lines
            member.level, member.lines = level, fuller(member, level)[0]
            now = cost(files[path])
            if now - costs[path] > parts or now > most:
                member.level, member.lines = before
            else:
                parts -= now - costs[path]
                costs[path] = now
    return parts


def fit_anchor(candidate: Candidate, parts: int, focus: Sequence[int] = ()) -> Member | None:
    """An anchor in the fullest way that fits its share: whole, or as a skeleton with what of `focus` fits in full, or
    as its names with what of the skeleton fits. None where not even the first name does."""
    source, symbol = candidate.source, candidate.symbol
    alone = symbol == MODULE  # a symbol shares its file with others, which may put gaps between its lines
    parts -= opening(source.path) + note_parts(Member(candidate, SKELETON, ()), SKELETON)  # no level has a longer name

    def fits(lines: tuple[int, ...], whole: bool = False) -> bool:
        if len(lines) * BLANK_PARTS > parts:
            return False  # no need to count what so many lines take: no line takes less
        return (source.parts(lines, whole) if alone else entry(source, lines, whole)) <= parts

    if parts < 0:
        return None
    body, skeleton = source.shown(symbol, BODY), source.shown(symbol, SKELETON)
    if fits(body, whole=True):
        return Member(candidate, BODY, body)
    if fits(skeleton):
        for further in focus:
            more = joined(skeleton, source.shown(further, BODY))
            skeleton = more if fits(more) else skeleton
        return Member(candidate, SKELETON, skeleton)
    kept: list[int] = []
    for line in dict.fromkeys((*source.shown(symbol, NAME), *skeleton)):
        parts -= entry(source, (line,)) if not alone else source.parts((line,), False)
        if parts < 0:
            break
        kept.append(line)
    return Member(candidate, NAME, tuple(sorted(kept))) if kept else None


def by_file(members: Sequence[Member]) -> dict[str, list[Member]]:
    """Path → its members, files in the order of their first member."""
    files: dict[str, list[Member]] = {}
    for member in members:
        files.setdefault(member.candidate.source.path, []).append(member)
    return files


def share_of_anchor(budget: int) -> int:
    """The anchor's part of a budget, in parts of a token."""
    return budget * UNIT // ANCHOR_SHARE
