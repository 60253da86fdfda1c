"""`diff` against two replays: their windows, their edges, their files, their failures."""

from itertools import pairwise
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.query.departures import WHY
from ccos_core.replay.timeline import Timeline
from ccos_core.state.heat import within
from ccos_core.state.world import AWAY, World
from ccos_core.window.linearize import Window
from tests.core.query.asked import ask
from tests.core.query.slowly import renamed_to
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import LENSES, is_there, stories, told_tale

NOTHING = Window("", 0, 0, "", ())


@settings(deadline=None, max_examples=100)
@given(stories, st.integers(0, 40), st.integers(0, 40), st.integers(20, 300))
def test_windows_are_those_of_two_replays(story: list[tuple[Any, ...]], one: int, other: int, budget: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    first, last = sorted((min(one, timeline.head), min(other, timeline.head)))
    begin, end = timeline.at(first).last, timeline.at(last).last
    slow, now = as_of(tale, begin), as_of(tale, end)
    to = renamed_to(tale, begin, end)
    answer = ask(timeline, "diff", 0, span=(last, first), budget=budget, limit=0).suggested
    old, new = slow.window("working-set", budget), now.window("working-set", budget)
    was = {to(item.uri): item for item in old.items}
    here = {item.uri: item for item in new.items}
    assert [(each.node, each.level, each.tokens, each.reason) for each in answer.entered] == [
        (item.uri, item.level, item.tokens, item.reason) for item in new.items if item.uri not in was
    ]
    assert [(each.node, each.level, each.tokens) for each in answer.left] == [
        (node, item.level, item.tokens) for node, item in was.items() if node not in here
    ]
    for each in answer.entered:
        assert_raised(tale, timeline, begin, end, each)
    for each in answer.left:
        assert each.why in WHY
        assert_why(now, each, budget)
    for each in answer.changed:
        before, after = was[each.node], here[each.node]
        assert (each.before, each.level, each.tokens) == (before.level, after.level, after.tokens)
        assert each.edited == (own_lines(slow, before.uri) != own_lines(now, each.node))
    same = {node for node in was if node in here} - {each.node for each in answer.changed}
    for node in same:
        assert was[node].level == here[node].level
        assert own_lines(slow, was[node].uri) == own_lines(now, node)


def test_what_is_cold_by_another_name_is_cold() -> None:
    tale = Tale(INVOICES).prompt().fail("sym:service.py#invoice")
    first = len(tale.ops)
    tale.works().prompt().tell({"kind": "renamed", "path": "dates.py", "to": "days.py"}).prompt()
    answer = ask(timeline_of(tale), "diff", 0, span=(first, len(tale.ops))).suggested
    assert ("sym:days.py#due", "cold") in [(each.node, each.why) for each in answer.left]


def assert_raised(tale: Tale, timeline: Timeline, first: int, last: int, entered: Any) -> None:
    """The last moment at which a node by that name had a better place than just before."""
    places = {}
    for end in sorted({first, *(timeline.at(step).last for step in range(first + 1, last + 1))}):
        world = as_of(tale, end).world
        there = world.is_there(entered.node)
        tier = world.tier(entered.node, dict.fromkeys(world.failures.anchored())) if there else 4
        places[end] = (tier, world.score(entered.node) if there else 0)
    better = [now for (_, was), (now, at) in pairwise(places.items()) if at[0] < was[0] or at[1] > was[1]]
    if entered.op is None:
        assert not better
    else:
        assert timeline.at(entered.op.step).last == better[-1]


def assert_why(now: Tale, left: Any, budget: int) -> None:
    world = now.world
    if left.why == "gone":
        assert not world.is_there(left.node)
        return
    tier, score = world.tier(left.node, dict.fromkeys(world.failures.anchored())), world.score(left.node)
    if left.why == "sent away":
        assert tier == AWAY
        return
    best = world.ranking()[0]
    assert tier != AWAY
    assert (left.why == "cold") == (score == 0 and left.short is None)
    assert (left.why == "crowded out") == (tier < 2 or within(score, best, world.rules.caps["stop"]))
    if left.why == "crowded out":
        larger = now.window("working-set", budget + left.short)
        assert left.node in {item.uri for item in larger.items}


def own_lines(tale: Tale, node: str) -> list[str]:
    target = tale.world.graph.find(node)
    assert target is not None
    source = tale.source(target.path)
    first, last = source.span(target.symbol)
    return source.lines[first - 1 : last]


@settings(deadline=None, max_examples=100)
@given(stories, st.integers(0, 40), st.integers(0, 40))
@example([("read", "api.py", INVOICES["store.py"], [1, 1], {}), ("rename", "api.py", "store.py")], 7, 8)
@example([("read", "api.py", "", [4, 4], {})], 2, 7)  # of two uses of one node by another, one goes on
def test_the_rest_is_that_of_two_replays(story: list[tuple[Any, ...]], one: int, other: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    first, last = sorted((min(one, timeline.head), min(other, timeline.head)))
    begin, end = timeline.at(first).last, timeline.at(last).last
    before, now = as_of(tale, begin).world, as_of(tale, end).world
    to = renamed_to(tale, begin, end)
    answer = ask(timeline, "diff", 0, span=(first, last), limit=0).suggested
    old = {(to(owner), to(target), role) for owner, target, role in edges(before)}
    new = edges(now)
    assert [(each.owner, each.target, each.role) for each in answer.edges_begun] == sorted(new - old)
    assert [(each.owner, each.target, each.role) for each in answer.edges_ended] == sorted(old - new)
    turned = {each.path: each for each in answer.files}
    for path in {*before.versions, *now.versions}:
        assert_file(before, now, path, turned.get(path))
    begun = {live.since for live in now.failures.live.values() if live.since > begin}
    assert len(answer.failures_begun) >= sum(key not in before.failures.live and live.since > begin
                                             for key, live in now.failures.live.items())  # fmt: skip
    assert bool(answer.failures_begun) <= bool(begun)
    over = [live for live in before.failures.live.values() if live.since not in
            {each.since for each in now.failures.live.values()}]  # fmt: skip
    assert len(answer.failures_ended) <= len(before.failures.live)
    if over and not any(op["kind"] == "renamed" for op in tale.ops):
        known = [live for key, live in before.failures.live.items() if key not in now.failures.live]
        assert len(answer.failures_ended) == len(known)


def edges(world: World) -> set[tuple[str, str, str]]:
    return {edge for of in world.graph.edges.values() for edge in of}


def assert_file(before: World, now: World, path: str, turn: Any) -> None:
    was_there, is_there_now = path in before.graph.files, path in now.graph.files
    if turn is None:
        assert was_there == is_there_now or not is_there_now  # what is gone may live on under another path
        if was_there and is_there_now:
            old, new = before.version(path), now.version(path)
            assert old is not None
            assert new is not None
            assert (old.content, old.why) == (new.content, new.why)
        return
    assert (turn.how != "gone") == is_there_now
    assert turn.how != "gone" or was_there
    if turn.how == "renamed":
        assert turn.was != path


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40), st.integers(0, 40), st.sampled_from(LENSES[1:]))
@example([("rename", "dates.py", "api.py")], 0, 2, "around:api.py")  # the old name ends in the look it began in
def test_around_is_compared_as_well(story: list[tuple[Any, ...]], one: int, other: int, lens: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    first, last = sorted((min(one, timeline.head), min(other, timeline.head)))
    now = as_of(tale, timeline.at(last).last)
    if not is_there(now, lens):
        return
    answer = ask(timeline, "diff", 0, span=(first, last), lens=lens, budget=200).suggested
    window = now.window(lens, 200)
    assert {each.node for each in answer.entered} <= {item.uri for item in window.items}
    assert not {each.node for each in answer.left} & {item.uri for item in window.items}
    assert answer.items == len(window.items)
    wide = {item.uri for item in now.window(lens, 100_000).items}
    for each in answer.left:
        assert (each.why == "not linked") == (now.world.is_there(each.node) and each.node not in wide)


def test_what_left_says_why() -> None:
    tale = Tale(INVOICES).read("store.py", INVOICES["store.py"]).read("dates.py", INVOICES["dates.py"]).prompt()
    tale.tell({"kind": "paged_out", "nodes": ["file:store.py"]}).tell({"kind": "gone", "path": "dates.py"})
    answer = ask(timeline_of(tale), "diff", 0, span=(9, 11)).suggested
    assert [(each.node, each.why, each.op.step) for each in answer.left] == [
        ("file:dates.py", "gone", 11),
        ("file:store.py", "sent away", 10),
    ]


def test_a_rename_is_no_leaving() -> None:
    tale = Tale(INVOICES).read("dates.py", INVOICES["dates.py"])
    tale.tell({"kind": "renamed", "path": "dates.py", "to": "days.py"})
    answer = ask(timeline_of(tale), "diff", 0, span=(7, 8)).suggested
    assert (answer.entered, answer.left) == ((), ())
    assert [(each.path, each.how, each.was) for each in answer.files][-1] == ("days.py", "renamed", "dates.py")


def test_lists_are_cut_and_say_so() -> None:
    answer = ask(timeline_of(Tale(INVOICES)), "diff", 0, span=(0, 6), limit=2).suggested
    assert len(answer.files) == len(answer.edges_begun) == 2
    assert answer.more["files"] == 3


def test_the_same_step_twice_changes_nothing() -> None:
    answer = ask(timeline_of(Tale(INVOICES).read("api.py", INVOICES["api.py"])), "diff", 0, span=(7, 7)).suggested
    assert not any((answer.entered, answer.left, answer.changed, answer.files, answer.edges_begun, answer.more))
