"""What a node depends on and what depends on it: a tree in which everybody stands once, below the one before it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.rows import Moment, Row, View
from ccos_core.query.depending import Dependent, Depending, Link
from ccos_core.serve.printing import as_lines
from ccos_tui.widgets.tree_pane import tree_rows
from tests.tui.present.answers import WIDTHS, any_of, check

INVOICE = Link("sym:src/api.py#invoice", ("call", "import"), 8, 0)
TEST = Link("sym:tests/test_api.py#test_invoice", ("call",), 4, 1)
FILE = Link("file:src/api.py", ("import",), 4, 0)
IMPACT = Depending("impact", "file:src/db.py", 50, 3, 0, (
    Dependent(INVOICE.node, 1, 8, (INVOICE,), 0),
    Dependent(FILE.node, 1, 4, (FILE,), 0),
    Dependent(TEST.node, 2, 4, (INVOICE, TEST), 1),
), 4, 2, False)  # fmt: skip
BLAME = Depending("blame", "file:src/db.py", 50, 3, 2, (), 0, 0, False)


def rows_of(blame: Depending | None, impact: Depending | None, width: int) -> list[Row]:
    return tree_rows(blame, impact, View(width, full=True))


@given(st.none() | any_of(Depending), st.none() | any_of(Depending), WIDTHS)
def test_every_row_fits(blame: Depending | None, impact: Depending | None, width: int) -> None:
    check(rows_of(blame, impact, width), width)


def test_ways_are_branches_and_lead_to_their_nodes() -> None:
    rows = rows_of(BLAME, IMPACT, 80)
    tree = [(row.text.split("  ")[0] if row.text.startswith("├") else row.text, row.leads) for row in rows
            if row.leads is not None]  # fmt: skip
    assert [leads for _, leads in tree] == [
        Moment(node="file:src/db.py"), Moment(node=INVOICE.node), Moment(node=TEST.node), Moment(node=FILE.node),
    ]  # fmt: skip
    said = ["".join(span.text for span in row.spans) for row in rows if row.leads is not None]
    assert said == [
        "src/db.py ✗ 2 failures",
        "├─ call,import ← src/api.py#invoice",
        "│  └─ call ← tests/test_api.py#test_invoice ✗ 1 failure",
        "└─ import ← src/api.py",
    ]


def test_what_it_depends_on_stands_before_what_depends_on_it() -> None:
    rows = rows_of(BLAME, IMPACT, 80)
    assert [row.spans[0].text for row in rows if row.role == "heading"] == ["it depends on", "what depends on it"]
    said = [row.text.strip() for row in rows]
    assert "it depends on  nothing known within 3 dependencies" in said
    assert said[-1] == "and 1 more node"


@given(any_of(Depending))
def test_everybody_stands_there_once(answer: Depending) -> None:
    rows = [row for row in rows_of(None, answer, 100)[1:] if row.leads is not None]
    nodes = [row.leads.node for row in rows if row.leads is not None]
    assert len(nodes) == len(set(nodes))
    assert set(nodes) <= {link.node for each in answer.nodes for link in each.way}


def test_a_long_way_is_shown_and_read_aloud() -> None:
    links = tuple(Link(f"file:a{at}.py", ("import",), 4, 0) for at in range(1_200))
    nodes = tuple(Dependent(link.node, at, 4, links[:at], 0) for at, link in enumerate(links, 1))
    long = Depending("blame", "file:src/db.py", 50, 1_200, 0, nodes, 1_200, 1_200, False)
    assert "a1199.py" in as_lines(long, None)[-1]
    assert as_lines(long, None, aloud=True)[-1] == "1200 away, through a1198.py: import of a1199.py, strength 4."


def test_nothing_came_yet() -> None:
    assert rows_of(None, None, 80) == []
