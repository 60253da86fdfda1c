"""What holds, on a screen of its own: requests, rules, documents and the map; labelled, replaced, retracted."""

from __future__ import annotations

from typing import Any

from ccos_tui.screens.memory import DOCUMENTS, MemoryScreen
from tests.tui.driving import MIDDLE, NARROW, SLIM, Driven, drive
from tests.tui.screens.test_statements import FIRST, SAID, confirm, select


def screen(driven: Driven) -> Any:
    assert isinstance(driven.app.screen, MemoryScreen), driven.app.screen
    return driven.app.screen


def test_it_shows_what_holds_and_the_map(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "number_sign")
        shown = screen(driven)
        text = shown.plain_text()
        answer = shown.answer
        assert answer.at == driven.app.steps.head
        said = [*answer.request, *answer.rules]
        assert f"Memory: {len(said)} statements" in text
        assert [each.text in text for each in said] == [True] * len(said)
        assert all(line in text for line in answer.text.splitlines())
        await driven.press("i", "i", "i")
        assert shown.answer.level == 3
        await select(driven, FIRST)
        assert shown.judged_text == FIRST
        await driven.press("enter")
        assert driven.app.home.here.step == SAID

    drive(demo, story, MIDDLE)


def test_each_row_of_a_statement_is_known_as_that(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "quotation_mark")
        listed = driven.app.screen.answer  # type: ignore[attr-defined]
        await driven.press("q", "number_sign")
        shown = screen(driven)
        shown.beside[DOCUMENTS] = listed  # no sample has documents that say something
        shown.fill()
        wanted = [*shown.answer.request, *shown.answer.rules, *listed.statements]
        rows = [(shown.list.row_at(at).text, each) for at, each in enumerate(shown._statements) if each is not None]
        assert [each for _, each in rows] == wanted
        assert len(listed.statements) == 4
        assert all(" ".join(each.text.split())[:12] in row for row, each in rows)

    drive(demo, story, MIDDLE)


def test_a_statement_is_labelled_replaced_and_retracted(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "number_sign")
        shown = screen(driven)

        def texts() -> list[str]:
            return [each.text for each in (*shown.answer.request, *shown.answer.rules)]

        await select(driven, FIRST)
        memo = shown.judged
        await driven.press("m")
        await confirm(driven, "--tag money")
        assert driven.shows(f"labelled: {memo}")
        await select(driven, FIRST)
        await driven.press("u")
        await confirm(driven, "Invoices are right.")
        assert FIRST not in texts()
        assert "Invoices are right." in texts()
        await select(driven, "Invoices are right.")
        await driven.press("d", "escape")
        assert "Invoices are right." in texts(), "escape records nothing"
        await driven.press("d")
        await confirm(driven, "they aren't")
        assert "Invoices are right." not in texts()

    drive(demo, story, MIDDLE)


def test_what_is_no_statement_is_not_judged(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G", "number_sign", "G")
        assert screen(driven).judged is None
        for key in ("m", "u", "d"):
            await driven.press(key)
            assert driven.shows("no statement is selected")

    drive(demo, story, MIDDLE)


def test_it_fits_narrow_screens(demo: str) -> None:
    async def story(driven: Driven) -> None:
        for size in (SLIM, NARROW):
            await driven.resize(*size)
            await driven.press("number_sign")
            assert max(map(len, driven.lines())) <= size[0]
            await driven.press("q")

    drive(demo, story, SLIM)
