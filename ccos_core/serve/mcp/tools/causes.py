"""The toolset `causes`: what depends on what, as the code says, and what would come under pressure."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool
from ccos_core.serve.mcp.tools import schemas
from ccos_core.serve.mcp.tools.asking import FOLDING, answered, node_of, ready, told
from ccos_core.serve.mcp.tools.door import heard
from ccos_core.serve.mcp.tools.questions import question_tools

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door

HOPS, ROWS = 3, 16
FAR = 16


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    hops, limit = (
        schemas.number("How many dependencies to follow.", 1, FAR, HOPS),
        schemas.number("Nodes to list.", 1, 10_000, ROWS),
    )
    node = schemas.word("A path or symbol.")
    return (
        Tool(
            name="causal_intervene",
            title="What a change affects",
            description="Before you change a node, list what depends on it (forces) and what would gain heat if "
            "it failed (heats). It records nothing.",
            takes=schemas.takes("node", node=node, hops=hops, limit=limit),
            gives=schemas.gives(
                "ccos.intervention/1", node=schemas.TEXT, forces=schemas.OBJECT, heats=schemas.LIST, more=schemas.NUMBER
            ),
            toolset="causes",
            reads_only=True,
            repeats=True,
            run=lambda given, call: _intervene(door, given, call),
        ),
        *question_tools(door, "causes"),
        Tool(
            name="causal_flash",
            title="Code around the current work",
            description="List the code around everything that fails or was edited: its dependencies and callers. "
            "For the text, call recall with strategy causal-flash.",
            takes=schemas.takes(hops=hops, limit=schemas.number("Nodes to list.", 1, 10_000, 64)),
            gives=schemas.gives("ccos.cone/1", seeds=schemas.NUMBER, nodes=schemas.LIST, complete=schemas.FLAG),
            toolset="causes",
            reads_only=True,
            repeats=True,
            run=lambda given, call: _flash(door, given, call),
        ),
    )


def _intervene(door: Door, given: Arguments, call: Call) -> Answer:
    said = {"node": node_of(ready(door, call), given["node"]), "hops": str(given["hops"]), "limit": str(given["limit"])}
    forces = answered(door, call, given, "impact", said)
    node = forces["node"]
    strengths = door.live().pressing(node, heard(call, FOLDING))
    others = [(each, strength) for each, strength in strengths.items() if each != node]
    heats = [{"node": each, "strength": strength} for each, strength in others[: given["limit"]]]
    answer = {"schema": "ccos.intervention/1", "node": node, "step": forces["at"]}
    noted: dict[str, Any] = {name: forces.pop(name) for name in ("asked", "notes") if name in forces}
    return {**answer, "forces": forces, "heats": heats, "more": len(others) - len(heats), **noted}


def _flash(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.query.cone import cone

    timeline = ready(door, call).desk.timeline
    return told(door, given, cone(timeline, timeline.head, hops=given["hops"], limit=given["limit"]), timeline.partial)
