"""The toolset `history`: what was at any step, why, and where it went wrong. Questions of the catalogue, one a tool."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.tools import plain, schemas
from ccos_core.serve.mcp.tools.asking import answered, node_of, ready, step_of, with_notes, wrong
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.windows import LENS_SAYS, whose, window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.serve.mcp.tools.schemas import Schema

    Run: TypeAlias = Callable[[Arguments, Call], Answer]

STEPS, ROWS = 50, 20
"""Steps and rows that are listed where nobody says how many."""


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    return tuple(tool(door) for tool in _TOOLS)


def _timeline_tool(door: Door) -> Tool:
    return _tool(
        "timeline",
        "Timeline",
        "List the recorded steps; by default the last ones.",
        schemas.takes(
            first=schemas.number("The first step.", 0),
            last=schemas.number("The last step.", 0),
            limit=schemas.number("Steps to list.", 1, 10_000, STEPS),
        ),
        schemas.gives("ccos.timeline/1", head=schemas.NUMBER, steps=schemas.LIST),
        lambda given, call: _timeline(door, given, call),
    )


def _recall_what_if_tool(door: Door) -> Tool:
    return _tool(
        "recall_what_if",
        "The window at a past step",
        "Get the window that recall would have returned at a step, also with another strategy or budget.",
        schemas.takes("step", step=schemas.number("The step.", 0), **whose(), budget=schemas.budget()),
        schemas.gives(""),
        lambda given, call: _recall_what_if(door, given, call),
        plain.window_text,
    )


def _missing_tool(door: Door) -> Tool:
    return _tool(
        "missing",
        "When a node was out of the window",
        "Find when a node left the window and came back, and what pushed it out.",
        _about_node(lens=schemas.word(LENS_SAYS), budget=schemas.any_budget()),
        schemas.gives(""),
        lambda given, call: _of_node(door, given, call, "missing", ("lens", "budget")),
    )


def _why_tool(door: Door) -> Tool:
    return _tool(
        "why",
        "Why a node is in the window or not",
        "Get a node's rank, heat and level in the window of a step, what it lacks, and which nodes rank before it.",
        _about_node(
            step=schemas.number("The step; by default the last one.", 0),
            lens=schemas.word(LENS_SAYS),
            budget=schemas.any_budget(),
        ),
        schemas.gives("", node=schemas.TEXT),
        lambda given, call: _of_node(door, given, call, "why", ("lens", "budget")),
    )


def _diff_tool(door: Door) -> Tool:
    return _tool(
        "diff",
        "What changed between two steps",
        "List what entered the window, left it or changed in it between two steps, with files, edges and failures.",
        schemas.takes(
            "first",
            "last",
            first=schemas.number("The earlier step.", 0),
            last=schemas.number("The later step.", 0),
            lens=schemas.word(LENS_SAYS),
            budget=schemas.any_budget(),
            limit=schemas.number("Rows of each kind.", 1, 10_000, ROWS),
        ),
        schemas.gives(""),
        lambda given, call: _diff(door, given, call),
    )


def _drift_cause_tool(door: Door) -> Tool:
    return _tool(
        "drift_cause",
        "What changed a node's heat",
        "List the steps that changed a node's score most, with amount and cause.",
        _about_node(limit=schemas.number("Steps to list.", 1, 10_000, 8)),
        schemas.gives("ccos.cause/1", node=schemas.TEXT, changes=schemas.LIST, more=schemas.NUMBER),
        lambda given, call: _of_node(door, given, call, "cause", ("limit",)),
    )


def _find_tool(door: Door) -> Tool:
    return _tool(
        "find",
        "Find steps by a query",
        'Search the record: kind=tool error, text~"word", path=PATH, present(X) and more, combined with and, or, '
        "not. Returns rows with their step.",
        schemas.takes(
            "query",
            query=schemas.word("The query."),
            budget=schemas.any_budget(),
            limit=schemas.number("Rows to list.", 1, 10_000, ROWS),
        ),
        schemas.gives("ccos.find/1"),
        lambda given, call: _find(door, given, call),
    )


def _autopsy_tool(door: Door) -> Tool:
    return _tool(
        "autopsy",
        "Where the session went wrong",
        "List the suspects of a session that failed, with evidence by step: code lost, read again, undone, "
        "repeated. Call it when work goes in circles.",
        schemas.takes(suspects=schemas.number("Suspects to list.", 1, 100, 5)),
        schemas.gives("ccos.autopsy/1"),
        lambda given, call: _autopsy(door, given, call),
    )


def _stats_tool(door: Door) -> Tool:
    return Tool(
        name="stats",
        title="What is recorded",
        description="Count what the workspace contains: steps, texts, sizes.",
        takes=schemas.takes(),
        gives=schemas.gives("ccos.stats/1"),
        toolset="history",
        reads_only=True,
        repeats=True,
        run=lambda given, call: _stats(door, given, call),
    )


def _verify_tool(door: Door) -> Tool:
    return Tool(
        name="verify",
        title="Verify the record",
        description="Prove that no recorded step was changed. Returns valid and the first break. Slow for large "
        "records.",
        takes=schemas.takes(),
        gives=schemas.gives("ccos.verify/1", valid=schemas.FLAG, proven=schemas.NUMBER, head=schemas.TEXT),
        toolset="history",
        reads_only=True,
        repeats=True,
        run=lambda given, call: _verify(door, given, call),
    )


def _tool(
    name: str,
    title: str,
    description: str,
    takes: Schema,
    gives: Schema,
    run: Run,
    plain: Callable[[Answer], str] | None = None,
) -> Tool:
    return Tool(name, title, description, takes, gives, "history", True, True, run, plain)


def _about_node(**more: Schema) -> Schema:
    return schemas.takes("node", node=schemas.word("A path, symbol or node id."), **more)


def _timeline(door: Door, given: Arguments, call: Call) -> Answer:
    live = ready(door, call)
    said = {"limit": str(given["limit"])}
    if "first" in given or "last" in given:
        first, last = given.get("first", 0), given.get("last", live.step)
        said["span"] = _span(step_of(live, first, "first"), step_of(live, last, "last"))
    return answered(door, call, given, "timeline", said)


def _span(first: int, last: int) -> str:
    if first > last:
        raise Wrong("first", f"step {first:,} is after the last one, {last:,}.", str(last))
    return f"{first}..{last}"


def _recall_what_if(door: Door, given: Arguments, call: Call) -> Answer:
    step = step_of(ready(door, call), given["step"])
    return window(door, given, call, at=step)


def _of_node(door: Door, given: Arguments, call: Call, question: str, names: tuple[str, ...]) -> Answer:
    live = ready(door, call)
    at = step_of(live, given["step"]) if "step" in given else None
    said = {name: str(given[name]) for name in names if name in given}
    return _asked(door, given, call, question, {"node": node_of(live, given["node"], at=at), **said}, at)


def _diff(door: Door, given: Arguments, call: Call) -> Answer:
    live = ready(door, call)
    span = _span(step_of(live, given["first"], "first"), step_of(live, given["last"], "last"))
    said = {name: str(given[name]) for name in ("lens", "budget", "limit") if name in given}
    return _asked(door, given, call, "diff", {"span": span, **said})


def _find(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.errors import NotFound, Usage

    ready(door, call)
    said = {"expr": given["query"], "budget": str(given["budget"]), "limit": str(given["limit"])}
    try:
        return answered(door, call, given, "find", said)
    except (Usage, NotFound) as error:
        raise wrong("query", error) from error


def _autopsy(door: Door, given: Arguments, call: Call) -> Answer:
    ready(door, call)
    return answered(door, call, given, "autopsy", {"suspects": str(given["suspects"])})


def _asked(
    door: Door, given: Arguments, call: Call, question: str, said: dict[str, str], at: int | None = None
) -> Answer:
    """A question that takes a lens, the only argument that may still be wrong."""
    from ccos_core.errors import NotFound, Usage

    try:
        return answered(door, call, given, question, said, at)
    except (Usage, NotFound) as error:
        if "lens" in given:
            raise wrong("lens", error) from error
        raise


def _stats(door: Door, given: Arguments, call: Call) -> Answer:
    ready(door, call)
    return answered(door, call, given, "stats", {})


def _verify(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.serve.cli.proving import as_answer, proof_of

    live = door.live()
    live.keep()
    return with_notes(door, given, as_answer(proof_of(live.session.recorded, heard=heard(call, "proving"))))


_TOOLS = (
    _timeline_tool,
    _recall_what_if_tool,
    _missing_tool,
    _why_tool,
    _diff_tool,
    _drift_cause_tool,
    _find_tool,
    _autopsy_tool,
    _stats_tool,
    _verify_tool,
)
