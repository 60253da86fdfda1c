"""Failures as stretches of a session: from the run that told them first to the one after which they were over.

Failures that the same runs told and the same run ended are one trouble. What a trouble depends on is what the fold
itself let it spread to, and beyond that whatever its files use, a few uses far.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ccos_core.present.words import node_words
from ccos_core.query.autopsy.deeds import Deeds
from ccos_core.query.autopsy.over import presumed_end
from ccos_core.replay.past import failure_told
from ccos_core.values.canon import parse

FARTHEST = 4
"""Uses that are followed from file to file."""
WIDEST = 500
"""Files that are followed at all."""
VARYING = re.compile(r"\d+|'[^'\n]*'|\"[^\"\n]*\"|0x[0-9a-f]+")
"""What of a failure's message may be another each time, though the failure is the same."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Failures that began, were told and ended together."""

    keys: tuple[int, ...]
    """The numbers of their names."""
    told: tuple[int, ...]
    """The steps of the runs that told them."""
    end: int
    """The step at which they were over; 0 while they are alive."""
    since: int
    """The step at which they were over the last time before; 0 where that isn't known."""
    rows: tuple[int, ...]
    """Rows of the journal's failures."""
    presumed: bool = False
    """Whether its end is inferred: the same command told nothing of it any more."""

    @property
    def begin(self) -> int:
        """When it was told first."""
        return self.told[0]

    def lasts(self, upto: int) -> int:
        """The last step of it."""
        return self.end or upto


def troubles(deeds: Deeds) -> list[Trouble]:
    """All of them, in the order in which they began."""
    grouped: dict[tuple[tuple[int, ...], int], list[_Life]] = {}
    for life in _lives(deeds):
        grouped.setdefault((tuple(life.told), life.end), []).append(life)
    return [
        Trouble(
            tuple(life.key for life in lives),
            told,
            end,
            max(life.since for life in lives),
            tuple(row for life in lives for row in life.rows),
            any(life.presumed for life in lives),
        )
        for (told, end), lives in sorted(grouped.items())
    ]


def is_placed(deeds: Deeds, trouble: Trouble) -> bool:
    """Whether a trouble is at a file that the record has a source of: `Upstream.felt` without the cost of the rest."""
    steps, told = deeds.journal.failures["step"], deeds.journal.failures["told"]
    return any(
        True for row in trouble.rows for _ in _files_of(deeds, deeds.journal.value(int(told[row]))[1], int(steps[row]))
    )


def said_by(deeds: Deeds, trouble: Trouble) -> dict[int, frozenset[tuple[int, str]]]:
    """Return for each run that reported a trouble what it said of each failure, without numbers and quoted values."""
    known: dict[Trouble, dict[int, frozenset[tuple[int, str]]]] = deeds.__dict__.setdefault("_said_by", {})
    if trouble not in known:
        rows = deeds.journal.failures
        found: dict[int, set[tuple[int, str]]] = {}
        for row in trouble.rows:
            message = failure_told(deeds.journal, row)[1].failure.message
            said = int(rows["key"][row]), VARYING.sub("#", message)
            found.setdefault(int(rows["step"][row]), set()).add(said)
        known[trouble] = {step: frozenset(said) for step, said in found.items()}
    return known[trouble]


class Upstream:
    """What a trouble may come from."""

    def __init__(self, deeds: Deeds, trouble: Trouble) -> None:
        self.deeds = deeds
        self.trouble = trouble
        self.strengths: dict[int, int] = {}
        """File → how strongly the failures reach it, at best; of several failures the average."""
        self.symbols: dict[int, dict[str, int]] = {}
        """File → what in it they reach, and how strongly."""
        self.felt: dict[int, None] = {}
        """Where they are felt: the innermost place of each."""
        self.frames: dict[int, None] = {}
        """All files they went through."""
        self._spread()
        self.depths: dict[int, int] = {}
        """File → uses from where they are felt; as far as there is a way."""
        self.via: dict[int, int] = {}
        """File → the one before it on a shortest way."""
        self._follow()

    def has(self, file: int) -> bool:
        """Whether the trouble depends on a file."""
        return file in self.strengths or file in self.depths

    @property
    def reached(self) -> dict[int, None]:
        """All it depends on."""
        return dict.fromkeys([*self.strengths, *self.depths])

    def depth(self, file: int) -> int:
        """How far from where it is felt a file is."""
        return self.depths.get(file, FARTHEST)

    @cached_property
    def symptoms(self) -> dict[int, None]:
        """Files where a failure only shows: those it went through, and every test."""
        tests = [file for file in self.strengths if self.is_test(file)]
        return dict.fromkeys([*self.felt, *self.frames, *tests])

    @cached_property
    def surface(self) -> dict[int, None]:
        """The same, and what a test uses itself, where a failure only shows in tests."""
        below = [file for file, depth in self.depths.items() if depth == 1 and not self.is_test(file)]
        return {**self.symptoms, **(dict.fromkeys(below) if all(map(self.is_test, self.felt)) else {})}

    def is_test(self, file: int) -> bool:
        """Whether a file is one of the tests."""
        return self.deeds.is_test(file)

    def way(self, file: int) -> tuple[int, ...]:
        """From where it is felt to a file, each using the next; empty where no way is known."""
        found = [file]
        while (before := self.via.get(found[-1])) is not None:
            found.append(before)
        return tuple(reversed(found)) if found[-1] in self.felt else ()

    def strongest(self, file: int, most: int = 3) -> tuple[str, ...]:
        """What in a file the failures reach most strongly."""
        symbols = self.symbols.get(file, {})
        return tuple(sorted(symbols, key=lambda name: (-symbols[name], name))[:most])

    # -- helpers --------------------------------------------------------------------------------------------------

    def _spread(self) -> None:
        journal = self.deeds.journal
        rows = journal.failures
        sums: dict[int, dict[int, int]] = {}
        spans: dict[tuple[int, int], None] = {}
        for row in self.trouble.rows:
            step, key = int(rows["step"][row]), int(rows["key"][row])
            self._feel(journal.value(int(rows["told"][row]))[1], step)
            span = int(rows["begin"][row]), int(rows["end"][row])
            if span not in spans:
                spans[span] = None
                self._reach(*span, step, sums.setdefault(key, {}))
        for reached in sums.values():
            for file, strength in reached.items():
                self.strengths[file] = self.strengths.get(file, 0) + strength
        for file in self.strengths:
            self.strengths[file] //= len(sums)

    def _feel(self, anchors: Sequence[str], step: int) -> None:
        at = list(_files_of(self.deeds, anchors, step))
        self.felt.update(dict.fromkeys(at[:1]))
        self.frames.update(dict.fromkeys(at))

    def _reach(self, begin: int, end: int, step: int, reached: dict[int, int]) -> None:
        journal, files = self.deeds.journal, self.deeds.files
        nodes, strengths = (journal.reached[name][begin:end].tolist() for name in ("node", "strength"))
        for node, strength in zip(nodes, strengths, strict=True):
            file = files.file_of(node, step)
            if file < 0:
                continue
            reached[file] = max(reached.get(file, 0), strength)
            name = journal.name(node)
            if name.startswith("sym:"):
                symbols = self.symbols.setdefault(file, {})
                symbols[name] = max(symbols.get(name, 0), strength)

    def _follow(self) -> None:
        uses = uses_of(self.deeds)
        waiting = list(self.felt) or list(self.frames)
        self.depths = dict.fromkeys(waiting, 0)
        for file in waiting:  # grows while it is gone through
            if self.depths[file] >= FARTHEST or len(self.depths) > WIDEST:
                break
            for target in uses.of(file):
                if target not in self.depths:
                    self.depths[target] = self.depths[file] + 1
                    self.via[target] = file
                    waiting.append(target)


class Uses:
    """Which file ever used which."""

    def __init__(self, deeds: Deeds) -> None:
        uses = deeds.journal.uses
        upto = uses.upto(deeds.upto)
        steps, targets = uses["step"][:upto], uses["target"][:upto]
        self._files = deeds.files.settled(steps, uses["file"][:upto])
        self._order = np.argsort(self._files, kind="stable")
        self._sorted = self._files[self._order]
        self._steps, self._targets = steps, targets
        self._deeds = deeds
        self._known: dict[int, tuple[int, ...]] = {}

    def users(self, file: int) -> int:
        """How many files ever used one."""
        return self._users.get(file, 0)

    @cached_property
    def _users(self) -> dict[int, int]:
        targets, where = np.unique(self._targets, return_inverse=True)
        files = np.array([self._deeds.files.file_of(node, self._deeds.upto) for node in targets.tolist()], np.int64)
        pairs = np.unique(np.stack((files[where], self._files)), axis=1) if len(targets) else np.empty((2, 0), np.int64)
        found, counts = np.unique(pairs[0][pairs[0] != pairs[1]], return_counts=True)
        return dict(zip(found.tolist(), counts.tolist(), strict=True))

    def of(self, file: int) -> tuple[int, ...]:
        """The files a file used at any time, by number."""
        if file not in self._known:
            begin, end = np.searchsorted(self._sorted, [file, file + 1]).tolist()
            rows = self._order[begin:end]
            pairs = zip(self._targets[rows].tolist(), self._steps[rows].tolist(), strict=True)
            files = {self._deeds.files.file_of(target, step) for target, step in pairs}
            self._known[file] = tuple(sorted(files - {-1, file}))
        return self._known[file]


def uses_of(deeds: Deeds) -> Uses:
    """The uses of a session, worked out once."""
    known: Uses | None = deeds.__dict__.get("_uses")
    if known is None:
        known = deeds.__dict__["_uses"] = Uses(deeds)
    return known


def _files_of(deeds: Deeds, anchors: Iterable[str], step: int) -> Iterator[int]:
    """Yield the numbers of the files that a failure's anchors lie in, innermost first, where the record has them."""
    for node in anchors:
        number = deeds.journal.id(node)
        if number >= 0 and (file := deeds.files.file_of(number, step)) >= 0:
            yield file


@dataclass(slots=True)
class _Life:
    """One failure, from its beginning to its end."""

    key: int
    since: int
    told: list[int]
    rows: list[int]
    end: int = 0
    presumed: bool = False


def _lives(deeds: Deeds) -> list[_Life]:
    journal = deeds.journal
    rows, looks = journal.failures, journal.steps["look"]
    upto = rows.upto(deeds.upto)
    steps, keys, told = (rows[name][:upto] for name in ("step", "key", "told"))
    order = np.lexsort((np.arange(upto), told >= 0, steps))  # at each step first what is over
    alive: dict[int, _Life] = {}
    over: dict[int, int] = {}
    found: list[_Life] = []
    left: list[_Life] = []
    for row in order.tolist():
        step, key, is_over = int(steps[row]), int(keys[row]), told[row] < 0
        renamed = bool(looks[step - 1])  # a look ends no failure; it may give it another name
        if is_over and key in alive:
            life = alive.pop(key)
            if renamed:
                left.append(life)
            else:
                life.end = over[key] = step
        elif not is_over and renamed:
            _rename(deeds, row, key, alive, left)
        elif not is_over:
            if key not in alive:
                alive[key] = _Life(key, over.get(key, 0), [], [])
                found.append(alive[key])
            alive[key].told.append(step)
            alive[key].rows.append(row)
    for life in alive.values():
        life.end = presumed_end(deeds, life.told)
        life.presumed = life.end > 0
    return found


def _rename(deeds: Deeds, row: int, key: int, alive: dict[int, _Life], left: list[_Life]) -> None:
    """A failure goes by another name from here on."""
    if key in alive:
        return
    since = deeds.journal.failures["since"]
    for life in left:
        if since[life.rows[-1]] == since[row]:
            left.remove(life)
            life.key = key
            alive[key] = life
            return


def names_of(deeds: Deeds, keys: Iterable[int]) -> list[str]:
    """Return what failures are called: the test, as people name it, or the runner."""
    journal = deeds.journal
    told = [parse(journal.name(key).encode("utf-8", "surrogatepass")) for key in keys]
    return [node_words(str(test)) or str(runner) for runner, test, _ in told]
