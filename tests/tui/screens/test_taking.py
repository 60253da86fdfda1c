"""What is taken along: copied to the clipboard and to a file, exported, opened in the reader's own program."""

from __future__ import annotations

import json
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ccos_core.session.forget import forget
from ccos_tui.app import CcosApp
from tests.tui.answers import answer
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive


@pytest.fixture(autouse=True)
def here(a_folder: Path) -> Path:
    return a_folder


@pytest.fixture
def lent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that can be lent: a test has none."""

    @contextmanager
    def suspend(self: CcosApp) -> Iterator[None]:
        yield

    monkeypatch.setattr(CcosApp, "suspend", suspend)


def copied(driven: Driven, here: Path) -> str:
    """What is on the clipboard, which is what is in the file."""
    text = (here.parent / "state" / "ccos-tui" / "copied.txt").read_text()
    assert driven.app.clipboard == text
    return text


# ---- copying ----


def test_every_word_of_the_yank_family(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("4", "2", "G", "y", "y")
        assert copied(driven, here) == "Read src/api.py"
        assert "copied its text, 15 characters; also saved to " in driven.status
        await driven.press("y", "i")
        assert copied(driven, here) == "file:src/api.py"
        await driven.press("y", "l")
        assert copied(driven, here) == "ccos://demo.ccos/step/42#file:src/api.py"
        await driven.press("y", "h")
        assert copied(driven, here) == answer("when", 42).hash
        await driven.press("g", "y", "h")
        assert copied(driven, here) == answer("when", 0).hash
        await driven.press("y", "x")
        assert "copy what?" in driven.status

    drive(demo, story, WIDE)


def test_of_a_window_what_is_copied_is_what_it_shows(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("L", "4", "2", "G", "tab")
        window = driven.app.home.query_one("#window").answer
        rows = driven.rows("window")
        at = next(index for index, row in enumerate(rows) if row.leads and row.leads.node == window.items[1].uri)
        await driven.press(*["j"] * at, "y", "y")
        assert copied(driven, here) == window.items[1].text
        await driven.press("y", "i")
        assert copied(driven, here) == window.items[1].uri
        await driven.press("y", "j")
        assert json.loads(copied(driven, here))["schema"] == "ccos.window/1"

    drive(demo, story, WIDE)


def test_the_list_of_steps_is_copied_as_the_steps_that_are_seen(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("g", "y", "j")
        told = json.loads(copied(driven, here))
        assert told["schema"] == "ccos.timeline/1"
        steps = [each["step"] for each in told["steps"]]
        first, last = driven.app.home.steps.shown_steps()
        assert (first, steps) == (1, list(range(1, last + 1)))

    drive(demo, story, MIDDLE)


def test_where_there_is_nothing_to_copy_it_says_so(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("6", "1", "G", "y", "i")
        assert "can't copy here: its id" in driven.status

    drive(demo, story, MIDDLE)
    assert not (here.parent / "state").exists()


def test_where_no_file_can_be_written_it_says_so(demo: str, here: Path) -> None:
    (here.parent / "state").write_text("in the way")

    async def story(driven: Driven) -> None:
        await driven.press("y", "l")
        assert "no file written" in driven.status
        assert driven.app.clipboard == "ccos://demo.ccos/step/61"

    drive(demo, story, WIDE)


def test_what_a_line_answered_is_copied_as_json(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("colon")
        await driven.type("stats")
        await driven.press("enter", "y", "j")
        assert json.loads(copied(driven, here))["schema"] == "ccos.stats/1"

    drive(demo, story, MIDDLE)


# ---- exporting ----


def test_the_screen_as_a_picture_and_as_text(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("4", "2", "G", "r", "s")
        assert "saved: demo-step-42-screen.svg" in driven.status
        await driven.press("r", "t", "r", "t", "r", "x")
        assert "save what?" in driven.status

    drive(demo, story, MIDDLE)
    assert (here / "demo-step-42-screen.svg").read_text().startswith("<svg")
    text = (here / "demo-step-42-screen.txt").read_text()
    assert "Steps" in text
    assert len(text.splitlines()) == MIDDLE[1]
    assert sorted(path.name for path in here.iterdir()) == [
        "demo-step-42-screen-2.txt", "demo-step-42-screen.svg", "demo-step-42-screen.txt"
    ]  # fmt: skip
    assert {stat.S_IMODE(path.stat().st_mode) for path in here.iterdir()} == {0o600}


def test_a_list_is_exported_whole_and_its_answer_as_json(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("f")
        await driven.type("kind=read")
        await driven.press("enter")
        await driven.press("r", "t", "r", "j")

    drive(demo, story, NARROW)
    steps = [row.step for row in answer("find", expr="kind=read", limit="0").rows]
    text = (here / "demo-step-61-screen.txt").read_text()
    assert [int(found) for found in re.findall(r"^ *(\d+) +▤", text, re.MULTILINE)] == steps
    told = json.loads((here / "demo-step-61-answer.json").read_text())
    assert [row["step"] for row in told["rows"]] == steps


def test_a_report_of_the_session(demo: str, here: Path) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("4", "2", "G", "m", "k", "r", "m")
        await driven.settle()
        assert "saved: demo-step-42-post-mortem.md" in driven.status

    drive(demo, story, MIDDLE)
    text = (here / "demo-step-42-post-mortem.md").read_text()
    assert answer("when", 42).hash in text
    assert "src/db.py" in text
    assert "step 42: **k**" in text
    assert "ccos-tui autopsy " in text
    assert "hunter2" not in text
    for heading in ("What went wrong", "Failures", "Compactions", "The window at step 42", "Proof"):
        assert f"\n## {heading}\n" in text


# ---- opening ----


def reading_into(path: Path) -> str:
    """A pager that writes down what it is shown."""
    code = f"import shutil, sys; shutil.copy(sys.argv[1], {str(path)!r}); print(sys.argv[1])"
    return f'{sys.executable} -c "{code}"'


def test_a_file_is_opened_as_it_was_then(
    demo: str, here: Path, lent: None, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shown = here / "shown"
    monkeypatch.setenv("PAGER", reading_into(shown))

    async def story(driven: Driven) -> None:
        await driven.press("4", "5", "G", "o")
        await driven.press("6", "G", "o")

    drive(demo, story, MIDDLE)
    assert shown.read_text() == answer("show", 6, node="src/db.py").texts[0].text
    last = Path(capfd.readouterr().out.split()[-1])
    assert last.name.endswith("-db.py")
    assert not last.exists()


@pytest.mark.parametrize(("keys", "said"), [
    (("1", "5", "G", "o"), ".env can't be opened: withheld: secret-path"), (("g", "o"), "it has no text"),
])  # fmt: skip
def test_what_is_not_kept_is_not_opened(demo: str, lent: None, keys: tuple[str, ...], said: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*keys)
        assert said in driven.status

    drive(demo, story, WIDE)


def test_what_was_erased_is_not_opened(demo: str, lent: None) -> None:
    forget(str(demo), glob="src/db.py")

    async def story(driven: Driven) -> None:
        await driven.press("6", "G", "o")
        assert "src/db.py can't be opened: content" in driven.status
        assert "was erased" in driven.status

    drive(demo, story, WIDE)


def test_where_a_row_leads_nowhere_there_is_nothing_to_open(demo: str, lent: None) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("question_mark", "o")
        assert "no text to open for this row" in driven.status

    drive(demo, story, MIDDLE)


def test_without_a_program_it_asks_for_one(demo: str, lent: None, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(here))

    async def story(driven: Driven) -> None:
        await driven.press("6", "G", "o")
        assert "set $PAGER or $EDITOR" in driven.status

    drive(demo, story, MIDDLE)


def test_a_terminal_that_cannot_be_lent_is_left_alone(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", f"{sys.executable} -c 'raise SystemExit(1)'")

    async def story(driven: Driven) -> None:
        await driven.press("6", "G", "o")
        assert "this terminal can't start" in driven.status

    drive(demo, story, MIDDLE)


def test_the_windows_own_text(demo: str, here: Path, lent: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = here / "shown"
    monkeypatch.setenv("PAGER", reading_into(shown))
    text = answer("recall", 42).text

    async def story(driven: Driven) -> None:
        await driven.press("L", "4", "2", "G", "v")
        assert [row.copies for row in driven.rows("list")] == [line or " " for line in text.splitlines()]
        await driven.press("o", "r", "t")
        await driven.press("q", "L", "v")
        assert any("names and sizes are recorded" in row.text for row in driven.rows("list"))
        await driven.press("q", "L", "v")
        assert driven.shows("-- summary, step 40")

    drive(demo, story, MIDDLE)
    lines = [line or " " for line in text.splitlines()]
    assert shown.read_text().splitlines() == lines
    assert (here / "demo-step-42-screen.txt").read_text().splitlines() == lines
