"""Whoever presses a key is told what came of it, also where the pane it changes is out of sight."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.widgets import Input

from ccos_core.query.catalogue import QUESTIONS
from ccos_tui.focus import Focus
from ccos_tui.present import palette
from ccos_tui.screens.debugger import Debugger
from ccos_tui.widgets.rows import Rows
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, Place, drive


def test_another_window_is_named(demo):
    async def story(driven: Driven) -> None:
        await driven.press("plus")
        assert "the agent's window has no budget" in driven.status
        await driven.press("L")
        assert "window: suggested" in driven.status
        await driven.press("L")
        assert "suggested and agent's" in driven.status
        await driven.press("L")
        assert "window: agent's" in driven.status

    drive(demo, story, NARROW)


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
def test_evidence_says_what_it_selected(demo, size):
    async def story(driven: Driven) -> None:
        await driven.press("a", "enter")
        assert "src/db.py selected: " in driven.status

    drive(demo, story, size)


def test_the_window_marks_what_is_selected(demo):
    """From the autopsy, through the agent's window: the very row that was struck through."""

    async def story(driven: Driven) -> None:
        await driven.press("a", "enter")
        row = driven.pane("window").selected
        assert row is not None
        assert row.leads is not None
        assert row.leads.node == "file:src/db.py"
        assert "dropped by a compaction" in row.text

    drive(demo, story)


def test_who_is_in_the_window_keeps_the_row(demo):
    async def story(driven: Driven) -> None:
        await driven.press("a", "enter", "tab", "g")
        assert driven.pane("window").cursor == 0
        await driven.press("j")
        assert driven.pane("window").cursor == 1

    drive(demo, story)


def test_a_step_about_no_file_says_so(demo):
    async def story(driven: Driven) -> None:
        home = driven.app.home
        home.go(home.here.at(11))  # `git remote`
        await driven.settle()
        await driven.press("enter")
        assert "no single file" in driven.status
        assert home.here.node is None

    drive(demo, story)


def test_any_step_of_a_row_selects_the_file_of_the_row(demo):
    """Step 30 says how large the window got; its row is about the file that was read at 29."""

    async def story(driven: Driven) -> None:
        home = driven.app.home
        home.go(home.here.at(30))
        await driven.settle()
        await driven.press("enter")
        assert "src/reminders.py selected" in driven.status
        assert home.here.node == "file:src/reminders.py"

    drive(demo, story)


def test_failing_runs_to_every_red_row(demo):
    """Whoever presses `e` looks for the next row that is red: a test that failed before, and a call, as well."""

    async def story(driven: Driven) -> None:
        steps = driven.app.steps
        red = [step for step in range(1, steps.head + 1) if (told := steps.told(step)) and told.outcome == "error"]
        assert len(red) > 1
        await driven.press("g")
        for step in red:
            await driven.press("e")
            assert driven.app.screen.here.step == step
        await driven.press("e")
        assert driven.status.split("  ")[0].strip() == "no later failure"

    drive(demo, story)


def test_nothing_to_go_on_with(demo):
    async def story(driven: Driven) -> None:
        await driven.press("R")
        assert "nothing was stopped" in driven.status

    drive(demo, story)


def test_no_drift_up_to_here_is_no_dead_end(demo):
    """At step 42 nothing has gone wrong yet; the screen says how far it looked and where to look on."""

    async def story(driven: Driven) -> None:
        await driven.press("4", "2", "G", "a")
        assert driven.shows("No drift found")
        assert driven.shows("The last run failed (`pytest`, step 9): tests/test_api.py::test_invoice_in_euros")
        assert driven.shows("goes to the end, step 61: this looked up to step 42")
        assert driven.shows("{ }  run to where context was lost: 1 time up to there")
        assert driven.shows("that step 40 went wrong shows only later")
        await driven.press("enter")
        assert driven.app.home.here.step == 40, "where the trouble begins"

    drive(demo, story)


def test_a_palette_that_finds_nothing_stays(demo):
    async def story(driven: Driven) -> None:
        await driven.press("ctrl+p")
        await driven.type("nowhere")
        assert driven.shows("No action here matches.")
        depth = len(driven.app.screen_stack)
        await driven.press("enter")
        assert len(driven.app.screen_stack) == depth

    drive(demo, story)


def test_lists_name_their_own_keys(demo):
    async def story(driven: Driven) -> None:
        await driven.press("a")
        assert driven.shows("j row")
        assert driven.shows("Enter open")
        assert not driven.shows("Enter enter")

    drive(demo, story)


def test_a_key_at_the_foot_can_be_clicked(demo):
    async def story(driven: Driven) -> None:
        home = driven.app.screen
        place = driven.find("a autopsy")
        assert place is not None
        await driven.click(Place(place.x + 4, place.y))
        assert driven.app.screen is not home
        assert driven.shows("Autopsy: where it went wrong")
        back = driven.find("q back")
        assert back is not None
        await driven.click(back)
        assert driven.app.screen is home
        await driven.click(Place(155, back.y))
        assert driven.app.screen is home

    drive(demo, story)


def test_panes_are_asked_at_once_where_no_cursor_is_to_be_painted_first(demo, monkeypatch):
    async def story(driven: Driven) -> None:
        debugger = driven.app.screen
        assert isinstance(debugger, Debugger)
        asked: list[Focus] = []
        monkeypatch.setattr(debugger.ours.engine, "ask_all", lambda questions: asked.append(debugger.here))
        smaller = replace(debugger.here, budget=512)
        debugger.go(smaller)
        assert asked == [smaller]
        elsewhere = smaller.at(3)
        debugger.go(elsewhere)
        larger = replace(elsewhere, budget=4_096)
        debugger.go(larger)
        assert asked == [smaller]
        await driven.settle()
        assert asked == [smaller, larger]

    drive(demo, story, WIDE)


def test_enter_waits_for_the_answer(demo):
    """Both keys at once: Enter is for the row that comes, and not for the one that says that it will."""

    async def story(driven: Driven) -> None:
        for key in ("a", "enter"):
            driven.hold(key, 1)
        await driven.settle()
        assert isinstance(driven.app.screen, Debugger)
        assert "src/db.py selected: " in driven.status

    drive(demo, story)


def test_who_goes_on_takes_enter_back(demo, monkeypatch):
    async def story(driven: Driven) -> None:
        asked = []
        monkeypatch.setattr(driven.app.engine, "ask", lambda *question: asked.append(question))
        await driven.press("a", "enter")
        assert "as soon as the answer is there" in driven.status
        await driven.press("j")
        monkeypatch.undo()
        driven.app.engine.ask(*asked[0])
        await driven.settle()
        assert driven.shows("Autopsy: where it went wrong")
        assert not driven.app.screen.awaited

    drive(demo, story)


@pytest.mark.parametrize(
    ("keys", "line"), [("f", "kind=tool"), ("Y", ""), ("Xc", "--budget 4096"), ("C", "other.ccos")], ids=str
)
def test_enter_waits_for_what_a_list_asked(demo, monkeypatch, keys, line):
    """It neither does nothing nor opens a row of the list before."""

    async def story(driven: Driven) -> None:
        await driven.press(*keys[:-1])
        asked = []
        monkeypatch.setattr(driven.app.engine, "ask", lambda *question: asked.append(question))
        await driven.press(keys[-1])
        await driven.type(line)
        await driven.press(*["enter"] * bool(line))
        screen = driven.app.screen
        assert asked
        await driven.press("enter")
        assert driven.app.screen is screen
        assert "as soon as the answer is there" in driven.status

    drive(demo, story)


def test_a_late_answer_to_an_older_query_is_not_shown(demo, monkeypatch):
    async def story(driven: Driven) -> None:
        asked = []
        await driven.press("f")
        with monkeypatch.context() as held:
            held.setattr(driven.app.engine, "ask", lambda *question: asked.append(question))
            for query in ("kind=tool", "kind=prompt"):
                await driven.type(query)
                await driven.press("enter", "c", *["ctrl+u"])
            await driven.press("escape")
        first, second = [each for each in asked if each[0] != "told"]  # that is about what stands behind the screen
        driven.app.engine.ask(*first)
        await driven.settle()
        assert driven.app.screen.answer is None
        driven.app.engine.ask(*second)
        await driven.settle()
        assert driven.app.screen.answer.query == "kind=prompt"

    drive(demo, story)


@pytest.mark.parametrize("key", ["W", "d", "c", "P", "tab"])
def test_q_in_a_pane_goes_back_to_the_steps_first(demo, key):
    async def story(driven: Driven) -> None:
        await driven.press(key)
        assert driven.app.screen.active != "steps"
        await driven.press("q")
        assert driven.runs
        assert driven.app.screen.active == "steps"
        assert driven.app.screen.focused is driven.pane("steps")
        await driven.press("q")
        assert not driven.runs

    drive(demo, story)


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
def test_another_window_can_be_seen(demo, size):
    async def story(driven: Driven) -> None:
        await driven.press("L")
        assert driven.has("window")
        assert "window: suggested" in driven.status

    drive(demo, story, size)


def test_the_palette_finds_every_question(demo):
    """By its name, a shorter one, or what it tells; chosen, it runs, or asks for what it needs."""
    entries = [(each.name, each.aliases, each.summary) for each in QUESTIONS]
    choices = palette.questions(entries)
    for name, aliases, summary in entries:
        for said in (name, *aliases, summary):
            assert f":{name}" in [each.id for each in palette.matching(choices, said)]

    async def story(driven: Driven) -> None:
        for word in ("cost", "commits"):
            await driven.press("ctrl+p")
            await driven.type(word)
            assert driven.shows(f":{word}")
            while driven.app.screen.query_one(Rows).selected.copies != f":{word}":
                await driven.press("down")
            await driven.press("enter")
            assert driven.shows(f": {word}")
            await driven.press("q")
        await driven.press("ctrl+p")
        await driven.type("provenance")
        while driven.app.screen.query_one(Rows).selected.copies != ":provenance":
            await driven.press("down")
        await driven.press("enter")
        assert driven.app.screen.query_one(Input).value == "provenance "

    drive(demo, story)
