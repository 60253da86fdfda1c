"""The journal says what a replay says: at every step, of every node, in every window; however it came to be."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.codes import name_of
from ccos_core.replay.holdings import held_at
from ccos_core.replay.journal import GONE
from ccos_core.replay.timeline import Timeline
from ccos_core.state.holding import OUT
from ccos_core.values.ids import path_of
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import Tale
from tests.laws.test_folding import LENSES, is_there, stories, told_tale


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(0, 40))
def test_a_moment_is_what_a_replay_up_to_there_gives(story: list[tuple[Any, ...]], step: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    agree(tale, timeline, min(step, timeline.head))


@settings(deadline=None, max_examples=60)
@given(stories, st.lists(st.integers(0, 30)))
def test_asking_while_it_grows_changes_nothing(story: list[tuple[Any, ...]], asked: list[int]) -> None:
    tale = told_tale(story)
    once, often = timeline_of(tale), timeline_of(tale, asked)
    assert written(often) == written(once)


def agree(tale: Tale, timeline: Timeline, step: int) -> None:
    """What was looked up is what was replayed."""
    moment = timeline.at(step)
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
    assert (best, list(ranked)) == world.ranking()
    for lens in LENSES:
        if is_there(slow, lens):
            assert moment.window(lens, 300) == slow.window(lens, 300)


def written(timeline: Timeline) -> list[tuple[str, bytes]]:
    return [piece for table in timeline.journal.tables() for piece in table.pieces(0)]


def test_what_is_gone_is_marked_so() -> None:
    tale = Tale({"a.py": "def f():\n    return 1\n"})
    tale.edit("a.py", "def f():\n    return 2\n").tell({"kind": "gone", "path": "a.py"}).prompt()
    journal = timeline_of(tale).journal
    tiers = {journal.name(int(node)): int(tier) for node, tier in
             zip(journal.changes["node"], journal.changes["tier"], strict=True)}  # fmt: skip
    assert {path_of(node) for node in tiers} == {"a.py"}
    assert set(tiers.values()) == {GONE}
