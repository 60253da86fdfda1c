"""Who was in a working set, by one pass over the journal, is who is in the window of a replay up to each step."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.identity import life, name_at
from ccos_core.replay.residency.course import course_of, course_within
from ccos_core.replay.residency.entries import NEVER, needs
from ccos_core.replay.residency.lens import watched
from ccos_core.replay.residency.order import order_of
from ccos_core.replay.residency.room import budget_for
from ccos_core.replay.residency.runs import IN, WITHIN
from ccos_core.values.ids import path_of
from ccos_core.window.layout import entry, opening
from ccos_core.window.source import SIGNATURE
from ccos_core.window.working_set import ranked
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

FAR = 3_000


def smallest(tale: Tale, node: str) -> int | None:
    """The smallest budget at which a node is in the window, found by trying; None where it never is."""
    if not is_in(tale, node, FAR):
        return None
    low, high = 0, FAR
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_in(tale, node, middle) else (middle, high)
    return high


def is_in(tale: Tale, node: str, budget: int) -> bool:
    return node in {item.uri for item in tale.window("working-set", budget).items}


@settings(deadline=None, max_examples=300)
@given(stories, st.sampled_from(NODES))
def test_an_entry_budget_is_the_smallest_that_shows_a_node(story: list[tuple[Any, ...]], node: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    order = order_of(timeline.journal)
    names = life(timeline, node, timeline.head)
    found = needs(order, course_of(order, names)).tolist()
    for step in range(timeline.head + 1):
        slow = as_of(tale, timeline.journal.last_moment(step))
        budget = budget_for(found[step]) if found[step] != NEVER else None
        assert budget == smallest(slow, name_at(names, step)), step


@settings(deadline=None, max_examples=300)
@given(stories, st.sampled_from(sorted(INVOICES)))
def test_a_file_is_in_as_soon_as_any_of_it_is(story: list[tuple[Any, ...]], path: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    order = order_of(timeline.journal)
    names = life(timeline, f"file:{path}", timeline.head)
    found = needs(order, course_within(order, names)).tolist()
    for step in range(timeline.head + 1):
        slow = as_of(tale, timeline.journal.last_moment(step))
        own = path_of(name_at(names, step))
        everything = candidates(slow)
        first = next((need for node, need in everything if path_of(node) == own), NEVER)
        assert found[step] == first, step


def candidates(tale: Tale) -> list[tuple[str, int]]:
    """Whatever may be in, in its order, with what there must be room for before it is."""
    tale.world.graph.settle()
    found, opened, need = [], set[str](), 0
    for each in ranked(tale.world, tale.source):
        need += entry(each.source, each.source.shown(each.symbol, SIGNATURE))
        need += 0 if each.source.path in opened else opening(each.source.path)
        opened.add(each.source.path)
        found.append((each.source.node(each.symbol), need))
    return found


@settings(deadline=None, max_examples=500)
@given(stories, st.sampled_from(NODES), st.sampled_from(NODES), st.integers(20, 300), st.integers(0, 20))
def test_who_is_near_at_every_step(
    story: list[tuple[Any, ...]], node: str, anchor: str, budget: int, first: int
) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    seen = watched(timeline, node, f"around:{anchor}", timeline.head)
    anchors = life(timeline, anchor, timeline.head)
    first = min(first, timeline.head)
    found = seen.residency.states(budget, first, timeline.head).tolist()
    for step in range(first, timeline.head + 1):
        slow = as_of(tale, timeline.journal.last_moment(step))
        middle, name = name_at(anchors, step), seen.name(step)
        items = slow.window(f"around:{middle}", budget).items if slow.world.is_there(middle) else ()
        assert (found[step - first] in WITHIN) == shows(name, [item.uri for item in items]), step
        assert (found[step - first] == IN) == (name in [item.uri for item in items]), step


def shows(node: str, members: list[str]) -> bool:
    """Whether a window has anything of a node."""
    return node in members or (node.startswith("file:") and path_of(node) in [path_of(each) for each in members])
