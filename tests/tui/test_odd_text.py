"""Text of others stays text: whatever it holds, it moves no cursor, colours nothing and pushes nothing out of place."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ccos_tui.focus import LENSES
from tests.depth import at_depth
from tests.tui import hostile
from tests.tui.checking import holds_together, panes_fit_any_width
from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, drive

PANES = ("W", "x", "t", "p", "d")
ODD = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30) | st.sampled_from(hostile.WORDS)


@pytest.fixture(scope="module")
def _odd(tmp_path_factory: pytest.TempPathFactory) -> str:
    return hostile.build(tmp_path_factory.mktemp("odd") / "odd.ccos")


@pytest.fixture
def odd(_odd: str, tmp_path: Path) -> str:
    return str(shutil.copy(_odd, tmp_path / "[red]odd.ccos"))


@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=str)
def test_panes_hold_it(odd, size):
    async def story(driven: Driven) -> None:
        steps = driven.app.steps.head
        for step in range(4, steps, at_depth(51, 17)):
            await driven.press(*str(step), "G", "enter", "w")
            for key in PANES:
                await driven.press(key)
                holds_together(driven)
            panes_fit_any_width(driven)

    drive(odd, story, size)


def test_both_windows_hold_it(odd):
    async def story(driven: Driven) -> None:
        for _ in LENSES:
            await driven.press("L")
            holds_together(driven)
            panes_fit_any_width(driven)

    drive(odd, story)


@pytest.mark.parametrize("key", ["a", "f", "v", "M", "X", "colon"])
def test_screens_hold_it(odd, key):
    async def story(driven: Driven) -> None:
        await driven.press(key)
        holds_together(driven)

    drive(odd, story, MIDDLE)


def test_markup_is_shown_as_it_is(odd):
    """Steps, window and the name of the record alike; and none of it has a colour of its own."""

    async def story(driven: Driven) -> None:
        assert "[red]odd" in driven.lines()[0]
        await driven.press("g", "j", "j")
        place = driven.find(hostile.MARKUP)
        assert place is not None
        inside = place._replace(x=place.x + len("[bold red]"))
        assert driven.style_at(inside) == driven.style_at(place)

    drive(odd, story)


def test_an_escape_is_spelled_out(odd):
    async def story(driven: Driven) -> None:
        steps = [row.text for row in driven.rows("steps")]
        assert not [text for text in steps if "\x1b" in text or "\x00" in text or "\u202e" in text]
        assert [text for text in steps if "red" in text], "what stands between escapes is there"

    drive(odd, story)


# what fails is small as it is, and each try opens the screens
@settings(
    max_examples=8,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(words=st.lists(ODD, min_size=1, max_size=2).map(tuple))
def test_any_text_at_all(tmp_path_factory, words):
    path = hostile.build(tmp_path_factory.mktemp("any") / "any.ccos", words)

    async def story(driven: Driven) -> None:
        for key in ("4", "G", "enter", "W", "a"):
            await driven.press(key)
            holds_together(driven)

    drive(path, story, MIDDLE)
