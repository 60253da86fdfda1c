"""The timeline at the top: a whole session at a glance, and a cursor that can be dragged through it.

It asks once how the session was, and again only where that is another answer: at another width, for another session or
context, after more was recorded or marked. Where the reader stands is drawn over it, so that moving repaints two
columns and asks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.focus import Focus
from ccos_tui.messages import Answered, Refused
from ccos_tui.present.filling import FILLING, blank, filling_bands, filling_words, rows_wanted
from ccos_tui.present.hover import hover
from ccos_tui.present.said import SAID, lanes_of
from ccos_tui.present.same import Same
from ccos_tui.present.scale import Scale
from ccos_tui.present.timeline import AXIS, Band, Room, Stand, bands, line, room, touched

if TYPE_CHECKING:
    from ccos_core.query.composition import Course
    from ccos_core.query.overview import Overview
    from ccos_core.query.statements import Statements
    from ccos_tui.app import CcosApp
    from ccos_tui.widgets.step_list import StepList

OVERVIEW = "overview"
NO_COMMITS = "no"
"""They are asked for by themselves: to find them takes longer than the rest."""
"""The question, and its slot."""
COURSE = "course"
"""The slot of the answer to what filled the agent's window."""
LEFT = 1
"""The mouse's button."""
BESIDE = (0, -1, 1)
"""How far from a sign it can be clicked, in columns."""


class Scrubber(Widget):
    """Heat, the host's window, what happened where, and the cursor."""

    DEFAULT_CSS = "Scrubber { height: auto; }"
    ALLOW_SELECT: ClassVar[bool] = False
    slot = OVERVIEW

    class Scrubbed(Message):
        """The cursor was taken to a step. Of several the last one counts."""

        def __init__(self, step: int, *, jump: bool) -> None:
            self.step = step
            self.jump = jump
            """Whether it is a place to come back from; while something is dragged it isn't."""
            super().__init__()

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Scrubber.Scrubbed) and not self.jump and not message.jump

    def __init__(self) -> None:
        super().__init__(id="timeline")
        self.answer: Overview | None = None
        self.asked: Ask | None = None
        self.stand = Stand()
        self.watched: tuple[int, ...] = ()
        """Steps at which something that is watched changed."""
        self.committed: tuple[int, ...] = ()
        """Steps at which commits were made, or history was changed."""
        self.spoken: Mapping[str, Sequence[int]] = {}
        """What was said, said again, lost and superseded → the steps."""
        self._said: Statements | None = None
        self._head = -1
        """How many steps there were when it was asked."""
        self._note = ""
        self._room: Room = room(1, 1, lanes=False)
        self.scale = Scale(1, 1, 1)
        """Which step stands where."""
        self._bands: tuple[Band, ...] = ()
        self._dragged: int | None = None
        """The step the mouse is at, while it is held down."""
        self._filling_rows = 0
        """Rows of the lane that shows what filled the agent's window; 0 where it isn't wanted."""
        self._course: Course | None = None
        self._course_asked: tuple[Ask, int] | None = None

    # -- what is asked and answered -----------------------------------------------------------------------------------

    def look(self, here: Focus) -> Ask | None:
        """The reader stands here now; gives what is to be asked, where that is something new."""
        self.follow(here)
        if not self.display or self.app.size.width < 2:
            return None
        wanted = ask(
            OVERVIEW, columns=self._room.columns, session=here.session, context=here.context, commits=NO_COMMITS
        )
        if wanted == self.asked and self._head == self.head:
            return None
        self.asked, self._head = wanted, self.head
        if self.scale.last != max(self.head, 1):
            self._draw_up()
        return wanted

    def follow(self, here: Focus) -> None:
        """Draw the cursor where the reader stands now."""
        self._stand_at(Stand(here.step, here.mark, self.stand.view))

    def look_at_filling(self, here: Focus) -> Ask | None:
        """What is to be asked for the lane of what filled the agent's window, where that is something new."""
        if not self.display or not self._filling_rows:
            return None
        wanted = ask("composition", self.head, columns=self._room.columns, session=here.session, context=here.context)
        if (wanted, self.head) == self._course_asked:
            return None
        self._course_asked = wanted, self.head
        return wanted

    def take_filling(self, answered: Answered) -> None:
        """Show what filled the agent's window."""
        if self._course_asked is not None and answered.ask == self._course_asked[0]:
            self._course = answered.answer.course
            self._draw_up()

    def again(self) -> None:
        """What it shows isn't so any more: the next look asks anew."""
        self.asked = self._course_asked = None

    def take(self, answered: Answered) -> None:
        """Show an answer."""
        if answered.ask == self.asked and answered.answer is not self.answer:
            self.answer, self._note = answered.answer, ""
            self._draw_up()

    def refuse(self, refused: Refused) -> None:
        """Say why there is none; what was there before stays."""
        self._note = refused.sentence
        self._draw_up()

    def watch_steps(self, steps: Iterable[int]) -> None:
        """What is watched changes at these steps."""
        found = tuple(sorted(set(steps)))
        if found != self.watched:
            self.watched = found
            self._draw_up()

    def note_commits(self, steps: Iterable[int]) -> None:
        """Commits were made at these steps."""
        found = tuple(sorted(set(steps)))
        if found != self.committed:
            self.committed = found
            self._draw_up()

    @property
    def shows_lanes(self) -> bool:
        """Whether there is a lane for what was said."""
        return bool(self.display) and SAID in self._room.lanes

    def show_said(self, answer: Statements | None) -> None:
        """Show what was said, and what the agent's window lost of it."""
        if answer is not self._said:
            self._said = answer
            self.spoken = lanes_of(answer) if answer is not None else {}
            self._draw_up()

    def steps_of(self, *lanes: str) -> Sequence[int] | None:
        """All the steps of some lanes; None as long as nobody knows."""
        if self.answer is None:
            return None
        return sorted({step for lane in self.answer.lanes if lane.name in lanes for step in lane.steps})

    # -- how it lies on the screen ------------------------------------------------------------------------------------

    def fit(self, size: Size, *, lanes: bool, filling: bool = False) -> None:
        """The screen is so large; there is room for lanes, or not; what filled the agent's window is wanted, or not."""
        fitting = room(size.width, size.height, lanes=lanes)
        rows = rows_wanted(size.height) if filling and lanes else 0
        if rows:
            fitting = replace(fitting, held=0)  # the lane shows how full the window was as well
        if (fitting, rows) != (self._room, self._filling_rows):
            self._room, self._filling_rows = fitting, rows
            self._draw_up()
        self.call_after_refresh(self._seen)

    @property
    def head(self) -> int:
        """The last step there is."""
        return cast("CcosApp", self.app).steps.head

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return max(len(self._bands), 1)

    def on_mount(self) -> None:
        self._draw_up()
        self.call_after_refresh(self._listen)

    def _draw_up(self) -> None:
        """Make all rows anew."""
        before = len(self._bands)
        self.scale = Scale(1, max(self.head, 1), self._room.columns)
        self._bands = (
            *self._filling(),
            *bands(
                self.answer,
                self._room,
                self.scale,
                watched=self.watched,
                committed=self.committed,
                said=self.spoken,
                note=self._note,
            ),
        )
        self.refresh(layout=before != len(self._bands))

    def _filling(self) -> tuple[Band, ...]:
        """The lane of what filled the agent's window, where it is wanted."""
        if not self._filling_rows:
            return ()
        if self._course is None:
            return blank(self._room, self._filling_rows)
        return filling_bands(Same(self._course), self._room, self.scale, self._filling_rows)

    # -- where the reader stands --------------------------------------------------------------------------------------

    def _listen(self) -> None:
        self.watch(self._listed, "scroll_y", self._seen)
        self._listed.fitted = self._seen

    @property
    def _listed(self) -> StepList:
        return cast("StepList", self.screen.query_one("#steps"))

    def _seen(self) -> None:
        """The list shows other steps."""
        self._stand_at(Stand(self.stand.cursor, self.stand.mark, self._listed.shown_steps()))

    def _stand_at(self, stand: Stand) -> None:
        if stand == self.stand:
            return
        scale = self.scale
        columns = touched(scale, self.stand) | touched(scale, stand)
        self.stand = stand
        height = len(self._bands)
        self.refresh(
            *(Region(self._room.gutter + column, 0, 1, height) for column in columns),
            *(Region(0, y, self._room.width, 1) for y, band in enumerate(self._bands) if band.name == AXIS),
        )

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        if y >= len(self._bands):
            return Strip.blank(self.size.width, base)
        app = cast("CcosApp", self.app)
        spans = line(self._bands[y], self._room, self.scale, self.stand)
        segments = [Segment(each.text, base + app.paint.style(each.role) if each.role else base) for each in spans]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    # -- the mouse ----------------------------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button != LEFT:
            return
        event.stop()
        self.capture_mouse()
        self._dragged = self._meant(event.x, event.y)
        self.post_message(self.Scrubbed(self._dragged, jump=True))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button != LEFT:
            self._let_go()  # wherever it was let go
        if self._dragged is None:
            self._pointed(event.x, event.y)
            return
        event.stop()
        step = self.scale.step(event.x - self._room.gutter)
        if self.scale.cell(step) != self.scale.cell(self._dragged):
            self._dragged = step
            self.post_message(self.Scrubbed(step, jump=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._let_go()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._turned(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._turned(event, -1)

    def _let_go(self) -> None:
        if self._dragged is not None:
            self._dragged = None
            self.release_mouse()

    def _turned(self, event: events.MouseEvent, by: int) -> None:
        event.stop()
        self.post_message(self.Scrubbed(self.scale.moved(self.stand.cursor, by), jump=False))

    def _pointed(self, x: int, y: int) -> None:
        """The mouse rests here: tell what stands here."""
        cell = x - self._room.gutter
        there = 0 <= y < len(self._bands) and 0 <= cell < self._room.columns
        self.tooltip = hover(self.answer, self._bands[y], self.scale, cell) if there else None
        if there and self._bands[y].name == FILLING and self._course is not None:
            step = self.scale.step(cell)
            self.tooltip = f"{filling_words(self._course, step)}\nstep {step:,}"

    def _meant(self, x: int, y: int) -> int:
        """The step that is clicked: of a sign in a lane its own, and of several the next one at each click."""
        cell = x - self._room.gutter
        there = self._bands[y].there if 0 <= y < len(self._bands) else {}
        for by in BESIDE:
            if found := there.get(cell + by):
                return next((step for step in found if step > self.stand.cursor), found[0])
        return self.scale.step(cell)
