"""Who got hotter and who colder: rows that fit, figures with their signs, curves, and ops that lead to their steps."""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.present.later import untitled
from ccos_core.present.parts import curve
from ccos_core.present.rows import Moment, Row, View
from ccos_core.query.energy import Cause, Energy, Moved, Mover
from ccos_core.query.telling import Told

RUN = Told(50, "tool", None, "Bash pytest -q", "error", 403, ())
HOTTER = Moved("sym:src/api.py#invoice", 897, 937, 40, (Cause("failure", 40),), (Mover(40, ("failure",), RUN),), 0,
               (0, 1, 400, 800))  # fmt: skip
COLDER = Moved("file:src/old.py", 300, 100, -200, (Cause("failure", -200),), (Mover(-200, ("failure",), RUN),), 3, ())
ANSWER = Energy(49, 50, 98, 40, -200, (Cause("failure", -160),), 5, (COLDER, HOTTER))


def test_hotter_ones_stand_above_colder_ones() -> None:
    rows = rows_of(ANSWER, 90)
    said = [row.text.strip() for row in rows]
    assert said[0].startswith("5 nodes moved  +0.40 hotter  -2.00 colder")
    assert [row.text.split()[0] for row in rows if row.role == "heading"] == ["hotter", "colder"]
    moved = [row for row in rows if row.leads is not None and row.leads.node is not None]
    assert [row.leads for row in moved] == [Moment(node=HOTTER.node), Moment(node=COLDER.node)]
    assert moved[0].text.split()[0] == "+0.40"
    assert "8.97 → 9.37" in moved[0].text
    assert moved[1].text.split()[0] == "-2.00"
    assert [row.leads for row in rows if row.leads is not None and row.leads.step is not None] == [Moment(50)] * 2
    assert "and 3 more ops" in said
    assert said[-1] == "and 3 more nodes"


def test_the_one_that_moved_most_has_the_longest_bar() -> None:
    hotter, colder = (row.text for row in rows_of(ANSWER, 90) if row.leads is not None and row.leads.node is not None)
    assert hotter.count("█") - "".join(span.text for span in curve(HOTTER.course)).count("█") < colder.count("█") == 6


def test_little_room_leaves_out_curves_and_then_bars() -> None:
    def first(width: int) -> str:
        return next(row.text for row in rows_of(ANSWER, width) if row.leads is not None)

    assert "▁" in first(90)
    assert "▁" not in first(50)
    assert "█" not in first(40)
    assert "+0.40" in first(40)


def test_nothing_moved_is_said() -> None:
    (row,) = rows_of(Energy(3, 4, 98, 0, 0, (), 0, ()), 80)
    assert row.text.startswith("Nothing got hotter or colder")


def rows_of(answer: Energy, width: int) -> Sequence[Row]:
    return untitled(answer.as_rows(View(width, full=True)))
