"""Ask a record: every door comes through here, so that all give the same answers.

A question is handed its timeline and what it needs besides; what an answer wants kept is written beside the record.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from ccos_core.errors import CcosError
from ccos_core.memory.view import OWNER
from ccos_core.query.arguments import Place, typed
from ccos_core.query.personal import without_personal_data
from ccos_core.query.question import Plan, Question
from ccos_core.query.tool import Entry
from ccos_core.query.viewed import Hidden, hidden_from, policy_at, seen_text, view_at_head, viewed
from ccos_core.replay.timeline import Timeline
from ccos_core.session.collecting import uncollected
from ccos_core.session.journaling import Journaling, Progress, kept_timeline, timeline_of, unheard
from ccos_core.session.named import find_record
from ccos_core.session.settings import compressing, prices, recording_allowed
from ccos_core.storage.facts import tombstones
from ccos_core.storage.locate import user_path
from ccos_core.storage.marks import keep_marks, marks_of
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.marks import Mark

if TYPE_CHECKING:
    from ccos_core.memory.entry import Entry as Memory
    from ccos_core.memory.view import View
    from ccos_core.values.tally import Tally

__all__ = ["Asked", "Desk", "timeline_of"]


WORDS = ("text", "texts", "name")
"""Forms of arguments that are words to look for."""
Recorder = Callable[[Sequence[Mapping[str, Any]]], Sequence[int]]
ENTRIES = "entries"
"""The question that is a query of the working memory."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was answered."""

    question: Question
    answer: Any
    at: int
    """The step it was asked as of."""

    moved: int | None
    """Where the cursor stands now, if it went somewhere."""

    recorded: tuple[int, ...]
    """The steps that a question which writes has recorded; the timeline doesn't know them yet."""

    partial: int
    """Contents that weren't understood, if the answer rests on that."""


class Desk:
    """One record that can be asked."""

    def __init__(self, record: Record, folding: Progress = unheard, asking: Progress = unheard) -> None:
        self.record = record
        self.folding = folding
        """Hears how far the first fold of a record has come, ..."""
        self.asking = asking
        """... and how far a long question."""
        self.recorder: Recorder = self._record
        """Records what a question that writes wants recorded; returns the steps."""
        self.recorder_for_user: Recorder = _record_for_user
        """The same, for what belongs into the user's own record."""
        self.actor = "user"
        self.clock = monotonic
        """Says in seconds how long a query takes."""
        """Who speaks through this desk, as ops name it."""
        self.principal = OWNER
        """Who asks: what the policy doesn't let it see isn't there."""
        self._seen: tuple[Timeline, Timeline | None, Timeline] | None = None
        self._hidden: tuple[Timeline, Timeline | None, Hidden] | None = None
        self._seen_of_user: tuple[Timeline, Timeline, Timeline] | None = None
        """What is shown of this record and of the user's own, behind the records it was made of."""
        self._erased = -1
        """Texts that were erased before the timeline was made; -1 if none is made."""
        self._others = ExitStack()
        self._user: Desk | None = None
        """Where the user's own record is asked."""
        self._live: Journaling | None = None
        """Keeps up with a record that grows, from the first time that it does."""

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._others.close()

    @property
    def timeline(self) -> Timeline:
        """The record at every step, as the principal may see it."""
        if self.principal == OWNER:
            return self.whole
        own, user = self.whole, self._user_desk()
        beside = user.whole if user is not None else None
        if self._seen is None or self._seen[:2] != (own, beside):
            self._seen = own, beside, viewed(own, self.view, beside)
        return self._seen[2]

    @property
    def view(self) -> View:
        """What the principal may see. Raises `Refused` if the policy doesn't name it."""
        return view_at_head(self.whole, self.principal)

    @property
    def hidden(self) -> Hidden:
        """What the principal may not see, by the labels of this record and of the user's own."""
        own, user = self.whole, self.whole_of_user()
        if self._hidden is None or self._hidden[:2] != (own, user):
            self._hidden = own, user, hidden_from(own, self.view, user)
        return self._hidden[2]

    def shown(self, text: str) -> str:
        """Return a text, also one from elsewhere, as the principal may read it: without what is withheld, and without
        personal data unless it sees up to `high`."""
        return text if self.principal == OWNER else str(without_personal_data(seen_text(text, self.hidden), self.view))

    def shown_entry(self, entry: Memory) -> Memory:
        """Return an entry as the principal may read it: without personal data unless it sees up to `high`."""
        return entry if self.principal == OWNER else cast("Memory", without_personal_data(entry, self.view))

    @cached_property
    def whole(self) -> Timeline:
        """The record at every step; folded when it is asked for."""
        self._erased = tombstones(self.record)
        return timeline_of(self.record, self.folding)

    @property
    def broken(self) -> CcosError | None:
        """What keeps the timeline from reaching the record's head, as far as it was asked for."""
        timeline = self.__dict__.get("whole")
        return timeline.broken if timeline is not None else None

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What the reader keeps beside it, if it is the owner who asks."""
        return marks_of(self.record) if self.principal == OWNER else ()

    def catch_up(self) -> int:
        """Steps that others recorded since; from now on the timeline reaches them, and what others keep is known."""
        self.__dict__.pop("marks", None)
        self.drop_erased()
        if "whole" not in self.__dict__ or self.broken is not None:
            return 0
        more = self.record.head()[0] - self.whole.head
        if more > 0:
            if self._live is None:
                self._live = Journaling(self.record, self.folding)
            else:
                self._live.catch_up(self.folding)
            self.__dict__["whole"] = self._live.timeline()
        return max(more, 0)

    def drop_erased(self) -> bool:
        """Forget all that was read if texts were erased since; return whether they were."""
        if self._erased < 0 or self._erased == tombstones(self.record):
            return False
        self._erased, self._live = -1, None
        del self.__dict__["whole"]
        return True

    def take(self, timeline: Timeline) -> None:
        """Ask this timeline of the record."""
        self.__dict__["whole"] = timeline

    def take_what_is_kept(self) -> None:
        """Ask no further than the record is folded: there is no waiting then."""
        self._erased = tombstones(self.record)
        self.__dict__["whole"] = kept_timeline(self.record)

    def ask(self, entry: Entry, said: Mapping[str, str], at: int | None = None) -> Asked:
        """Ask a question as of a step, or of the end; `said` is what was said for its arguments."""
        question = entry.load()
        at = self.timeline.head if at is None or question.writes else at
        if not question.writes:
            words = {each.name for each in question.arguments if each.form in WORDS}
            said = {name: self.asked_words(each) if name in words else each for name, each in said.items()}
        user = self.user() if "user" in question.needs else None
        place = Place(self.timeline, at, self.marks, self._opened, user)
        as_of, arguments = typed(question, said, place)
        needed = {name: self._needs[name](self) for name in question.needs}
        begun = self.clock()
        with uncollected():  # a search for cycles among all that a timeline holds takes longer than most answers
            answer = question.ask(self.timeline, as_of, **arguments, **needed)
        if entry.name == ENTRIES and (slow := self.latency_warning(begun)):
            answer = replace(answer, notes=(*answer.notes, slow))
        recorded: tuple[int, ...] = ()
        if isinstance(answer, Plan):
            answer, recorded = self._carry_out(answer)
        kept, dropped = question.keeps(answer)
        if kept is not None or dropped is not None:
            keep_marks(self.record.path, kept, dropped)
            self.__dict__.pop("marks", None)
        if self.principal != OWNER:
            answer = without_personal_data(answer, self.view)
        partial = 0 if "census" in question.needs else self.timeline.partial
        return Asked(question, answer, as_of, question.moves(answer), recorded, partial)

    def latency_warning(self, begun: float) -> str:
        """Say that a query took longer than the policy's threshold `latency` in milliseconds, if there is one. The
        answer is the same on a slow machine, so that is all that is done about it."""
        most = policy_at(self.whole, self.whole.head).thresholds.get("latency")
        if most is None or (self.clock() - begun) * 1_000 <= most:
            return ""
        return f"The query took longer than {most:,} ms, the policy's threshold for latency."

    def asked_words(self, words: str) -> str:
        """Return words to look for without personal data that the principal may not read: a find would confirm it."""
        return words if self.principal == OWNER else str(without_personal_data(words, self.view))

    def user(self) -> Timeline | None:
        """The user's own record at every step, as the principal may see it; None if there is none, or it can't be
        read."""
        desk = self._user_desk()
        if desk is None or self.principal == OWNER:
            return desk.whole if desk is not None else None
        if self._seen_of_user is None or self._seen_of_user[:2] != (desk.whole, self.whole):
            self._seen_of_user = desk.whole, self.whole, viewed(desk.whole, self.view, self.whole)
        return self._seen_of_user[2]

    def whole_of_user(self) -> Timeline | None:
        """All of the user's own record, for any principal; None if there is none."""
        desk = self._user_desk()
        return desk.whole if desk is not None else None

    def _user_desk(self) -> Desk | None:
        if self._user is None and not os.path.exists(user_path()):
            return None
        from ccos_core.session.user_record import open_user_record  # for the few questions about statements

        try:
            if self._user is None:
                record = open_user_record(self.record.path)
                self._user = self._others.enter_context(Desk(record)) if record is not None else None
            if self._user is not None:
                self._user.catch_up()
                _ = self._user.whole  # which fails here if it can't be read
            return self._user
        except CcosError:
            return None

    def _carry_out(self, plan: Plan) -> tuple[Any, tuple[int, ...]]:
        """Record what is planned; returns the answer, and the steps in this record."""
        if plan.beside:
            own = self.recorder_for_user([{**op, "actor": self.actor} for op in plan.beside])
            if not plan.ops:
                return replace(plan.answer, step=own[-1]), ()
        if not plan.ops:
            return plan.answer, ()
        ops = [{**op, "actor": self.actor} for op in plan.ops]
        if plan.for_user:
            return replace(plan.answer, step=self.recorder_for_user(ops)[-1]), ()
        steps = tuple(self.recorder(ops))
        return replace(plan.answer, step=steps[-1]), steps

    def _record(self, ops: Sequence[Mapping[str, Any]]) -> list[int]:
        from ccos_core.session.session import open_session  # for the few questions that write

        recording_allowed()
        with open_session(self.record.path, stay=False) as session:
            return session.record(ops)

    def _opened(self, named: str) -> Timeline:
        """Another workspace's timeline, open as long as this one."""
        record = self._others.enter_context(open_record(find_record(os.path.expanduser(named))))
        other = timeline_of(record, self.folding)
        return other if self.principal == OWNER else viewed(other, view_at_head(other, self.principal))

    _needs: Mapping[str, Callable[[Desk], Any]] = {
        "marks": lambda desk: desk.marks,
        "census": lambda desk: partial(_census, desk.record),
        "progress": lambda desk: desk.asking,
        "prices": lambda desk: prices(),
        "user": lambda desk: desk.user(),
        "actor": lambda desk: desk.actor,
        "shown": lambda desk: desk.shown_entry,
        "compress": lambda desk: compressing(),
    }
    """What a question may want besides its arguments."""


def _record_for_user(ops: Sequence[Mapping[str, Any]]) -> list[int]:
    from ccos_core.session.user_record import record_for_user  # for the few questions that write

    recording_allowed()
    return record_for_user(ops)


def _census(record: Record, known: Tally) -> Any:
    """What lies in the store; loaded to be counted."""
    from ccos_core.storage.census import census

    return census(record, known)
