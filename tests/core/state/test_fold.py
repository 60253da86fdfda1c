"""What each op does to the state, told as small stories."""

import pytest

from ccos_core.ops import epoch
from ccos_core.state.digest import digest_of
from ccos_core.state.heat import add
from ccos_core.state.world import AWAY, NORMAL, PINNED
from ccos_core.values.sheet import DELIVERED, INFERRED, PATCHED, UNKNOWN
from tests.core.state.small import INVOICES, Tale, replayed

TRACEBACK = """\
Traceback (most recent call last):
  File "/home/ann/shop/tests/test_api.py", line 9, in test_it
    assert handle(1) == 31
  File "/home/ann/shop/api.py", line 5, in handle
    return invoice(request)
TypeError: unsupported operand
"""


def test_a_look_at_the_tree_leaves_no_heat() -> None:
    tale = Tale(INVOICES)
    assert not list(tale.world.warm())
    assert tale.world.clock == 0


def test_reading_warms_the_file_and_the_symbols_whose_lines_were_shown() -> None:
    tale = Tale(INVOICES).read("api.py", "def health():\n    return 'ok'\n", 8, 9)
    assert set(tale.world.warm()) == {"file:api.py", "sym:api.py#health"}
    tale.read("store.py", INVOICES["store.py"])
    assert set(tale.world.warm()) == {"file:api.py", "sym:api.py#health", "file:store.py"}


def test_editing_warms_the_symbols_that_changed_and_counts_for_more() -> None:
    tale = (
        Tale(INVOICES)
        .read("dates.py", INVOICES["dates.py"])
        .edit("store.py", INVOICES["store.py"].replace("return row", "return dict(row)"))
    )
    assert tale.ranked()[0] == "sym:store.py#save"
    assert "sym:store.py#load" not in tale.world.heats


def test_writing_a_file_anew_warms_all_that_is_in_it() -> None:
    tale = Tale(INVOICES)
    content = tale.facts.keep("def one():\n    pass\n\n\ndef two():\n    pass\n")
    tale.tell({"kind": "seen", "how": "write", "path": "new.py", "content": content})
    assert set(tale.world.warm()) == {"file:new.py"}
    assert tale.world.graph.place("sym:new.py#two", "new.py") == 1


def test_old_heat_counts_for_less() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    for _ in range(40):
        tale.prompt()
    tale.read("store.py", INVOICES["store.py"])
    assert tale.ranked() == ["file:store.py", "file:api.py"]
    assert tale.world.score("file:api.py") < tale.world.score("file:store.py")


def test_a_failure_is_felt_at_the_innermost_frame_of_the_project_and_reaches_its_cause() -> None:
    tale = Tale(INVOICES).run(TRACEBACK)
    (live,) = tale.world.failures.live.values()
    assert live.anchors == ("sym:api.py#handle",)
    ranked = tale.ranked()
    assert ranked[0] == "sym:api.py#handle"
    assert "sym:dates.py#due" in ranked
    assert not [node for node in ranked if "invoice_words" in node]


def test_the_same_failure_again_renews_and_never_adds() -> None:
    once = Tale(INVOICES).prompt().run(TRACEBACK)
    twice = Tale(INVOICES).run(TRACEBACK).run(TRACEBACK)
    assert len(twice.world.failures.live) == 1
    assert once.world.clock == twice.world.clock
    for node in once.world.warm():
        assert once.world.score(node) == twice.world.score(node)


def test_a_pass_takes_away_what_its_failure_gave_and_nothing_else() -> None:
    tale = Tale(INVOICES).read("store.py", INVOICES["store.py"]).fail("sym:service.py#invoice").prompt().prompt()
    before = {node: tale.world.heat_of(node) for node in tale.world.warm()}
    tale.fail("sym:api.py#handle")
    assert tale.world.heat_of("sym:dates.py#due") != before.get("sym:dates.py#due")
    tale.works("file:api.py")
    assert {node: tale.world.heat_of(node) for node in tale.world.warm()} == before


@pytest.mark.parametrize("graph_changes", [False, True])
def test_a_pass_takes_exactly_that_away_whatever_the_graph_has_become(graph_changes: bool) -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle")
    if graph_changes:
        tale.look("service.py", "def invoice(request):\n    return 0\n").look("dates.py", "DAYS = 31\n")
    tale.works()
    assert not tale.world.failures.live
    assert not tale.world.failures.on


def test_a_pass_of_something_else_ends_nothing() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle").works("sym:api.py#health").works("sym:service.py#invoice")
    assert len(tale.world.failures.live) == 1


def test_pinned_sent_away_and_pointed_at() -> None:
    tale = Tale(INVOICES)
    tale.tell({"kind": "paged_in", "nodes": ["file:store.py"]}).tell({"kind": "paged_out", "nodes": ["file:api.py"]})
    assert (tale.world.tier("file:store.py", {}), tale.world.tier("file:api.py", {})) == (PINNED, AWAY)
    tale.tell({"kind": "paged_out", "nodes": ["file:store.py"]}).tell({"kind": "attention", "nodes": ["file:api.py"]})
    assert (tale.world.tier("file:store.py", {}), tale.world.tier("file:api.py", {})) == (AWAY, NORMAL)


def test_a_burst_of_looks_is_one_look() -> None:
    tale = Tale(INVOICES)
    assert tale.world.looking == 2
    tale.world.graph.settle()
    since = {edge: step for edges in tale.world.graph.edges.values() for edge, step in edges.items()}
    assert set(since.values()) == {2}
    tale.prompt().look("api.py", "import store\n")
    tale.world.graph.settle()
    assert tale.world.graph.since == tale.world.step
    assert set(tale.world.graph.ended.values()) == {2}
    assert all(owner.startswith("sym:api.py") for owner, _, role in tale.world.graph.ended if role == "call")
    tale.prompt().look("api.py", INVOICES["api.py"])
    tale.world.graph.settle()
    assert 2 not in tale.world.graph.ended.values(), "what earlier looks ended is in the journal"


def test_looking_in_the_middle_of_a_burst_changes_nothing() -> None:
    asked, quiet = Tale(), Tale()
    for path, text in INVOICES.items():
        asked.look(path, text)
        digest_of(asked.world)
        quiet.look(path, text)
    assert digest_of(asked.world) == digest_of(quiet.world)


def test_a_renamed_file_keeps_its_heat_and_its_failures() -> None:
    tale = Tale(INVOICES).fail("sym:store.py#save").read("store.py", "def save(row):\n", 8, 8)
    before = tale.world.heats["sym:store.py#save"]
    tale.tell({"kind": "renamed", "path": "store.py", "to": "lib/store.py"})
    assert tale.world.heats["sym:lib/store.py#save"] == before
    assert next(iter(tale.world.failures.live.values())).anchors == ("sym:lib/store.py#save",)
    assert "store.py" not in tale.world.graph.files
    assert tale.world.version("store.py").why == "gone"  # type: ignore[union-attr]


def test_a_file_that_is_gone_and_comes_back_is_warm_again() -> None:
    tale = Tale(INVOICES).read("store.py", INVOICES["store.py"]).tell({"kind": "gone", "path": "store.py"})
    assert not tale.world.is_there("file:store.py")
    tale.look("store.py", INVOICES["store.py"])
    assert tale.world.is_there("file:store.py")
    assert tale.ranked() == ["file:store.py"]


def test_a_file_read_in_parts_is_known_in_parts() -> None:
    tale = Tale().read("store.py", "def load(request):\n    return due(request)\n", 4, 5)
    version = tale.world.version("store.py")
    assert version is not None
    assert version.runs == ((1, 3, UNKNOWN), (4, 5, DELIVERED))
    assert tale.world.graph.place("sym:store.py#load", "store.py") == 0
    tale.read("store.py", "from dates import due\n\n\n", 1, 3)
    assert tale.world.version("store.py").runs == ((1, 5, DELIVERED),)  # type: ignore[union-attr]


def test_an_edit_says_which_lines_it_made() -> None:
    tale = Tale(INVOICES).edit("dates.py", INVOICES["dates.py"].replace("30", "31"))
    assert tale.world.version("dates.py").runs[0] == (1, 1, PATCHED)  # type: ignore[union-attr]
    part = {
        "kind": "seen",
        "how": "edit",
        "path": "store.py",
        "content": tale.facts.keep("import x\n"),
        "slice": [1, 1],
    }
    tale.tell(part)
    assert tale.world.version("store.py").runs == ((1, 1, PATCHED), (2, 10, INFERRED))  # type: ignore[union-attr]


def test_other_weights_from_here_on() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).edit("store.py", INVOICES["store.py"] + "\n\nX = 1\n")
    before = tale.ranked()
    tale.tell({"kind": "retune", "weights": {"read": 4_000, "edit": 0}})
    assert tale.ranked() != before
    assert tale.ranked()[0] == "file:api.py"


def test_a_hostile_epoch_does_no_harm() -> None:
    tale = Tale(INVOICES)
    wild = dict.fromkeys(epoch.WEIGHTS, -(2**62)) | {"half_life": 2**62}
    told = {
        "kind": "epoch",
        "format": 1,
        "vocabulary": 1,
        "interpreters": {},
        "ticks": {"tool": 2**62},
        "weights": wild,
    }
    tale.tell({**told, "caps": {"reach": 2**62, "hops": 2**62}}).run(TRACEBACK).read("api.py", "x")
    assert tale.window("working-set", 500).tokens <= 500


def test_folding_again_gives_the_same_state() -> None:
    tale = Tale(INVOICES).run(TRACEBACK).edit("store.py", "X = 1\n").works().prompt().fail("file:api.py")
    assert digest_of(replayed(tale)) == digest_of(tale.world)


def test_a_file_that_takes_anothers_place_has_the_heat_of_both() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).prompt().read("dates.py", INVOICES["dates.py"])
    one, other = tale.world.heats["file:api.py"], tale.world.heats["file:dates.py"]
    tale.tell({"kind": "renamed", "path": "api.py", "to": "dates.py"})
    assert tale.world.heats["file:dates.py"][0] == add(one[0], other[0])


def test_a_test_in_a_renamed_file_is_the_same_test() -> None:
    tests = "from api import handle\n\n\ndef test_it():\n    assert handle(1) == 31\n"
    tale = Tale({**INVOICES, "tests/test_api.py": tests}).run(
        "=================================== FAILURES ===================================\n"
        "___________________________________ test_it ____________________________________\n"
        "tests/test_api.py:5: in test_it\n    assert handle(1) == 31\n"
        "api.py:5: in handle\n    return invoice(request)\nE   TypeError: x\n"
        "=========================== short test summary info ============================\n"
        "FAILED tests/test_api.py::test_it - TypeError: x\n"
        "============================== 1 failed in 0.01s ===============================\n"
    )
    assert len(tale.world.failures.live) == 1
    tale.tell({"kind": "renamed", "path": "tests/test_api.py", "to": "tests/test_handle.py"})
    scope = {"scope": "tests", "tests": ["tests/test_handle.py::test_it"]}
    tale.tell({"kind": "passed", "runner": "pytest", **scope})
    assert not tale.world.failures.live


def test_what_is_seen_again_under_another_epoch_is_read_by_its_interpreters() -> None:
    tale = Tale({"a.py": "def f():\n    pass\n"}).look("a.py", "def f():\n    pass\n")
    assert len(tale.world.versions["a.py"]) == 1
    read = tale.facts.outline_of_text
    tale.facts.outline_of_text = lambda text, path: read(text.replace("def f", "def g"), path)  # type: ignore[method-assign]
    assert tale.world.is_there("sym:a.py#f"), "what was seen before keeps its facts"
    tale.look("a.py", "def f():\n    pass\n")
    assert tale.world.is_there("sym:a.py#g")
    assert [version.step for version in tale.world.versions["a.py"]] == [2, 4]
