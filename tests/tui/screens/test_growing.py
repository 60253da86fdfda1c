"""The debugger while something goes on: a fold that is stopped and gone on with, a proof, a session that grows."""

import asyncio
import json
import os
import shutil
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest
from textual.pilot import Pilot

from ccos_core.present.rows import Row
from ccos_core.query.state import State
from ccos_core.serve.hook import hear
from ccos_core.session import journaling
from ccos_core.session.session import open_session
from ccos_core.storage import locate
from ccos_tui.app import CcosApp
from ccos_tui.bridge import opening, work
from ccos_tui.present.head import head_row
from ccos_tui.screens import growing
from ccos_tui.screens.debugger import Debugger
from ccos_tui.widgets.status import WorkLine
from tests.story import START, Story
from tests.tui.driving import NARROW, WIDE, Driven, drive
from tests.tui.screens.homes import SAMPLES, broken, move_home

REAL_SHOW = WorkLine.show_work
DRIFT = SAMPLES / "drift/session.jsonl"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return move_home(tmp_path / "home", monkeypatch)


def aged(path: str | Path) -> str:
    """Nobody has written to it for long."""
    long_ago = time.time() - 10 * opening.LIVE
    os.utime(path, (long_ago, long_ago))
    return str(path)


def more(workspace: str, text: str = "Go on.") -> None:
    """Somebody else records another prompt."""
    with open_session(workspace, clock=lambda: START) as session:
        Story(session, f"story-{session.recorded.head()[0]}").tell(f'prompt "{text}"')


class Gate:
    """Keeps a fold waiting at a step."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
        self.open = threading.Event()
        real = journaling._now_and_then

        def waiting(progress: Callable[[int, int], None], head: int) -> Callable[[int], None]:
            heard = real(progress, head)

            def told(step: int) -> None:
                if step == at and not self.open.is_set():
                    while not self.open.wait(0.002):
                        progress(step, head)
                heard(step)

            return told

        monkeypatch.setattr(journaling, "_now_and_then", waiting)


def begun(driven: Driven) -> bool:
    return driven.shows("folding ▕")


def test_while_it_is_folded_the_steps_can_be_read_and_keys_work(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, 30)

    async def story(driven: Driven) -> None:
        await driven_until(driven, lambda: begun(driven))
        assert driven.shows("of 61 steps")
        assert driven.shows("The steps can be read. Esc stops and keeps what is done.")
        for _ in range(3):
            await driven.pilot.press("k")
        assert driven.app.home.here.step == 58
        assert driven.shows("58   ⚙ tool")
        gate.open.set()
        await driven.settle()
        assert not begun(driven)
        assert driven.rows("window")

    drive_unsettled(demo, story)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_esc_stops_and_what_is_folded_can_be_asked(
    demo: str, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    gate = Gate(monkeypatch, 30)

    async def story(driven: Driven) -> None:
        await driven_until(driven, lambda: begun(driven))
        await driven.pilot.press("escape")
        await driven_until(driven, lambda: driven.app.home.stopped_work == growing.FOLDING)
        assert "Ready up to step 29 of 61" in driven.text
        gate.open.set()
        await driven.press("a")
        assert not driven.shows("Checking every failure")
        assert driven.shows("step 61 isn't computed yet; ready up to step 29")
        await driven.press("q", "2", "0", "G")
        assert driven.app.home.here.step == 20
        assert driven.app.engine.is_idle
        state = driven.lines()[0]
        assert "files" in state, "step 20 is answered"
        await driven.press("R")
        await driven.until(lambda: not driven.app.home.stopped_work)
        await driven.press("G")
        assert "13 files" in driven.lines()[0]
        assert not driven.app.screen.query_one(WorkLine).display

    drive_unsettled(demo, story, size)


def test_escape_loses_nobody_their_place(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("escape", "escape")
        assert driven.runs
        assert "nothing is running; q goes back" in driven.status

    drive(aged(demo), story)


def test_a_proof_is_a_line(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("V")
        await driven.until(lambda: driven.shows("✓ proven 61 steps"))
        assert driven.app.code == 0

    drive(aged(demo), story)


def test_a_proof_names_the_first_break(demo: str) -> None:
    aged(broken(demo, 20))

    async def story(driven: Driven) -> None:
        await driven.press("V")
        await driven.until(lambda: driven.shows("✗ broken at step 20"))
        assert driven.app.code == 4

    drive(demo, story)


def test_a_workspace_that_grows_is_followed(demo: str) -> None:
    aged(demo)

    async def story(driven: Driven) -> None:
        assert not driven.app.follows
        await driven.press("F")
        assert driven.app.follows
        assert driven.shows("▶ following")
        more(demo)
        await driven.until(lambda: driven.app.home.here.step == 62)
        assert any(" 62 " in line and "❯ prompt   Go on." in line for line in driven.lines())
        assert driven.shows("step 62 of 62  100%")
        assert driven.shows("62 steps")

    drive(demo, story)


def test_the_bar_of_folding_goes_when_all_is_folded(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step of the way is told; what is told last before the end must not stay."""
    aged(demo)
    monkeypatch.setattr(work.Pace, "is_due", lambda pace: True)
    monkeypatch.setattr(journaling, "_now_and_then", lambda progress, head: lambda step: progress(step, head + 1))
    shown: list[str] = []

    async def story(driven: Driven) -> None:
        line = driven.app.home.query_one(WorkLine)
        monkeypatch.setattr(WorkLine, "show_work", lambda self, *said: shown.append(said[0]) or REAL_SHOW(self, *said))
        await driven.press("F")
        with open_session(demo, clock=lambda: START) as session:
            Story(session, "more").tell("\n".join(f'prompt "{number}"' for number in range(178)))
        await driven.until(lambda: driven.app.home.here.step == 61 + 178)
        await driven.settle()
        assert growing.FOLDING in shown, "it was shown meanwhile"
        assert not line.display

    drive(demo, story)


def test_what_a_hook_hears_meanwhile_is_followed(demo: str) -> None:
    aged(demo)

    async def story(driven: Driven) -> None:
        await driven.press("F")
        event = {"hook_event_name": "UserPromptSubmit", "session_id": "live", "prompt": "And now?", "prompt_id": "p1"}
        hear(["--ws", demo], json.dumps(event).encode())
        await driven.until(lambda: driven.app.home.here.step == 62)
        assert driven.shows("And now?")

    drive(demo, story)


def test_a_workspace_that_somebody_writes_to_is_followed_at_once(demo: str) -> None:
    with open_session(aged(demo), clock=lambda: START) as session:

        async def story(driven: Driven) -> None:
            assert driven.app.follows
            Story(session, "story-live").tell('prompt "And now?"')
            await driven.until(lambda: driven.app.home.here.step == 62)

        drive(demo, story)


def test_a_projects_own_workspace_is_followed_at_once(demo: str, tmp_path: Path) -> None:
    own = tmp_path / "shop" / ".ccos" / "work.ccos"
    own.parent.mkdir(parents=True)
    shutil.copyfile(aged(demo), own)

    async def story(driven: Driven) -> None:
        assert driven.app.follows
        event = {"hook_event_name": "UserPromptSubmit", "session_id": "live", "prompt": "And now?", "prompt_id": "p1"}
        hear(["--ws", str(own)], json.dumps(event).encode())
        await driven.until(lambda: driven.app.home.here.step == 62)

    drive(str(own), story)


def test_who_looks_at_something_earlier_stays_and_is_told(demo: str) -> None:
    aged(demo)

    async def story(driven: Driven) -> None:
        await driven.press("F", "k", "k")
        more(demo)
        await driven.until(lambda: driven.app.steps.head == 62)
        assert driven.app.home.here.step == 59
        assert not driven.shows("▶ following")
        assert driven.shows("‖ following at the end")
        assert "1 new step, up to step 62; G goes there" in driven.status
        more(demo)
        await driven.until(lambda: driven.app.steps.head == 63)
        assert "2 new steps, up to step 63; G goes there" in driven.status
        await driven.press("G")
        assert driven.app.home.here.step == 63
        await driven.settle()
        assert driven.shows("▶ following")
        more(demo)
        await driven.until(lambda: driven.app.home.here.step == 64)

    drive(demo, story)


def test_who_stays_at_the_end_is_never_taken_for_one_who_stepped_back(
    demo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged(demo)
    notes: list[str] = []

    def noted(name: str, head: int, state: State | None, note: str, width: int) -> Row:
        notes.append(note)
        return head_row(name, head, state, note, width)

    monkeypatch.setattr(growing, "head_row", noted)

    async def story(driven: Driven) -> None:
        await driven.press("k", "F")
        more(demo)
        await driven.until(lambda: driven.app.home.here.step == 62)
        assert growing.FOLLOWED in notes
        assert growing.WAITING not in notes

    drive(demo, story)


def test_what_comes_faster_than_it_can_be_asked_is_followed_to_its_end(demo: str) -> None:
    aged(demo)

    async def story(driven: Driven) -> None:
        await driven.press("F")
        for _ in range(2):  # nobody has been told of the first when the second is seen
            more(demo)
            driven.app.look()
            while not driven.app.engine.is_idle:
                time.sleep(0.001)
        assert driven.app.home.here.step == 61
        await driven.settle()
        assert driven.app.home.here.step == 63

    drive(demo, story)


def test_who_follows_no_longer_is_left_in_peace(demo: str) -> None:
    aged(demo)

    async def story(driven: Driven) -> None:
        await driven.press("F", "F")
        assert "stopped following" in driven.status
        assert not driven.shows("▶ following")
        more(demo)
        driven.app.look()
        await driven.settle()
        assert driven.app.steps.head == 61

    drive(demo, story)


def test_a_session_that_goes_on_is_followed_from_the_start(tmp_path: Path) -> None:
    lines = DRIFT.read_bytes().splitlines(keepends=True)
    live = tmp_path / "live.jsonl"
    live.write_bytes(b"".join(lines[:40]))

    async def story(driven: Driven) -> None:
        await driven.until(lambda: isinstance(driven.app.screen, Debugger))
        assert driven.app.follows
        before = driven.app.steps.head
        assert before < 61
        with live.open("ab") as file:
            file.write(b"".join(lines[40:]))
        await driven.until(lambda: driven.app.home.here.step > before)
        await driven.until(lambda: driven.app.home.here.step >= 60)

    drive(str(live), story)
    workspace = Path(locate.session_path(str(live)))
    assert [each.name for each in workspace.parent.glob(f"{workspace.name}-wal")] == [], "it is one plain file again"


def test_what_the_cursor_stands_at_is_the_same_as_if_it_had_been_there_at_once(tmp_path: Path, demo: str) -> None:
    (tmp_path / "other").mkdir()
    other = shutil.copy(demo, tmp_path / "other" / "demo.ccos")
    shown: list[list[str]] = []

    async def growing_story(driven: Driven) -> None:
        await driven.press("F")
        more(demo)
        await driven.until(lambda: driven.app.home.here.step == 62)
        more(demo, "And on.")
        await driven.until(lambda: driven.app.home.here.step == 63)
        await driven.settle()
        shown.append([*driven.lines()[1:12], *(row.text for row in driven.rows("window"))])

    async def at_once(driven: Driven) -> None:
        shown.append([*driven.lines()[1:12], *(row.text for row in driven.rows("window"))])

    drive(aged(demo), growing_story)
    more(str(other))
    more(str(other), "And on.")
    drive(aged(other), at_once)
    assert shown[0] == shown[1]


async def driven_until(driven: Driven, seen: Callable[[], bool]) -> None:
    """Wait for something while the engine is at work."""
    end = time.monotonic() + 60
    while not seen():
        assert time.monotonic() < end, driven.text
        await driven.pilot.pause(0.005)


def drive_unsettled(path: str, story: Callable[[Driven], Awaitable[None]], size: tuple[int, int] = WIDE) -> None:
    """Open the debugger, and don't wait until the engine has come to rest."""

    async def run() -> None:
        app = CcosApp(aged(path))
        async with app.run_test(size=size) as pilot:
            driven = Driven(app, cast("Pilot[None]", pilot))
            await story(driven)

    asyncio.run(run())
