"""Watched nodes as rows: strips as wide as the room, true to the runs, and the state at the cursor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccos_core.present.rows import Row
from ccos_core.present.words import STATES
from ccos_core.query.telling import Run
from ccos_tui.keys import Keys
from ccos_tui.present.scale import Scale
from ccos_tui.present.watch import EMPTY, Seen, nearest, place_of, rows_of, strip
from tests.tui.present.answers import NODES, TEXTS, WIDTHS, both_watches, check, host_watch, runs, watch

LEFT_AND_BACK = (Run(0, 5, "unborn"), Run(6, 39, "in"), Run(40, 52, "out"), Run(53, 61, "in"))


@st.composite
def seen(draw: st.DrawFn) -> Seen:
    node, head = draw(NODES), draw(st.integers(0, 300))
    kind = draw(st.sampled_from(("ours", "theirs", "both", "none", "refused")))
    if kind in ("none", "refused"):
        return Seen(node, refused=draw(TEXTS) if kind == "refused" else "")
    ours, theirs = watch(draw(runs(head)), node, draw(st.integers(0, 9))), host_watch(draw(runs(head)), node)
    return Seen(node, {"ours": ours, "theirs": theirs, "both": both_watches(ours, theirs)}[kind])


@given(st.lists(seen(), max_size=8), st.integers(0, 400), WIDTHS)
def test_every_row_fits(watched: list[Seen], at: int, width: int) -> None:
    rows = rows_of(watched, at, width)
    check(rows, width)
    assert {row.leads.node for row in rows if row.leads is not None} == {each.node for each in watched}


@given(runs(), st.integers(1, 120), st.integers(0, 600))
def test_a_strip_is_as_wide_as_the_room_and_marks_one_cell(stretches: tuple[Run, ...], cells: int, at: int) -> None:
    spans = strip(stretches, cells, at)
    assert sum(cell_len(span.text) for span in spans) == cells
    marked = [span for span in spans if span.role == "mark"]
    assert [len(span.text) for span in marked] == [1]
    state = next((run.state for run in stretches if run.first <= at <= run.last), stretches[-1].state)
    assert marked[0].text == STATES[state][0]


@given(runs(), st.integers(0, 600))
def test_with_room_for_each_step_a_strip_says_each(stretches: tuple[Run, ...], at: int) -> None:
    steps = [run.state for run in stretches for _ in range(run.first, run.last + 1)]
    assert "".join(span.text for span in strip(stretches, len(steps), at)) == "".join(
        STATES[state][0] for state in steps
    )


@given(runs(), st.integers(1, 60), st.integers(0, 600))
def test_the_rarest_state_can_be_seen_wherever_the_cursor_is_not(
    stretches: tuple[Run, ...], cells: int, at: int
) -> None:
    steps: dict[str, list[int]] = {}
    for run in stretches:
        steps.setdefault(run.state, []).extend(range(run.first, run.last + 1))
    rarest = min(steps, key=lambda state: len(steps[state]))
    if [len(each) for each in steps.values()].count(len(steps[rarest])) == 1:
        scale = Scale(0, stretches[-1].last, cells)
        shown = "".join(span.text for span in strip(stretches, cells, at))
        seen = {scale.cell(step) for step in steps[rarest]} - {scale.cell(at)}
        assert {shown[cell] for cell in seen} <= {STATES[rarest][0]}


def test_a_row_says_where_it_was_what_it_is_and_how_often_it_left() -> None:
    (row, *_) = rows_of([Seen("file:src/db.py", watch(LEFT_AND_BACK, left=1))], 45, 80)
    assert row.text.startswith(" src/db.py ·····●●●")
    assert end(row) == "○ out left 1x"
    assert [span.text for span in row.spans if span.role == "mark"] == ["○"]
    (before, *_) = rows_of([Seen("file:src/db.py", watch(LEFT_AND_BACK, left=1))], 1, 80)
    assert end(before) == "· not yet left 1x"
    assert [span.text for span in before.spans[:1]] == [span.text for span in row.spans[:1]]


def end(row: Row) -> str:
    """What stands behind the strip."""
    return " ".join("".join(span.text for span in row.spans[-2:]).split())


def test_two_strips_stand_below_a_name_that_takes_their_room() -> None:
    node = "file:src/services/billing/invoices/db.py"
    answer = both_watches(watch(LEFT_AND_BACK, node), host_watch(LEFT_AND_BACK, node, lost=1))
    name, ours, theirs, *_ = rows_of([Seen(node, answer)], 45, 60)
    assert name.text.strip() == "src/services/billing/invoices/db.py"
    assert [row.text.split()[0] for row in (ours, theirs)] == ["sugg.", "agent"]
    assert end(theirs) == "○ out left 1x"


def test_both_windows_have_a_strip_each() -> None:
    ours = (Run(0, 5, "unborn"), Run(6, 61, "in"))
    answer = both_watches(watch(ours), host_watch(LEFT_AND_BACK, lost=1))
    first, second, *_ = rows_of([Seen("file:src/db.py", answer)], 45, 80)
    assert first.text.startswith(" src/db.py sugg.  ····●")
    assert end(first) == "● in"
    assert second.text.strip().startswith("agent  ····●")
    assert end(second) == "○ out left 1x"


def test_little_room_puts_the_strip_below_the_name() -> None:
    rows = rows_of([Seen("file:src/db.py", watch(LEFT_AND_BACK, left=3))], 61, 36)
    assert rows[0].text.split() == ["src/db.py", "●", "in", "left", "3x"]
    assert set(rows[1].text.strip()) == {"·", "●", "○"}


def test_signs_are_told_in_words() -> None:
    *_, legend = rows_of([Seen("file:src/db.py", watch(LEFT_AND_BACK))], 61, 80)
    assert [span.text.strip() for span in legend.spans] == ["· not yet there", "● in", "○ out"]


def test_nothing_watched_says_what_to_do() -> None:
    assert [row.text.strip() for row in rows_of([], 1, 80)] == [Keys().told(line) for line in EMPTY]
    assert any("[ and ] then" in row.text for row in rows_of([], 1, 80))
    others = Keys({"change-back": ["f3"], "watch": ["+", "w"]})
    assert [row.text.strip() for row in rows_of([], 1, 80, others)][2:] == [
        "+ watches what is selected, here or in any other pane;",
        "f3 and ] then run back and on to where it came in or left.",
    ]


def test_what_is_not_known_yet_and_what_has_no_answer() -> None:
    waiting, refused = rows_of([Seen("file:a.py"), Seen("file:b.py", refused="no host here")], 1, 80)
    assert waiting.text.strip() == "a.py …"
    assert refused.text.strip() == "b.py no host here"


def test_of_both_windows_the_nearer_change_counts() -> None:
    ours = (Run(0, 5, "unborn"), Run(6, 61, "in"))
    answer = both_watches(watch(ours), host_watch(LEFT_AND_BACK))
    assert nearest(answer, 61, forward=False) == "host"
    assert nearest(answer, 40, forward=False) == "host"
    assert nearest(answer, 1, forward=True) == "host"
    other = both_watches(watch((Run(0, 50, "in"), Run(51, 61, "out"))), host_watch(LEFT_AND_BACK))
    assert nearest(other, 45, forward=True) == "working-set"
    assert nearest(other, 53, forward=False) == "working-set"


@given(st.integers(0, 300), st.integers(60, 160), st.data())
def test_a_column_of_a_strip_leads_to_its_step(head: int, width: int, data: st.DataObject) -> None:
    answer = watch(data.draw(runs(head)))
    watched = [Seen("file:src/db.py", answer)]
    place = place_of(watched, width)
    steps = [place.step(x, head) for x in range(width)]
    inside = [step for step in steps if step is not None]
    assert len(inside) == place.cells
    assert inside == sorted(inside)
    assert inside[0] == 0
    at = data.draw(st.sampled_from(inside))
    (row, *_) = rows_of(watched, at, width)
    before = 0
    for span in row.spans:
        if span.role == "mark":
            assert place.step(before, head) == at
        before += cell_len(span.text)
