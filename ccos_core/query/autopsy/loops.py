"""Repeated attempts in vain: a file that is changed to and fro, or always at the same place, while the failure remains
or two take turns; or a failing run that is repeated without any change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ccos_core.query.autopsy.attempts import Attempt
from ccos_core.query.autopsy.case import ALIKE, APART, SHOWS, Case
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.query.autopsy.troubles import Trouble, said_by


class Loop(NamedTuple):
    """A file that was changed time and again."""

    file: int
    tries: int
    """Attempts that changed it and failed."""
    returns: int
    """How often it was again what it had been before."""
    steps: tuple[int, ...]
    """The last change of each attempt."""
    back: tuple[int, ...]
    """Those of them that made it again what it had been."""


MANY_RETURNS = 2
MANY_TRIES = 3
VERY_MANY_TRIES = 5
STANDING_STILL = 4
"""Runs that tell the same with nothing changed in between: an agent that doubts the first one runs it once more."""


def loop_of(case: Case) -> Loop | None:
    """The file that was changed in circles most, if one was."""
    files = dict.fromkeys(file for attempt in case.attempts for file in attempt.files)
    loops = [loop for file in files if _is_loop(case, loop := _looped(case, file))]
    return max(loops, key=lambda loop: (loop.returns, loop.tries, -loop.file), default=None)


def idle_runs(deeds: Deeds, trouble: Trouble) -> tuple[int, ...]:
    """The most runs in a row that told one context the same with nothing changed in between; none if they are but a
    few. An agent that looks into what another did runs it too, and isn't standing still."""
    if len(trouble.told) < STANDING_STILL:
        return ()
    told: dict[int, list[int]] = {}
    for step in trouble.told:
        told.setdefault(deeds.context(step), []).append(step)
    best = max((_idle(deeds, steps) for steps in told.values()), key=len)
    return tuple(best) if len(best) >= STANDING_STILL else ()


def _idle(deeds: Deeds, steps: list[int]) -> list[int]:
    best = now = steps[:1]
    for before, step in pairwise(steps):
        now = [step] if deeds.changed_in(before, step) or deeds.edits_in(before, step) else [*now, step]
        best = max(best, now, key=len)
    return best


def _looped(case: Case, file: int) -> Loop:
    tried = [attempt for attempt in case.attempts if attempt.told and file in attempt.files]
    steps = [step for attempt in tried for step in _in_vain(case, attempt, file)]
    steps += _turned_over(case, file, case.last.get(file, ()))
    texts = [case.deeds.content(file, steps[0] - 1)] if steps else []
    back = []
    for step in steps:
        text = case.deeds.content(file, step)
        if text in texts[:-1] and text != texts[-1] and not case.work.requests.to_undo(step):
            back.append(step)
        texts.append(text)
    return Loop(file, len(steps), len(back), tuple(steps), tuple(back))


def _in_vain(case: Case, attempt: Attempt, file: int) -> list[int]:
    """The changes of a file in an attempt that a run found to have solved nothing."""
    last = set() if _got_further(case, attempt) else {attempt.files[file][-1]}
    return sorted(last.union(_turned_over(case, file, attempt.files[file])))


def _turned_over(case: Case, file: int, changes: Sequence[int]) -> Iterator[int]:
    """Yield those of a file's changes that turned the failure into another one known by then: where of two tests one
    fails at a time, an attempt at the one is an attempt at the other."""
    for change, after in pairwise(changes):
        if any(_fails_as_before(case, trouble, file, change, after) for trouble in case.work.troubles):
            yield change


def _fails_as_before(case: Case, trouble: Trouble, file: int, change: int, after: int) -> bool:
    """Whether a run between two changes of a file told a trouble that depends on it the way it had been told before."""
    told = [step for step in trouble.told if change < step < after]
    if trouble is case.trouble or not told or trouble.begin > change or not case.work.upstream(trouble).has(file):
        return False
    says = said_by(case.deeds, trouble)
    before = {words for step, words in says.items() if step < change}
    return all(says.get(step) in before for step in told)


def _got_further(case: Case, attempt: Attempt) -> bool:
    """Whether the run after an attempt failed in a way it hadn't before: such an attempt solved a part of it."""
    says = said_by(case.deeds, case.trouble)
    before = {words for told, words in says.items() if told < attempt.first}
    now = says.get(attempt.told)
    return now is not None and bool(before) and now not in before


def _is_loop(case: Case, loop: Loop) -> bool:
    if loop.returns >= MANY_RETURNS:
        return True
    if loop.returns and loop.tries > MANY_TRIES - (case.trouble.end == 0):
        return True
    if case.trouble.end:
        return loop.tries >= VERY_MANY_TRIES and loop.file not in case.last
    repeated = [each for each in case.attempts if loop.file in each.files and not _got_further(case, each)]
    ways = [case.way_of(attempt) for attempt in repeated]
    beside = sum(way in (SHOWS, ALIKE) for way in ways)
    return beside >= MANY_TRIES or loop.tries - ways.count(APART) >= VERY_MANY_TRIES
