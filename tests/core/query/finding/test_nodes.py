"""What is said of a node at each step is what a replay up to there shows."""

from itertools import pairwise
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound
from ccos_core.query.finding.masks import Masks
from ccos_core.query.finding.tree import OfNode
from ccos_core.replay.timeline import Timeline
from ccos_core.state.world import World
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entry
from ccos_core.window.source import SIGNATURE
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import Tale, versions_of
from tests.laws.test_folding import NODES, stories, told_tale

still = stories.map(lambda story: [event for event in story if event[0] not in ("rename",)])
"""Without renames a node is what it is called; `tests/laws` has the residency of those that were renamed."""


def found(timeline: Timeline, tree: OfNode) -> list[bool] | None:
    try:
        return [bool(each) for each in Masks(timeline, timeline.head, 300, lambda done, total: None).of(tree)]
    except NotFound:
        return None


def told_at_each(tale: Tale, timeline: Timeline) -> list[Tale]:
    """The tale as a reader has it at each step, from 0 on."""
    return [as_of(tale, timeline.at(step).last) for step in range(timeline.head + 1)]


@settings(deadline=None, max_examples=40)
@given(still, st.sampled_from(NODES), st.integers(1, 400))
def test_present_and_absent(story: list[tuple[Any, ...]], node: str, budget: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    present, absent = (found(timeline, OfNode(word, node, budget)) for word in ("present", "absent"))
    if present is None or absent is None:
        assert not any(slow.world.is_there(node) for slow in told_at_each(tale, timeline))
        return
    for step, slow in enumerate(told_at_each(tale, timeline)[1:]):
        shown = {item.uri for item in slow.window("working-set", budget).items}
        path = path_of(node)
        inside = any(path_of(each) == path for each in shown) if node.startswith("file:") else node in shown
        assert present[step] == inside
        assert absent[step] == (slow.world.is_there(node) and not inside)


COLD_AGAIN = [
    ("fail", "file:api.py"),
    ("pass",),
    ("read", "api.py", "from store import load\n\n\ndef invoice(request):\n    return load(request).total\n", None, {}),
]
"""What a failure pressed on is cold once it passes, and then fewer depend on it."""


@settings(deadline=None, max_examples=40)
@given(still, st.sampled_from(NODES))
@example(COLD_AGAIN, "sym:service.py#invoice")
def test_changed(story: list[tuple[Any, ...]], node: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    changed = found(timeline, OfNode("changed", node, None))
    if changed is None:
        assert not any(slow.world.is_there(node) for slow in told_at_each(tale, timeline))
        return
    each = told_at_each(tale, timeline)
    path = path_of(node) or ""
    was_warm = False
    ever = {version.step for version in versions_of(tale, path)}
    for step, (before, now) in enumerate(pairwise(each), 1):
        versions = step in ever
        warmed = before.world.step < step and warmth(before, node, was_warm) != warmth(now, node, was_warm)
        assert changed[step - 1] == (versions or warmed)
        was_warm = was_warm or is_warm(now.world, node)


def is_warm(world: World, node: str) -> bool:
    return node in world.warm() or node in world.away


def warmth(tale: Tale, node: str, was_warm: bool) -> Any:
    """What the window goes by, of a node that ever was warm."""
    world: World = tale.world
    if not was_warm and not is_warm(world, node):
        return None
    target = world.find(node)
    if target is None:
        return world.heat_of(node), "gone"
    source = tale.source(target.path)
    cost = entry(source, source.shown(target.symbol, SIGNATURE))
    return world.heat_of(node), world.prior(node), cost, world.tier(node, dict.fromkeys(world.failures.anchored()))


def test_a_renamed_node_is_followed() -> None:
    tale = Tale({"a.py": "def f():\n    return 1\n"})
    tale.edit("a.py", "def f():\n    return 2\n").tell({"kind": "renamed", "path": "a.py", "to": "b.py"})
    tale.prompt().edit("b.py", "def f():\n    return 3\n")
    timeline = timeline_of(tale)
    assert found(timeline, OfNode("changed", "b.py", None)) == [False, True, True, True, False, True]
    assert found(timeline, OfNode("present", "f", None)) == [False, False, True, True, True, True]
    assert found(timeline, OfNode("absent", "b.py", None)) == [False, True, False, False, False, False]
