"""The journal says what a replay says: at every step, of every node, in every window; however it came to be."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.ops.plain import NotAnOp, seal
from ccos_core.ops.table import KINDS
from ccos_core.replay.codes import name_of
from ccos_core.replay.journal import GONE, Journal
from ccos_core.replay.measure import held_at
from ccos_core.replay.playing import play
from ccos_core.replay.scribe import Scribe
from ccos_core.replay.timeline import Timeline
from ccos_core.session.worlds import forget_notices, new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.holding import OUT
from ccos_core.state.world import NORMAL
from ccos_core.values.canon import canonical, parse
from ccos_core.values.code import Outline
from ccos_core.values.ids import path_of
from ccos_core.values.outcome import Report
from tests.core.replay.told import Rows, as_of, timeline_of, written
from tests.core.state.small import INVOICES, Op, Tale, Told
from tests.laws.test_folding import LENSES, is_there, stories, told_tale
from tests.laws.test_wild_ops import Event, tell_wild, wild


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40))
def test_a_moment_is_what_a_replay_up_to_there_gives(story: list[tuple[Any, ...]], step: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    agree(tale, timeline, min(step, timeline.head))


PINNED_AND_ABSENT: list[tuple[Any, ...]] = [
    ("look", "dates.py", ""),
    ("paged_in", "sym:dates.py#due"),
    ("rename", "dates.py", "api.py"),
    ("look", "store.py", ""),
]
"""What is pinned isn't there; its file is renamed in a look that goes on, and only the pins tell that it has moved."""
USED_LESS: list[tuple[Any, ...]] = [
    ("read", "dates.py", INVOICES["api.py"], None, {}),
    ("edit", "api.py", INVOICES["store.py"], [1, 2], {}),
    ("gone", "api.py"),
    ("look", "service.py", INVOICES["api.py"]),
]
"""In a look that goes on, only the prior of something warm changes: less depends on it."""


@settings(deadline=None, max_examples=60)
@given(stories, st.lists(st.integers(0, 30)))
@example(PINNED_AND_ABSENT, [9])
@example(USED_LESS, [9])
def test_asking_while_it_grows_changes_nothing(story: list[tuple[Any, ...]], asked: list[int]) -> None:
    tale = told_tale(story)
    once, often = timeline_of(tale), timeline_of(tale, asked)
    assert written(often) == written(once)


@settings(deadline=None, max_examples=60)
@given(wild, st.integers(0, 40))
def test_whatever_was_recorded_a_moment_is_what_a_replay_gives(story: list[Event], step: int) -> None:
    tale = recorded(story)
    timeline = timeline_of(tale)
    agree(tale, timeline, min(step, timeline.head))


@settings(deadline=None, max_examples=60)
@given(wild, st.lists(st.integers(0, 30)), st.integers(0, 30))
def test_however_it_came_to_be_it_is_the_same(story: list[Event], asked: list[int], at: int) -> None:
    tale = recorded(story)
    once = written(timeline_of(tale))
    assert written(timeline_of(tale, asked)) == once
    assert written(resumed(tale, min(at, len(tale.ops)))) == once


@settings(deadline=None, max_examples=60)
@given(wild, st.integers(0, 40), st.sets(st.integers(0, 12)))
def test_what_was_forgotten_is_missing_everywhere(story: list[Event], step: int, which: set[int]) -> None:
    tale = recorded(story)
    names = sorted(tale.facts.contents)
    tale.facts = Forgetful(tale.facts, {names[at] for at in which if at < len(names)})
    timeline = timeline_of(tale)
    agree(tale, timeline, min(step, timeline.head))


FELT = "sym:dates.py#due"


@pytest.mark.parametrize(
    "ops",
    [
        [{"kind": "gone", "path": "dates.py"}, "prompt", "look"],
        [{"kind": "paged_out", "nodes": [FELT]}, "prompt", {"kind": "attention", "nodes": [FELT]}],
        ["pass", {"kind": "paged_in", "nodes": [FELT]}, "prompt", {"kind": "paged_out", "nodes": [FELT]},
         {"kind": "attention", "nodes": [FELT]}],
    ],
    ids=["gone and back", "sent away and back", "pinned, and nothing is felt there"],
)  # fmt: skip
def test_whoever_goes_on_knows_where_failures_are_felt(ops: list[Op | str]) -> None:
    """What a node was when somebody stopped doesn't tell it."""
    tale = Tale(INVOICES).fail(FELT)
    for op in ops:
        if isinstance(op, dict):
            tale.tell(op)
        elif op == "look":
            tale.look("dates.py", INVOICES["dates.py"])
        else:
            tale.prompt() if op == "prompt" else tale.works()
    tale.prompt()
    once = written(timeline_of(tale))
    for at in range(len(tale.ops) + 1):
        assert written(resumed(tale, at)) == once, at
        assert written(timeline_of(tale, [at])) == once, at


class Forgetful(Told):
    """Facts of contents some of which were erased."""

    def __init__(self, told: Told, erased: set[str]) -> None:
        self.contents = {name: text for name, text in told.contents.items() if name not in erased}

    def outline(self, content: str, path: str) -> Outline | None:
        return super().outline(content, path) if content in self.contents else None

    def report(self, op: Op) -> Report | None:
        said = op.get("result") or op.get("output")
        return super().report(op) if said and said["blob"] in self.contents else None


def recorded(story: list[Event]) -> Tale:
    """The tale of those events that a record would take."""
    tale = Tale(INVOICES)
    for event in story:
        if event[0] == "op":
            op = {name: value for name, value in event[1].items() if value not in ("", [], {})}
            if not takes(op):
                continue
            event = "op", op
        tell_wild(tale, event)
    return tale


def takes(op: Op) -> bool:
    try:
        seal({"v": KINDS[op["kind"]][0], **op})
    except NotAnOp:
        return False
    return True


def resumed(tale: Tale, at: int) -> Timeline:
    """Its timeline, where somebody else went on from a step, with the state as it was kept."""
    rows, journal, world = Rows(tale.ops, tale.facts.contents), Journal(), new_world()
    play(world, rows.rows(1, at), tale.facts, scribe=Scribe(journal, world, tale.facts))
    solid = journal.solid.get("steps", journal.head)
    before, other = as_of(tale, solid).world, new_world()
    restore(other, parse(canonical(saved(before))), tale.facts)
    forget_notices(other)
    play(other, rows.rows(solid + 1), tale.facts, scribe=Scribe(journal, other, tale.facts))
    return Timeline(rows, journal, tale.facts, "tale")


def agree(tale: Tale, timeline: Timeline, step: int) -> None:
    """What was looked up is what was replayed."""
    moment = timeline.at(step)
    places = moment.places(300)  # before anybody has read a text
    slow = as_of(tale, moment.last)
    world = slow.world
    assert list(moment.paths()) == slow.paths()
    for path in slow.paths():
        assert moment.source(path).text == slow.source(path).text
        assert (moment.outline(path), moment.source(path).unknown) == (slow.outline(path), slow.source(path).unknown)
        assert {(e.owner, e.target, e.role, e.count) for e in moment.links(path)} == {
            (e.owner, e.target, e.role, e.count) for e in slow.links(path)
        }
    assert moment.rules == world.rules
    assert moment.failures.live == world.failures.live
    assert moment.pinned == world.pinned
    for node in world.warm():
        assert moment.heat_of(node) == world.heat_of(node)
        if world.is_there(node):
            assert moment.score(node) == world.score(node)
    for context, held in world.hosts.contexts.items():
        found = held_at(timeline.journal, timeline.journal.id(name_of(context)), moment.last)
        items = {item: held.state(item) for item in held.items()}
        assert found == {item: each for item, each in items.items() if each.state != OUT}
    best, ranked = moment.ranking()
    slow_best, slowly = world.ranking()
    assert best == slow_best
    assert list(ranked) == [row for row in slowly if row[0] != NORMAL or row[1]], "what has no score is in no window"
    for lens in LENSES:
        if is_there(slow, lens):
            assert moment.window(lens, 300) == slow.window(lens, 300)
    window = slow.window("working-set", 300)
    told = [(each.uri, each.path, each.level, each.tokens, each.reason) for each in places.items]
    assert told == [(item.uri, item.path, item.level, item.tokens, item.reason) for item in window.items]
    assert places.tokens == window.tokens


def test_what_is_gone_is_marked_so() -> None:
    tale = Tale({"a.py": "def f():\n    return 1\n"})
    tale.edit("a.py", "def f():\n    return 2\n").tell({"kind": "gone", "path": "a.py"}).prompt()
    journal = timeline_of(tale).journal
    tiers = {journal.name(int(node)): int(tier) for node, tier in
             zip(journal.changes["node"], journal.changes["tier"], strict=True)}  # fmt: skip
    assert {path_of(node) for node in tiers} == {"a.py"}
    assert set(tiers.values()) == {GONE}
