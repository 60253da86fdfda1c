"""Why a node is in a window, or not: rows that fit, say the figures of the answer, and lead to nodes and steps."""

from __future__ import annotations

from dataclasses import replace

import click

from ccos_core.present.rows import Moment
from ccos_core.query.telling import Told
from ccos_core.query.why import Given, Heat, Neighbour, Shown, Standing, SuggestedWhy, Why
from ccos_core.serve.printing import as_lines
from tests.tui.present.answers import rows_of

READ = Told(6, "read", None, "src/db.py", "", 248, ())
ABOVE, BELOW = Neighbour("file:src/api.py", 3, "warm", 484, 11), Neighbour("sym:src/db.py#total", 5, "warm", 204, 8)
LAST = Neighbour("file:src/db.py", 18, "warm", 24, 22)
STANDING = Standing("sym:src/db.py#connect", "warm", 204, 1_054, 1, 4, 18, 18, 442, 101, 0, LAST, ABOVE, BELOW)
HEATS = (Heat("read", 48, (Given(READ, 48),), 2),)
SUGGESTED = SuggestedWhy("working-set", 2_048, "in", Shown("body", 18, "read"), STANDING, HEATS, READ)
IN = Why("file:src/db.py", 50, SUGGESTED, None)


def test_the_verdict_stands_first() -> None:
    title, verdict, distance, *_ = rows_of(IN, 80)
    assert title.text.split() == ["src/db.py", "step", "50"]
    assert verdict.text == "● in as body, 18 tokens: read"
    assert distance.text.strip() == "in from a budget of 101 on"


def test_what_takes_no_tokens_says_why() -> None:
    """A symbol whose lines another item shows, and a file nobody knows any text of, are in all the same."""
    inside = Why("sym:src/db.py#TIMEOUT", 50, replace(SUGGESTED, shown=Shown("body", 0, "read")), None)
    assert rows_of(inside, 80)[1].text == "● in as body, its lines stand with those around it: read"
    withheld = Why("file:.env", 50, replace(SUGGESTED, shown=Shown("body", 0, "read")), None)
    assert rows_of(withheld, 80)[1].text == "● in as body, no text of it is known: read"
    assert " as body, no text of it is known: read" in click.unstyle("\n".join(as_lines(withheld, None)))


def test_who_is_out_is_told_how_many_tokens_it_is_short() -> None:
    standing = Standing("file:a.py", "warm", 3, 1_054, 1, 19, 30, 18, 442, 2_360, 312, LAST, LAST, None)
    answer = Why("file:a.py", 50, SuggestedWhy("working-set", 2_048, "out", None, standing, (), None), None)
    said = [row.text.strip() for row in rows_of(answer, 80)]
    assert "312 tokens short, in from a budget of 2,360 on" in said
    assert said[1].startswith("○ out")


def test_its_neighbours_lead_to_themselves_and_its_ops_to_their_steps() -> None:
    rows = rows_of(IN, 100)
    leads = [row.leads for row in rows if row.leads is not None]
    nodes = [ABOVE.node, STANDING.node, BELOW.node, LAST.node]
    assert leads == [*(Moment(node=node) for node in nodes), Moment(READ.step), Moment(READ.step)]
    order = [row.text.split() for row in rows if row.leads is not None and row.leads.node is not None]
    assert [(each[0], each[-1]) for each in order] == [("3", "4.84"), ("▸", "2.04"), ("5", "2.04"), ("18", "0.24")]


def test_somebody_who_is_two_things_stands_there_once() -> None:
    same = Standing("file:a.py", "warm", 3, 9, 1, 2, 3, 1, 9, 50, 0, ABOVE, ABOVE, None)
    answer = Why("file:a.py", 9, SuggestedWhy("working-set", 2_048, "out", None, same, (), None), None)
    assert [row.text for row in rows_of(answer, 120) if "above it, the last one in" in row.text]


def test_it_says_the_figures_that_the_headless_answer_says() -> None:
    spoken = " ".join(as_lines(IN, None, aloud=True))
    shown = " ".join(row.text for row in rows_of(IN, 120))
    for figure in ("18 tokens", "101", "rank 4 of 18", "2.04", "10.54", "0.01", "18 nodes", "442 tokens", "4.84",
                   "0.24", "0.48", "step 6, read src/db.py"):  # fmt: skip
        assert figure in spoken
        assert figure in shown
