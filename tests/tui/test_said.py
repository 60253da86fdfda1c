"""What the user said, in the window pane and on the timeline: held, lost, by what, since when."""

from __future__ import annotations

import pytest

from ccos_core.present.rows import Row
from ccos_core.session.session import open_session
from ccos_tui.present.said import HELD_SHOWN
from ccos_tui.widgets.scrubber import Scrubber
from tests.tui.driving import MIDDLE, NARROW, SLIM, WIDE, Driven, drive

SAID, LOST = 2, 40
"""Steps of the demonstration: the first prompt, and the compaction that drops it."""
FIRST = "Invoices are a hundred times too high."


def group(driven: Driven) -> list[Row]:
    rows = driven.rows("window")
    first = next((at for at, row in enumerate(rows) if row.text.startswith("what you said")), len(rows))
    end = next((at for at in range(first + 1, len(rows)) if rows[at].role == "heading"), len(rows))
    return rows[first:end]


@pytest.mark.parametrize("size", [WIDE, MIDDLE, SLIM, NARROW], ids=str)
def test_the_window_says_what_carries_each_statement_and_since_when_it_is_lost(
    demo: str, size: tuple[int, int]
) -> None:
    async def story(driven: Driven) -> None:
        await driven.press(*str(LOST - 1), "G")
        driven.app.home.show_pane("window")
        await driven.settle()
        heading, first, *_ = group(driven)
        assert "● 2" in heading.text
        assert first.text.lstrip().startswith("●")
        assert "prompt 2" in first.text
        await driven.press("q", *str(LOST), "G")
        driven.app.home.show_pane("window")
        await driven.settle()
        heading, first, *_ = group(driven)
        assert "○ 2" in heading.text
        assert first.text.lstrip().startswith("○")
        assert f"since {LOST}" in first.text

    drive(demo, story, size)


def test_lost_statements_stand_behind_those_that_are_held(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("G")
        signs = [row.text.strip()[0] for row in group(driven)[1:]]
        assert signs == ["●", "●", "○", "○"]

    drive(demo, story)


def test_enter_goes_to_where_it_was_said_and_w_explains_its_loss(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press(*str(LOST), "G")
        home.show_pane("window")
        pane = driven.pane("window")
        leads = [pane.row_at(at).leads for at in range(pane.count())]
        pane.select(next(at for at, each in enumerate(leads) if each is not None and each.node == f"words:{FIRST}"))
        await driven.press("W")
        shown = " ".join(" ".join(row.text.split()) for row in driven.rows("why"))
        assert f"out since {LOST}: prompt {SAID} was dropped by that compaction" in shown
        home.show_pane("window")
        await driven.press("enter")
        assert home.here.step == SAID
        assert home.here.node == f"words:{FIRST}"

    drive(demo, story)


def test_the_timeline_has_a_lane_of_what_was_said_and_lost(demo: str) -> None:
    async def story(driven: Driven) -> None:
        scrubber = driven.app.screen.query_one(Scrubber)
        band = next(each for each in scrubber._bands if each.name == "said")
        assert band.sorts == {SAID: "said", LOST: "lost", 51: "said"}
        cells = {step: band.cells[scrubber.scale.cell(step)][0] for step in band.sorts}
        assert cells == {SAID: "s", LOST: "L", 51: "s"}

    drive(demo, story)


def test_what_was_said_is_asked_once_for_all_steps(demo: str) -> None:
    async def story(driven: Driven) -> None:
        asked: list[str] = []
        engine = driven.app.engine
        ask_all = engine.ask_all

        def counted(questions):  # type: ignore[no-untyped-def]
            each = list(questions)
            asked.extend(question.name for _, question in each)
            ask_all(each)

        engine.ask_all = counted  # type: ignore[method-assign]
        await driven.press("k", "k", "g", "5", "j")
        assert "recall" in asked
        assert "statements" not in asked

    drive(demo, story)


def test_a_long_group_is_folded_and_enter_unfolds_it(demo: str) -> None:
    speaker = {"host": "demo", "session": "demo-0001", "source": "user"}
    with open_session(demo, clock=lambda: 1_771_071_460_000) as session:
        session.record([{"kind": "prompt", "said": f"Rule number {each} is to hold.", **speaker} for each in range(9)])

    async def story(driven: Driven) -> None:
        folded = group(driven)
        assert len(folded) == 1 + HELD_SHOWN + 2 + 1
        driven.app.home.show_pane("window")
        pane = driven.pane("window")
        for count in (1 + 11 + 2 + 1, len(folded)):
            pane.select(next(at for at in range(pane.count()) if "⋯" in pane.row_at(at).text))
            await driven.press("enter")
            assert len(group(driven)) == count

    drive(demo, story)
