"""`why`: what it says of a node, its neighbours and the window is what a replay up to that step has."""

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.query.why import SuggestedWhy, why
from ccos_core.replay.renames import life, name_at
from ccos_core.replay.timeline import Timeline
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import UNIT
from tests.core.replay.residencies import Slow
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

LENS = "working-set"


def asked(timeline: Timeline, node: str, at: int, budget: int = 2048, lens: str = LENS) -> SuggestedWhy:
    answer = why(timeline, at, node=node, lens=lens, budget=budget, progress=lambda done, total: None)
    assert answer.suggested is not None
    assert answer.agent is None
    assert answer.node == name_at(life(timeline, node, at), at)
    return answer.suggested


@settings(deadline=None, max_examples=100)
@given(stories, st.sampled_from(NODES), st.integers(20, 150), st.integers(0, 40))
def test_it_stands_where_a_replay_has_it(story: list[tuple[Any, ...]], node: str, budget: int, at: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    at = min(at, timeline.head)
    answer, slow = asked(timeline, node, at, budget), Slow(tale, timeline)
    names = life(timeline, node, at)
    name = name_at(names, at)
    assert answer.state == slow.states(names, LENS, budget)[at]
    order, members = slow.candidates(at), slow.members(at, LENS, budget)
    place, standing = slow.standing(at, name), answer.standing
    assert standing is not None
    assert (standing.candidates, standing.members) == (len(order), len(members))
    assert (standing.rank, standing.node) == (
        (place + 1, order[place][0]) if place is not None else (None, standing.node)
    )
    assert standing.entry == (
        next(b for b in range(9_999) if b * UNIT * 3 // 5 >= order[place][1]) if place is not None else None
    )
    assert standing.short == max((standing.entry or 0) - budget, 0)
    around = [standing.last_in, standing.above, standing.below]
    places = [len(members) - 1, *((place - 1, place + 1) if place is not None else (-1, -1))]
    assert [each and each.node for each in around] == [order[at][0] if 0 <= at < len(order) else None for at in places]
    window = {item.uri: item for item in slow.tales[at].window(LENS, budget).items}
    shown = window.get(name)
    assert answer.shown == (
        answer.shown and type(answer.shown)(shown.level, shown.tokens, shown.reason) if shown else None
    )
    assert (answer.shown is not None) == (shown is not None)
    assert bool(answer.known_by) == (path_of(name) in slow.tales[at].world.graph.files)


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(NODES), st.integers(0, 40))
def test_its_heat_comes_from_where_it_came(story: list[tuple[Any, ...]], node: str, at: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    at = min(at, timeline.head)
    answer, world = asked(timeline, node, at), Slow(tale, timeline).tales[at].world
    heats = dict(
        zip(("read", "edit", "engaged", "failure"), world.heat_of(name_at(life(timeline, node, at), at)), strict=True)
    )
    for heat in answer.heats:
        assert heats[heat.cause]
        assert heat.more or abs(sum(each.moved for each in heat.ops) - heat.reads) <= 1
        moved = [abs(each.moved) for each in heat.ops]
        assert moved == sorted(moved, reverse=True)
        assert all(each.op.step <= timeline.journal.last_moment(at) for each in heat.ops)
    assert [heat.reads for heat in answer.heats] == sorted((heat.reads for heat in answer.heats), reverse=True)


def test_one_read_is_a_read() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    answer = asked(timeline_of(tale), "file:api.py", 7)
    assert [(heat.cause, heat.reads, [each.op.step for each in heat.ops]) for heat in answer.heats] == [
        ("read", 100, [7])
    ]
    assert answer.standing is not None
    assert answer.standing.tier == "warm"
    assert answer.shown is not None
    assert answer.shown.reason == "read"


def test_why_it_is_out() -> None:
    away = Tale(INVOICES).read("api.py", INVOICES["api.py"]).tell({"kind": "paged_out", "nodes": ["file:api.py"]})
    assert tier(away, "file:api.py") == "sent away"
    assert tier(Tale(INVOICES), "file:api.py") == "cold"
    assert tier(Tale(INVOICES).fail("sym:store.py#load"), "sym:store.py#load") == "fails here"
    assert tier(Tale(INVOICES).tell({"kind": "paged_in", "nodes": ["file:api.py"]}), "file:api.py") == "pinned"
    gone = Tale(INVOICES).read("api.py", INVOICES["api.py"]).tell({"kind": "gone", "path": "api.py"})
    assert tier(gone, "file:api.py") == "gone"


def tier(tale: Tale, node: str) -> str:
    timeline = timeline_of(tale)
    standing = asked(timeline, node, timeline.head).standing
    assert standing is not None
    return standing.tier


def test_other_lenses_have_no_order() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    answer = asked(timeline_of(tale), "sym:service.py#invoice", 7, lens="around:api.py")
    assert (answer.state, answer.standing) == ("in", None)
    assert answer.shown is not None
