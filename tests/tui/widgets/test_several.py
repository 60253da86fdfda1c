"""A pane of several questions: what came is shown, what has no answer says why, what is gone is forgotten."""

from __future__ import annotations

from dataclasses import replace

from ccos_tui.widgets.several import SeveralPane
from tests.tui.driving import Driven, drive

REFUSED = "there is no suggested window that was given to the agent"


def test_a_question_without_an_answer_says_why_in_its_place(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press("5", "3", "G", "w", "W")
        home.go(replace(home.here, lens="delivered"))
        await driven.settle()
        for name in ("watch", "why"):
            assert any(REFUSED in row.text for row in driven.rows(name)), name
        home.go(replace(home.here, lens="working-set"))
        await driven.settle()
        assert not any(REFUSED in row.text for name in ("watch", "why") for row in driven.rows(name))

    drive(demo, story)


def test_what_is_asked_no_more_is_forgotten(demo: str) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        await driven.press("1", "7", "G", "w", "5", "3", "G", "w", "t")
        watch, tree = driven.pane("watch"), driven.pane("tree")
        assert isinstance(watch, SeveralPane)
        assert isinstance(tree, SeveralPane)
        assert set(watch.came) == {"1", "2"}
        assert any("src/shipping.py" in row.text for row in driven.rows("watch"))
        home.steps.focus()
        await driven.press("1", "7", "G", "w")
        assert set(watch.came) == {"2"}
        assert not any("src/shipping.py" in row.text for row in driven.rows("watch"))
        assert set(tree.came) == {"", "impact"}
        home.go(home.here.on(None))
        await driven.settle()
        assert tree.came == {}
        assert driven.rows("tree")[0].text == "Nothing is selected."

    drive(demo, story)


def test_answers_that_come_soon_after_each_other_are_drawn_together(demo: str) -> None:
    async def story(driven: Driven) -> None:
        await driven.press("5", "3", "G", "w", "t")
        pane = driven.pane("tree")
        assert isinstance(pane, SeveralPane)
        drawn: list[int] = []
        present = pane.present
        pane.present = lambda: (drawn.append(len(pane.came)), present())[1]  # type: ignore[method-assign]
        answers = list(pane.came.values())
        assert len(answers) > 1
        pane.came = {}
        drawn.clear()
        for each in answers:
            pane._came(each)
        assert drawn == [len(answers)]
        pane.came = {}
        pane._came(answers[0])
        assert drawn == [len(answers)]
        await driven.until(lambda: drawn == [len(answers), 1])  # what is late is waited for no longer than a moment

    drive(demo, story)
