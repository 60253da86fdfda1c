"""Failures from their beginning to their end, as the journal's rows tell them one by one."""

from __future__ import annotations

from dataclasses import dataclass

from ccos_core.replay.journal import Journal
from ccos_core.replay.past import failure_told


@dataclass(slots=True, eq=False)
class Outage:
    """A failure that lived for a while, or lives."""

    first: int
    """The first row of the journal's failures that tells what it is, ..."""

    row: int
    """... and the last one."""

    since: int
    """The step at which it failed first, ..."""

    last: int
    """... and last."""

    renewed: int
    """How often it failed again."""

    ended: int
    """The step at which it ended; 0 where it lives."""

    began: int
    """The step of its first row: later than `since` where it had another name before."""


def outages(journal: Journal, step: int) -> list[Outage]:
    """All there were up to a step, as they began."""
    rows = journal.failures
    upto = rows.upto(step)
    columns = (rows[name][:upto].tolist() for name in ("step", "key", "told", "since", "last"))
    live: dict[int, Outage] = {}
    found: list[Outage] = []
    for row, (at, key, told, since, last) in enumerate(zip(*columns, strict=True)):
        known = live.pop(key, None)
        if told >= 0 and known is not None and known.since == since:
            known.renewed += known.last != last
            known.row, known.last = row, last
            live[key] = known
            continue
        if known is not None:
            known.ended = at  # it passed; or one run ended it and had it fail again
        if told >= 0:
            live[key] = Outage(row, row, since, last, 0, 0, at)
            found.append(live[key])
    return _joined(journal, found)


def _joined(journal: Journal, found: list[Outage]) -> list[Outage]:
    """A failure that a rename has ended goes on as the one that began then, and tells the same."""
    again = [each for each in found if each.began > each.since]
    moments = {each.began for each in again}
    ended: dict[tuple[object, ...], list[Outage]] = {}
    for each in found:
        if each.ended in moments:
            ended.setdefault((each.ended, *_known_by(journal, each.row)), []).append(each)
    gone: dict[int, None] = {}
    for each in again:
        same = ended.get((each.began, *_known_by(journal, each.first)), [])
        if not same:
            continue
        before = same.pop(0)
        before.row, before.last, before.ended = each.row, each.last, each.ended
        before.renewed += each.renewed
        gone[each.first] = None
        if each.ended in moments:
            later = ended[each.ended, *_known_by(journal, each.row)]
            later[later.index(each)] = before
    return [each for each in found if each.first not in gone]


def _known_by(journal: Journal, row: int) -> tuple[object, ...]:
    """What a failure is known by whatever its file is called."""
    (runner, _, part), live = failure_told(journal, row)
    return runner, part, live.failure.message, live.since, live.step
