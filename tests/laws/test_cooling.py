"""Heat of what is gone: kept while it is warm, forgotten at one certain step, on every way to that state."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.session.worlds import new_world
from ccos_core.state import heat
from ccos_core.state.baseline import restore, saved
from ccos_core.state.digest import told
from ccos_core.state.fold import apply
from ccos_core.state.world import World
from ccos_core.values.canon import canonical, parse
from tests.core.state.small import INVOICES, Tale, replayed
from tests.laws.test_folding import looks, paths, pointing, tell, work

UNIQUE = "def f{0}():\n    return {0}\n"
fresh = st.tuples(st.just("fresh"), paths, st.integers(0, 12))
ruled = st.tuples(st.just("rule"), st.integers(1, 3))
stories = st.lists(st.one_of(work, looks, pointing, fresh, fresh, fresh, ruled), max_size=60)


def tell_more(tale: Tale, event: tuple[Any, ...]) -> None:
    """The events of all stories, files whose symbols come and go, and another pace."""
    if event[0] == "fresh":
        content = tale.facts.keep(UNIQUE.format(event[2]))
        tale.tell({"kind": "seen", "how": "edit", "path": event[1], "content": content})
    elif event[0] == "rule":
        tale.tell({"kind": "retune", "weights": {"half_life": event[1]}})
    else:
        tell(tale, event)


def cooled_tale(story: list[tuple[Any, ...]]) -> Tale:
    """A story at such a pace that heat is cold after ten ticks."""
    tale = Tale(INVOICES)
    tell_more(tale, ("rule", 1))
    for event in story:
        tell_more(tale, event)
    return tale


def cold(world: World) -> list[str]:
    """What is gone and cold, and has heat all the same."""
    least = world.unit() - (world.rules.caps["stop"] << heat.BITS)
    return [each for each, heats in world.heats.items() if not world.is_there(each) and heat.total(heats) < least]


@settings(deadline=None)
@given(stories)
def test_no_cold_heat_of_what_is_gone_is_kept_at_any_step(story: list[tuple[Any, ...]]) -> None:
    tale = Tale(INVOICES)
    for event in (("rule", 1), *story):
        tell_more(tale, event)
        assert not cold(tale.world)
        warm = {node for nodes in tale.world.warm_in.values() for node in nodes}
        assert warm == tale.world.heats.keys()


@settings(deadline=None)
@given(stories, st.integers(0, 60))
def test_a_fold_that_goes_on_from_a_state_forgets_the_same(story: list[tuple[Any, ...]], at: int) -> None:
    tale = cooled_tale(story)
    assert told(replayed(tale)) == told(tale.world)
    first = Tale(INVOICES)
    for event in (("rule", 1), *story)[:at]:
        tell_more(first, event)
    resumed = new_world()
    tale.facts.under({})
    restore(resumed, parse(canonical(saved(first.world))), tale.facts)
    for step, op in enumerate(tale.ops[len(first.ops) :], len(first.ops) + 1):
        apply(resumed, step, op, tale.facts)
    assert told(resumed) == told(tale.world)


@settings(deadline=None)
@given(stories.filter(lambda story: all(event[0] != "rename" for event in story)))
def test_what_was_never_forgotten_keeps_its_heat_to_the_last_bit(story: list[tuple[Any, ...]]) -> None:
    forgotten: set[str] = set()

    def noted(world: World) -> None:
        before = set(world.heats)
        drop_cold(world)
        forgotten.update(before - world.heats.keys())

    drop_cold = World.drop_cold
    with patch.object(World, "drop_cold", noted):
        world = cooled_tale(story).world
    with patch.object(World, "drop_cold", lambda world: None):
        never = cooled_tale(story).world
    assert world.heats.keys() <= never.heats.keys()
    assert never.heats.keys() - world.heats.keys() <= forgotten
    for node in never.heats.keys() - forgotten:
        assert world.heats[node] == never.heats[node]


@pytest.mark.parametrize("files", [5, 1])
def test_unique_symbols_written_again_and_again_do_not_stay_warm(files: int) -> None:
    """1,500 writes into five files left 1,500 warm: now those of the last ten half-lives, and what is there."""
    tale = Tale({f"m{number}.py": UNIQUE.format(0) for number in range(files)})
    for number in range(1_500):
        content = tale.facts.keep(UNIQUE.format(number))
        tale.tell({"kind": "seen", "how": "write", "path": f"m{number % files}.py", "content": content})
    rules = tale.world.rules
    alive = rules.half_life * (rules.caps["stop"] + 1) // rules.tick("seen", "write")
    assert sum(1 for _ in tale.world.warm()) <= alive + 2 * files
    assert all(tale.world.is_there(f"sym:m{number % files}.py#f{number}") for number in range(1_500 - files, 1_500))
    assert len(tale.world.cooling) <= alive + 2 * files


def test_what_comes_back_before_it_is_cold_is_as_warm_as_it_was() -> None:
    tale = Tale({"a.py": UNIQUE.format(1)})
    write = {"kind": "seen", "how": "write", "path": "a.py"}
    tale.tell({**write, "content": tale.facts.keep(UNIQUE.format(2))})
    heats = list(tale.world.heats["sym:a.py#f2"])
    tale.tell({"kind": "gone", "path": "a.py"})
    half_lives = tale.world.rules.caps["stop"]
    for _ in range(half_lives * tale.world.rules.half_life):
        tale.prompt()
    assert tale.world.heats["sym:a.py#f2"] == heats
    tale.tell({"kind": "seen", "how": "ingest", "path": "a.py", "content": tale.facts.keep(UNIQUE.format(2))})
    for _ in range(3):
        tale.prompt()
    assert tale.world.heats["sym:a.py#f2"] == heats  # it is there, however cold
    tale.tell({"kind": "gone", "path": "a.py"})
    assert not tale.world.heats
