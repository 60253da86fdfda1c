"""Ops that anybody may record and nobody would mean: they do no harm, and what they leave can be gone on from."""

from typing import Any

import pytest

from ccos_core.ops import epoch
from ccos_core.session import worlds
from ccos_core.session.worlds import new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.digest import digest_of, told
from ccos_core.state.spread import WHOLE
from ccos_core.state.world import World
from ccos_core.values.canon import canonical, parse
from tests.core.state.small import INVOICES, Tale


def went_on(tale: Tale) -> World:
    """The state that is gone on from."""
    world = new_world()
    restore(world, parse(canonical(saved(tale.world))), tale.facts)
    assert told(world) == told(tale.world)
    return world


def outlines(world: World) -> dict[str, Any]:
    return {path: nesting.outline for path, nesting in world.graph.files.items()}


def renamed(tale: Tale, path: str, to: str) -> Tale:
    return tale.tell({"kind": "renamed", "path": path, "to": to})


def seen_withheld(tale: Tale, path: str, why: str) -> Tale:
    return tale.tell({"kind": "seen", "how": "read", "path": path, "withheld": why})


def test_what_is_withheld_now_shows_no_part_that_was_read_before() -> None:
    tale = seen_withheld(Tale().read("a.py", "def key():\n    return 1\n", 4, 5), "a.py", "ccosignore")
    assert tale.source("a.py").text == ""
    assert outlines(went_on(tale)) == outlines(tale.world)


def test_a_file_that_takes_the_place_of_one_known_in_part_brings_its_own_text() -> None:
    tale = Tale({"a.py": "def a(): pass\n"}).read("b.py", "def b(): pass\n", 4, 4)
    renamed(tale, "a.py", "b.py")
    assert tale.source("b.py").text == "def a(): pass\n"
    assert [symbol.name for symbol in tale.outline("b.py").symbols] == ["a"]


def test_a_rename_to_itself_changes_nothing() -> None:
    tale = renamed(Tale(INVOICES).fail("sym:api.py#handle"), "api.py", "api.py")
    assert tale.world.is_there("sym:api.py#handle")
    assert len(tale.world.versions["api.py"]) == 1


def test_a_file_renamed_to_what_is_no_code_has_no_symbols() -> None:
    tale = renamed(Tale(INVOICES), "api.py", "api.txt")
    assert not tale.outline("api.txt").symbols
    assert outlines(went_on(tale)) == outlines(tale.world)


def test_a_file_that_is_gone_may_be_read_beyond_any_line() -> None:
    tale = Tale(INVOICES).tell({"kind": "gone", "path": "api.py"}).read("api.py", "x", 200_000, 200_000)
    assert tale.world.is_there("file:api.py")
    went_on(tale)


def test_a_file_may_be_withheld_for_being_gone() -> None:
    tale = seen_withheld(Tale(INVOICES).tell({"kind": "gone", "path": "api.py"}), "api.py", "gone")
    assert tale.world.is_there("file:api.py")
    went_on(tale)


def test_a_failure_is_the_same_one_under_the_new_name_of_where_it_is_felt() -> None:
    tale = renamed(Tale(INVOICES).fail("sym:store.py#save"), "store.py", "lib.py").fail("sym:lib.py#save")
    assert len(tale.world.failures.live) == 1
    tale.works("file:lib.py")
    assert not tale.world.failures.on


def test_two_failures_that_become_one_by_a_rename_are_one() -> None:
    tale = Tale(INVOICES).fail("file:api.py").fail("file:dates.py")
    renamed(tale, "api.py", "dates.py")
    (live,) = tale.world.failures.live.values()
    assert live.anchors == ("file:dates.py",)
    assert set(tale.world.failures.on) == set(live.strengths)
    went_on(tale)


def test_no_weight_makes_more_of_a_failure_than_it_is() -> None:
    tale = Tale(INVOICES).tell({"kind": "retune", "weights": dict.fromkeys(epoch.WEIGHTS, 2**62)})
    tale.fail("sym:api.py#handle")
    (live,) = tale.world.failures.live.values()
    assert max(live.strengths.values()) == WHOLE


def test_a_clock_that_runs_wild_leaves_a_state_that_has_bytes() -> None:
    tale = Tale(INVOICES)
    wild = {**tale.ops[0], "ticks": dict.fromkeys(epoch.WORK, 2**62), "weights": {"half_life": 1}}
    tale.tell(wild)
    for _ in range(40):
        tale.read("api.py", INVOICES["api.py"])
    tale.fail("sym:api.py#handle")
    assert digest_of(tale.world)
    assert tale.window("working-set", 500).items
    assert all(tale.world.score(node) < 2**63 for node in tale.world.warm())


@pytest.mark.parametrize("half_life", [1, 4_096])
def test_with_another_half_life_what_is_new_still_counts_for_no_less_than_what_is_old(half_life: int) -> None:
    tale = Tale(INVOICES)
    for _ in range(3_000):
        tale.prompt()
    tale.read("api.py", INVOICES["api.py"])
    before = tale.world.heat_of("file:api.py")
    tale.tell({"kind": "retune", "weights": {"half_life": half_life}})
    tale.read("dates.py", INVOICES["dates.py"])
    assert tale.world.heat_of("file:dates.py") > before == tale.world.heat_of("file:api.py")
    went_on(tale)


def test_a_person_speaks_for_every_runner() -> None:
    tale = Tale(INVOICES).fail(runner="pytest", test="tests/t.py::x").fail(runner="pytest", test="tests/t.py::y")
    tale.tell({"kind": "passed", "runner": "user", "scope": "tests", "tests": ["tests/t.py::x"]})
    assert [live.failure.test for live in tale.world.failures.live.values()] == ["tests/t.py::y"]


def test_a_pass_of_many_nodes_takes_in_what_is_inside_of_them_only() -> None:
    tale = Tale({"a.py": "class A:\n    def f(self): pass\n    def g(self): pass\ndef Af(): pass\n"})
    tale.fail("sym:a.py#A.f").fail("sym:a.py#A.g").fail("sym:a.py#Af").fail("claim:a")
    tale.works("sym:a.py#A.f.x", "sym:a.py#A.", "sym:a", "claim:b")
    assert len(tale.world.failures.live) == 4
    tale.works("sym:a.py#A")
    assert [live.anchors for live in tale.world.failures.live.values()] == [("sym:a.py#Af",), ("claim:a",)]
    tale.works("file:a.py", "claim:a")
    assert not tale.world.failures.live


def test_large_rows_of_a_baseline_take_more_facts_and_lose_nothing() -> None:
    texts = [[f"{at}.py", "x" * 1_500_000] for at in range(7)]
    parts = dict(worlds._parts({"step": 1, "sheets": texts, "past": []}))
    assert parts["baseline"]["parts"] == {"sheets": 4, "past": 0}
    assert [row for at in range(4) for row in parts[f"baseline.sheets.{at}"]] == texts
    assert all(len(canonical(part)) < 2 * worlds.PART_BYTES for part in parts.values())


def test_what_was_seen_before_an_epoch_is_restored_by_the_interpreters_of_its_time() -> None:
    tale = Tale({"a.py": "X = 1\n"})
    tale.tell({**tale.ops[0], "interpreters": {"python": 99}}).look("b.py", "Y = 1\n").prompt()
    heard: list[Any] = []
    tale.facts.under = lambda pins: heard.append(dict(pins))  # type: ignore[method-assign]
    went_on(tale)
    assert heard == [tale.ops[0]["interpreters"], {"python": 99}, {"python": 99}]
