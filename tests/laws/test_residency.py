"""Who was in which window, worked out from the journal, is who is in the windows of a replay up to each step."""

from typing import Any

import pytest
from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st

from ccos_core.replay.renames import life, name_at
from ccos_core.replay.residency import entries, order
from ccos_core.replay.residency import lens as text_lens
from ccos_core.replay.residency.entries import NEVER, course_of, course_within, needs
from ccos_core.replay.residency.lens import Sampled, Watched, watched
from ccos_core.replay.residency.order import budget_for, order_of
from ccos_core.replay.residency.runs import STATES
from ccos_core.replay.timeline import Timeline
from ccos_core.values.ids import path_of
from tests.core.replay.residencies import Slow
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

FAR = 3_000
budgets = st.integers(10, 300)
Story = list[tuple[Any, ...]]
READ = ("read", "api.py", INVOICES["api.py"], None, {})


@settings(deadline=None, max_examples=60)
@example([("read", "api.py", INVOICES["api.py"], [4, 5], {})], "file:api.py")
@given(stories, st.sampled_from(NODES))
def test_an_entry_budget_is_the_smallest_that_shows_a_node(story: Story, node: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    ranked, names = order_of(timeline.journal), life(timeline, node, timeline.head)
    found = needs(ranked, course_of(ranked, names)).tolist()
    for step in range(timeline.head + 1):
        slow = as_of(tale, timeline.journal.last_moment(step))
        budget = budget_for(found[step]) if found[step] != NEVER else None
        assert budget == smallest(slow, name_at(names, step)), step


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(sorted(INVOICES)))
def test_a_file_is_in_as_soon_as_any_of_it_is(story: Story, path: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    ranked, names = order_of(timeline.journal), life(timeline, f"file:{path}", timeline.head)
    found = needs(ranked, course_within(ranked, names)).tolist()
    slow = Slow(tale, timeline)
    for step in range(timeline.head + 1):
        own = path_of(name_at(names, step))
        first = next((need for node, need in slow.candidates(step) if path_of(node) == own), NEVER)
        assert found[step] == first, step


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(NODES), budgets, st.integers(0, 40), st.integers(0, 40))
def test_who_matters_at_some_steps(story: Story, node: str, budget: int, first: int, last: int) -> None:
    agree(story, node, "working-set", budget, first, last)


PASSING = [READ, ("fail", "sym:service.py#invoice"), *[("prompt",)] * 4, ("pass",), ("prompt",)]
"""What fails stands above what was read, until it passes within the same span of steps."""
RENAMING = [READ, *[(how, "store.py", INVOICES["store.py"], None, {}) for how in ("read", "edit")], ("prompt",),
            ("rename", "store.py", "shop.py"), ("prompt",)]  # fmt: skip
"""What was renamed is noted twice in one moment: by what was read of it, and by what was edited."""


@settings(deadline=None, max_examples=80)
@example(PASSING, "file:api.py", 40, 6, 1, 0)
@example(RENAMING, "file:api.py", 65, 6, 1, 0)
@given(stories, st.sampled_from(NODES), budgets, st.integers(1, 6), st.integers(1, 3), st.sampled_from([0, 2**61]))
def test_in_whatever_pieces_it_is_worked_out(
    story: Story, node: str, budget: int, span: int, turns: int, room: int
) -> None:
    """With short spans and few turns at a time, and with scores that leave no room beside them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "SPAN", span)
        patch.setattr(order, "BUDGETS", (20, 40, 60, 150))
        patch.setattr(entries, "MOST_TURNS", turns)
        patch.setattr(entries, "MOST_ROWS", 2 * turns)
        patch.setattr(order, "ROOM", room)
        agree(story, node, "working-set", budget, 0, 99)


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(NODES), st.sampled_from(NODES), budgets, st.integers(0, 40), st.integers(0, 40))
def test_who_is_near_at_some_steps(story: Story, node: str, anchor: str, budget: int, first: int, last: int) -> None:
    agree(story, node, f"around:{anchor}", budget, first, last)


TEXTS = ["invoice total of a request", "KeyError in store.py load", "due days", "`due` in api.py:5", "nobody's größe"]
about_texts = st.builds("{}:{}".format, st.sampled_from(["task", "hybrid"]), st.sampled_from(TEXTS))


@settings(deadline=None, max_examples=30)
@given(stories, st.sampled_from(NODES), about_texts, budgets | st.sampled_from([1, 2**40]), st.integers(0, 40))
def test_what_a_text_is_about_at_some_steps(story: Story, node: str, lens: str, budget: int, first: int) -> None:
    """Where there are few moments, all are looked at."""
    agree(story, node, lens, budget, first, 99)


@settings(deadline=None, max_examples=30)
@given(stories, st.sampled_from(NODES), about_texts, budgets, st.integers(3, 6), st.integers(1, 3))
def test_where_there_are_many_moments_only_what_was_looked_at_is_told(
    story: Story, node: str, lens: str, budget: int, most: int, at_first: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_lens, "MOST_LOOKS", most)
        patch.setattr(text_lens, "LOOKS_AT_FIRST", min(at_first, most - 2))
        timeline, every, found, seen = both(story, node, lens, budget, 0, 99)
    looked = [step for step, state in enumerate(found) if state != "not looked at"]
    assert [found[step] for step in looked] == [every[step] for step in looked]
    assert isinstance(seen.residency, Sampled)
    assert len(seen.residency.looked) <= most
    assert {0, timeline.head} <= {*looked}
    if len(looked) < len(found):
        event("skipped some")


def test_two_files_that_get_one_name_in_a_look_are_told_apart() -> None:
    tale = Tale(INVOICES).read("dates.py", INVOICES["dates.py"]).prompt()
    for path in ("dates.py", "store.py"):
        tale.tell({"kind": "renamed", "path": path, "to": "days.py"})
    tale.prompt()
    timeline, slow = timeline_of(tale), Slow(tale, timeline_of(tale))
    for path in ("dates.py", "store.py"):
        seen = watched(timeline, f"file:{path}", "working-set", 8)
        found = [STATES[state] for state in seen.residency.states(300, 0, timeline.head).tolist()]
        assert found == slow.states(seen.names, "working-set", 300)


def agree(story: Story, node: str, lens: str, budget: int, first: int, last: int) -> None:
    """At each of these steps it is said to be what it is."""
    _, every, found, _ = both(story, node, lens, budget, first, last)
    assert found == every


def both(
    story: Story, node: str, lens: str, budget: int, first: int, last: int
) -> tuple[Timeline, list[str], list[str], Watched]:
    """(the story, what a node is at each of these steps, what is said of it, who says so)."""
    tale = told_tale(story)
    timeline = timeline_of(tale)
    known = {timeline.journal.name(number) for number in timeline.journal.there["node"].tolist()}
    anchor = lens.removeprefix("around:")
    assume(node in known and (anchor == lens or anchor in known))
    first, last = sorted((min(first, timeline.head), min(last, timeline.head)))
    seen = watched(timeline, node, lens, timeline.head)
    found = [STATES[state] for state in seen.residency.states(budget, first, last).tolist()]
    slow = Slow(tale, timeline)
    if anchor != lens:
        anchors = life(timeline, anchor, timeline.head)
        every = [
            slow.states(seen.names, f"around:{name_at(anchors, step)}", budget)[step] for step in range(first, last + 1)
        ]
    else:
        every = slow.states(seen.names, lens, budget)[first : last + 1]
    return timeline, every, found, seen


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
