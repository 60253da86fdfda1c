"""`impact` and `blame` against ways found by trying them all, on the edges of a replay."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.window.around import MOST_USES, WEIGHTS
from tests.core.query.asked import ask
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

MORE = {
    "rows.py": "from dates import due\n\n\nclass Row:\n    def total(self):\n        return due(self) + self.rest()\n\n"
    "    def rest(self):\n        return due(1)\n",
    "tests.py": "import rows\nfrom rows import Row\n\n\ndef test_row():\n    return Row().total()\n",
}
ASKED = [*NODES, "sym:rows.py#Row", "sym:rows.py#Row.rest", "file:rows.py"]


def told(story: list[tuple[Any, ...]]) -> Tale:
    """A story of which more files are known."""
    tale = Tale()
    for path, text in MORE.items():
        tale.look(path, text)
    rest = told_tale(story)
    tale.facts.contents.update(rest.facts.contents)
    for op in rest.ops[1:]:
        tale.tell(op)
    return tale


@settings(deadline=None, max_examples=80)
@given(stories, st.integers(0, 40), st.sampled_from(ASKED), st.integers(1, 4))
def test_ways_are_the_nearest_and_of_these_the_strongest(
    story: list[tuple[Any, ...]], step: int, node: str, hops: int
) -> None:
    tale = told(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    slow = as_of(tale, timeline.at(step).last)
    for question in ("impact", "blame"):
        if not slow.world.is_there(node):
            with pytest.raises(NotFound):
                ask(timeline, question, step, node=node, hops=hops)
            continue
        answer = ask(timeline, question, step, node=node, hops=hops, limit=0)
        best = ways(slow, node, hops, question)
        assert {each.node: (each.hops, each.strength) for each in answer.nodes} == best
        order = [(each.hops, -each.strength, each.node) for each in answer.nodes]
        assert order == sorted(order)
        assert answer.found == len(best)
        for each in answer.nodes:
            assert len(each.way) == each.hops
            assert each.way[-1].node == each.node
            assert each.strength == min(link.strength for link in each.way)
        felt = [live.anchors[0] for live in slow.world.failures.live.values() if live.anchors]
        for each in answer.nodes:
            inside = {anchor for anchor in felt if holds(each.node, anchor)}
            assert each.failing == sum(anchor in inside for anchor in felt)


def ways(tale: Tale, node: str, hops: int, question: str) -> dict[str, tuple[int, int]]:
    """Node → (hops, strength) by its best way; found by trying every way there is."""
    depends = dependencies(tale, node, question)
    group = {each for each in every_node(tale) if holds(node, each)}
    best: dict[str, tuple[int, int]] = {}

    def go(at: str, hop: int, weakest: int) -> None:
        for to, strength in depends.get(at, {}).items():
            if to in group:
                continue
            now = (hop + 1, -min(weakest, strength))
            if hop + 1 <= hops and (to not in best or now < best[to]):
                best[to] = now
                go(to, hop + 1, min(weakest, strength))
            elif hop + 1 <= hops and now[0] <= best[to][0]:
                go(to, hop + 1, min(weakest, strength))

    go(node, 0, 1 << 40)
    return {each: (hop, -strength) for each, (hop, strength) in best.items()}


def dependencies(tale: Tale, node: str, question: str) -> dict[str, dict[str, int]]:
    """Node → where one dependency leads → its strength, away from the node that was asked for."""
    found: dict[str, dict[str, int]] = {}

    def put(one: str, other: str, strength: int) -> None:
        start, end = (other, one) if question == "impact" else (one, other)
        found.setdefault(start, {})[end] = found.get(start, {}).get(end, 0) + strength

    for path, nesting in tale.world.graph.files.items():
        for link in tale.links(path):
            there = tale.world.graph.files[link.target.path]
            owner, target = nesting.node(link.owner), there.node(link.target.symbol)
            strength = WEIGHTS.get(link.role, 1) * min(link.count, MOST_USES)
            owners = {each for each in every_node(tale) if each.startswith("sym:") and holds(each, owner)} | {owner}
            ends = {target}
            if question == "blame" and holds(node, owner):
                owners.add(node)
            if question == "impact" and holds(node, target):
                ends = {node}
            for each in owners:
                for end in ends:
                    put(each, end, strength)
    if question == "impact":
        for member in every_node(tale):
            outer = [
                each for each in every_node(tale) if each.startswith("sym:") and each != member and holds(each, member)
            ]
            if outer:
                put(max(outer, key=len), member, 1)
    return found


def every_node(tale: Tale) -> list[str]:
    files = tale.world.graph.files.values()
    return [node for nesting in files for node in (nesting.node(-1), *nesting.nodes)]


def holds(outer: str, node: str) -> bool:
    """Whether a node is another one, or inside of it."""
    path = node.partition("#")[0].partition(":")[2]
    return node == outer or outer == f"file:{path}" or (outer.startswith("sym:") and node.startswith(outer + "."))


def test_the_cause_three_dependencies_away() -> None:
    tale = Tale(INVOICES).fail("sym:dates.py#due")
    answer = ask(timeline_of(tale), "blame", 7, node="sym:api.py#handle")
    assert [(each.node, each.hops, each.failing) for each in answer.nodes][:3] == [
        ("sym:service.py#invoice", 1, 0),
        ("sym:store.py#load", 2, 0),
        ("sym:dates.py#due", 3, 1),
    ]
    assert [link.node for link in answer.nodes[2].way] == [each.node for each in answer.nodes[:3]]
    back = ask(timeline_of(tale), "impact", 7, node="file:dates.py")
    assert back.failing == 1
    assert {each.node for each in back.nodes} >= {"sym:store.py#load", "sym:service.py#invoice", "sym:api.py#handle"}


def test_an_edge_that_ended_isnt_there_later() -> None:
    tale = Tale(INVOICES).edit("store.py", "def load(request):\n    return request\n")
    timeline = timeline_of(tale)
    assert "sym:dates.py#due" in {each.node for each in ask(timeline, "blame", 6, node="file:store.py").nodes}
    assert ask(timeline, "blame", 7, node="file:store.py").nodes == ()


def test_who_uses_a_type_may_use_all_of_it() -> None:
    answer = ask(timeline_of(Tale({**MORE, **INVOICES})), "impact", 8, node="sym:rows.py#Row.total")
    assert ("sym:rows.py#Row", 1, ("contains",)) in [
        (each.node, each.hops, each.way[-1].roles) for each in answer.nodes
    ]
    assert "sym:tests.py#test_row" in {each.node for each in answer.nodes if each.hops == 2}
