"""Facts in the making by other processes, while whoever wants them folds what comes before.

No more is under way than keeps those processes busy; what it takes of the record is read when its turn comes, so memory
stays bounded however much is wanted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from ccos_core.log.facts import drawn_from
from ccos_core.session.deriving import WORTH_A_PROCESS, Job, Made, made
from ccos_core.session.workers import AHEAD, Crew, processors, shares
from ccos_core.storage.facts import stored
from ccos_core.storage.record import Record

if TYPE_CHECKING:
    from ccos_core.log.facts import Key

SHARE = 200_000
"""Bytes handed out at a time: few, for somebody may be waiting for the first of them; and not so few that those who
make facts wait for the next share, and who folds is kept busy with handing them out."""


class Making:
    """What is wanted soon, in the order in which it will be asked for."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._crew: Crew | None = None
        self._waiting: deque[list[Key]] = deque()
        self._under_way: deque[tuple[list[Key], Callable[[], list[Made]]]] = deque()
        self._wanted: dict[Key, None] = {}
        """All keys of both."""

    def __contains__(self, key: Key) -> bool:
        return key in self._wanted

    def pays(self, size: int) -> bool:
        """Whether so many bytes are worth the trouble. Once there are other processes, anything is."""
        return processors() > 1 and (self._crew is not None or size >= WORTH_A_PROCESS)

    def begin(self, sizes: Mapping[Key, int]) -> None:
        """Make these facts; of each is said how large what it is drawn from is."""
        self._crew = self._crew or Crew()
        self._waiting += shares(sizes, sizes.__getitem__, SHARE)
        self._wanted.update(dict.fromkeys(sizes))
        self._hand_out()

    def take(self, key: Key) -> Iterator[Made]:
        """Facts that are made, up to the one that is asked for; waits for it. None where one can't be had."""
        while key in self._wanted:
            yield from self._first()

    def take_all(self) -> Iterator[Made]:
        """All that is left."""
        while self._under_way:
            yield from self._first()

    def leave(self) -> None:
        """Nothing more is wanted."""
        if self._crew is not None:
            self._crew.leave()
        self._crew = None
        self._waiting.clear()
        self._under_way.clear()
        self._wanted.clear()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        while self._crew is not None and self._waiting and len(self._under_way) < processors() * 2 * AHEAD:
            share = self._waiting.popleft()
            self._under_way.append((share, self._crew.hand(made, self._jobs(share))))

    def _jobs(self, keys: list[Key]) -> list[Job]:
        """What these are drawn from; those of which not all is there are left out."""
        parts = dict.fromkeys(part for key in keys for part in drawn_from(key[0]))
        there = {row[0]: row for row in stored(self._record, parts)}
        drawn = {key: [there.get(part) for part in drawn_from(key[0])] for key in keys}
        return [Job(key, stored=tuple(filter(None, each))) for key, each in drawn.items() if None not in each]

    def _first(self) -> list[Made]:
        share, answer = self._under_way.popleft()
        facts = answer()
        for key in share:
            del self._wanted[key]
        self._hand_out()
        return facts
