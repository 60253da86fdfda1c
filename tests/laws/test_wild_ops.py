"""Ops that anybody may record and nobody would mean, among others: the laws of the fold hold for them too."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.session.worlds import new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.digest import told
from ccos_core.values.canon import canonical, parse
from tests.core.state.small import INVOICES, Tale, replayed
from tests.laws.test_folding import looks, nodes, notes, paths, pointing, tell, windows, work

Event = tuple[Any, ...]

places = st.one_of(
    paths,
    st.sampled_from(["api.txt", "lib/api.py", "new.rs", "tsconfig.json", "a~b#%.py", "__init__.py", "go.mod"]),
)
numbers = st.sampled_from([-(2**62), 0, 1, 7, 256, 2**62])
strange_nodes = st.sampled_from(["claim:a", "memory:api.py", "file:no.py", "sym:x", "prompt:1"])
weights = st.sampled_from(["half_life", "read", "failure", "spread.call", "spread.frame", "spread.around", "nonsense"])


def withheld(path: str, why: str, how: str) -> dict[str, Any]:
    return {"kind": "seen", "how": how, "path": path, "withheld": why}


def epoch(number: int, half_life: int) -> dict[str, Any]:
    return {
        "kind": "epoch",
        "format": 1,
        "vocabulary": 1,
        "interpreters": {"x": 1},
        "ticks": dict.fromkeys(("tool", "prompt", "seen.read"), number),
        "weights": {"half_life": half_life},
        "caps": dict.fromkeys(("reach", "hops", "frames", "stop", "symbols"), number),
    }


def failed(felt: list[str], test: str, sites: list[list[Any]]) -> dict[str, Any]:
    return {"kind": "failed", "runner": "pytest", "nodes": felt, "test": test, "sites": sites}


def passed(runner: str, scope: str, within: list[str]) -> dict[str, Any]:
    told_of = {"tests": ["t.py::x"], "paths": within, "nodes": ["sym:api.py#handle"]}
    return {"kind": "passed", "runner": runner, "scope": scope, **told_of}


sites = st.tuples(places, st.sampled_from([0, 1, 5, 2**62])).map(list)
ops = st.one_of(
    st.builds(
        withheld, places, st.sampled_from(["gone", "ccosignore", "erased"]), st.sampled_from(["read", "ingest", "edit"])
    ),
    st.builds(lambda path, to: {"kind": "renamed", "path": path, "to": to}, places, places),
    st.builds(lambda path: {"kind": "gone", "path": path}, places),
    st.builds(lambda name, value: {"kind": "retune", "weights": {name: value}}, weights, numbers),
    st.builds(epoch, numbers, numbers),
    st.builds(
        failed,
        st.lists(st.one_of(nodes, strange_nodes), max_size=3),
        st.sampled_from(["", "t.py::x", "api.py::y"]),
        st.lists(sites, max_size=2),
    ),
    st.builds(
        passed,
        st.sampled_from(["user", "pytest"]),
        st.sampled_from(["tests", "files", "nodes", "all", "unknown"]),
        st.lists(places, max_size=2),
    ),
).map(lambda op: ("op", op))
far = st.tuples(st.just("far"), places, st.sampled_from([1, 3, 200, 99_999, 100_001, 2**62]))
wild = st.lists(st.one_of(work, looks, notes, pointing, ops, ops, far), max_size=20)


def tell_wild(tale: Tale, event: Event) -> None:
    if event[0] == "op":
        tale.tell(event[1])
    elif event[0] == "far":
        tale.read(event[1], "def z():\n    due(1)\n", event[2], event[2] + 1)
    else:
        tell(tale, event)


@settings(deadline=None)
@given(wild, st.integers(0, 20), st.integers(1, 5))
def test_whatever_is_told_replays_and_can_be_gone_on_from(story: list[Event], at: int, often: int) -> None:
    live, other = Tale(INVOICES), None
    for turn, event in enumerate(story):
        if turn == at:
            other = went_on(live)
        tell_wild(live, event)
        if other is not None:
            tell_wild(other, event)
        if turn % often == 0:
            windows(live)
    assert told(replayed(live)) == told(live.world)
    assert other is None or told(other.world) == told(live.world)
    canonical(told(live.world))


def went_on(tale: Tale) -> Tale:
    """A tale that goes on from the state of another."""
    found = Tale()
    found.facts, found.ops, found.world = tale.facts, list(tale.ops), new_world()
    restore(found.world, parse(canonical(saved(tale.world))), tale.facts)
    assert {path: each.outline for path, each in found.world.graph.files.items()} == {
        path: each.outline for path, each in tale.world.graph.files.items()
    }
    return found
