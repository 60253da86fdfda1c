"""The debugger while something goes on: long work and how far it has come, a record that grows, one that is damaged."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_tui.present.head import head_row
from ccos_tui.present.opening import alert_rows, note_rows, proof_row, stopped_row
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.status import Alert, Line, WorkLine
from ccos_tui.widgets.step_list import StepList

if TYPE_CHECKING:
    from ccos_core.query.state import State
    from ccos_tui.focus import Focus
    from ccos_tui.messages import Folded, FromEngine, Grown, Progressed, Proven, Stopped

FOLDING, ASKING, FOLLOWING = "folding", "asking", "following"
PATIENCE = 0.4
"""Seconds a reader waits for an answer without wanting to know how far it has come."""
FIRST = 1
"""The step that says how the record is written; before and at it nothing has happened yet."""
FOLLOWED, WAITING = "▶ following", "‖ following at the end"
"""What is said of a reader who stays at the end, and of one who has stepped back meanwhile."""
EMPTY = "nothing is recorded yet; {follow} waits for new steps"


class Growing(KeyedScreen):
    """The part of the debugger that isn't at rest."""

    here: Focus
    state: State | None = None
    """What was the case where the reader stood when that was answered last."""
    stopped_work = ""
    """Long work that was given up, and can be gone on with."""
    asking_since = 0.0
    """When the long question began that is being answered."""
    new_since: int | None = None
    """The last step the reader knows of, where more came while they looked at something earlier."""
    moves_on = False
    """Whether the cursor goes to the end as soon as that can be asked."""

    def go(self, here: Focus, *, jump: bool = False) -> None:
        """Stand somewhere else."""
        raise NotImplementedError

    def tell_panes(self) -> None:
        """Let every pane ask."""
        raise NotImplementedError

    @property
    def work_line(self) -> WorkLine:
        """How far long work has come."""
        return self.query_one(WorkLine)

    def alert(self, word: str, fact: str, hint: str) -> None:
        """Say what is wrong with the whole record, below its name."""
        self.query_one(Alert).tell(partial(alert_rows, word, fact, hint))

    def tell_name(self, state: State | None) -> None:
        """The line at the top, with what was the case where the reader stands."""
        self.state = state
        head = self.ours.steps.head
        note = (FOLLOWED if self.here.step >= head or self.moves_on else WAITING) if self.ours.follows else ""
        self.query_one("#head", Line).say(head_row(self.ours.name_of_record, head, state, note, self.size.width or 160))

    def tell_of_record(self) -> None:
        """Say at once what can be seen without folding: that it is damaged, copied while open, or empty."""
        steps = self.ours.steps
        if steps.notice is not None:
            self.alert(*steps.notice)
        elif steps.head <= FIRST:
            self.query_one(Alert).tell(partial(note_rows, self.keys.told(EMPTY)))

    # -- long work ----------------------------------------------------------------------------------------------------

    def progressed(self, message: Progressed) -> None:
        """Long work has come so far."""
        if message.work == FOLLOWING or not self._is_of_this(message):
            return
        if message.work == ASKING and self._is_soon():
            return
        if message.done >= message.total and message.work == FOLDING:
            self.work_line.nothing()
        else:
            self.work_line.show_work(message.work, message.done, message.total)

    def at_rest(self) -> None:
        """A question was answered, long or not."""
        self.asking_since = 0.0
        if self.work_line.work == ASKING:
            self.work_line.nothing()

    def stopped(self, message: Stopped) -> None:
        """Long work was given up, or couldn't be done."""
        if not self._is_of_this(message):
            return
        if message.work == self.work_line.work:
            self.work_line.nothing()
        if message.fact and message.work == FOLDING:
            self.ours.code = message.code
            self.alert("can't be read", message.fact, message.hint)
        elif message.fact:
            self.said(message.sentence)
        elif message.work != FOLLOWING:
            self.offer(message.work, 0)

    def offer(self, work: str, upto: int) -> None:
        """Say that something was given up, and how to go on."""
        self.stopped_work = work
        self.work_line.work = ""
        self.work_line.say(stopped_row(work, upto, self.ours.steps.head, self.keys.sign("go-on")))

    def folded(self, message: Folded) -> None:
        """The record can be asked from now on, as far as it was folded."""
        self.work_line.nothing()
        self.said(self.ours.greeting())
        self.stopped_work = ""
        if not message.whole:
            self.offer(FOLDING, message.head)
        if message.broken:
            self.ours.code = message.code
            more = f"{self.keys.sign('verify')} checks it, as ccos-tui verify does."
            hint = f"Opened read-only up to step {message.head:,}. {more}"
            self.alert("damaged", message.broken, hint)
            if self.here.step > message.head:
                self.go(self.here.at(message.head))
        self.tell_anew()

    def proven(self, message: Proven) -> None:
        """The record was walked from end to end."""
        self.work_line.nothing()
        self.query_one("#status", Line).say(proof_row(message.proof))
        self.ours.code = self.ours.code or message.code

    def imported(self) -> None:
        """All there is of the transcript is in the record."""
        self.work_line.nothing()

    def do_stop(self, count: int | None, char: str) -> None:
        if self.ours.give_up():
            self.said("stopping; finished work is kept")
        elif not self.step_out():  # who presses it once too often doesn't want to lose their place
            self.said(f"nothing is running; {self.keys.sign('back')} goes back")

    def step_out(self) -> bool:
        """Leave what is looked at in favour of the steps; gives whether there was anything."""
        return False

    # -- a record that grows ------------------------------------------------------------------------------------------

    def recorded(self, before: int) -> None:
        """Others recorded more: the steps can be seen at once, and asked a little later."""
        steps, head = self.query_one(StepList), self.ours.steps.head
        steps.resize_to(steps.count())
        steps.refresh()
        if before <= FIRST:
            self.query_one(Alert).nothing()
        if self.here.step >= before:
            self.new_since, self.moves_on = None, self.ours.follows
        self.tell_name(self.state)
        if not self.moves_on:
            self.new_since = before if self.new_since is None else self.new_since
            new = count(head - self.new_since, "new step")
            self.said(f"{new}, up to step {head:,}; {self.keys.sign('last')} goes there")

    def grown(self, message: Grown) -> None:
        """What others recorded can be asked."""
        if self.moves_on:
            self.moves_on = message.head < self.ours.steps.head  # still more came meanwhile
            self.go(self.here.at(message.head))
        self.tell_anew()

    def followed(self, follows: bool) -> None:
        """The reader follows the session, or stopped."""
        stays = f"following the session; {self.keys.sign('follow')} stops"
        self.said(stays if follows else "stopped following")
        if follows:
            self.go(self.here.at(self.ours.steps.head), jump=True)
        self.tell_name(self.state)

    def tell_anew(self) -> None:
        """What was answered before may be otherwise now."""
        for pane in self.query("Pane, Scrubber"):
            pane.again()  # type: ignore[attr-defined]
        self.tell_panes()

    def _is_of_this(self, message: FromEngine) -> bool:
        """Whether it is about this record, and not about another one on its way."""
        return any(message.engine is each for each in (self.ours.engine, self.ours.work, self.ours.proof))

    def _is_soon(self) -> bool:
        now = time.monotonic()
        self.asking_since = self.asking_since or now
        return now - self.asking_since < PATIENCE
