"""Rules and failures as they were at a step, and failures from their beginning to their end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ccos_core.replay.columns import Numbers
from ccos_core.replay.journal import NEVER, Journal
from ccos_core.state.failures import Failures, Key, Live
from ccos_core.state.rules import INITIAL, Rules
from ccos_core.values.canon import parse_known
from ccos_core.values.outcome import Failure, Frame


def rules_at(journal: Journal, step: int) -> Rules:
    """What weighed how much."""
    at = journal.rules.upto(step)
    known: dict[int, Rules] = journal.once("rules told", dict)
    if at not in known:
        known[at] = _rules_told(journal, at - 1) if at else INITIAL
    return known[at]


def failures_at(journal: Journal, step: int) -> Failures:
    """What failed."""
    rows = journal.failures
    upto = rows.upto(step)
    after = journal.growing("failures after", _NextOfKey).of(rows["key"])
    last = np.nonzero((after[:upto] >= upto) & (rows["told"][:upto] >= 0))[0]
    told = [failure_told(journal, at) for at in last.tolist()]
    return Failed(dict(sorted(told, key=lambda each: (each[1].since, each[0]))))


def _rules_told(journal: Journal, row: int) -> Rules:
    ticks, weights, caps, _ = journal.value(int(journal.rules["told"][row]))[0]
    return Rules(ticks, weights, caps)


class _NextOfKey:
    """Of each row of failures the next one with the same key, NEVER where there is none. It goes on with the journal: a
    server is asked at each new step."""

    def __init__(self) -> None:
        self._room: Numbers = np.empty(0, np.int32)
        self._size = 0
        self._last: dict[int, int] = {}
        """Key → its last row."""

    def of(self, keys: Numbers) -> Numbers:
        """The same for rows with these keys, of which the first are known."""
        begin, self._size = self._size, len(keys)
        if self._size > len(self._room):
            room = np.full(self._size + self._size // 4, NEVER, np.int32)
            room[:begin] = self._room[:begin]
            self._room = room
        new = keys[begin:]
        order = np.argsort(new, kind="stable")
        sorted_keys, rows = new[order], order + begin
        is_again = sorted_keys[1:] == sorted_keys[:-1]
        self._room[rows[:-1][is_again]] = rows[1:][is_again]
        is_first, is_last = np.concatenate([[True], ~is_again]), np.concatenate([~is_again, [True]])
        if len(new):
            for key, row in zip(sorted_keys[is_first].tolist(), rows[is_first].tolist(), strict=True):
                if key in self._last:
                    self._room[self._last[key]] = row
            self._last.update(zip(sorted_keys[is_last].tolist(), rows[is_last].tolist(), strict=True))
        return self._room[: self._size]

    def cut(self, sizes: Mapping[str, int]) -> None:
        """Only the first failures are what they were."""
        if sizes["failures"] < self._size:
            self._room[:], self._size = NEVER, 0
            self._last.clear()


class Failed(Failures):
    """Failures as they were; they don't change any more."""

    def __init__(self, live: dict[Key, Live]) -> None:
        super().__init__()
        self.live = live
        self.on = _Reaching(live)
        for key, each in live.items():
            self._feel(key, each)


class _Reaching(dict[str, dict[Key, None]]):
    """Node → the failures that reach it; found out for those somebody asks for, who are few among hundreds."""

    def __init__(self, live: Mapping[Key, Live]) -> None:
        super().__init__()
        self._live = live

    def __missing__(self, node: str) -> dict[Key, None]:
        found = {key: None for key, live in self._live.items() if node in live.strengths}
        if not found:
            raise KeyError(node)
        self[node] = found
        return found

    def get(self, node: str, instead: Any = None) -> Any:
        """Those of a node, if there are any."""
        try:
            return self[node]
        except KeyError:
            return instead


def failure_told(journal: Journal, row: int) -> tuple[Key, Live]:
    """A failure as a row of the journal has it; read once, for one moment after another asks for the same."""
    known: dict[int, tuple[Key, Live]] = journal.once("failures told", dict)
    if row not in known:
        known[row] = _failure_told(journal, row)
    return known[row]


def _failure_told(journal: Journal, row: int) -> tuple[Key, Live]:
    rows = journal.failures
    said, anchors = parse_known(journal.told[int(rows["told"][row])])
    since, step, unit, begin, end = (int(rows[name][row]) for name in ("since", "last", "unit", "begin", "end"))
    nodes, strengths = (journal.reached[name][begin:end] for name in ("node", "strength"))
    strengths_of = dict(zip(journal.spelled(nodes), strengths.tolist(), strict=True))
    frames = tuple(Frame(*each) for each in said[2])
    failure = Failure(said[0], said[1], frames, said[3], said[4])
    return key_of(journal, row), Live(failure, tuple(anchors), since, step, unit, strengths_of)


def key_of(journal: Journal, row: int) -> Key:
    """By what a failure is known, of a row of the journal."""
    number = int(journal.failures["key"][row])
    runner, test, part = parse_known(journal.name(number).encode("utf-8", "surrogatepass"))
    return runner, test, part


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
