"""Failures from their beginning to their end, as the journal's rows tell them one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ccos_core.replay.journal import Journal
from ccos_core.values.canon import parse


@dataclass(slots=True)
class Outage:
    """A failure that lived for a while, or lives."""

    row: int
    """The last row of the journal's failures that tells what it is."""

    since: int
    """The step at which it failed first."""

    renewed: int
    """How often it failed again."""

    ended: int
    """The step at which it ended; 0 where it lives."""

    began: int
    """The step of its first row: later than `since` where it had another name before."""

    born: tuple[object, ...]
    """What it is known by, whatever its file is called, as it began, ..."""

    told: tuple[object, ...]
    """... and at last."""


def outages(journal: Journal, step: int) -> list[Outage]:
    """All there were up to a step, as they began."""
    rows, looks = journal.failures, journal.steps["look"]
    upto = int(np.searchsorted(rows["step"], step, side="right"))
    steps, keys, told = (rows[name][:upto].tolist() for name in ("step", "key", "told"))
    again = (looks[rows["step"][:upto] - 1] == 0).tolist()
    """Whether a row tells of a failure anew; in a look at a tree it only gets another name."""
    live: dict[int, list[int]] = {}
    found: list[Outage] = []
    for row, key in enumerate(keys):
        if told[row] >= 0:
            live.setdefault(key, []).append(row)
        elif key in live:
            found += _lives(journal, live.pop(key), steps, again, steps[row])
    for each in live.values():
        found += _lives(journal, each, steps, again, 0)
    return _joined(sorted(found, key=lambda each: (each.began, each.since, each.row)))


def _lives(journal: Journal, rows: list[int], steps: list[int], again: list[bool], ended: int) -> Iterator[Outage]:
    """The failures that some rows tell of one after the other: one run may end one and begin the next."""
    while rows:
        since, born = _known_by(journal, rows[0])
        if _since(journal, rows[-1]) == since:
            size = len(rows)
        else:
            size = next(at for at, row in enumerate(rows) if _since(journal, row) != since)
        own, rows = rows[:size], rows[size:]
        last = _known_by(journal, own[-1])[1]
        over = steps[rows[0]] if rows else ended
        yield Outage(own[-1], since, sum(again[row] for row in own[1:]), over, steps[own[0]], born, last)


def _since(journal: Journal, row: int) -> int:
    """The step at which a failure failed first."""
    return int(journal.failures["since"][row])


def _known_by(journal: Journal, row: int) -> tuple[int, tuple[object, ...]]:
    """The step at which it failed first; and what it is known by whatever its file is called."""
    runner, _, part = parse(journal.name(int(journal.failures["key"][row])).encode("utf-8", "surrogatepass"))
    said, _ = journal.value(int(journal.failures["told"][row]))
    since, last = int(journal.failures["since"][row]), int(journal.failures["last"][row])
    return since, (runner, part, said[3], since, last)


def _joined(found: list[Outage]) -> list[Outage]:
    """A failure that a rename has ended goes on as the one that began then, and tells the same."""
    ended: dict[tuple[object, ...], list[Outage]] = {}
    for each in found:
        ended.setdefault((each.ended, *each.told), []).append(each)
    kept: list[Outage] = []
    for each in found:
        before = ended.get((each.began, *each.born), []) if each.began > each.since else []
        if not before:
            kept.append(each)
            continue
        one = before.pop(0)
        one.row, one.told, one.ended = each.row, each.told, each.ended
        one.renewed += each.renewed
        same = ended[each.ended, *each.told]
        same[same.index(each)] = one
    return kept
