"""Rules and the diary, on screens of their own: rules rated, retired and replaced, with conflicts and evidence."""

from __future__ import annotations

from typing import Any

import pytest

from ccos_tui.bridge.ask import typed
from ccos_tui.screens.diary import DiaryScreen
from ccos_tui.screens.rules import NOTHING, RuleScreen, RulesScreen
from tests.tui.driving import MIDDLE, NARROW, SLIM, Driven, drive
from tests.tui.screens.test_statements import confirm, select

SQLITE, POSTGRES, FORMAT = "Use SQLite.", "Prefer PostgreSQL.", "Run make fmt before each commit."


def rules(driven: Driven) -> Any:
    assert isinstance(driven.app.screen, RulesScreen), driven.app.screen
    return driven.app.screen


async def opened(driven: Driven, *texts: str) -> Any:
    """Open the screen and record these rules from it."""
    await driven.press("G", "asterisk")
    for text in texts:
        rules(driven).record(typed(f"remember {text} --class rule --tag category:git"))
        await driven.settle()
    return rules(driven)


def known(shown: Any) -> dict[str, Any]:
    return {each.text: each for each in shown.answer.rules}


def test_a_record_without_rules_says_how_to_make_one(demo: str) -> None:
    async def story(driven: Driven) -> None:
        shown = await opened(driven)
        assert "Rules: none" in shown.plain_text()
        assert "remember TEXT --class rule" in shown.plain_text()
        for key in ("x", "plus", "minus", "u", "d"):
            await driven.press(key)
            assert driven.shows("no rule is selected")

    drive(demo, story, MIDDLE)


def test_rules_are_listed_as_of_a_step_and_lead_to_it(demo: str) -> None:
    async def story(driven: Driven) -> None:
        head = driven.app.steps.head
        shown = await opened(driven, FORMAT)
        assert driven.shows("Rules: 1 of 1 ")
        row = next(line for line in driven.lines() if FORMAT in line)
        assert "+0.000  candidate" in row
        assert "+0 -0  git" in row
        step = known(shown)[FORMAT].step
        assert step > head
        await select(driven, FORMAT)
        await driven.press("enter")
        assert driven.app.home.here.step == step
        await driven.press("k", "asterisk")
        assert driven.shows("Rules: none"), "none was made up to the step before"

    drive(demo, story, MIDDLE)


def test_conflicts_stand_side_by_side_and_each_row_knows_its_rule(demo: str) -> None:
    async def story(driven: Driven) -> None:
        shown = await opened(driven, SQLITE, POSTGRES)
        assert driven.shows("Rules: 2 of 2, 1 conflict ")
        assert driven.shows("database: postgresql or sqlite")
        rows = [(shown.list.row_at(at).text, each) for at, each in enumerate(shown._named) if each is not None]
        assert [each.text in row or each.memo in row for row, each in rows] == [True] * 6
        sides = [side for each in shown.beside["rules:conflicts"].conflicts for side in each.sides]
        assert {each.memo for _, each in rows[2:]} == {each.id for each in sides}
        shown.list.select(shown.list.count() - 1)
        last = shown.judged_text
        await driven.press("d")
        await confirm(driven, "one is enough")
        assert last not in known(shown)
        assert driven.shows("no conflict among 1 live rule")

    drive(demo, story, MIDDLE)


def test_a_rule_is_rated_with_evidence_by_way(demo: str) -> None:
    async def story(driven: Driven) -> None:
        shown = await opened(driven, FORMAT)
        await select(driven, FORMAT)
        await driven.press("x")
        assert driven.shows(NOTHING)
        await driven.press("q")
        for key, words in (("plus", "CI was green"), ("minus", "too slow")):
            await select(driven, FORMAT)
            await driven.press(key)
            await confirm(driven, words)
        assert known(shown)[FORMAT].score != 0
        await select(driven, FORMAT)
        await driven.press("x")
        evidence = driven.app.screen
        assert isinstance(evidence, RuleScreen)
        events = evidence.answer.feedback_events
        assert [each.way for each in events] == ["explicit", "explicit"]
        assert driven.shows("explicit: 1 helpful, 1 harmful")
        await select(driven, "too slow")
        await driven.press("enter")
        assert driven.app.home.here.step == events[1].step

    drive(demo, story, MIDDLE)


def test_a_rule_is_retired_listed_again_and_replaced(demo: str) -> None:
    async def story(driven: Driven) -> None:
        shown = await opened(driven, FORMAT, SQLITE)
        await select(driven, FORMAT)
        await driven.press("d", "escape")
        assert FORMAT in known(shown), "escape records nothing"
        await select(driven, FORMAT)
        await driven.press("d")
        await confirm(driven, "a hook does it")
        assert set(known(shown)) == {SQLITE}
        await driven.press("i")
        assert known(shown)[FORMAT].maturity == "deprecated"
        await select(driven, FORMAT)
        await driven.press("x")
        assert driven.shows("a hook does it")
        await driven.press("q", "i")
        await select(driven, SQLITE)
        await driven.press("u")
        await confirm(driven, "Keep data in files.")
        assert set(known(shown)) == {"Keep data in files."}

    drive(demo, story, MIDDLE)


def test_a_rule_of_the_users_own_record_is_retired_there(demo: str) -> None:
    async def story(driven: Driven) -> None:
        shown = await opened(driven, f"{FORMAT} --scope user", SQLITE)
        assert known(shown)[FORMAT].for_user
        assert driven.shows("Rules of your own record are listed as of the time of step")
        await select(driven, FORMAT)
        await driven.press("enter")
        assert driven.shows("this row links to nothing")
        await driven.press("d")
        await confirm(driven)
        assert driven.shows("of your own record)")
        shown.record(typed(f"remember {POSTGRES} --class rule"))
        await driven.settle()
        assert set(known(shown)) == {SQLITE, POSTGRES}

    drive(demo, story, MIDDLE)


def test_the_diary_leads_to_the_steps_of_its_entries(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "semicolon")
        shown: Any = driven.app.screen
        assert isinstance(shown, DiaryScreen)
        [session] = shown.answer.sessions
        assert driven.shows("Diary: 1 session ")
        entries = [each for section in session.sections for each in section.entries]
        assert entries
        text = shown.plain_text()
        assert all(" ".join(each.text.split())[:20] in text for each in entries)
        await select(driven, entries[-1].text[:20])
        await driven.press("enter")
        assert driven.app.home.here.step == min(entries[-1].steps)

    drive(demo, story)


@pytest.mark.parametrize("key", ["asterisk", "semicolon"])
def test_they_fit_narrow_screens(key: str, demo: str) -> None:
    async def story(driven: Driven) -> None:
        await opened(driven, SQLITE, POSTGRES)
        await driven.press("q", "G")
        for size in (SLIM, NARROW):
            await driven.resize(*size)
            await driven.press(key)
            assert max(map(len, driven.lines())) <= size[0]
            await driven.press("q")

    drive(demo, story, SLIM)
