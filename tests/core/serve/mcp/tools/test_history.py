"""Questions as tools: each answers as `--json` does, at any step, and what is wrong is told by its argument."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.schema import filled
from ccos_core.session.session import open_session
from tests.core.serve.calling import Caller
from tests.core.serve.mcp.tools.serving import FAILED, PASSED, STORE, Host

LOAD = "sym:src/store.py#Store.load"
ALIKE: list[tuple[str, dict[str, Any], list[str]]] = [
    ("timeline", {}, ["timeline", "--limit", "50"]),
    ("timeline", {"first": 2, "last": 4, "limit": 2}, ["timeline", "2..4", "--limit", "2"]),
    ("missing", {"node": "Store.load"}, ["missing", "Store.load"]),
    ("missing", {"node": LOAD, "budget": 100, "lens": "working-set"}, ["missing", LOAD, "100"]),
    ("missing", {"node": "total", "budget": 1}, ["missing", "total", "--budget", "1"]),
    ("missing", {"node": "total", "budget": 2_000_000}, ["missing", "total", "--budget", "2000000"]),
    ("why", {"node": "total"}, ["why", "total"]),
    ("why", {"node": "total", "step": 6, "budget": 64}, ["why", "total", "@6", "--budget", "64"]),
    ("diff", {"first": 2, "last": 6}, ["diff", "2..6", "--limit", "20"]),
    ("drift_cause", {"node": "Store.load"}, ["cause", "Store.load"]),
    ("find", {"query": "kind=tool"}, ["find", "kind=tool", "--limit", "20"]),
    ("find", {"query": 'text~"KeyError"', "limit": 1}, ["find", 'text~"KeyError"', "--limit", "1"]),
    ("autopsy", {}, ["autopsy"]),
    ("causal_blame", {"node": "invoice"}, ["blame", "invoice"]),
    ("stats", {}, ["stats"]),
    ("verify", {}, ["verify"]),
]


@pytest.fixture
def told(host: Host) -> Host:
    host.call("ingest", uri="src/store.py", source=STORE)
    host.call("page_fault", output=FAILED, command="pytest")
    host.call("page_fault", output=PASSED, command="pytest")
    return host


@pytest.mark.parametrize(("tool", "said", "words"), ALIKE)
def test_a_tool_answers_as_the_command_does(
    told: Host, run: Caller, tool: str, said: dict[str, Any], words: list[str]
) -> None:
    told.door.live().keep_up()
    told.door.live().keep()  # what is derived is proven as well, once it is on disk
    command, *rest = words
    printed = run(command, told.door.path, *rest, "--json").json()
    answer = told.call(tool, **said)
    assert answer.pop("asked").items() >= said.items()
    assert "notes" not in answer
    if tool == "stats":  # what lies beside a record comes and goes
        del answer["space"], printed["space"]
    assert answer == printed


@pytest.mark.parametrize("budget", [1, 63, 2**31 - 1])
def test_a_question_takes_any_budget_from_1_on(told: Host, budget: int) -> None:
    said = {
        "missing": {"node": "total"},
        "why": {"node": "total"},
        "diff": {"first": 2, "last": 6},
        "find": {"query": "present(total)"},
    }
    for name, given in said.items():
        taken = filled(told.tool(name).takes, {**given, "budget": budget})
        assert told.call(name, **taken)["asked"]["budget"] == budget
    with pytest.raises(Wrong, match="at least 1"):
        filled(told.tool("missing").takes, {"node": "total", "budget": 0})


@pytest.mark.parametrize(
    ("tool", "said", "argument", "nearest"),
    [
        ("timeline", {"last": 99}, "last", "7"),
        ("timeline", {"first": 5, "last": 3}, "first", "3"),
        ("recall_what_if", {"step": 8}, "step", "7"),
        ("missing", {"node": "Stoer.load"}, "node", "Store.load"),
        ("missing", {"node": "total", "lens": "resume"}, "lens", "working-set"),
        ("why", {"node": "total", "step": 1_000}, "step", "7"),
        ("why", {"node": "total", "lens": "resume"}, "lens", "working-set"),
        ("diff", {"first": 3, "last": 12}, "last", "7"),
        ("find", {"query": "kind=tol"}, "query", ""),
        ("find", {"query": "("}, "query", ""),
        ("drift_cause", {"node": "nothing of the kind"}, "node", ""),
        ("causal_blame", {"node": "invoic"}, "node", "invoice"),
    ],
)
def test_what_cannot_be_meant_is_told(told: Host, tool: str, said: dict[str, Any], argument: str, nearest: str) -> None:
    with pytest.raises(Wrong) as wrong:
        told.call(tool, **said)
    assert wrong.value.argument == argument
    if nearest:
        assert wrong.value.nearest == nearest


@pytest.mark.parametrize("lens", ["working-set", "host", "both", "around:Store", "task:shipping", "resume"])
def test_every_window_has_its_answer(told: Host, lens: str) -> None:
    """Of whatever schema: it is what the tool said it would be, or the lens is told to be wrong."""
    answered = 0
    for tool, said in (
        ("recall", {}),
        ("recall_what_if", {"step": 6}),
        ("missing", {"node": "Store.load"}),
        ("why", {"node": "src/store.py"}),
        ("diff", {"first": 4, "last": 7}),
    ):
        with contextlib.suppress(Wrong):
            assert told.call(tool, **said, lens=lens)["schema"].startswith("ccos.")
            answered += 1
    assert answered >= 2


@pytest.mark.parametrize("said", ["never push to main", '"push to main"', "words:Never push"])
def test_words_are_taken_where_a_node_is(told: Host, said: str) -> None:
    with open_session(told.door.path) as session:
        prompt = {"kind": "prompt", "source": "user", "said": "Never push to main.", "host": "claude-code"}
        session.record([{**prompt, "session": "s"}])
    answer = told.call("missing", node=said)
    assert answer["agent"]["state"] == "in"
    assert answer["node"] == "words:" + said.removeprefix("words:").strip('"')


def test_nothing_of_it_is_recorded(told: Host) -> None:
    before = told.head()
    for tool, said, _ in ALIKE:
        told.call(tool, **said)
    told.call("causal_intervene", node="total")
    told.call("causal_flash")
    assert told.head() == before


def test_what_a_change_would_force(told: Host) -> None:
    answer = told.call("causal_intervene", node="Store.load")
    assert [each["node"] for each in answer["forces"]["nodes"]][:1] == ["sym:src/store.py#Store"]
    assert "sym:src/store.py#Store" in [each["node"] for each in answer["heats"]]
    deep = told.call("causal_intervene", node="total")
    forced = [each["node"] for each in deep["forces"]["nodes"]]
    assert {"sym:src/billing.py#invoice", "sym:src/billing.py#shipping"} <= set(forced)


def test_what_would_heat_is_what_heats(told: Host) -> None:
    """Forced in thought or failed in earnest: the same nodes, as strongly."""
    for node in ("Store.load", "invoice", "src/billing.py"):
        answer = told.call("causal_intervene", node=node, limit=10_000)
        (failure,) = told.call("signal_failure", node=node)["failures"]
        reached = {each: strength * 1_000 // 65_536 for each, strength in failure["reaches"]}
        heats = {answer["node"]: 1_000, **{each["node"]: each["strength"] for each in answer["heats"]}}
        assert len(heats) == failure["reached"]
        assert dict(list(heats.items())[: len(reached)]) == reached
        told.call("signal_pass", everything=True)
