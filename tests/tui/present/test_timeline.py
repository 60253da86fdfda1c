"""The timeline's rows: exactly as wide as the screen, whatever happened, and true to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.query.overview import Lane, Overview
from ccos_tui.present.scale import Scale
from ccos_tui.present.timeline import AXIS, LANES, Band, Room, Stand, bands, compact, line, room
from ccos_tui.themes import ROLES

NAMES = ("failure", "again", "error", "prompt", "compaction", "fall", "edit", "epoch", "mark")


def seen(
    last: int,
    columns: int,
    lanes: Mapping[str, Sequence[int]],
    *,
    heat: Sequence[int] = (),
    held: Mapping[int, int] | None = None,
) -> Overview:
    """An overview of a session of so many steps, of which each step has its heat and what its window held."""
    count = min(columns, last)
    begins = tuple(1 + at * last // count for at in range(count)) if last else ()
    ends = (*begins[1:], last + 1)[: len(begins)]
    hots = tuple(max(heat[begin - 1 : end - 1], default=0) for begin, end in zip(begins, ends, strict=True))
    holds = tuple(
        max((tokens for step, tokens in (held or {}).items() if begin <= step < end), default=None)
        for begin, end in zip(begins, ends, strict=True)
    )
    happened = {name: tuple(sorted(lanes.get(name, ()))) for name in NAMES}
    cliffs = tuple(sorted({*happened["compaction"], *happened["fall"]}))
    told = tuple(Lane(name, steps) for name, steps in happened.items())
    return Overview(1, last, last, last, begins, hots, 1 if any(hots) else None, holds, min(held or [0]) or None,
                    cliffs, told)  # fmt: skip


def drawn(overview: Overview | None, space: Room, last: int, stand: Stand, **how: object) -> dict[str, list[str]]:
    """What stands to the right of the gutter, by the name of the row, from the top."""
    scale = Scale(1, last, space.columns)
    found: dict[str, list[str]] = {}
    for band in bands(overview, space, scale, **how):  # type: ignore[arg-type]
        text = "".join(span.text for span in line(band, space, scale, stand))
        found.setdefault(band.name, []).append(text[space.gutter :].rstrip())
    return found


@st.composite
def sessions(draw: st.DrawFn) -> Overview | None:
    last = draw(st.integers(0, 400))
    if draw(st.booleans()) and draw(st.booleans()):
        return None
    step = st.integers(1, max(last, 1))
    lanes = {name: draw(st.sets(step, max_size=30)) for name in NAMES} if last else {}
    heat = draw(st.lists(st.integers(0, 9_999_999), min_size=last, max_size=last)) if last < 50 else [7] * last
    held = draw(st.dictionaries(step, st.integers(1, 2_000_000), max_size=20)) if last else {}
    return seen(last, draw(st.integers(1, 200)), lanes, heat=heat, held=held)


STANDS = st.builds(
    Stand,
    st.integers(0, 500),
    st.none() | st.integers(0, 500),
    st.none() | st.tuples(st.integers(1, 500), st.integers(1, 500)).map(lambda pair: (min(pair), max(pair))),
)


@given(
    sessions(), st.integers(1, 250), st.integers(1, 70), st.booleans(), STANDS, st.sets(st.integers(1, 400)), st.text()
)
def test_every_row_is_as_wide_as_the_screen(
    overview: Overview | None, width: int, height: int, lanes: bool, stand: Stand, watched: set[int], note: str
) -> None:
    space = room(width, height, lanes=lanes)
    scale = Scale(1, max(overview.last if overview else 1, 1), space.columns)
    made = bands(overview, space, scale, watched=sorted(watched), note=note)
    assert made
    for band in made:
        spans = line(band, space, scale, stand)
        assert sum(cell_len(span.text) for span in spans) == width
        assert {span.role for span in spans} <= set(ROLES)


@given(sessions(), st.integers(80, 200), st.integers(1, 400))
def test_every_step_of_a_lane_can_be_found_in_it(overview: Overview | None, width: int, seed: int) -> None:
    if overview is None or not overview.begins:
        return
    space = room(width, 60, lanes=True)
    scale = Scale(1, overview.last, space.columns)
    made = {band.name: band for band in bands(overview, space, scale) if band.name in LANES}
    happened = {lane.name: lane.steps for lane in overview.lanes}
    happened["failure"] = sorted({*happened["failure"], *happened["again"]})
    for name in ("failure", "error", "prompt", "edit", "mark"):
        steps = happened[name]
        assert (name in made) == bool(steps)
        if steps:
            assert sorted(step for found in made[name].there.values() for step in found) == list(steps)
            assert {at for at, (sign, _) in enumerate(made[name].cells) if sign != " "} == set(made[name].there)


def test_before_the_answer_it_says_so_and_the_cursor_moves() -> None:
    space = room(80, 30, lanes=True)
    rows = drawn(None, space, 100, Stand(cursor=50))
    assert rows["heat"][-1].startswith(" reading …")
    assert [row.index("┃") for row in rows["heat"]] == [Scale(1, 100, space.columns).cell(50)] * 2
    assert "50" in rows[AXIS][0]


def test_what_most_sessions_have_stands_there_from_the_first() -> None:
    space = room(160, 48, lanes=True)
    before = drawn(None, space, 100, Stand(cursor=50))
    after = drawn(seen(100, 100, {name: [3] for name in NAMES if name != "mark"}, held={3: 4}), space, 100, Stand())
    assert [(name, len(rows)) for name, rows in before.items()] == [(name, len(rows)) for name, rows in after.items()]


def test_a_note_says_why_there_is_nothing() -> None:
    rows = drawn(None, room(80, 30, lanes=True), 100, Stand(), note="the\x1b[31m record\nis damaged")
    assert "record" in rows["heat"][-1]
    assert "\x1b" not in rows["heat"][-1]


def test_an_empty_session_says_so() -> None:
    assert drawn(seen(0, 80, {}), room(80, 30, lanes=True), 1, Stand())["heat"][-1].startswith("┃no steps yet")


def test_where_nothing_was_warm_it_says_so() -> None:
    rows = drawn(seen(9, 80, {"prompt": [3]}), room(80, 30, lanes=True), 9, Stand())
    assert rows["heat"][-1].startswith("┃nothing was warm")
    assert len(rows["heat"]) == 2


def test_heat_is_as_high_as_it_was() -> None:
    overview = seen(24, 24, {}, heat=range(1, 25))
    space = Room(25, 0, 3, 0, (), False)
    rows = drawn(overview, space, 24, Stand())["heat"]
    assert rows == ["┃" + " " * 15 + "▁▂▃▄▅▆▇█", "┃" + " " * 7 + "▁▂▃▄▅▆▇█" + "█" * 8, "┃▂▃▄▅▆▇█" + "█" * 16]


def test_the_hottest_has_the_hottest_role_and_what_is_cold_has_no_height() -> None:
    overview = seen(6, 6, {}, heat=[0, 1, 25, 50, 75, 100])
    (band,) = bands(overview, Room(7, 0, 1, 0, (), False), Scale(1, 6, 6))
    assert band.cells == (
        (" ", "hot-1"), ("▁", "hot-1"), ("▂", "hot-2"), ("▄", "hot-3"), ("▆", "hot-4"), ("█", "hot-5")
    )  # fmt: skip


def test_the_hosts_window_holds_what_it_held_until_it_is_cut() -> None:
    overview = seen(8, 8, {"compaction": [5]}, held={2: 100, 4: 200, 7: 50})
    made = bands(overview, Room(9, 0, 1, 1, (), False), Scale(1, 8, 8))
    assert "".join(sign for sign, _ in made[-1].cells) == " ▄▄███"[:5] + " ▂▂"
    assert [role for _, role in made[-1].cells].index("compaction") == 4


def test_a_host_that_counts_nothing_has_no_row() -> None:
    assert "window" not in drawn(seen(8, 8, {}), room(120, 50, lanes=True), 8, Stand())


def test_lanes_show_one_by_its_sign_and_some_by_their_number() -> None:
    overview = seen(100, 10, {"prompt": [1, 15, 16, 17, 100]})
    rows = drawn(overview, Room(11, 0, 1, 0, ("prompt",), True), 100, Stand(cursor=50))
    assert rows["prompt"] == ["u3  ┃    u"]


def test_a_crowded_lane_shows_heights() -> None:
    overview = seen(100, 10, {"failure": [1, *range(11, 21), *range(31, 36)]})
    rows = drawn(overview, Room(11, 0, 1, 0, ("failure",), False), 100, Stand(cursor=100))
    assert rows["failure"] == ["▁▆ ▃     ┃"]


def test_falls_stand_among_the_compactions() -> None:
    overview = seen(10, 10, {"compaction": [2], "fall": [2, 5]})
    rows = drawn(overview, Room(11, 0, 1, 0, ("compaction",), False), 10, Stand(cursor=10))
    assert rows["compaction"] == [" C  ~    ┃"]


def test_what_fails_again_stands_among_the_failures() -> None:
    overview = seen(10, 10, {"failure": [2, 7], "again": [2, 5]})
    rows = drawn(overview, Room(11, 0, 1, 0, ("failure",), False), 10, Stand(cursor=10))
    assert rows["failure"] == [' !  " !  ┃']


def test_what_is_watched_has_a_lane() -> None:
    rows = drawn(seen(10, 10, {}), room(16, 30, lanes=True), 10, Stand(cursor=10), watched=[3, 4])
    assert "w" in rows["watch"][0]


def test_a_sign_under_the_cursor_can_still_be_read() -> None:
    overview = seen(10, 10, {"failure": [4]})
    scale, space = Scale(1, 10, 10), Room(11, 0, 1, 0, ("failure",), False)
    lane = bands(overview, space, scale)[-1]
    assert ("!", "mark") in [(span.text, span.role) for span in line(lane, space, scale, Stand(cursor=4))]


def test_the_axis_shows_where_the_list_is_and_which_step_it_is() -> None:
    axis = Band(AXIS, (), ())
    space, scale = Room(41, 0, 1, 0, (), True), Scale(1, 40, 40)

    def said(stand: Stand) -> str:
        return "".join(span.text for span in line(axis, space, scale, stand)).rstrip()

    assert said(Stand(10, None, (6, 12))) == "─────[===▲=] 10 " + "─" * 24
    assert said(Stand(40, 2, (30, 40))) == "─A" + "─" * 23 + " 40 [=========▲"
    assert said(Stand(0, None, None)).startswith("▲ 0 ─")
    assert said(Stand(10, None, (1, 40))) == "[========▲ 10 " + "=" * 25 + "]", "where the list shows all steps"
    assert said(Stand(40, None, (1, 40))) == "[" + "=" * 34 + " 40 ▲"
    assert said(Stand(20, 22, (1, 40))) == "[" + "=" * 14 + " 20 ▲=A" + "=" * 17 + "]", "over no other sign"


def test_a_bracket_smaller_than_a_column_is_still_one() -> None:
    space, scale = Room(41, 0, 1, 0, (), True), Scale(1, 100_000, 40)
    text = "".join(span.text for span in line(Band(AXIS, (), ()), space, scale, Stand(50_000, 1, (90_000, 90_040))))
    assert "[]" in text
    assert " 50,000 " in text


def test_the_gutter_has_words_where_there_is_room() -> None:
    overview = seen(100, 80, {"failure": [3], "mark": [4, 5]}, heat=[250] * 100, held={3: 167_510})
    for width, height, words in ((160, 48, " ! failures       1 "), (100, 30, " ! failures    "), (60, 24, "    ! ")):
        space = room(width, height, lanes=True)
        labels = ["".join(span.text for span in band.label) for band in bands(overview, space, Scale(1, 100, 9))]
        assert {len(label) for label in labels} == {space.gutter}
        assert words in labels
    assert any("2.50" in label for label in _labels(overview, 160))
    assert any("window" in label and "168k" in label for label in _labels(overview, 160))


def _labels(overview: Overview, width: int) -> list[str]:
    space = room(width, 48, lanes=True)
    return ["".join(span.text for span in band.label) for band in bands(overview, space, Scale(1, 100, 9))]


@given(st.integers(0, 999_000_000))
def test_numbers_take_five_columns(number: int) -> None:
    assert len(compact(number)) <= 5
