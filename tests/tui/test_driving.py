"""The driver itself: what it says is on the screen is on the screen, and when it says so, nothing is under way."""

from tests.tui.driving import MIDDLE, NARROW, WIDE, Driven, Place, drive


def test_it_opens_and_reads_a_workspace(demo):
    async def story(driven: Driven) -> None:
        assert [len(line) for line in driven.lines()] == [160] * 48
        assert driven.app.engine.is_idle
        assert driven.rows("window")
        steps = driven.pane("steps")
        assert steps.cursor == steps.count() - 1
        assert driven.app.home.here.step == 61
        assert [line for line in driven.pane_lines("steps") if line.startswith("    61 ")]
        place = driven.find("Steps")
        assert place is not None
        assert driven.lines()[place.y][place.x :].startswith("Steps")

    drive(demo, story, WIDE)


def test_keys_move_and_are_answered(demo):
    async def story(driven: Driven) -> None:
        await driven.press("g")
        await driven.press("4", "0", "G")
        assert driven.app.home.here.step == 40
        assert "40" in driven.status
        answered = driven.app.home.query_one("#step").answered
        assert answered.at == 40

    drive(demo, story, MIDDLE)


def test_a_click_goes_where_it_points(demo):
    async def story(driven: Driven) -> None:
        await driven.press("g")
        region = driven.pane("steps").content_region
        await driven.click(Place(region.x + 3, region.y + 4))
        assert driven.pane("steps").cursor == 4

    drive(demo, story, NARROW)


def test_it_knows_that_somebody_left(demo):
    async def story(driven: Driven) -> None:
        await driven.press("Q")
        assert not driven.runs
        assert driven.app.return_code == 0

    drive(demo, story)
