"""What an agent tells of failures and passes, and the window that gives: a part of the toolset `memory`."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.tools import plain, schemas
from ccos_core.serve.mcp.tools.asking import FOLDING, node_of, ready, with_notes
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.windows import WORKING_SET, window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.live import Live

MOST_TOLD = 5


MOST_FAILURES, MOST_REACHED = 20, 8
"""Failures that are told, and nodes of those that one reaches."""


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    return (_page_fault_tool(door), _signal_failure_tool(door), _signal_pass_tool(door))


def _page_fault_tool(door: Door) -> Tool:
    return Tool(
        name="page_fault",
        title="Record a test run",
        description="Call it after every test run or build, failing or passing, with the whole output. Failing "
        "code and its dependencies gain weight, passing code loses it. Returns both as plain text, "
        "with the code around the failure.",
        takes=schemas.takes(
            "output",
            output=schemas.text("The whole output."),
            command=schemas.word("The command."),
            budget=schemas.budget(),
        ),
        gives=schemas.gives("ccos.page-fault/1", step=schemas.NUMBER, live=schemas.NUMBER, window=schemas.OBJECT),
        toolset="memory",
        reads_only=False,
        repeats=False,
        run=lambda given, call: _page_fault(door, given, call),
        plain=plain.page_fault_text,
    )


def _signal_failure_tool(door: Door) -> Tool:
    return Tool(
        name="signal_failure",
        title="Record a failure",
        description="Record that something fails at a node, if there is no output for page_fault. Returns the "
        "failure and what it depends on.",
        takes=schemas.takes(
            "node",
            node=schemas.word("A path or symbol."),
            test=schemas.word("The failing test, so that it can pass by name."),
        ),
        gives=schemas.gives("ccos.failure/1", step=schemas.NUMBER, live=schemas.NUMBER, failures=schemas.LIST),
        toolset="memory",
        reads_only=False,
        repeats=False,
        run=lambda given, call: _signal_failure(door, given, call),
    )


def _signal_pass_tool(door: Door) -> Tool:
    return Tool(
        name="signal_pass",
        title="Record a pass",
        description="Record that something works again. It ends the failures located there, and no others.",
        takes=schemas.takes(
            nodes=schemas.several("Paths or symbols that work."),
            tests=schemas.several("Or tests that pass."),
            everything=schemas.switch("Or true if everything works."),
        ),
        gives=schemas.gives("ccos.pass/1", step=schemas.NUMBER, live=schemas.NUMBER, ended=schemas.LIST),
        toolset="memory",
        reads_only=False,
        repeats=False,
        run=lambda given, call: _signal_pass(door, given, call),
    )


def _page_fault(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.serve import felt

    command = given.get("command", "")
    outcome = felt.outcome_of(given["output"], command, "output", felt.HANDED)
    run = {"kind": "tool", "name": "run", "actor": "agent", "outcome": outcome, "result": given["output"]}
    answer = _told_failures(door, given, call, run if not command else {**run, "arguments": {"command": command}})
    began: Any = answer["failures"]
    anchors = [node for each in began for node in each["anchors"][:1]]
    asked = {"anchor": anchors[0]} if anchors else {"strategy": WORKING_SET}
    shown = window(door, {**asked, "budget": given["budget"]}, call)
    for name in ("asked", "notes"):
        shown.pop(name, None)
    return {"schema": "ccos.page-fault/1", **answer, "window": shown}


def _signal_failure(door: Door, given: Arguments, call: Call) -> Answer:
    node = node_of(ready(door, call, whole=True), given["node"])
    test = {"test": given["test"]} if given.get("test") else {}
    failed = {"kind": "failed", "runner": "user", "actor": "agent", "nodes": [node], **test}
    return {"schema": "ccos.failure/1", **_told_failures(door, given, call, failed)}


def _signal_pass(door: Door, given: Arguments, call: Call) -> Answer:
    scope = [name for name in ("nodes", "tests", "everything") if given.get(name)]
    if len(scope) != 1:
        raise Wrong("nodes", "give one of nodes, tests or everything.", "everything")
    live = ready(door, call, whole=True)
    said: dict[str, Any] = {"scope": "all" if scope == ["everything"] else scope[0]}
    if scope == ["nodes"]:
        said["nodes"] = [node_of(live, each, "nodes") for each in given["nodes"]]
    if scope == ["tests"]:
        said["tests"] = list(given["tests"])
    passed = {"kind": "passed", "runner": "user", "actor": "agent", **said}
    answer = _told_failures(door, given, call, passed)
    if not answer["ended"] and answer["live"]:
        answer["notes"] = [*answer.get("notes", ()), _still_failing(live)]
    return {"schema": "ccos.pass/1", **answer}


def _still_failing(live: Live) -> str:
    """What somebody may have meant who ended nothing."""
    from ccos_core.session.lost import failing

    said = failing(live.failures())
    more = f", and {len(said) - MOST_TOLD} more" if len(said) > MOST_TOLD else ""
    return f"No failure was ended. Failing: {'; '.join(said[:MOST_TOLD])}{more}"


def _told_failures(door: Door, given: Arguments, call: Call, observation: dict[str, Any]) -> dict[str, Any]:
    """Record what somebody says of failures; gives what became of them."""
    from ccos_core.serve import felt

    live = ready(door, call, whole=True)
    before = dict(live.failures())
    (step,) = live.tell([observation])
    live.keep_up(heard(call, FOLDING), whole=True)
    answer = felt.as_answer(before, live.failures())
    return with_notes(door, given, {"step": step, **(answer if door.scripted else _shortened(answer))})


def _shortened(answer: dict[str, Any]) -> dict[str, Any]:
    """The first of it, where much fails at once: the window shows what that comes to."""
    failures = [
        {**each, "reaches": each["reaches"][:MOST_REACHED], "reached": len(each["reaches"])}
        for each in answer["failures"][:MOST_FAILURES]
    ]
    more = len(answer["failures"]) - len(failures)
    return {**answer, "failures": failures, **({"more_failures": more} if more else {})}
