"""What is said where `[` and `]` went: what became of the node there, or that there is a wall."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from ccos_core.present.rows import row
from ccos_core.query.hosted.turn import AgentTurn
from ccos_core.query.hosted.whose import Whose
from ccos_core.query.leaving import Entrance, Eviction
from ccos_core.query.telling import Told
from ccos_core.query.turning import SuggestedTurn, Turn, turn_line
from tests.tui.present.answers import any_of, check
from tests.tui.present.test_host_why import FELL_OUT

EDIT = Told(42, "edit", None, "src/api.py", "", 325, ())
NODE = "file:src/db.py"
EVICTION = Eviction(42, EDIT, "out", "crowded out", None, NODE, 19, 2_360, 312, (), 0, 18, 2_040)
SIDE = SuggestedTurn("working-set", 2_048, EDIT, EVICTION, None)
LEFT = Turn(NODE, 61, 42, "", "in", "out", SIDE, None)
WHOSE = Whose("host", "claude-code", "one", "")


@given(any_of(Turn))
def test_it_is_one_line(answer: Turn) -> None:
    check([row(turn_line(answer))], 80)


def test_it_says_how_a_node_left() -> None:
    assert turn_line(LEFT) == "src/db.py left: crowded out, 312 tokens short, step 42, edit src/api.py"
    cut = Turn(NODE, 61, 40, "", "in", "out", None, AgentTurn(WHOSE, FELL_OUT))
    assert turn_line(cut) == "src/db.py left: dropped by a compaction, step 40, 167,510 → 11,020 tokens"


def test_it_says_how_a_node_came() -> None:
    came = Entrance(42, EDIT, "in", "rose", NODE, 3, 900)
    assert (
        turn_line(replace(LEFT, suggested=replace(SIDE, eviction=None, entrance=came)))
        == "src/db.py came in: rose, step 42, edit src/api.py"
    )
    born = replace(LEFT, suggested=replace(SIDE, eviction=None), before="unborn", after="out")
    assert turn_line(born) == "src/db.py was not yet there, and is out from here on, step 42, edit src/api.py"


def test_it_says_that_there_is_a_wall() -> None:
    wall = replace(
        LEFT, step=None, wall="start", before="in", after="in", suggested=replace(SIDE, op=None, eviction=None)
    )
    assert turn_line(wall) == "no earlier change: src/db.py stays in back to the start"
    assert turn_line(replace(wall, wall="end", after="out")) == "no later change: src/db.py stays out to the end"
    never = Turn(NODE, 61, None, "end", "unborn", "unborn", None, AgentTurn(WHOSE, None))
    assert turn_line(never) == "no later change: src/db.py stays not yet shown to the end"
