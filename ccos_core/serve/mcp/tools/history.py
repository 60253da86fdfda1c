"""The toolset `history`: what was at any step, why, and where it went wrong. Most tools are questions."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool
from ccos_core.serve.mcp.tools import plain, schemas
from ccos_core.serve.mcp.tools.asking import ready, step_of, with_notes
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.questions import question_tools
from ccos_core.serve.mcp.tools.windows import whose, window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door

LISTED_LAST = ("autopsy", "stats")
"""Questions about the record as a whole."""


def tools(door: Door) -> tuple[Tool, ...]:
    """Return the toolset, in the order in which it is listed."""
    asked = {tool.name: tool for tool in question_tools(door, "history")}
    last = [asked.pop(name) for name in LISTED_LAST]
    return (asked.pop("timeline"), _recall_what_if_tool(door), *asked.values(), *last, _verify_tool(door))


def _recall_what_if_tool(door: Door) -> Tool:
    return Tool(
        name="recall_what_if",
        title="The window at a past step",
        description="Get the window that recall would have returned at a step, also with another strategy or budget.",
        takes=schemas.takes("step", step=schemas.number("The step.", 0), **whose(), budget=schemas.budget()),
        gives=schemas.gives(""),
        toolset="history",
        reads_only=True,
        repeats=True,
        run=lambda given, call: _recall_what_if(door, given, call),
        plain=plain.window_text,
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


def _recall_what_if(door: Door, given: Arguments, call: Call) -> Answer:
    step = step_of(ready(door, call), given["step"])
    return window(door, given, call, at=step)


def _verify(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.serve.cli.proving import as_answer, proof_of

    live = door.live()
    live.keep()
    return with_notes(door, given, as_answer(proof_of(live.session.recorded, heard=heard(call, "proving"))))
