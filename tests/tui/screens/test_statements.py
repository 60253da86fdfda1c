"""Statements, claims and what was told about a step, on screens of their own: looked at, watched, judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ccos_core.serve.demos.catalogue import build
from ccos_tui.screens.statements import ClaimsScreen, EvidenceScreen, StatementsScreen, ToldScreen
from ccos_tui.widgets.step_pane import StepPane
from tests.tui.driving import MIDDLE, NARROW, SLIM, Driven, drive

SAID, LOST = 2, 40
"""Steps of the demonstration: the prompt that says the words, and the compaction that drops them."""
LOST_RULE, BROKEN = 55, 76
"""Steps of `forgotten`: where its rule is lost, and the edit that breaks it."""
FIRST = "Invoices are a hundred times too high."


def screen(driven: Driven, kind: type) -> Any:
    assert isinstance(driven.app.screen, kind), driven.app.screen
    return driven.app.screen


async def select(driven: Driven, text: str) -> None:
    rows = driven.app.screen.list  # type: ignore[attr-defined]
    rows.select(next(at for at in range(rows.count()) if text in rows.row_at(at).text))
    await driven.settle()


async def confirm(driven: Driven, words: str = "") -> None:
    await driven.type(words)
    await driven.press("enter")
    await driven.settle()


def test_statements_are_listed_filtered_and_followed(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "quotation_mark")
        shown = screen(driven, StatementsScreen)
        assert driven.shows("What you said: 4 statements, 2 in the window, 2 not")
        await driven.press("i")
        assert [each.state for each in shown.answer.statements] == ["out", "out"]
        await driven.press("i")
        assert [each.state for each in shown.answer.statements] == ["in", "in"]
        await driven.press("i", "c")
        assert driven.shows("What the agent said")
        await driven.press("c", "c", "c")
        assert len(shown.answer.statements) == 4
        await select(driven, FIRST)
        await driven.press("enter")
        assert driven.app.home.here.step == SAID

    drive(demo, story, MIDDLE)


def test_a_statement_is_watched_and_explained(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press("G", "quotation_mark")
        await select(driven, FIRST)
        await driven.press("w", "left_square_bracket")
        assert driven.app.screen is home
        assert home.here.step == LOST
        await driven.press("quotation_mark")
        await select(driven, FIRST)
        await driven.press("W")
        shown = " ".join(" ".join(row.text.split()) for row in driven.rows("why"))
        assert f"out since {LOST}: prompt {SAID} was dropped by that compaction" in shown

    drive(demo, story)


def test_a_statement_is_confirmed_rated_replaced_and_retracted(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "quotation_mark")
        shown = screen(driven, StatementsScreen)

        def row(text: str) -> Any:
            return next(each for each in shown.answer.statements if each.text == text)

        await select(driven, FIRST)
        await driven.press("m")
        await confirm(driven, "fact")
        assert row(FIRST).classes == ("fact",)
        assert not row(FIRST).inferred
        await select(driven, FIRST)
        await driven.press("plus")
        await confirm(driven)
        await select(driven, FIRST)
        await driven.press("x")
        assert driven.shows("Evidence: Invoices")
        assert [each.kind for each in screen(driven, EvidenceScreen).answer.trajectory] == ["supported"]
        await driven.press("q")
        await select(driven, FIRST)
        await driven.press("u")
        await confirm(driven)
        assert row(FIRST).standing == "live", "nothing takes the place of a statement without words"
        await driven.press("u")
        await confirm(driven, "Invoices are right.")
        assert row(FIRST).standing == "superseded"
        await select(driven, "Fix it.")
        await driven.press("d")
        await confirm(driven, "it is fixed")
        assert row("Fix it.").standing == "retracted"

    drive(demo, story, MIDDLE)


def test_escape_records_nothing(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G")
        head = driven.app.steps.head
        await driven.press("quotation_mark")
        await select(driven, FIRST)
        await driven.press("d", "escape")
        assert driven.app.steps.head == head
        assert screen(driven, StatementsScreen).statement.standing == "live"

    drive(demo, story, MIDDLE)


def test_claims_are_listed_with_belief_and_evidence(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "colon")
        await driven.type("support rates are floats --by src/db.py")
        await driven.press("enter", "escape")
        driven.app.engine.catch_up()
        await driven.settle()
        await driven.press("ampersand")
        shown = screen(driven, ClaimsScreen)
        shown.at = None
        shown.look()
        await driven.settle()
        assert driven.shows("1 claim ")
        assert shown.claim.belief > 0
        await driven.press("minus")
        await confirm(driven, "they are integers")
        assert shown.claim.tension > 0
        await driven.press("i")
        assert driven.shows("1 contested claim")
        await driven.press("enter")
        kinds = [each.kind for each in screen(driven, EvidenceScreen).answer.trajectory]
        assert kinds == ["supported", "contradicted"]
        await driven.press("q", "d")
        await confirm(driven)
        await driven.press("i")
        assert shown.claim.standing == "retracted"

    drive(demo, story, MIDDLE)


def test_the_step_says_that_what_it_breaks_was_lost(tmp_path: Path) -> None:
    path = str(tmp_path / "forgotten.ccos")
    build(path, "forgotten")

    async def story(driven: Driven) -> None:
        pane = driven.app.home.query_one(StepPane)
        await driven.press(*str(BROKEN), "G")
        step = driven.app.home.here.step
        await driven.rest()
        assert pane.has_told(step)
        assert f"1 broken, 1 lost at {LOST_RULE}" in str(pane.border_subtitle)
        await driven.press("k")
        assert "about this" not in str(pane.border_subtitle), "it is said of the step that is shown"
        await driven.press("j", "D")
        shown = screen(driven, ToldScreen)
        assert shown.answer.violated == 1
        await select(driven, "violates")
        await driven.press("enter")
        assert driven.app.home.here.step == SAID

    drive(path, story)


def test_they_fit_narrow_screens(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for size in (SLIM, NARROW):
            await driven.resize(*size)
            for key in ("quotation_mark", "ampersand", "D"):
                await driven.press(key)
                assert max(map(len, driven.lines())) <= size[0]
                await driven.press("q")

    drive(demo, story, SLIM)
