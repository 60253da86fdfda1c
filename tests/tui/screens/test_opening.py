"""From a name to a record: what can be opened is, what can't be says why, and nothing that was done is lost."""

import asyncio
import os
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from ccos_core.session import importing as importing_module
from ccos_core.session import transcripts
from ccos_core.session.imported import UnderWay
from ccos_core.storage import locate
from ccos_tui.bridge import opening
from ccos_tui.messages import Progressed
from ccos_tui.screens.debugger import Debugger
from ccos_tui.screens.opening import OpeningScreen, SessionsScreen
from tests.tui.driving import NARROW, WIDE, Driven, opened
from tests.tui.screens.homes import SAMPLES, broken, copied_while_open, fresh, move_home

DRIFT = SAMPLES / "drift/session.jsonl"
Story = Callable[[Driven], Awaitable[None]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return move_home(tmp_path / "home", monkeypatch)


@pytest.fixture
def transcript(tmp_path: Path) -> str:
    """One that nobody has written to for long."""
    path = shutil.copy(DRIFT, tmp_path / "session.jsonl")
    long_ago = time.time() - 10 * opening.LIVE
    os.utime(path, (long_ago, long_ago))
    return str(path)


def living(path: str, story: Story, size: tuple[int, int] = WIDE) -> int | None:
    """Open what a path names, live through a story, and leave; gives the exit code."""

    async def run() -> int | None:
        async with opened(path, size) as driven:
            await story(driven)
            if driven.runs:
                await driven.press("Q")
            return driven.app.return_code

    return asyncio.run(run())


async def there(driven: Driven) -> None:
    """Wait for the debugger."""
    await driven.until(lambda: isinstance(driven.app.screen, Debugger))


def test_a_transcript_is_imported_and_opened(transcript: str) -> None:
    async def story(driven: Driven) -> None:
        await there(driven)
        assert driven.app.steps.head == 61
        assert driven.shows("session  61 steps")
        assert driven.app.path == locate.session_path(transcript)

    assert living(transcript, story) == 0


def test_the_next_time_it_is_there_at_once_and_what_is_new_comes(transcript: str) -> None:
    lines = Path(transcript).read_bytes().splitlines(keepends=True)
    Path(transcript).write_bytes(b"".join(lines[:30]))
    living(transcript, there)
    Path(transcript).write_bytes(b"".join(lines))

    async def story(driven: Driven) -> None:
        assert isinstance(driven.app.screen, Debugger), "nothing is waited for"
        await driven.until(lambda: driven.app.steps.head == 61)

    living(transcript, story)


def test_the_demonstration_goes_with_the_app() -> None:
    places: list[str] = []

    async def story(driven: Driven) -> None:
        await there(driven)
        assert driven.shows("demo  61 steps")
        await driven.press("m", "a")
        places.append(driven.app.path)
        driven.app.open("demo")
        await driven.until(lambda: driven.app.path != places[0] and isinstance(driven.app.screen, Debugger))
        places.append(driven.app.path)
        assert all(map(os.path.exists, places))

    assert living("demo", story) == 0
    assert [os.path.exists(os.path.dirname(each)) for each in places] == [False, False]


def test_a_projects_folder_is_its_workspace(tmp_path: Path, demo: str) -> None:
    project = tmp_path / "shop"
    (project / ".ccos").mkdir(parents=True)
    shutil.copy(demo, locate.here_path(str(project)))

    async def story(driven: Driven) -> None:
        assert isinstance(driven.app.screen, Debugger)
        assert driven.app.steps.head == 61

    assert living(str(project), story) == 0


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize(
    ("name", "content", "fact", "code"),
    [
        ("odd.jsonl", b"hello\n", "contains no session that can be read", 3),
        ("empty.ccos", b"", "is empty", 3),
        ("cut.ccos", b"SQLite format 3\x00" + b"\x10" * 40, "is cut off inside its header", 4),
        ("folder", None, "this folder has no workspace yet", 1),
        ("missing.ccos", ..., "there is no such workspace", 1),
    ],
)
def test_what_cant_be_opened_says_why_and_what_to_do(
    tmp_path: Path, name: str, content: object, fact: str, code: int, size: tuple[int, int]
) -> None:
    path = tmp_path / name
    if content is None:
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)

    async def story(driven: Driven) -> None:
        await driven.until(lambda: driven.shows("✗ can't be opened"))
        assert isinstance(driven.app.screen, OpeningScreen)
        assert fact.split()[0] in driven.text
        if size == WIDE:
            assert driven.shows(fact)
        assert driven.shows("▸ Choose a session")
        await driven.press("j", "j", "enter")
        assert not driven.runs, "Leave"

    assert living(str(path), story, size) == code


def test_from_trouble_on_to_something_better(tmp_path: Path) -> None:
    (tmp_path / "odd.jsonl").write_text("hello\n")

    async def story(driven: Driven) -> None:
        await driven.until(lambda: driven.shows("✗ can't be opened"))
        await driven.press("enter")
        assert isinstance(driven.app.screen, SessionsScreen)
        await driven.press("q", "j", "enter")
        await there(driven)
        assert driven.app.steps.head == 61, "the demonstration"

    assert living(str(tmp_path / "odd.jsonl"), story) == 0


def test_an_import_that_is_stopped_keeps_what_is_done(transcript: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader stops it as soon as a batch is on disk; what is there can be opened, and gone on with."""
    monkeypatch.setattr(importing_module, "BATCH", 10)
    real, put, gate = opening._imported, importing_module.Importing._flush, [True]

    def slowly(path: str, work: opening.Work) -> object:
        def flush(importing: importing_module.Importing, under_way: UnderWay) -> None:
            put(importing, under_way)
            while gate and not work._given_up.is_set():
                time.sleep(0.001)
            work.heard(20, 100, importing.head()[0])

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(importing_module.Importing, "_flush", flush)
            return real(path, work)

    monkeypatch.setattr(opening, "_imported", slowly)

    async def story(driven: Driven) -> None:
        assert isinstance(driven.app.screen, OpeningScreen)
        assert driven.shows("importing ▕")
        await driven.press("escape")
        await driven.until(lambda: driven.shows("▸ Continue"))
        assert driven.shows("importing was stopped")
        gate.clear()
        monkeypatch.setattr(opening, "_imported", real)
        await driven.press("enter")
        await there(driven)
        assert driven.app.steps.head == 61

    assert living(transcript, story) == 0


def test_what_was_imported_by_then_can_be_opened(transcript: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def halfway(path: str, work: opening.Work) -> None:
        lines = Path(path).read_bytes().splitlines(keepends=True)
        half = Path(path).with_name("half.jsonl")
        half.write_bytes(b"".join(lines[:40]))
        with importing_module.Importing(locate.session_path(path)) as importing:
            importing.go_on(UnderWay(transcripts.Story(transcripts.Tail(str(half)))))
            work.post(Progressed(opening.IMPORTING, 40, 100, importing.head()[0]))
        raise opening.GivenUp

    monkeypatch.setattr(opening, "_imported", halfway)

    async def story(driven: Driven) -> None:
        await driven.until(lambda: driven.shows("▸ Open the "))
        await driven.press("j", "enter")
        await there(driven)
        assert 20 < driven.app.steps.head < 61

    assert living(transcript, story) == 0


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_broken_chain_is_opened_up_to_its_break(demo: str, size: tuple[int, int]) -> None:
    broken(demo, 20)

    async def story(driven: Driven) -> None:
        assert driven.shows("✗ damaged the chain breaks at step 20")
        assert driven.shows("Opened read-only up to step 19.")
        assert driven.app.home.here.step == 19
        await driven.press("V")
        await driven.until(lambda: driven.shows("✗ broken at step 20"))

    assert living(demo, story, size) == 4
    assert living(demo, story, size) == 4, "as it is kept"


def test_where_nothing_can_be_asked_the_steps_can_be_read(demo: str) -> None:
    broken(demo, 1)

    async def story(driven: Driven) -> None:
        await driven.until(lambda: driven.shows("✗ can't be read the chain breaks at step 1"))
        assert driven.shows("Check how much is readable: ccos-tui verify")
        assert driven.shows("60   ⚙ tool")
        await driven.press("k", "g", "G")

    assert living(demo, story) == 4


def test_a_copy_of_an_open_file_says_so_at_the_top(demo: str) -> None:
    copied_while_open(demo)

    async def story(driven: Driven) -> None:
        assert driven.shows("✗ incomplete was copied while a program had it open: it ends at step 61")
        assert driven.shows("ccos-tui copy ORIGINAL DEST")

    assert living(demo, story) == 4


def test_a_fresh_workspace_says_what_will_come(tmp_path: Path) -> None:
    async def story(driven: Driven) -> None:
        assert driven.shows("nothing is recorded yet; F waits for new steps")
        await driven.press("j", "k", "G", "g", "d", "W", "tab", "enter", "z", "z", "e", "J", "[", "]")

    assert living(fresh(tmp_path), story) == 0


def test_what_cant_be_written_can_be_read(demo: str) -> None:
    path = Path(demo)
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:

        async def story(driven: Driven) -> None:
            assert driven.shows("demo  61 steps  13 files")

        assert living(demo, story) == 0
    finally:
        path.parent.chmod(0o700)


def test_recording_that_is_switched_off_keeps_a_transcript_out(
    transcript: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCOS_OFF", "1")

    async def story(driven: Driven) -> None:
        await driven.until(lambda: driven.shows("recording is switched off by CCOS_OFF"))

    assert living(transcript, story) == 1
