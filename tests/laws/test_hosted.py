"""Who was in a host's own window, looked up, is who was in it when the story is told again and looked at line by line.

The stories are those of `test_host`: contexts that are told of two files in slices, edits, renames, compactions that
are exact and others, falls of usage, windows of ours. What is told of a change rests on the same.
"""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from ccos_core.query.diff import diff
from ccos_core.query.hosted.window import AgentWindow
from ccos_core.query.state import forth
from ccos_core.query.turning import Turn, last
from ccos_core.replay.renames import Renames, life, name_at, renames
from ccos_core.replay.residency.hosted import Delivered, Hosted
from ccos_core.replay.residency.runs import STATES
from ccos_core.replay.timeline import Timeline
from ccos_core.values.ids import path_of
from tests.core.query.asked import ask
from tests.core.query.hosts import SHOWN_AS, WORTH, Slowly, number_of
from tests.core.replay.told import timeline_of
from tests.core.state.contexts import Context
from tests.core.state.small import Tale
from tests.laws.test_host import BLOCKS, CONTEXTS, FILES, ITS_END_WAS_SEEN, MAIN, ops_of, stories

NODES = ["file:a.py", "sym:a.py#f", "sym:a.py#B", "sym:b.py#A", "sym:b.py#A.g", "file:b.py", "sym:a.py#g"]
NAMED = [each for each in CONTEXTS if each[0]]
Story = list[tuple[Any, ...]]
SWAPPED: Story = [
    ("look at all of", "a.py", MAIN),
    ("renamed", "b.py", "a.py"),
    ("cleared", MAIN),
    ("renamed", "a.py", "b.py"),
]
"""One file takes the place of another, and its name after that."""
LOST_AND_RENAMED: Story = [("look at all of", "a.py", MAIN), ("cleared", MAIN), ("renamed", "a.py", "c.py")]
BEHIND_ITS_BACK: Story = [
    ("look at all of", "a.py", MAIN),
    ("ingest", "a.py", BLOCKS[2], {}),
    ("usage", [100, 10], MAIN),
    ("gone", "a.py"),
]

PLACE_TAKEN: Story = [("look at all of", "a.py", MAIN), ("renamed", "b.py", "a.py")]
"""What was shown of one file is held by the name of another that took its place."""


def told(story: Story) -> tuple[Tale, Timeline]:
    tale = Tale(FILES)
    for event in story:
        for op in ops_of(tale, event):
            tale.tell(whole(op))
    return tale, timeline_of(tale)


def whole(op: dict[str, Any]) -> dict[str, Any]:
    """An op as a record takes it."""
    if op["kind"] == "recall":
        items = {node: item for item in op["items"] for node in item[:1]}
        op = {**op, "items": list(items.values()), "lens": "working-set", "budget": 99, "parameters": {}}
        return {**op, "window": "0" * 64}
    return {name: value for name, value in op.items() if value not in ("", [])}


def known(timeline: Timeline, node: str, context: Context) -> int:
    number = number_of(timeline, context)
    assume(number >= 0)
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    return number


@settings(deadline=None)
@example(SWAPPED, "file:a.py", CONTEXTS[0])
@example(SWAPPED, "file:b.py", CONTEXTS[0])
@example(LOST_AND_RENAMED, "file:a.py", CONTEXTS[0])
@example(BEHIND_ITS_BACK, "sym:a.py#f", CONTEXTS[0])
@given(stories, st.sampled_from(NODES), st.sampled_from(CONTEXTS))
def test_it_is_in_a_context_what_a_replay_finds_line_by_line(story: Story, node: str, context: Context) -> None:
    tale, timeline = told(story)
    number = known(timeline, node, context)
    names = life(timeline, node, timeline.head)
    hosted = Hosted(timeline.journal, names, number)
    slow = Slowly(tale, timeline)
    found = [STATES[state] for state in hosted.states(0, 0, timeline.head).tolist()]
    assert found == slow.states(context, node)
    for step in range(timeline.head + 1):
        assert tuple(hosted.standing(step)) == slow.standing(context, name_at(names, step), step), step
    first, last = timeline.head // 3, timeline.head // 2
    assert hosted.states(9, first, last).tolist() == hosted.states(1, 0, timeline.head).tolist()[first : last + 1]


@settings(deadline=None)
@given(stories, st.sampled_from(NODES), st.sampled_from(CONTEXTS))
def test_it_was_delivered_as_long_as_no_later_window_lacks_it(story: Story, node: str, context: Context) -> None:
    tale, timeline = told(story)
    number = known(timeline, node, context)
    names = life(timeline, node, timeline.head)
    found = Delivered(timeline, names, number).states(0, 0, timeline.head).tolist()
    slow = Slowly(tale, timeline)
    window: list[str] = []
    handed, born, ever = 0, False, False
    for step in range(timeline.head + 1):
        op = tale.ops[step - 1] if step else {"kind": ""}
        if op["kind"] == "recall" and (op.get("host", ""), op.get("session", ""), op.get("context", "")) == context:
            window, handed = [item[0] for item in op["items"]], step
        name = name_at(names, handed)
        there = slow.at(step)[0].world.is_there(name_at(names, step))
        born = born or there
        within = name.startswith("file:") and any(path_of(item) == path_of(name) for item in window)
        state = "in" if name in window else "partial" if within else "out"
        ever = ever or state != "out"
        wanted = "gone" if born and not there else state if ever else "unborn"
        assert STATES[found[step]] == wanted, step


@settings(deadline=None, max_examples=60)
@example(BEHIND_ITS_BACK, "sym:a.py#f", CONTEXTS[0], 5)
@example(ITS_END_WAS_SEEN, "file:a.py", CONTEXTS[0], 0)
@given(stories, st.sampled_from(NODES), st.sampled_from(NAMED), st.integers(0, 30))
def test_every_loss_and_return_is_told(story: Story, node: str, context: Context, at: int) -> None:
    tale, timeline = told(story)
    known(timeline, node, context)
    at = min(at, timeline.head)
    slow = Slowly(tale, timeline)
    who = {"lens": "host", "session": "s", "context": context[2] or "main"}
    answer = ask(timeline, "missing", timeline.head, node=node, limit=0, **who).agent
    watched = ask(timeline, "watch", timeline.head, node=node, **who).agent
    assert answer is not None
    assert watched is not None
    states = slow.states(context, node)
    assert [run.state for run in answer.runs for _ in range(run.first, run.last + 1)] == states
    assert watched.runs == answer.runs
    assert {each.state: each.steps for each in watched.shares} == {state: states.count(state) for state in states}
    turns = [(step, before, now) for step, (before, now) in enumerate(pairwise(states), 1) if before != now]
    assert [(each.step, each.before, each.state) for each in answer.happenings] == turns
    assert [each.lost for each in answer.happenings] == [WORTH[now] < WORTH[before] for _, before, now in turns]
    assert (answer.lost, watched.lost) == (sum(each.lost for each in answer.happenings),) * 2
    names = life(timeline, node, timeline.head)
    for each in answer.happenings:
        _, tokens, _ = slow.standing(context, name_at(names, each.step), each.step)
        assert each.tokens == tokens
        told_rightly(tale, context, each)
    node = name_at(names, at)
    turns_of(timeline, node, at, who)


def told_rightly(tale: Tale, context: Context, each: Any) -> None:
    """The op that is told can do that."""
    op = tale.ops[each.op.step - 1]
    mine = (op.get("host", ""), op.get("session", ""), op.get("context", "")) == context
    kinds = {
        "compacted": "compaction", "elided": "compaction", "cleared": "cleared", "fell": "usage",
        "read": "seen", "edited here": "seen",
        "written here": "seen", "handed out": "recall", "renamed": "renamed",
    }  # fmt: skip
    if each.what in kinds:
        assert op["kind"] == kinds[each.what]
        assert mine or each.what == "renamed"
    assert (each.cut is not None) == (each.what in ("compacted", "elided", "cleared"))
    assert each.what != "otherwise"
    if each.cut is not None:
        assert each.cut.exact == (each.what == "cleared" or op["exact"])
    if each.what == "fell":
        before = [other["window"] for other in tale.ops[: each.step - 1] if other["kind"] == "usage"
                  and other.get("context", "") == context[2] and other.get("session") and other["window"]]  # fmt: skip
        assert (each.fell.before, each.fell.after) == (before[-1], op["window"])
    if each.what == "changed elsewhere":
        assert each.lost or each.state == "stale"


def turns_of(timeline: Timeline, node: str, at: int, who: dict[str, str]) -> None:
    """Going on and back stops where `missing` says something happened, as one stands there."""
    every = ask(timeline, "missing", at, node=node, limit=0, **who).agent
    steps = [each.step for each in every.happenings]
    more: dict[str, Any] = {"node": node, "budget": 99, "progress": lambda done, total: None, **who}
    on, back = forth(timeline, at, **more), last(timeline, at, **more)
    assert isinstance(on, Turn)
    assert isinstance(back, Turn)
    assert on.agent is not None
    assert back.agent is not None
    assert on.step == next((step for step in steps if step > at), None)
    assert back.step == next((step for step in reversed(steps) if step < at), None)
    assert on.agent.happening == next((each for each in every.happenings if each.step == on.step), None)
    assert (on.wall, back.wall) == ("" if on.step else "end", "" if back.step else "start")


@settings(deadline=None, max_examples=60)
@example(PLACE_TAKEN, "file:a.py", CONTEXTS[0], 5)
@given(stories, st.sampled_from(NODES), st.sampled_from(NAMED), st.integers(0, 30))
def test_why_tells_the_delivery_that_counts(story: Story, node: str, context: Context, at: int) -> None:
    tale, timeline = told(story)
    known(timeline, node, context)
    at = min(at, timeline.head)
    names = life(timeline, node, at)
    who = {"lens": "host", "session": "s", "context": context[2] or "main"}
    answer = ask(timeline, "why", at, node=node, **who).agent
    assert answer is not None
    slow = Slowly(tale, timeline)
    _, tokens, step = slow.standing(context, name_at(names, at), at)
    assert (answer.by.step if answer.by else 0, answer.tokens) == (step, tokens)
    shown = {each.op.step: each for each in answer.deliveries}
    assert not step or step > at or step in shown or answer.more, "what counts is among what was shown"
    if step in shown and step <= at:
        assert shown[step].fate in ("there", "uncertain")
    gone = [step for step in range(1, at + 1) if is_cut(tale, step, context)]
    for each in answer.deliveries:
        assert (each.fate == "dropped") <= any(each.op.step < cut for cut in gone)


def is_cut(tale: Tale, step: int, context: Context) -> bool:
    op = tale.ops[step - 1]
    mine = (op.get("host", ""), op.get("session", ""), op.get("context", "")) == context
    return mine and op["kind"] in ("compaction", "cleared")


@settings(deadline=None, max_examples=60)
@example(SWAPPED, NAMED[0], 3, 30)
@example(LOST_AND_RENAMED, NAMED[0], 4, 30)
@given(stories, st.sampled_from(NAMED), st.integers(0, 30), st.integers(0, 30))
def test_a_difference_is_what_two_steps_hold_otherwise(story: Story, context: Context, first: int, then: int) -> None:
    tale, timeline = told(story)
    assume(number_of(timeline, context) >= 0)
    first, then = sorted((min(first, timeline.head), min(then, timeline.head)))
    more: dict[str, Any] = {"lens": "host", "session": "s", "context": context[2] or "main", "limit": 0, "budget": 99}
    answer = diff(timeline, then, span=(then, first), progress=lambda done, total: None, **more).agent
    assert answer is not None
    slow = Slowly(tale, timeline)
    old, new = (held(slow, context, step) for step in (first, then))
    done = Renames(renames(timeline, timeline.at(first).last, timeline.at(then).last))
    old = {done.later(node): state for node, state in old.items()}
    files = [node for node in (*old, *new) if not node.startswith("sym:")]
    turned = {node: (old.get(node, "out"), new.get(node, "out")) for node in files}
    assert {each.node for each in answer.entered if each.node in turned} == {
        node for node, (was, now) in turned.items() if was == "out" != now
    }
    assert {each.node for each in answer.left if each.node in turned} == {
        node for node, (was, now) in turned.items() if now == "out" != was
    }
    assert {each.node for each in answer.turned if each.node in turned} == {
        node for node, (was, now) in turned.items() if "out" not in (was, now) and was != now
    }
    for each in (*answer.entered, *answer.left, *answer.turned):
        assert (each.before, each.state if each.state != "gone" else new.get(each.node, "out")) == (
            old.get(each.node, "out"), new.get(each.node, "out"),
        )  # fmt: skip
        assert each.op.step <= timeline.at(then).last


def held(slow: Slowly, context: Context, step: int) -> dict[str, str]:
    """Everything a context holds of the code, and what it is."""
    tale, reference = slow.at(step)
    items = list(tale.world.hosts.held(context).items())
    states = {item: reference.state(tale, context, item)[0] for item in items}
    return {item: SHOWN_AS.get(state, state) for item, state in states.items() if state != "out"}


@settings(deadline=None, max_examples=60)
@given(stories, st.sampled_from(NAMED), st.integers(0, 30))
def test_a_window_has_all_that_is_held(story: Story, context: Context, at: int) -> None:
    tale, timeline = told(story)
    assume(number_of(timeline, context) >= 0)
    at = min(at, timeline.head)
    for name in ("recall", "state"):
        answer = ask(timeline, name, at, lens="host", session="s", context=context[2] or "main")
        assert isinstance(answer, AgentWindow)
        slow = Slowly(tale, timeline)
        wanted = held(slow, context, at)
        found = {each.node: each.state for each in answer.items if each.state != "gone"}
        assert found.items() <= wanted.items()
        assert {each.node for each in answer.items} == {node for node in wanted if not node.startswith("sym:")}
        assert answer.tokens == sum(
            slow.at(at)[1].state(slow.at(at)[0], context, node)[1] for node in wanted if not node.startswith("sym:")
        )


@pytest.mark.parametrize("lens", ["host", "both"])
def test_of_several_sessions_the_one_at_the_step_is_meant(lens: str) -> None:
    story: Story = [("look at all of", "a.py", {"host": "h", "session": name}) for name in ("one", "two", "one")]
    _, timeline = told(story)
    spoke = [timeline.op(step).get("session") for step in range(1, timeline.head + 1)]
    assert {"one", "two"} <= set(spoke)
    for at in range(timeline.head + 1):
        last = next((each for each in reversed(spoke[:at]) if each), "one")
        assert ask(timeline, "missing", at, node="file:a.py", lens=lens).agent.whose.session == last
    answer = ask(timeline, "missing", timeline.head, node="file:a.py", lens=lens, session="tw")
    assert answer.agent.whose.session == "two"
