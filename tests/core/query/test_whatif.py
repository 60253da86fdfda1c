"""What would have been is what a world says that was told so."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Usage
from ccos_core.query.whatif import FORK, LOOK, WhatIf, whatif
from ccos_core.replay.fork import Fork, Otherwise, Retuned, forked
from ccos_core.replay.timeline import Timeline
from ccos_core.session.worlds import new_world
from ccos_core.state.fold import apply
from ccos_core.state.rules import CAUSES
from ccos_core.window.linearize import Window
from tests.core.replay.told import Rows, as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import LENSES, NODES, PATHS, is_there, stories, told_tale

Story = list[tuple[Any, ...]]
STEPS = st.integers(0, 40)
WEIGHT = st.integers(0, 200)
causes = st.dictionaries(st.sampled_from(CAUSES), WEIGHT, max_size=4)
deeper = st.dictionaries(
    st.sampled_from([*CAUSES, "prior.file", "prior.callable", "prior.degree", "spread.call", "spread.file"]), WEIGHT,
    max_size=3,
)  # fmt: skip
lives = st.none() | st.sampled_from([1, 2, 8, 64, 4_096])
runs = st.lists(st.tuples(st.integers(2, 30), st.integers(0, 4)), max_size=3)


def unheard(done: int, total: int) -> None:
    """Nobody listens."""


def without(runs: list[tuple[int, int]], last: int) -> tuple[tuple[int, int], ...]:
    return tuple((first, min(first + more, last)) for first, more in runs if first <= last)


def told_so(tale: Tale, last: int, otherwise: Otherwise) -> Tale:
    """A tale told anew up to a step, with other rules, and some of it left out."""
    found = Tale.__new__(Tale)
    found.facts, found.ops, found.world = tale.facts, [], new_world()
    for step, op in enumerate(tale.ops[:last], 1):
        rules = {"weights": {**op["weights"], **otherwise.weights}} if "weights" in op else {}
        if not any(first <= step <= last for first, last in otherwise.without):
            apply(found.world, step, {**op, **rules}, found.facts)
    found.world.step = last
    found.world.graph.settle()
    return found


def same_windows(slow: Tale, fast: Fork | Retuned, budget: int) -> None:
    for lens in LENSES:
        if is_there(slow, lens):
            assert fast.window(lens, budget) == slow.window(lens, budget)


@settings(deadline=None)
@given(stories, STEPS, causes, st.none() | st.integers(0, 12), st.integers(1, 500))
def test_other_weights_at_once_are_a_world_retuned(
    story: Story, step: int, weights: Mapping[str, int], stop: int | None, budget: int
) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    caps = {} if stop is None else {"stop": stop}
    slow = as_of(tale, timeline.at(step).last)
    rules = slow.world.rules.retuned(weights)
    slow.world.rules = replace(rules, caps={**rules.caps, **caps})
    fast = Retuned(timeline, step, weights, caps)
    best, ranked = slow.world.ranking()
    assert (fast.ranking()[0], list(fast.ranking()[1])) == (best, [row for row in ranked if row[1] or row[0] < 2])
    same_windows(slow, fast, budget)


@settings(deadline=None)
@given(stories, STEPS, deeper, lives, runs, st.integers(1, 500))
def test_a_fork_is_a_tale_told_so(
    story: Story, step: int, weights: dict[str, int], life: int | None, gaps: list[tuple[int, int]], budget: int
) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    last = timeline.at(step).last
    weights = {**weights, **({} if life is None else {"half_life": life})}
    otherwise = Otherwise(weights=weights, without=without(gaps, last))
    same_windows(told_so(tale, last, otherwise), forked(timeline, step, otherwise, unheard), budget)


@settings(deadline=None)
@given(stories, STEPS, st.booleans(), st.none() | st.sampled_from(PATHS), st.none() | st.sampled_from(NODES))
def test_what_is_added_is_told_behind(story: Story, step: int, works: bool, path: str | None, node: str | None) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    otherwise = Otherwise(passes=works, reads=(path,) if path else (), failures=(node,) if node else ())
    slow = as_of(tale, timeline.at(step).last)
    slow.ops += tale.ops[: slow.world.step]
    if works:
        slow.works()
    if path:
        slow.world.graph.settle()
        if path not in slow.world.graph.files or slow.source(path).unknown or not slow.world.versions[path][-1].content:
            with pytest.raises(Usage):
                forked(timeline, step, otherwise, unheard)
            return
        slow.read(path, slow.source(path).text)
    if node:
        if not slow.world.is_there(node):
            with pytest.raises(Usage):
                forked(timeline, step, otherwise, unheard)
            return
        slow.fail(node)
    same_windows(slow, forked(timeline, step, otherwise, unheard), 300)


@settings(deadline=None, max_examples=50)
@given(stories, STEPS, causes, st.integers(1, 400), st.integers(1, 400))
def test_the_answer_tells_both_windows(
    story: Story, step: int, weights: dict[str, int], given_: int, budget: int
) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    weight = ",".join(f"{name}={value}" for name, value in weights.items()) or None
    answer = ask(timeline, step, given=given_, budget=budget, weight=weight)
    slow = as_of(tale, timeline.at(step).last)
    before = slow.window("working-set", given_)
    slow.world.rules = slow.world.rules.retuned(weights)
    check(answer, before, slow.window("working-set", budget))
    assert answer.way == LOOK


def check(answer: WhatIf, before: Window, after: Window) -> None:
    was, now = ({item.uri: item.level for item in window.items} for window in (before, after))
    assert {each.node for each in answer.entered} == now.keys() - was.keys()
    assert {each.node for each in answer.left} == was.keys() - now.keys()
    assert {each.node for each in answer.moved} <= was.keys() & now.keys()
    assert {each.node for each in answer.moved} >= {node for node in was.keys() & now if was[node] != now[node]}
    assert answer.same + len(answer.moved) == len(was.keys() & now)
    assert (answer.before.tokens, answer.after.tokens) == (before.tokens, after.tokens)
    for each in answer.left:
        short = {miss.uri: miss.short for miss in after.missed}
        assert each.short == short.get(each.node)


def ask(timeline: Timeline, at: int, **said: Any) -> WhatIf:
    """Return both windows; `--squeeze` has tests of its own."""
    nothing = dict.fromkeys(["step", "budget", "stop", "weight", "half_life", "without", "with_read", "with_failure"])
    defaults = {
        **nothing,
        "given": 300,
        "lens": "working-set",
        "with_pass": False,
        "squeeze": False,
        "progress": unheard,
    }
    answer = whatif(timeline, at, **{**defaults, **said})
    assert isinstance(answer, WhatIf)
    return answer


@pytest.fixture
def tale() -> Tale:
    tale = Tale(INVOICES)
    for path in ("api.py", "store.py"):
        tale.read(path, INVOICES[path])
    return tale.edit("dates.py", INVOICES["dates.py"].replace("30", "31")).prompt()


def test_an_edit_left_out_takes_its_heat_along(tale: Tale) -> None:
    timeline = timeline_of(tale)
    answer = ask(timeline, timeline.head, without=f"{timeline.head - 1}")
    assert answer.way == FORK
    assert answer.folded == timeline.head - 1
    assert "file:dates.py" in {each.node for each in answer.left}
    assert answer.otherwise == (f"without step {timeline.head - 1}",)


def test_nothing_of_the_record_changes(tale: Tale) -> None:
    timeline = timeline_of(tale)
    before = [piece for table in timeline.journal.tables() for piece in table.pieces(0)]
    assert isinstance(timeline.ops, Rows)
    bodies = list(timeline.ops.all)
    window = timeline.at(timeline.head).window("working-set", 300)
    ask(timeline, timeline.head, half_life=2, without="7", with_failure="sym:dates.py#due", with_read="file:store.py")
    assert [piece for table in timeline.journal.tables() for piece in table.pieces(0)] == before
    assert timeline.ops.all == bodies
    assert timeline.at(timeline.head).window("working-set", 300) == window


def test_a_failure_presses_on_what_it_depends_on(tale: Tale) -> None:
    timeline = timeline_of(tale)
    answer = ask(timeline, timeline.head, with_failure="sym:service.py#invoice")
    assert {"sym:service.py#invoice", "sym:store.py#load"} <= {each.node for each in (*answer.entered, *answer.moved)}


@pytest.mark.parametrize(("said", "fact"), [
    ({}, "say what to change"),
    ({"weight": "edits=9"}, "isn't a weight"),
    ({"weight": "edit"}, "needs = and a number"),
    ({"weight": "half-life=0"}, "isn't a half-life"),
    ({"half_life": 5_000}, "isn't a half-life"),
    ({"without": "x"}, "aren't steps"),
    ({"without": "999"}, "can't be left out"),
    ({"without": "9..8"}, "can't be left out"),
    ({"without": "1"}, "begins an epoch"),
    ({"with_read": "claim:x"}, "isn't a file"),
])  # fmt: skip
def test_what_makes_no_sense_is_said(tale: Tale, said: dict[str, Any], fact: str) -> None:
    with pytest.raises(Usage, match=fact):
        ask(timeline_of(tale), 9, **said)


def test_long_folding_is_heard_of_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch, tale: Tale) -> None:
    class Enough(Exception):
        pass

    def heard(done: int, total: int) -> None:
        assert 0 < done <= total
        raise Enough

    monkeypatch.setattr("ccos_core.replay.fork.OFTEN", 5)
    with pytest.raises(Enough):
        ask(timeline_of(tale), 9, half_life=2, progress=heard)


def test_a_path_that_took_anothers_place(tale: Tale) -> None:
    tale.tell({"kind": "renamed", "path": "api.py", "to": "web.py"}).read("web.py", INVOICES["api.py"])
    timeline = timeline_of(tale)
    answer = ask(timeline, timeline.head, half_life=2, lens="around:file:web.py")
    assert answer.lens == "around:web.py"
    assert answer.same + len(answer.moved) == answer.before.members == answer.after.members
