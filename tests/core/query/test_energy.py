"""`energy` against two replays: what each node's heat is at both ends, in exact fractions of a read."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.measure import Gauge, all_hundredths, hundredths
from ccos_core.replay.movement import Movement, warmth
from ccos_core.replay.renames import life, name_at
from ccos_core.replay.residency.entries import rows_of
from ccos_core.replay.timeline import Timeline
from ccos_core.state.heat import BITS, impulse, scaled
from ccos_core.state.rules import CAUSES
from tests.core.query.asked import ask
from tests.core.query.slowly import renamed_to
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories, told_tale

heats = st.integers(0, 1_500).map(lambda tick: impulse(tick, 32))


@settings(deadline=None, max_examples=80)
@given(stories, st.integers(0, 40), st.integers(0, 40))
def test_what_moved_is_the_difference_of_two_replays(story: list[tuple[Any, ...]], one: int, other: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    first, last = sorted((min(one, timeline.head), min(other, timeline.head)))
    begin, end = timeline.at(first).last, timeline.at(last).last
    before, now = as_of(tale, begin).world, as_of(tale, end).world
    answer = ask(timeline, "energy", 0, span=(last, first), limit=0)
    to = renamed_to(tale, begin, end)
    was: dict[str, list[int]] = {}
    for node in before.warm():
        was.setdefault(to(node), []).append(node)
    unit = scaled(now.unit(), now.rules.weights["read"], 4)
    expected = {}
    for node in {*was, *now.warm()}:
        old = [reads(before, each, now.rules.weights, unit) for each in was.get(node, ())]
        summed = [sum(parts) for parts in zip(*old, strict=True)] or [Fraction(0)] * len(CAUSES)
        new = reads(now, node, now.rules.weights, unit)
        if any(new[at] != summed[at] for at in range(len(CAUSES))):
            expected[node] = (sum(summed), sum(new))
    found = {each.node: (each.before, each.after) for each in answer.nodes}
    for node, (old, new) in expected.items():
        if node in found:
            assert abs(found[node][0] - 100 * old) <= 4
            assert abs(found[node][1] - 100 * new) <= 4
        else:
            assert abs(100 * new - 100 * old) <= 4  # less than can be told
    assert set(found) <= set(expected)
    assert answer.moved == len(answer.nodes)
    assert answer.gained + answer.lost == sum(each.moved for each in answer.nodes)
    assert [-abs(each.moved) for each in answer.nodes] == sorted(-abs(each.moved) for each in answer.nodes)


def reads(world: Any, node: str, weights: Any, unit: int) -> list[Fraction]:
    return [exact(scaled(heat, weights[cause], 4)) / exact(unit)
            for heat, cause in zip(world.heat_of(node), CAUSES, strict=True)]  # fmt: skip


def exact(heat: int) -> Fraction:
    return Fraction(heat & ((1 << BITS) - 1)) * Fraction(2) ** (heat >> BITS)


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40), st.integers(0, 40))
def test_what_the_ops_moved_adds_up(story: list[tuple[Any, ...]], one: int, other: int) -> None:
    timeline = timeline_of(told_tale(story))
    first, last = sorted(timeline.at(min(each, timeline.head)).last for each in (one, other))
    movement = Movement(timeline, first, last)
    for node in movement.most(0):
        before, after = movement.ends(node)
        pushes = list(movement.pushes(node))
        moved = [sum(push.moved[at] for push in pushes) for at in range(len(CAUSES))]
        assert moved == [now - was for was, now in zip(before, after, strict=True)]
        assert [push.step for push in pushes] == sorted({push.step for push in pushes})
        assert all(first < push.step <= last for push in pushes)


@given(st.lists(heats), heats)
def test_columns_say_what_single_heats_say(some: list[int], one: int) -> None:
    import numpy as np

    assert all_hundredths(np.array(some, np.int64), one).tolist() == [hundredths(each, one) for each in some]


@given(heats, heats)
def test_a_hundredth_is_one(heat: int, one: int) -> None:
    assert abs(hundredths(heat, one) - 100 * exact(heat) / exact(one)) <= Fraction(1, 2)


def test_a_read_is_one_and_an_edit_three() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).edit("store.py", INVOICES["store.py"] + "\n")
    timeline = timeline_of(tale)
    answer = ask(timeline, "energy", 0, span=(7, 8))
    assert [(each.node, each.before, each.after) for each in answer.nodes][:1] == [("file:store.py", 0, 300)]
    (cause,) = answer.nodes[0].causes
    assert (cause.cause, cause.moved, answer.nodes[0].ops[0].op.step) == ("edit", 300, 8)
    assert answer.fade == 98


def test_what_isnt_touched_doesnt_move() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    for _ in range(40):
        tale.prompt()
    answer = ask(timeline_of(tale), "energy", 0, span=(7, 47))
    assert (answer.moved, answer.nodes, answer.fade) == (0, (), 42)


def test_a_pass_takes_away_what_its_failure_gave() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle").works()
    answer = ask(timeline_of(tale), "energy", 0, span=(7, 8), limit=0)
    assert answer.gained == 0
    assert answer.lost < -100
    assert {each.cause for node in answer.nodes for each in node.causes} == {"failure"}


def test_a_rename_moves_nothing() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).tell({"kind": "renamed", "path": "api.py", "to": "new.py"})
    timeline = timeline_of(tale.read("new.py", INVOICES["api.py"]))
    assert ask(timeline, "energy", 0, span=(7, 8)).moved == 0
    (node,) = ask(timeline, "energy", 0, span=(6, 9)).nodes
    assert (node.node, node.before, node.moved, len(node.ops)) == ("file:new.py", 0, node.after, 2)
    assert Gauge(timeline.journal).impulse(9) == tale.world.unit()


# ---- how warm a node was, column by column ----


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 9))
def test_a_column_is_as_warm_as_its_warmest_step(story: list[tuple[Any, ...]], columns: int) -> None:
    timeline = timeline_of(told_tale(story))
    gauge, head = Gauge(timeline.journal), timeline.head
    count = min(columns or head, head)
    for moved in ask(timeline, "energy", 0, span=(0, head), limit=4).nodes:
        names = life(timeline, moved.node, head)
        slowly = [score(timeline, gauge, name_at(names, step), step) for step in range(1, head + 1)]
        expected = [max(slowly[at * head // count : (at + 1) * head // count]) for at in range(count)]
        assert list(warmth(timeline, moved.node, head, columns)) == expected


def score(timeline: Timeline, gauge: Gauge, node: str, step: int) -> int:
    """What the last change of a name up to a step says, in reads of that step."""
    rows = [row for row in rows_of(timeline.journal, timeline.journal.id(node)) if timeline.journal.stamps[row] <= step]
    return gauge.at(step).of_score(int(timeline.journal.changes["score"][rows[0]])) if rows else 0


def test_how_warm_it_was_is_what_why_says_step_by_step() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).fail("sym:store.py#load")
    for _ in range(9):
        tale.prompt()
    timeline = timeline_of(tale)
    each = ask(timeline, "energy", 0, span=(0, timeline.head), limit=0, columns=timeline.head).nodes
    (course,) = (moved.course for moved in each if moved.node == "sym:store.py#load")
    said = [
        ask(timeline, "why", step, node="sym:store.py#load").suggested.standing for step in range(1, timeline.head + 1)
    ]
    assert list(course) == [standing.score for standing in said]
    assert max(course) > course[-1] > 0 == course[0]


def test_who_asks_for_no_columns_gets_none() -> None:
    timeline = timeline_of(Tale(INVOICES).read("api.py", INVOICES["api.py"]))
    assert [node.course for node in ask(timeline, "energy", 0, span=(6, 7)).nodes] == [()]
    assert [len(node.course) for node in ask(timeline, "energy", 0, span=(6, 7), columns=3).nodes] == [3]
