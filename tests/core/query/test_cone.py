"""The cone against ways found by trying them all, from places a replayed world gives, in its order."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.cone import MOST_SEEDS, Cone, cone, window
from ccos_core.state.rules import CAUSES
from ccos_core.window.linearize import Window
from tests.core.query.test_depending import told, ways
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories

Row = tuple[str, str, int, int]
"""Node, role, hops, strength."""
EDIT = CAUSES.index("edit")


def slowly(tale: Tale, hops: int) -> list[Row]:
    """All of the cone, in its order."""
    starts = seeds(tale)
    rows: list[Row] = [(node, "seed", 0, 0) for node in starts]
    for role, question, far in (("dependency", "blame", hops), ("caller", "impact", 1)):
        best: dict[str, tuple[int, int]] = {}
        for seed in starts:
            for node, (hop, strength) in ways(tale, seed, far, question).items():
                best[node] = min((hop, -strength), best.get(node, (hop, -strength)))
        known = {row[0] for row in rows}
        ranked = sorted((hop, minus, node) for node, (hop, minus) in best.items() if node not in known)
        rows += [(node, role, hop, -minus) for hop, minus, node in ranked]
    return rows


def seeds(tale: Tale) -> list[str]:
    """Where something is felt, then what lies on the way there, then what was edited, the hottest first."""
    world = tale.world
    anchors = [live.anchors for live in world.failures.live.values()]
    felt, way = [each[0] for each in anchors if each], [node for each in anchors for node in each[1:]]
    edited = [node for _, _, node in world.ranking()[1] if world.heat_of(node)[EDIT]]
    return list(dict.fromkeys(node for node in (*felt, *way, *edited) if world.is_there(node)))[:MOST_SEEDS]


def rows_of(found: Cone) -> list[Row]:
    return [(each.node, each.role, each.hops, each.strength) for each in found.nodes]


@settings(deadline=None, max_examples=80)
@given(stories, st.integers(0, 40), st.integers(1, 4), st.integers(0, 8))
def test_the_cone_is_what_is_around_all_that_fails_or_was_edited(
    story: list[tuple[Any, ...]], step: int, hops: int, limit: int
) -> None:
    tale = told(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    expected = slowly(as_of(tale, timeline.at(step).last), hops)
    whole = cone(timeline, step, hops=hops, limit=0)
    assert rows_of(whole) == expected
    assert (whole.step, whole.hops, whole.omitted, whole.complete) == (step, hops, 0, True)
    assert whole.seeds == sum(role == "seed" for _, role, _, _ in expected)
    assert all(each.reason for each in whole.nodes)
    if limit:
        part = cone(timeline, step, hops=hops, limit=limit)
        assert part.nodes == whole.nodes[:limit]
        assert part.omitted == len(expected) - len(part.nodes)
        assert part.complete == all(role == "caller" for _, role, _, _ in expected[limit:])


@settings(deadline=None, max_examples=40)
@given(stories, st.integers(0, 300), st.integers(0, 300))
def test_a_window_of_it_keeps_to_its_order_and_loses_nobody_to_more_room(
    story: list[tuple[Any, ...]], budget: int, more: int
) -> None:
    timeline = timeline_of(told(story))
    around = cone(timeline, timeline.head)
    reasons = {each.node: each.reason for each in around.nodes}
    small, large = (window(timeline, timeline.head, each) for each in (budget, budget + more))
    for shown, room in ((small, budget), (large, budget + more)):
        assert shown.tokens <= room
        assert {item.uri: item.reason for item in shown.items}.items() <= reasons.items()
        assert members(shown) == set(list(reasons)[: len(members(shown))])
    assert members(small) <= members(large)


def members(shown: Window) -> set[str]:
    return {item.uri for item in shown.items}


def test_who_called_it_is_one_ring_and_says_so() -> None:
    tale = Tale(INVOICES).fail("sym:service.py#invoice")
    found = cone(timeline_of(tale), 7)
    assert [(each.node, each.role) for each in found.nodes][:1] == [("sym:service.py#invoice", "seed")]
    (caller,) = (each for each in found.nodes if each.node == "sym:api.py#handle")
    assert (caller.role, caller.hops) == ("caller", 1)
    assert caller.reason.startswith("depends on sym:service.py#invoice: ")
    assert cone(timeline_of(Tale(INVOICES)), 6).nodes == ()


def test_where_something_is_felt_comes_before_the_way_there() -> None:
    tale = Tale(INVOICES)
    nodes = ["sym:store.py#load", "sym:service.py#invoice", "sym:dates.py#due", "sym:api.py#handle"]
    for test, (felt, way) in (("one", nodes[:2]), ("other", nodes[2:])):
        tale.tell({"kind": "failed", "runner": "pytest", "test": test, "nodes": [felt, way]})
    found = cone(timeline_of(tale), len(tale.ops))
    assert [each.node for each in found.nodes if each.role == "seed"] == [nodes[0], nodes[2], nodes[1], nodes[3]]
    assert [each.reason.partition(" ")[0] for each in found.nodes[:4]] == ["pytest", "pytest", "on", "on"]
