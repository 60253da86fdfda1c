"""What is told of a cell of the timeline."""

from __future__ import annotations

from ccos_tui.present.hover import hover
from ccos_tui.present.scale import Scale
from ccos_tui.present.timeline import Room, bands
from tests.tui.present.test_timeline import seen

LAST, CELLS = 100, 10
SPACE = Room(CELLS + 1, 0, 1, 1, ("failure", "compaction", "edit"), True)
SCALE = Scale(1, LAST, CELLS)
LANES = {"failure": [1, 11, 12], "again": [2, 61, 62], "compaction": [50], "fall": [70], "edit": range(31, 39)}


def told(name: str, cell: int) -> str:
    overview = seen(LAST, CELLS, LANES, heat=[250] * LAST, held={45: 9_000})
    band = next(each for each in bands(overview, SPACE, SCALE) if each.name == name)
    return hover(overview, band, SCALE, cell)


def test_figures() -> None:
    assert told("heat", 0) == "heat: 2.50 reads\nsteps 1 to 10"
    assert told("window", 4) == "9,000 tokens in the agent's window\nsteps 41 to 50"
    assert told("window", 9) == "no token count recorded here\nsteps 91 to 100"


def test_events() -> None:
    assert told("failure", 0) == "1 run with new failures, 1 known failure again: steps 1, 2\nsteps 1 to 10"
    assert told("failure", 6) == "2 known failures again: steps 61, 62\nsteps 61 to 70"
    assert told("failure", 1) == "2 runs with new failures: steps 11, 12\nsteps 11 to 20"
    assert told("edit", 3) == "8 edits, the first at step 31\nsteps 31 to 40"
    assert told("compaction", 4) == "1 compaction: step 50\nsteps 41 to 50"
    assert told("compaction", 6) == "1 fall: step 70\nsteps 61 to 70"


def test_a_column_of_one_step_says_it_once() -> None:
    overview, scale = seen(10, 10, {"failure": [4]}), Scale(1, 10, CELLS)
    band = bands(overview, SPACE, scale)[1]
    assert hover(overview, band, scale, 3) == "1 run with new failures\nstep 4"


def test_elsewhere_it_tells_the_steps() -> None:
    assert told("failure", 5) == told("steps", 5) == "steps 51 to 60"


def test_without_an_answer_it_tells_the_step() -> None:
    scale = Scale(1, 10, CELLS)
    assert hover(None, bands(None, SPACE, scale)[0], scale, 3) == "step 4"


def test_what_is_recorded_since_has_no_figure() -> None:
    overview, later = seen(LAST, CELLS, {}, heat=[250] * LAST), Scale(1, 2 * LAST, CELLS)
    assert hover(overview, bands(overview, SPACE, later)[0], later, 9) == "steps 181 to 200"
    assert [sign for sign, _ in bands(overview, SPACE, later)[0].cells] == ["█"] * 5 + [" "] * 5
