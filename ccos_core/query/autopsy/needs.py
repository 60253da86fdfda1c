"""Which of the files that had to be read again were needed most: those that a failure at that time may come from.

An agent that lost a dozen files reads them all again, most of them only to find its way. What matters is weighed as for
any failure: how it depends on the file, and whether changing the file ended it.
"""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from ccos_core.query.autopsy.case import Case, Work
from ccos_core.query.autopsy.rereads import SOON, Reread
from ccos_core.query.autopsy.troubles import Trouble
from ccos_core.query.autopsy.weighing import weigh

MOST_TROUBLES = 4
"""Failures that are asked, of those alive when it was read again, and of those that began soon after."""
MOST_FILES = 40
"""Files that are weighed, those that were read again first; all others come after these."""


def by_need(work: Work, every: list[Reread]) -> list[Reread]:
    """The most needed first; else as they were read, a test after what it tests."""
    first: dict[int, Reread] = {}
    for each in every:
        first.setdefault(each.file, each)
    files = list(first.values())
    cases: dict[Trouble, Case] = {}
    found = [each._replace(need=_need(work, each, cases)) for each in files[:MOST_FILES]]
    is_test = work.deeds.is_test
    found.sort(key=lambda each: (-each.need, is_test(each.file), each.step, each.file))
    return [*found, *files[MOST_FILES:]]


def _need(work: Work, reread: Reread, cases: dict[Trouble, Case]) -> int:
    at = bisect_left(work.troubles, reread.step, key=attrgetter("begin"))
    soon = work.deeds.after(reread.step, SOON)
    later = [each for each in work.troubles[at : at + MOST_TROUBLES] if each.begin <= soon]
    troubles = [*work.alive(reread.step)[:MOST_TROUBLES], *later]
    return max((_weight(work, each, reread.file, cases) for each in troubles), default=0)


def _weight(work: Work, trouble: Trouble, file: int, cases: dict[Trouble, Case]) -> int:
    if not work.upstream(trouble).has(file):
        return 0
    if trouble not in cases:
        cases[trouble] = Case(work, trouble)
    return weigh(cases[trouble], file).score
