"""The journal of a record: as it was kept, brought up to the head, and kept again.

Folding a long record takes a while, so it is done once. What is new is folded onto the state as it was then; where
that isn't kept, the state is folded anew, and only the journal isn't written again. A caller that stops it by raising
in the callback that is told the progress loses nothing: what is folded by then is kept, and the next one goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from ccos_core.errors import Damaged, NotFound, Unavailable
from ccos_core.replay.journal import Journal
from ccos_core.replay.scribe import Scribe
from ccos_core.replay.sources import Sources
from ccos_core.replay.timeline import Timeline
from ccos_core.session.collecting import uncollected
from ccos_core.session.facts import Facts
from ccos_core.session.interpreters import FOLD
from ccos_core.session.worlds import baseline_world, fold, forget_notices, keep_world, new_world, resumed_world
from ccos_core.state.world import World
from ccos_core.storage import journals, measures
from ccos_core.storage.facts import tombstones
from ccos_core.storage.record import LAST_STEP, Record
from ccos_core.window.measure import VERSION

if TYPE_CHECKING:
    from ccos_core.log.facts import Key

Progress = Callable[[int, int], None]
"""Hears how many steps of how many are done; may raise to stop it, and what is done is kept."""
STATE_EVERY, STATE_SOON = 5_000, 200
"""Steps that are folded again before the state is kept anew: that takes a second or two where much is warm; and where
a caller who waits is about to go on from it."""
ALL_STEPS = "Restore the file: the first question needs all steps."
OFTEN, LONG = 50, 0.05
"""Steps between two words about how far it has come, and seconds after which there is one anyway: some steps hold much,
and a caller who stops it doesn't want to wait."""


def unheard(done: int, total: int) -> None:
    """Hear no progress."""


class Journaling:
    """One record with its journal, kept up with while it grows."""

    def __init__(
        self,
        record: Record,
        progress: Progress = unheard,
        *,
        at_once: bool = True,
        keeps_every: int = 1,
        new: Callable[[], Journal] = Journal,
    ) -> None:
        self.record = record
        self._new = new
        """Makes an empty journal."""
        self.keeps_every = keeps_every
        """New steps after which the journal is kept without a word; who makes it more says `keep` now and then."""
        self._begin(progress)
        if at_once:
            self.catch_up(progress)

    @property
    def goes_on(self) -> bool:
        """Whether one more op costs no more than itself: a journal that was only read is behind its state."""
        return self._scribe is not None or not self.journal.head

    def world(self, progress: Progress = unheard) -> World:
        """The state at the record's head, to be asked and not to be changed."""
        self.catch_up(progress)
        if self._scribe is None:
            with uncollected(stays=True):
                self._fold(self.journal.head, progress)
        return self._world

    def _begin(self, progress: Progress) -> None:
        """Take up what was kept."""
        self._forgotten = tombstones(self.record)
        """Contents of the record that were erased: with one more of them all this is void."""
        kept = journals.load(self.record, FOLD, partial(self._written_anew, progress), self._new)
        self.journal = kept.journal if kept is not None else self._new()
        self._kept = kept.step if kept is not None else 0
        self._state = 0
        """The step whose state is kept."""
        self.broken: Damaged | None = None
        """Why it doesn't go on to the record's head: what comes after isn't what was recorded."""
        self._scribe: Scribe | None = None
        self._made: World | None = None
        self._facts = Facts(self.record)
        self._stopped = False
        """Whether the caller has stopped it, between two steps."""
        self._last: tuple[Sources, int] | None = None
        """The sources of the last timeline that was made, and how many versions were certain then."""

    @property
    def _world(self) -> World:
        """Where it stands. What it takes to make one is loaded when it is folded: a question does without."""
        if self._made is None:
            self._made = new_world()
        return self._made

    def timeline(self) -> Timeline:
        """The record at every step up to now."""
        facts = Facts(self.record, self._facts)
        kept = partial(measured, self.record)
        timeline = Timeline(self.record, self.journal, facts, self.record.path, self.broken, kept)
        if self._last is not None:
            timeline.sources.take_over(*self._last)
        self._last = timeline.sources, self.journal.solid.get("versions", len(self.journal.versions))
        return timeline

    def catch_up(self, progress: Progress = unheard) -> bool:
        """Bring the journal up to the record's head; gives whether anything was new."""
        with uncollected(stays=True):
            return self._caught_up(progress)

    def _caught_up(self, progress: Progress) -> bool:
        again = tombstones(self.record) != self._forgotten
        if again:
            self._begin(progress)
        head = self.record.head()[0]
        if head == self.journal.head:
            return again
        try:
            self._fold(head, progress)
        except Damaged as error:
            if not self.journal.head:
                raise
            self.broken = error
            if self._scribe is None:  # what is kept goes on behind the damage
                return again
        except BaseException:
            if self._stopped:
                self._keep_what_is_done()
            raise
        self._keep()
        return True

    def keep(self, *, at_once: bool = False) -> None:
        """Keep all that is written, for the next question."""
        if self._kept == self.journal.head:
            return
        self._facts.record_missing(at_once=at_once)
        if not self.journal.partial:
            journals.save(self.record, self.journal, FOLD, self._kept, self._forgotten)
            self._kept = self.journal.head
            self._keep_measures()
            self._keep_state(STATE_EVERY)

    def _keep_measures(self) -> None:
        if found := self._facts.take_measures():
            measures.save(self.record, found, self._forgotten)

    def _keep(self, *, at_once: bool = False) -> None:
        self.journal.partial = len(self._facts.missing)
        if at_once or self.journal.head - self._kept >= self.keeps_every:
            self.keep(at_once=at_once)

    def _keep_what_is_done(self) -> None:
        """Stop. Between two steps everything is whole, so it is kept as if the record ended here; or
        before a look that isn't over: who goes on folds that anew, with the facts that were made for it."""
        self._stopped = False
        if self._scribe is not None:
            whole = self._scribe.leave()
            self._facts.record_missing(at_once=True)
            if self.journal.head > self._kept:
                self._keep(at_once=True)
            if not whole:
                self._scribe, self._made, self._state = None, None, 0
                self._facts = Facts(self.record, self._facts)
        elif not self._world.looking:  # the journal is ahead of it
            self._keep_state(STATE_EVERY)

    def _written_anew(self, progress: Progress) -> Journal:
        """The journal, where what was kept of it turns out to be spoilt; kept again, or the next one who asks would
        fold as well."""
        journal = written_anew(self.record, self._kept, progress)
        if not journal.partial:
            journals.save(self.record, journal, FOLD, 0, self._forgotten)
        return journal

    def _fold(self, head: int, progress: Progress) -> None:
        """Fold what is new."""
        try:
            if self._scribe is None:
                self._resume(head, progress)
            self._play(LAST_STEP, head, progress, self._scribe)
        except NotFound as error:
            raise NotFound(error.fact, place=error.place, hint=ALL_STEPS) from error

    def _resume(self, head: int, progress: Progress) -> None:
        """Bring a world to where the journal's solid part ends, and a scribe for what comes after."""
        solid = self.journal.solid.get("steps", self.journal.head)
        if solid:
            self._made = resumed_world(self.record, self._facts, solid)
            self._state = self._world.step
            try:
                self._play(solid, head, progress, None)
            except NotFound:  # older ops lie in an archive that isn't at hand
                world = baseline_world(self.record, self._facts, solid)
                if world is None:
                    raise
                self._made = world
                self._play(solid, head, progress, None)
            forget_notices(self._world)
        self._scribe = Scribe(self.journal, self._world, self._facts)

    def keep_state(self, progress: Progress = unheard) -> None:
        """Keep the state, to go on from here soon."""
        self.world(progress)
        self._keep_state(STATE_SOON)

    def _keep_state(self, every: int) -> None:
        """Keep the state, where folding up to here again would take long. In the middle of a look there is none."""
        ahead = self._world.step > self.journal.head
        if self._world.step - self._state >= every and not self.journal.solid and not ahead:
            keep_world(self.record, self._world, self._forgotten)
            self._state = self._world.step

    def _play(self, upto: int, head: int, progress: Progress, scribe: Scribe | None) -> None:
        def heard(done: int, of: int) -> None:
            if self._facts.record_if_many():
                self._keep_measures()
            try:
                progress(done, of)
            except BaseException:
                self._stopped = True
                raise

        rows = self.record.rows(self._world.step + 1, upto)
        fold(self._world, rows, self._facts, scribe, _now_and_then(heard, head))


def timeline_of(record: Record, progress: Progress = unheard) -> Timeline:
    """A record at every step."""
    return Journaling(record, progress).timeline()


def written_anew(record: Record, upto: int, progress: Progress = unheard) -> Journal:
    """The journal of a record up to a step, from its ops alone."""
    journal, world, facts = Journal(), new_world(), Facts(record)
    fold(world, record.rows(1, upto), facts, Scribe(journal, world, facts), _now_and_then(progress, upto))
    journal.partial = len(facts.missing)
    return journal


def kept_timeline(record: Record) -> Timeline:
    """Return a record at every step up to which it was folded: what can be asked without folding any more."""

    def anew() -> Journal:
        return written_anew(record, kept.step if kept is not None else 0)

    kept = journals.load(record, FOLD, anew, Journal)
    journal = kept.journal if kept is not None else Journal()
    return Timeline(record, journal, Facts(record), record.path, measured=partial(measured, record))


def measured(record: Record, keys: Iterable[Key]) -> dict[Key, bytes]:
    """The measures of these files, as far as they were kept."""
    return measures.load(record, keys, VERSION)


def journal_holds(record: Record, progress: Progress = unheard) -> bool | None:
    """Whether the journal that is kept says what a replay of the ops says; None where there is none, or where not all
    of the ops are at hand."""
    kept = journals.load(record, FOLD, Journal, Journal)
    if kept is None:
        return None
    try:
        fresh = written_anew(record, kept.step, progress)
    except NotFound:
        return None
    try:
        return all(one == other for one, other in zip(_columns(kept.journal), _columns(fresh), strict=True))
    except Unavailable:  # some of it can't be read
        return False


def _columns(journal: Journal) -> Iterator[tuple[str, bytes]]:
    """One by one, for all together are large."""
    for table in journal.tables():
        yield from table.pieces(0)


def _now_and_then(progress: Progress, head: int) -> Callable[[int], None]:
    """Tells of some steps only that they are being done: of the first after a long one too."""
    due = monotonic() + LONG

    def heard(step: int) -> None:
        nonlocal due
        if step % OFTEN == 0 or monotonic() >= due:
            due = monotonic() + LONG
            progress(step, head)

    return heard
