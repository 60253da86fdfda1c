"""Links of documents are edges, and change nothing about the code they lead to."""

from __future__ import annotations

from ccos_core.session.worlds import new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.fold import apply
from tests.core.state.small import INVOICES, Tale

GUIDE = "# Use\n\nSee [the api](api.py), [dates](dates.py) and [more](docs/more.md#how).\n"
MORE = "# More\n\n## How\n\n[back](../README.md#use)\n"
EDGES = {
    ("sym:README.md#use", "file:api.py", "link"),
    ("sym:README.md#use", "file:dates.py", "link"),
    ("sym:README.md#use", "sym:docs/more.md#how", "link"),
    ("sym:docs/more.md#how", "sym:README.md#use", "link"),
}


def links(tale: Tale) -> set[tuple[str, str, str]]:
    tale.world.graph.settle()
    return {edge for edges in tale.world.graph.edges.values() for edge in edges if edge[2] == "link"}


def test_links_hold_whatever_came_first() -> None:
    for first, last in ((INVOICES, {"README.md": GUIDE, "docs/more.md": MORE}), ({"README.md": GUIDE}, INVOICES)):
        tale = Tale({**first, **last})
        links(tale)
        tale.look("docs/more.md", MORE)
        assert links(tale) == EDGES
        tale.tell({"kind": "gone", "path": "dates.py"})
        assert links(tale) == EDGES - {("sym:README.md#use", "file:dates.py", "link")}
        tale.look("dates.py", "DAYS = 31\n")
        assert links(tale) == EDGES


def test_a_document_makes_no_code_more_important_and_feels_none_of_its_failures() -> None:
    plain, told = Tale(INVOICES), Tale({**INVOICES, "README.md": GUIDE, "docs/more.md": MORE})
    for tale in (plain, told):
        links(tale)
        tale.fail("sym:api.py#handle")
    for path in INVOICES:
        for node in told.world.graph.files[path].names:
            assert told.world.graph.degrees.get(node, 0) == plain.world.graph.degrees.get(node, 0)
            assert told.world.prior(node) == plain.world.prior(node)
    assert {node for node in told.world.warm() if ".md" in node} == set()


def test_a_document_that_fails_presses_on_no_code() -> None:
    tale = Tale({**INVOICES, "README.md": GUIDE})
    links(tale)
    tale.fail("sym:README.md#use")
    assert {node for node in tale.world.warm() if ".py" in node} == set()


def test_a_baseline_knows_the_links() -> None:
    tale = Tale({**INVOICES, "README.md": GUIDE, "docs/more.md": MORE})
    links(tale)
    again = new_world()
    restore(again, saved(tale.world), tale.facts)
    tale.world = again
    assert links(tale) == EDGES
    apply(tale.world, 99, {"kind": "gone", "path": "api.py"}, tale.facts)
    assert links(tale) == EDGES - {("sym:README.md#use", "file:api.py", "link")}
