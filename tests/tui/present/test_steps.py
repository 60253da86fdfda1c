"""Steps as rows: what they are about, and that they fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.steps import node_of, step_row
from ccos_core.query.telling import Told
from ccos_tui.present.rows import fitted
from tests.tui.present.answers import WIDTHS, any_of, check


@given(st.none() | any_of(Told), st.integers(0, 10_000_000), st.booleans(), WIDTHS)
def test_every_row_fits(told: Told | None, step: int, future: bool, width: int) -> None:
    check([step_row(told, step, future=future)], width)


@pytest.mark.parametrize(
    ("kind", "says", "node"),
    [
        ("read", "src/db.py", "file:src/db.py"),
        ("read", "src/db.py lines 4–6", "file:src/db.py"),
        ("edit", "my notes/a b.md", "file:my notes/a b.md"),
        ("write", "a" * 239 + "…", None),
        ("tool", "Read src/db.py", None),
        ("read", "", None),
    ],
)
def test_a_step_is_about_the_file_it_shows(kind: str, says: str, node: str | None) -> None:
    told = Told(3, kind, None, says, "", 0, ())
    assert node_of(told) == node
    leads = step_row(told, 3).leads
    assert leads is not None
    assert leads.node == node


@pytest.mark.parametrize(
    ("says", "shown"),
    [
        ("Edit ccos_core/window/linearize.py", "Edit …indow/linearize.py"),
        ("WebFetch https://example.com/a/b/c", "WebFetch https://exampl…"),
        ("Bash cat ccos_core/window/linearize.py", "Bash cat ccos_core/wind…"),
    ],
)
def test_a_call_about_one_file_shows_the_end_of_its_path(says: str, shown: str) -> None:
    row = step_row(Told(12, "tool", None, says, "ok", 0, ()), 12, width=46)
    assert "".join(span.text for span in fitted(row, 46)).endswith(shown)


@pytest.mark.parametrize(("width", "begins"), [(120, "    12 a ✎ edit"), (30, "   12 a ✎ edit")])
def test_a_letter_stands_by_itself_between_number_and_kind(width: int, begins: str) -> None:
    told = Told(12, "edit", None, "src/db.py", "", 0, ())
    with_letter, without = (step_row(told, 12, mark=mark, width=width).text for mark in ("a", ""))
    assert with_letter.startswith(begins)
    assert without == with_letter.replace(" a ", "   ", 1)
