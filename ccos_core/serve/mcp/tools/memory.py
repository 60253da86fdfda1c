"""The toolset `memory`: what to look at now, and what was read. What is told of failures stands beside it.

A host pays for these unless it asks for something else.
"""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.tools import failing, plain, schemas
from ccos_core.serve.mcp.tools.asking import ready, told, wrong
from ccos_core.serve.mcp.tools.questions import question_tools
from ccos_core.serve.mcp.tools.windows import whose, window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.session.retrieving import Original

HOWS = {"read": "read", "edit": "edit", "write": "write", "look": "ingest"}
"""How a source came by, and what the record calls that."""
OWN = ("owner", "agent")
"""Principals of a server that was given no other."""


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    recall, ingest, *others = (tool(door) for tool in _TOOLS)
    return (recall, ingest, *failing.tools(door), *others, *question_tools(door, "memory"))


def _recall_tool(door: Door) -> Tool:
    return Tool(
        name="recall",
        title="Recall a context window",
        description="Get the code that matters now, as plain text within a token budget. Call it at the start "
        "with the task as text, after you lost context, and before you change something. anchor: a "
        "file or symbol with its dependencies. text: the code for a task. Neither: what is hot now, "
        "or a map of the project at the start of a session. Items shown in part have a ref for "
        "ccos_retrieve.",
        takes=schemas.takes(**whose(), budget=schemas.budget()),
        gives=schemas.gives(""),
        toolset="memory",
        reads_only=not door.record_recalls,
        repeats=not door.record_recalls,
        run=lambda given, call: window(door, given, call),
        plain=plain.window_text,
    )


def _ingest_tool(door: Door) -> Tool:
    return Tool(
        name="ingest",
        title="Record a source",
        description="Record a file you read or wrote, if no hook records it. Returns the step.",
        takes=schemas.takes(
            "uri",
            "source",
            uri=schemas.word("Its path in the project."),
            source=schemas.text("Its whole text."),
            how=schemas.choice("How you saw it; look adds no heat.", *HOWS, default="read"),
        ),
        gives=schemas.gives("ccos.ingested/1", node=schemas.TEXT, step=schemas.NUMBER, changed=schemas.FLAG),
        toolset="memory",
        reads_only=False,
        repeats=False,
        run=lambda given, _: _ingest(door, given),
    )


def _ccos_retrieve_tool(door: Door) -> Tool:
    return Tool(
        name="ccos_retrieve",
        title="Retrieve the original",
        description="Get the exact text of what was shown in part.",
        takes=schemas.takes("ccr_ref", ccr_ref=schemas.word("The ref, such as 1a2b3c4d:10-42.")),
        gives=schemas.gives("ccos.original/1", text=schemas.TEXT, path=schemas.TEXT),
        toolset="memory",
        reads_only=True,
        repeats=True,
        run=lambda given, call: _retrieve(door, given, call),
        plain=plain.original_text,
    )


def _ingest(door: Door, given: Arguments) -> Answer:
    from ccos_core.values.ids import file_node

    live = door.live()
    path = _path(given["uri"])
    before = live.session.added
    seen = {"kind": "seen", "how": HOWS[given["how"]], "path": path, "content": given["source"], "actor": "agent"}
    admitted = live.admit(seen)
    (step,) = live.append([admitted])
    answer: dict[str, Any] = {
        "schema": "ccos.ingested/1",
        "node": file_node(admitted.op["path"]),
        "step": step,
        "changed": live.session.added > before,
        "how": given["how"],
    }
    if found := admitted.op.get("findings"):
        answer["findings"] = [{"kind": kind, "count": count, "line": line} for _, kind, count, line in found]
    if why := admitted.op.get("withheld"):
        answer["withheld"] = why
    return answer


def _path(uri: str) -> str:
    """A path out of what stands for one."""
    from ccos_core.values.ids import unescape

    if uri.startswith("file://"):
        path = _path_of_url(uri)
    else:
        path = unescape(uri.removeprefix("file:")) if uri.startswith("file:") else uri
    if not path.strip("./ ") or path.endswith("/"):
        raise Wrong("uri", f"{uri!r} isn't the path of a file.")
    return path


def _path_of_url(uri: str) -> str:
    from urllib.parse import unquote, urlsplit

    try:
        return unquote(urlsplit(uri).path)
    except ValueError:
        return ""


def _retrieve(door: Door, given: Arguments, call: Call) -> Answer:
    from ccos_core.errors import Erased, NotFound, Usage
    from ccos_core.session.retrieving import original

    live = ready(door, call)
    try:
        found = original(live.session.recorded, live.desk.timeline, given["ccr_ref"])
    except Erased:
        raise
    except (NotFound, Usage) as error:
        kept = _squeezed(door, given["ccr_ref"]) if isinstance(error, NotFound) else None
        if kept is None:
            raise wrong("ccr_ref", error) from error
        found = kept
    return told(door, given, found)


def _squeezed(door: Door, reference: str) -> Original | None:
    """What `squeeze` kept, which is of all the user's projects: only for the user's own agent."""
    from ccos_core.errors import NotFound, Usage
    from ccos_core.session.squeezing import kept_original

    try:
        return kept_original(reference) if door.principal in OWN else None
    except (NotFound, Usage) as error:
        raise wrong("ccr_ref", error) from error


_TOOLS = (_recall_tool, _ingest_tool, _ccos_retrieve_tool)
