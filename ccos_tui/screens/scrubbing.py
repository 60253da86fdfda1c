"""Moving through the timeline: run to what stands in its lanes, go by its columns, let it play, drag the cursor.

Where things happened is known from the lanes, so such a run is a search in a list and is there at once. At either end
there is a wall: who runs into it stays, and is told so.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from textual import events

from ccos_tui.present.timeline import changes
from ccos_tui.screens.keyed import KeyedScreen
from ccos_tui.widgets.scrubber import Scrubber
from ccos_tui.widgets.watch_pane import WatchPane

if TYPE_CHECKING:
    from textual.timer import Timer

    from ccos_tui.focus import Focus

FASTEST = 10
"""Steps a second, while it plays."""
SLOWEST = 1
LONGEST = 2_000
"""Milliseconds of a pause that are played; the rest of it is cut."""
PLAY = "play"


class Sort(NamedTuple):
    """What one runs to."""

    lanes: tuple[str, ...]
    one: str
    none: str


FAILURE = Sort(("failure", "again", "error"), "failure", "nothing failed in this session")
COMPACTION = Sort(("compaction", "fall"), "compaction", "there is no compaction in this session")
PROMPT = Sort(("prompt",), "prompt", "there is no prompt in this session")
CALLED = {"fall": "unexplained fall", "again": "known failure again", "error": "call that ended in an error"}
"""What is called otherwise than the sort it belongs to."""
STATE = Sort(("edit",), "edit", "there is no file edit in this session")


class Scrubbing(KeyedScreen):
    """A screen with a cursor and a timeline."""

    here: Focus
    playing: Timer | None = None
    """The next step that is played."""
    _turn = 0
    """Which tick plays on: one that was on its way when somebody paused doesn't."""
    speed = 0
    """Steps a second, where somebody said so; else as it was recorded."""
    _shown: tuple[Any, ...] = ()
    """The answers whose changes the timeline shows."""

    def go(self, here: Focus, *, jump: bool = False) -> None:
        """Stand somewhere else."""
        raise NotImplementedError

    @property
    def timeline(self) -> Scrubber:
        """The timeline."""
        return self.query_one(Scrubber)

    def show_changes(self) -> None:
        """Show in the timeline what is known of what is watched."""
        pane = self.query_one(WatchPane)
        found = tuple(answer for name in pane.wanted if (answer := pane.answer_to(name)) is not None)
        if [id(each) for each in found] != [id(each) for each in self._shown]:
            self._shown = found
            self.timeline.watch_steps(step for each in found for step in changes(each))

    # -- keys ---------------------------------------------------------------------------------------------------------

    def do_failure_on(self, count: int | None, char: str) -> None:
        self._run_to(FAILURE, count or 1)

    def do_failure_back(self, count: int | None, char: str) -> None:
        self._run_to(FAILURE, -(count or 1))

    def do_compaction_on(self, count: int | None, char: str) -> None:
        self._run_to(COMPACTION, count or 1)

    def do_compaction_back(self, count: int | None, char: str) -> None:
        self._run_to(COMPACTION, -(count or 1))

    def do_prompt_on(self, count: int | None, char: str) -> None:
        self._run_to(PROMPT, count or 1)

    def do_prompt_back(self, count: int | None, char: str) -> None:
        self._run_to(PROMPT, -(count or 1))

    def do_state_on(self, count: int | None, char: str) -> None:
        self._run_to(STATE, count or 1)

    def do_state_back(self, count: int | None, char: str) -> None:
        self._run_to(STATE, -(count or 1))

    def do_right(self, count: int | None, char: str) -> None:
        self._column(count or 1)

    def do_left(self, count: int | None, char: str) -> None:
        self._column(-(count or 1))

    def do_play(self, count: int | None, char: str) -> None:
        """Go on by itself; with a count, so many steps a second."""
        if self.playing is not None:
            self.pause()
            self.said("paused")
            return
        self.speed = min(count or 0, FASTEST)
        self._play_on()

    # -- running ------------------------------------------------------------------------------------------------------

    def _run_to(self, sort: Sort, by: int) -> None:
        steps = self.timeline.steps_of(*sort.lanes)
        if steps is None:
            self.said("the timeline isn't ready yet")
        elif (at := ran(steps, self.here.step, by)) is None:
            self.said(wall(sort, steps, by))
        else:
            self.go(self.here.at(steps[at]), jump=True)
            self.said(f"{self._called(sort, steps[at])} {at + 1:,} of {len(steps):,}")

    def _called(self, sort: Sort, step: int) -> str:
        lane = next((lane for lane in sort.lanes if step in (self.timeline.steps_of(lane) or ())), "")
        return CALLED.get(lane, sort.one)

    def _column(self, by: int) -> None:
        step = min(self.timeline.scale.moved(self.here.step, by), self.ours.steps.head)
        if (step > self.here.step) if by > 0 else (step < self.here.step):
            self.go(self.here.at(step))
        else:
            self.said("this is the last step" if by > 0 else "this is the first step")

    # -- playing ------------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Any key pauses, and does what it does. What plays pauses by itself."""
        action = self.keys.action(event.key, self.keyed, self.pane_of_keys)
        if action is None or action.id != PLAY:
            self.pause()

    def on_screen_suspend(self) -> None:
        self.pause()

    def pause(self) -> None:
        """Stay here."""
        if self.playing is not None:
            self.playing.stop()
            self.playing = None
            self._turn += 1

    def _play_on(self) -> None:
        step = self.here.step
        if step >= self.ours.steps.head:
            self.pause()
            self.said("this is the last step")
            return
        at, after = (told.at if (told := self.ours.steps.told(each)) else None for each in (step, step + 1))
        self.playing = self.set_timer(
            1 / self.speed if self.speed else waited(at, after), partial(self._played, self._turn)
        )
        self.said("▶ playing; any key pauses")

    def _played(self, turn: int) -> None:
        if turn != self._turn:
            return
        self.go(self.here.at(self.here.step + 1))
        self._play_on()

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def on_scrubber_scrubbed(self, event: Scrubber.Scrubbed) -> None:
        self.pause()
        self.go(self.here.at(min(event.step, self.ours.steps.head)), jump=event.jump)


def ran(steps: Sequence[int], here: int, by: int) -> int | None:
    """The place among some steps of the one so many further on, or back; of fewer the last; None at the wall."""
    if by > 0:
        first = bisect_right(steps, here)
        return min(first + by, len(steps)) - 1 if first < len(steps) else None
    before = bisect_left(steps, here)
    return max(before + by, 0) if before else None


def wall(sort: Sort, steps: Sequence[int], by: int) -> str:
    """Why there is nowhere to go."""
    if not steps:
        return sort.none
    return f"no later {sort.one}" if by > 0 else f"no earlier {sort.one}"


def waited(at: int | None, after: int | None) -> float:
    """Seconds until the next step is played: half of what it took, without long pauses."""
    between = min(max(after - at, 0), LONGEST) if at is not None and after is not None else 0
    return min(max(between / LONGEST, 1 / FASTEST), 1 / SLOWEST)
