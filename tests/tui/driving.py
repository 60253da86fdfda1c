"""Driving the screens as a person does: press keys, wait until everything was answered, read what is to be seen.

A test says `drive(path, story)`, where the story is a coroutine that is given a `Driven`. Nothing in here knows what a
screen is made of, beyond that panes are `Rows` with ids; what is read is what a terminal would show.
"""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple, cast
from unittest.mock import patch

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.keys import REPLACED_KEYS, _character_to_key, _get_unicode_name_from_key
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from ccos_core.present.rows import Row
from ccos_tui.app import CcosApp
from ccos_tui.screens import wording
from ccos_tui.widgets.rows import Rows

WIDE, MIDDLE, SLIM, NARROW = (160, 48), (100, 30), (80, 24), (60, 20)
"""Columns and rows of the four sizes that are looked at."""
PATIENCE = 60.0
"""Seconds after which a test gives up; no test needs them."""
TICK = 0.004
NEVER = 3600.0
"""Seconds after which a screen takes its reader to be resting; a story says so itself (`rest`)."""
ENOUGH = 3
"""Times in a row that nothing may be under way: a key, what it asks after the next paint, and what comes of that."""


class Place(NamedTuple):
    """A cell of the screen, from the left and from the top."""

    x: int
    y: int


def _is_changed(screen: Screen[object]) -> bool:
    """Whether there is anything to paint of a screen, or something waits for that. One behind the top one isn't asked
    whether it is to be painted whole: each such paint has the top one painted whole and asks for another."""
    waits = screen._layout_required or screen._scroll_required or screen._dirty_widgets or screen._callbacks
    return bool(waits or (screen.is_active and screen._repaint_required))


def _is_parked(pump: MessagePump) -> bool:
    """Whether a widget has done all it was told and waits for more."""
    is_waiting = any(not each.done() for each in pump._message_queue.ready_event._waiters)
    return pump._closed or (is_waiting and not pump._next_callbacks)


class Driven:
    """An app that runs, and somebody before it."""

    def __init__(self, app: CcosApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    # -- doing --------------------------------------------------------------------------------------------------------

    async def press(self, *keys: str) -> None:
        """Press keys, in Textual's words or as the characters they are, and wait until everything was answered."""
        for key in keys:
            if self.runs:
                self.app.post_message(key_event(key))
                await self.settle()

    async def type(self, text: str) -> None:
        """Press the keys of a text, one behind the other, and wait until all of it was answered."""
        for key in text:
            self.app.post_message(key_event(key))
        await self.settle()

    def hold(self, key: str, times: int) -> None:
        """So many presses of a key at once, as when it is held down; nothing is waited for."""
        for _ in range(times):
            self.app.post_message(key_event(key))

    async def resize(self, width: int, height: int) -> None:
        """Another size of the terminal."""
        await self.pilot.resize_terminal(width, height)
        await self.settle()

    async def click(self, place: Place, times: int = 1) -> None:
        """Click a cell of the screen."""
        await self.pilot.click(offset=(place.x, place.y), times=times)
        await self.settle()

    async def settle(self) -> None:
        """Wait until all that was asked is answered, and all that was answered is on the screen."""
        end, quiet = time.monotonic() + PATIENCE, 0
        while self.runs and quiet < ENOUGH:
            assert time.monotonic() < end, "the engine doesn't come to rest"
            answered = self._is_idle  # asked first: what was answered by then is on its way here
            await asyncio.sleep(0)
            if not all(map(_is_parked, (self.app, *self.app._registry))) or self._paint():
                quiet = 0
            elif not answered:
                quiet = 0
                await asyncio.sleep(TICK)
            else:
                quiet += 1

    def _paint(self) -> bool:
        """Paint now what waits for it; gives whether anything was. Who waits for the paint has its turn then. A screen
        behind the one on top may not be painted at all."""
        waiting = [screen for screen in self.app.screen_stack if _is_changed(screen)]
        for screen in waiting:
            screen._on_timer_update()
        return not all(_is_changed(screen) for screen in waiting)

    async def rest(self) -> None:
        """Look at a step for a while: what had been said about it is asked then."""
        for screen in self.app.screen_stack:
            if isinstance(screen, wording.Wording):
                screen._ask_told()
        await self.settle()

    async def until(self, seen: Callable[[], bool]) -> None:
        """Wait for something else, as a timer that plays."""
        end = time.monotonic() + PATIENCE
        while not seen():
            assert time.monotonic() < end, "what was waited for doesn't come"
            await asyncio.sleep(TICK)
            await self.settle()

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is being answered; where no record is open nothing is."""
        return not self.app.is_open or self.app.engine.is_idle

    @property
    def runs(self) -> bool:
        """Whether nobody has left yet."""
        return not self.app._exit and self.app._exception is None

    # -- reading ------------------------------------------------------------------------------------------------------

    def strips(self) -> list[Strip]:
        """The screen as it is drawn, screens that shine through below it included."""
        self.app.screen._on_timer_update()
        width, height = self.app.size
        update = self.app.screen._compositor.render_update(full=True, screen_stack=self.app._background_screens)
        console = Console(width=width, height=height, force_terminal=True, legacy_windows=False)
        lines = console.render_lines(update, console.options.update_dimensions(width, height), pad=False)
        return [Strip([each for each in line if not each.control]) for line in lines[:height]]

    def lines(self) -> list[str]:
        """The screen as lines of text."""
        return [strip.text for strip in self.strips()]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(line.rstrip() for line in self.lines())

    def shows(self, text: str) -> bool:
        """Whether a text is to be seen on one line of the screen."""
        return any(text in line for line in self.lines())

    def find(self, text: str) -> Place | None:
        """The cell where a text begins, the topmost and leftmost one."""
        for y, line in enumerate(self.lines()):
            at = line.find(text)
            if at >= 0:
                return Place(cell_len(line[:at]), y)
        return None

    def style_at(self, place: Place) -> Style:
        """How a cell looks."""
        x = 0
        for segment in self.strips()[place.y]:
            x += segment.cell_length
            if x > place.x:
                return segment.style or Style()
        raise IndexError(place)

    # -- panes --------------------------------------------------------------------------------------------------------

    def pane(self, name: str) -> Rows:
        """A pane of the screen that is on top."""
        return self.app.screen.query_one(f"#{name}", Rows)

    def has(self, name: str) -> bool:
        """Whether a pane can be seen."""
        found = self.app.screen.query(f"#{name}")
        return bool(found) and bool(found.first().display) and found.first().region.area > 0

    def rows(self, name: str) -> list[Row]:
        """All rows of a pane, also those that are scrolled out of sight."""
        pane = self.pane(name)
        return [pane.row_at(index) for index in range(pane.count())]

    def pane_lines(self, name: str) -> list[str]:
        """What of a pane is to be seen, without its border."""
        return self.part(self.pane(name).content_region)

    def part(self, region: Region) -> list[str]:
        """A part of the screen."""
        strips = self.strips()[region.y : region.bottom]
        return [strip.crop(region.x, region.right).text.rstrip() for strip in strips]

    @property
    def status(self) -> str:
        """What was said last, and where the reader stands."""
        return self.part(self.app.screen.query_one("#status").region)[0]


def key_event(key: str) -> events.Key:
    """A press of a key, in Textual's words or as the character it is."""
    named = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
    try:
        char: str | None = unicodedata.lookup(_get_unicode_name_from_key(REPLACED_KEYS.get(named, named)))
    except KeyError:
        char = key if len(key) == 1 else None
    return events.Key(named, char)


Story = Callable[[Driven], Awaitable[object]]


@asynccontextmanager
async def opened(path: str, size: tuple[int, int] = WIDE) -> AsyncIterator[Driven]:
    """The debugger on a workspace, settled. What it fails with is what the test fails with."""
    app = CcosApp(path)
    with patch.object(wording, "RESTING_SECONDS", NEVER):  # else it'd be chance what is on the screen
        async with app.run_test(size=size) as pilot:
            driven = Driven(app, cast("Pilot[None]", pilot))
            await driven.settle()
            yield driven
            if driven.runs:
                await driven.settle()


def drive(path: str, story: Story, size: tuple[int, int] = WIDE) -> None:
    """Open the debugger and live through a story."""

    async def run() -> None:
        async with opened(path, size) as driven:
            await story(driven)

    asyncio.run(run())
