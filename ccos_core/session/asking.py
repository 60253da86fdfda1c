"""Asking a record: whoever serves answers comes through here, so that each asker gets the same ones.

A question is handed its timeline and what it needs besides; what an answer wants kept is written beside the record.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError
from ccos_core.query.arguments import Place, typed
from ccos_core.query.catalogue import Entry
from ccos_core.query.question import Question
from ccos_core.replay.timeline import Timeline
from ccos_core.session.collecting import uncollected
from ccos_core.session.journaling import Journaling, Progress, kept_timeline, timeline_of, unheard
from ccos_core.session.named import find_record
from ccos_core.session.settings import prices
from ccos_core.storage.marks import keep_marks, marks_of
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.values.tally import Tally

__all__ = ["Asked", "Desk", "timeline_of"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was answered."""

    question: Question
    answer: Any
    at: int
    """The step it was asked as of."""

    moved: int | None
    """Where the cursor stands now, if it went somewhere."""

    partial: int
    """Contents of which nobody knows what they say, where the answer rests on that."""


class Desk:
    """One record that can be asked."""

    def __init__(self, record: Record, folding: Progress = unheard, asking: Progress = unheard) -> None:
        self.record = record
        self.folding = folding
        """Hears how far the first fold of a record has come, ..."""
        self.asking = asking
        """... and how far a long question."""
        self._others = ExitStack()
        self._live: Journaling | None = None
        """Keeps up with a record that grows, from the first time that it does."""

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._others.close()

    @cached_property
    def timeline(self) -> Timeline:
        """The record at every step; folded when somebody asks for it."""
        return timeline_of(self.record, self.folding)

    @property
    def broken(self) -> CcosError | None:
        """What keeps the timeline from reaching the record's head, as far as anybody has asked for it."""
        timeline = self.__dict__.get("timeline")
        return timeline.broken if timeline is not None else None

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What the reader keeps beside it."""
        return marks_of(self.record)

    def catch_up(self) -> int:
        """Steps that others recorded since; from now on the timeline reaches them, and what others keep is known."""
        self.__dict__.pop("marks", None)
        if "timeline" not in self.__dict__ or self.broken is not None:
            return 0
        more = self.record.head()[0] - self.timeline.head
        if more > 0:
            if self._live is None:
                self._live = Journaling(self.record, self.folding)
            else:
                self._live.catch_up(self.folding)
            self.__dict__["timeline"] = self._live.timeline()
        return max(more, 0)

    def take_what_is_kept(self) -> None:
        """Ask no further than somebody has folded the record: there is no waiting then."""
        self.__dict__["timeline"] = kept_timeline(self.record)

    def ask(self, entry: Entry, said: Mapping[str, str], at: int | None = None) -> Asked:
        """Ask a question as of a step, or of the end; `said` is what was said for its arguments."""
        question = entry.load()
        place = Place(self.timeline, self.timeline.head if at is None else at, self.marks, self._opened)
        as_of, arguments = typed(question, said, place)
        needed = {name: self._needs[name](self) for name in question.needs}
        with uncollected():  # a search for cycles among all that a timeline holds takes longer than most answers
            answer = question.ask(self.timeline, as_of, **arguments, **needed)
        kept, dropped = question.keeps(answer)
        if kept is not None or dropped is not None:
            keep_marks(self.record.path, kept, dropped)
            self.__dict__.pop("marks", None)
        partial = 0 if "census" in question.needs else self.timeline.partial
        return Asked(question, answer, as_of, question.moves(answer), partial)

    def _opened(self, named: str) -> Timeline:
        """Another workspace's timeline, open as long as this one."""
        record = self._others.enter_context(open_record(find_record(os.path.expanduser(named))))
        return timeline_of(record, self.folding)

    _needs: Mapping[str, Callable[[Desk], Any]] = {
        "marks": lambda desk: desk.marks,
        "census": lambda desk: partial(_census, desk.record),
        "progress": lambda desk: desk.asking,
        "prices": lambda desk: prices(),
    }
    """What a question may want besides its arguments."""


def _census(record: Record, known: Tally) -> Any:
    """What lies in the store; loaded for whoever counts it."""
    from ccos_core.storage.census import census

    return census(record, known)
