"""What is watched: in order, each once, no more than there is room for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccos_tui.focus import MOST, Watches

nodes = st.sampled_from([f"file:{number}.py" for number in range(12)])


@given(st.lists(st.tuples(st.booleans(), nodes), max_size=60))
def test_each_stands_there_once_and_keeps_its_number(deeds: list[tuple[bool, str]]) -> None:
    watches, expected, numbers = Watches(), list[str](), dict[int, str]()
    for step, (taken, node) in enumerate(deeds):
        if taken:
            watched = watches.watch(node, step)
            assert watched == (node in expected or len(expected) < MOST)
            expected += [node] if watched and node not in expected else []
        else:
            watches.leave(node)
            expected = [each for each in expected if each != node]
        assert [each.node for each in watches.each] == expected
        assert watches.full == (len(expected) == MOST)
        for each in watches.each:
            assert numbers.setdefault(each.number, each.node) == each.node
