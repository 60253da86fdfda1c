"""Whether work on one trouble went astray, and on what file: a few rules, the surest first.

An agent that errs once and then finds the cause is at work, not adrift; so is one that tries several parts of what a
new test needs. It is adrift when what it needed had left its window, or was another than it knew, or when it went on
changing where the failure only shows, or what has nothing to do with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ccos_core.query.autopsy.case import ALIKE, ON, SHOWS, Case
from ccos_core.query.autopsy.held import OUT, STALE
from ccos_core.query.autopsy.loops import Loop, idle_runs, loop_of
from ccos_core.query.autopsy.weighing import Weighed, turned_soon, weigh, weighed

PATIENCE = 2
"""Attempts elsewhere before they count as drift; more while a new test is being made to pass."""
MORE_PATIENCE = 2
BEFORE_A_DECOY = 3
CIRCLED_AT, REPEATED_AT = 2, 3
"""Place among the suspects of a file changed back and forth, or repeatedly at one place."""
MOST_WEIGHT = 50
MOST_ALIKE = 2
"""Attempts at files that only resemble it."""


class Drift(NamedTuple):
    """How the work on a trouble went astray."""

    case: Case
    kind: str
    about: Weighed
    """The file it is about."""
    weighed: tuple[Weighed, ...]
    """All files in question, the most suspicious first; `about` before all others."""
    loop: Loop | None
    idle: tuple[int, ...]
    """Consecutive runs with the same outcome and no change between them."""
    certainty: str
    weight: int


def judged(case: Case) -> Drift | None:
    """Judge the work on a trouble; None if it didn't go astray."""
    idle = idle_runs(case.deeds, case.trouble)
    if not case.attempts and not idle:
        return None
    every = weighed(case)
    loop = loop_of(case)
    for weight, rule in RULES:
        found = rule(case, every, loop)
        if found is not None:
            about, kind, certainty = found
            about = replace(about, score=max(each.score for each in (about, *every)))
            order = _in_order(case, about, every, loop)
            weight += min(len(case.attempts), MOST_WEIGHT)
            return Drift(case, kind, about, order, loop, idle, certainty, weight)
    return None


Found = tuple[Weighed, str, str] | None
"""A file, what it is suspected of, and how sure that is."""


def kind_of(each: Weighed) -> str:
    """Return what a file is suspected of."""
    if each.missed is None:
        return "untouched"
    if each.missed.state == STALE:
        return "stale"
    return "reread" if each.reread else "evicted"


def _in_order(case: Case, about: Weighed, every: Sequence[Weighed], loop: Loop | None) -> tuple[Weighed, ...]:
    """The file it is about, and all others; one that was changed in circles is among the first in any case, but where
    nothing that failed depends on it, nor ended by its change, comes after what may be the cause."""
    others = [each for each in every if each.file != about.file]
    if not (case.upstream.has(about.file) or about.ended):
        return (*others[:BEFORE_A_DECOY], about, *others[BEFORE_A_DECOY:])
    circled = [each for each in others if loop is not None and each.file == loop.file]
    others = [each for each in others if each not in circled]
    place = CIRCLED_AT if loop is not None and loop.returns else REPEATED_AT
    return (about, *others[: place - 1], *circled, *others[place - 1 :])


def _mended(case: Case, every: Sequence[Weighed], _: Loop | None) -> Found:
    """The file whose change ended it had been left alone: out of the window, or for too long."""
    ended = [each for each in every if each.ended and not case.upstream.is_test(each.file)]
    if not ended:
        return None
    about = ended[0]
    patience = PATIENCE + (MORE_PATIENCE if case.is_test_first else 0)
    long = len(about.neglected) >= patience + MORE_PATIENCE
    if about.blind or long or case.astray(about.neglected) >= patience:
        sure = any(case.deeds.is_certain(about.file, step) for step in case.last[about.file])
        certain = sure and len(ended) == 1 and not case.trouble.presumed
        return about, kind_of(about), "certain" if certain else "likely"
    return None


def _turned(case: Case, every: Sequence[Weighed], _: Loop | None) -> Found:
    """A missed file was read again, and then the failure ended; or it is being worked on."""
    for each in every:
        if not each.reread or each.file in case.upstream.symptoms:
            continue
        if turned_soon(case, each.reread) or (not case.trouble.end and case.is_tried(each.file)):
            return each, kind_of(each), "likely"
    return None


def _broken(case: Case, every: Sequence[Weighed], _: Loop | None) -> Found:
    """A file changed just before the failure was left alone since."""
    if case.trouble.end and not _is_masked(case):
        return None
    worked = _is_worked_on(case)
    patience = PATIENCE + (MORE_PATIENCE if case.is_test_first else 0)
    by_change = sorted((each for each in every if each.changed), key=lambda each: -each.changed)
    for each in by_change:
        if each.file in case.upstream.symptoms or case.is_tried(each.file):
            continue
        if len(each.blind) >= (1 if _is_news(each) or not (case.trouble.end or worked) else PATIENCE):
            return each, kind_of(each), "likely"
        if not worked and not case.trouble.end and case.astray(each.neglected) >= patience:
            return each, kind_of(each), "likely" if case.green else "possible"
    return None


def _lost(case: Case, every: Sequence[Weighed], _: Loop | None) -> Found:
    """A file deeper than all attempts, known before, was dropped or changed meanwhile."""
    if case.trouble.end or any(case.is_tried(each.file) for each in case.before):
        return None
    upstream = case.upstream
    tried = [file for attempt in case.attempts for file in attempt.files if file in upstream.depths]
    deepest = max((upstream.depths[file] for file in tried), default=0)
    least = PATIENCE + 1 if _is_worked_on(case) else 1
    for each in every:
        if each.missed is None or each.file in upstream.symptoms or case.is_tried(each.file):
            continue
        if len(each.blind) < least or upstream.depth(each.file) <= deepest:
            continue
        if each.missed.by > case.trouble.begin or each.blind[0].told:
            certainty = "likely" if each.missed.state in (STALE, OUT) else "possible"
            return each, kind_of(each), certainty
    return None


def _circled(case: Case, every: Sequence[Weighed], loop: Loop | None) -> Found:
    """The same change was tried repeatedly."""
    if loop is None:
        return None
    about = next((each for each in every if each.file == loop.file), None) or weigh(case, loop.file)
    return about, "loop", "certain" if loop.returns else "likely"


def _beside(case: Case, every: Sequence[Weighed], _: Loop | None) -> Found:
    """Only symptoms or unrelated files were changed, and it still fails."""
    if case.trouble.end or _is_worked_on(case):
        return None
    ways = [case.way_of(attempt) for attempt in case.attempts if attempt.told]
    if ways.count(SHOWS) + ways.count(ALIKE) <= PATIENCE and ways.count(ALIKE) < MOST_ALIKE:
        return None
    for each in every:
        if each.file not in case.upstream.symptoms and case.upstream.has(each.file):
            return each, kind_of(each), "possible"
    return None


def _stood_still(case: Case, every: Sequence[Weighed], _: Loop | None) -> Found:
    """The failing run was repeated without a change."""
    if not idle_runs(case.deeds, case.trouble) or not every:
        return None
    return next((each for each in every if each.file not in case.upstream.symptoms), every[0]), "loop", "likely"


RULES = (
    (700, _mended),
    (600, _turned),
    (500, _broken),
    (400, _lost),
    (300, _circled),
    (250, _stood_still),
    (200, _beside),
)
"""(weight against findings on other troubles, rule), in the order in which they are tried."""


def _is_worked_on(case: Case) -> bool:
    """Return whether at least half of the attempts changed what the failure depends on."""
    ways = [case.way_of(attempt) for attempt in case.attempts]
    return ON in ways and 2 * ways.count(ON) >= len(ways)


def _is_news(each: Weighed) -> bool:
    """Return whether it changed just before the failure without the agent being told."""
    return each.missed is not None and each.missed.state == STALE and each.changed > 0


def _is_masked(case: Case) -> bool:
    """Return whether only changes of its symptoms ended it."""
    return bool(case.last) and all(file in case.upstream.symptoms for file in case.last)
