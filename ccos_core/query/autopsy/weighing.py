"""How suspicious a file is for one trouble: what speaks for it and against it, summed up.

The strongest there is: changing it ended the failure. Then that it was changed last before the failure began, that it
wasn't held as it is while other things were tried, that it was read again just before things went well. The failure
reaches it by dependencies, the fold says how strongly: little where everything depends on it. What was changed in vain
is less suspicious, and so is where a failure only shows.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.query.autopsy.attempts import Attempt
from ccos_core.query.autopsy.case import RECENT, Case
from ccos_core.query.autopsy.held import OUT, STALE, UNCERTAIN, UNSEEN, Standing
from ccos_core.query.autopsy.rereads import rereads_of
from ccos_core.query.autopsy.troubles import uses_of

ENDED, ENDED_AFTER_ALL = 900, 450
"""Its change ended the failure: it was changed for the first time, or after failed attempts."""
FEW = 3
"""Files changed at the end of a failure; beyond that many, each is less likely the cause."""
BEGAN_AFTER, BEGAN_PERHAPS = 520, 400
"""It was the last file to change before the failure; less if the failure may be older."""
FOREIGN = 150
"""The agent wasn't shown that change."""
MISSED = {STALE: 380, OUT: 320, UNCERTAIN: 160}
MISSED_AGAIN, MISSED_MOST = 20, 100
TURNED, READ_AGAIN, CAUGHT_UP = 250, 120, 60
"""It was read again: the failure then ended, didn't end, or nothing had been tried before."""
KNOWN, LOOKED_AT = 30, 30
"""It was known before the failure: no agent read it again, or one did and left it unchanged."""
COMMON, PER_COMMON = 4, 10
"""From that many users on, each doubling makes it less suspicious by that much."""
PER_DOUBLING = 8
"""Share of the strength with which the failure reaches it."""
NEAR, PER_USE = 80, 10
"""Deduction if only whole files are known to use it, and for each use on the way."""
IN_VAIN, MOST_IN_VAIN = 120, 360
SHOWS = 150
"""Deduction for a file where the failure only shows."""
MOST_MISSED = 60
"""Files examined because the window lacked them, the nearest."""
LONG_AGO = 1_000
"""Steps before a failure in which something must have been shown to be missed at all."""
MOST_REACHED = 40
"""Files examined because a failure reaches them, the strongest."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """One file, and the evidence against it."""

    file: int
    score: int
    neglected: tuple[Attempt, ...]
    blind: tuple[Attempt, ...]
    missed: Standing | None
    """How the window held it when it was first missed."""
    reread: int
    ended: bool
    """Whether its change ended the failure."""
    changed: int
    """The step at which it was changed last before the failure began; 0 if it wasn't."""


def weighed(case: Case) -> list[Weighed]:
    """Return all files in question, the most suspicious first."""
    found = [weigh(case, file) for file in _candidates(case)]
    path = case.deeds.files.path
    return sorted(found, key=lambda each: (-each.score, path(each.file)))


def weigh(case: Case, file: int) -> Weighed:
    """Weigh one file."""
    neglected, blind = case.neglected(file), case.blind(file)
    missed = case.standing(file, blind[0]) if blind else None
    changed = next((each.change.step for each in case.before if each.file == file), 0)
    reread = case.reread(file, blind)
    score = _reached(case, file) + _change(case, file) + _end(case, file)
    score += _held(case, file, neglected, blind) + _again(case, file, reread) - _against(case, file)
    if case.upstream.is_test(file):
        score //= 4
    ended = file in case.last and case.trouble.end > 0
    return Weighed(file, max(score, 1), tuple(neglected), tuple(blind), missed, reread, ended, changed)


def _candidates(case: Case) -> list[int]:
    upstream = case.upstream
    reached = sorted(upstream.strengths, key=lambda file: (-upstream.strengths[file], file))
    contexts = list(dict.fromkeys(attempt.context for attempt in case.watched))
    begin, last = (
        case.deeds.before(case.trouble.begin, LONG_AGO),
        case.attempts[-1].first if case.attempts else case.trouble.told[-1],
    )
    known = [file for file in upstream.depths if any(case.held.is_known(each, file, begin, last) for each in contexts)]
    known = [file for file in known if any(case.is_missed(file, attempt) for attempt in case.watched)]
    found = dict.fromkeys(
        [*case.last, *(each.file for each in case.before), *reached[:MOST_REACHED], *known[:MOST_MISSED]]
    )
    return list(found)


def _reached(case: Case, file: int) -> int:
    strength = case.upstream.strengths.get(file, 0)
    if strength:
        return PER_DOUBLING * strength.bit_length()
    return max(NEAR - PER_USE * case.upstream.depth(file), 0) if case.upstream.has(file) else 0


def _change(case: Case, file: int) -> int:
    others = [each for each in case.before if not case.upstream.is_test(each.file)]
    for rank, each in enumerate(others):
        if each.file == file:
            foreign = each.change.context < 0 or case.deeds.by_user(each.change.step)
            return ((BEGAN_AFTER if case.green else BEGAN_PERHAPS) >> rank) + FOREIGN * foreign
    return 0


def _end(case: Case, file: int) -> int:
    if file not in case.last:
        return 0
    return (ENDED_AFTER_ALL if case.is_tried(file) else ENDED) * FEW // max(len(case.last), FEW)


def _held(case: Case, file: int, neglected: list[Attempt], blind: list[Attempt]) -> int:
    if not neglected:
        return 0
    if blind:
        worst = max(MISSED[case.standing(file, attempt).state] for attempt in blind)
        return worst + min(MISSED_AGAIN * len(blind), MISSED_MOST)
    seen = [case.standing(file, attempt) for attempt in case.watched if attempt in neglected]
    if all(each.state == UNSEEN for each in seen):
        return 0
    return -LOOKED_AT if any(each.shown > case.trouble.begin for each in seen) else KNOWN


def _again(case: Case, file: int, reread: int) -> int:
    if not reread:
        return CAUGHT_UP if file not in case.upstream.symptoms and _is_caught_up(case, file) else 0
    return TURNED if turned_soon(case, reread) else READ_AGAIN


def _is_caught_up(case: Case, file: int) -> bool:
    """Return whether it was dropped and read again around the failure."""
    begin, end = case.deeds.before(case.trouble.begin, RECENT), case.trouble.lasts(case.deeds.upto)
    return any(each.file == file and begin < each.step <= end for each in rereads_of(case.work))


def turned_soon(case: Case, reread: int) -> bool:
    """Return whether the failure ended soon after something was read again, with at most one more failed attempt."""
    after = [told for told in case.trouble.told if told > reread]
    return case.trouble.end > reread and len(after) <= 1


def _against(case: Case, file: int) -> int:
    vain = sum(file in attempt.files for attempt in case.attempts) if file not in case.last else 0
    users = uses_of(case.deeds).users(file)
    common = PER_COMMON * users.bit_length() if users >= COMMON else 0
    return min(IN_VAIN * vain, MOST_IN_VAIN) + (SHOWS if file in case.upstream.frames else 0) + common
