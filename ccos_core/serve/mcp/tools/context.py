"""The toolset `context`: an agent that steers its own context, by the names and arguments of the COS specification.

Off unless asked for, since a host pays for every tool that is listed. Its tools take the place of others of the same
name. What they do stands in `steering_tools`; most of it is asked of questions that exist anyway.
"""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Tool
from ccos_core.serve.mcp.tools import schemas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_core.serve.mcp.offer import Answer, Arguments, Call
    from ccos_core.serve.mcp.tools.door import Door

TYPES = ("soul", "user", "memory", "impressions", "daily", "search", "session", "mindmap")
POLICIES = ("lru", "size_first", "keep_relational", "keep_technical")
DETAIL = 2
LONGEST_TEXT = 20_000  # characters
RESOURCE = "A document (soul, memory/build, daily/today), a path, a symbol or a memo:ID."
PAGED = {"node": schemas.TEXT, "status": schemas.TEXT, "changed": schemas.FLAG, "step": schemas.NUMBER}


def tools(door: Door) -> tuple[Tool, ...]:
    """Them all, in the order in which they are listed."""
    return (*_documents(door), *_paging(door), *_window(door))


def _documents(door: Door) -> tuple[Tool, ...]:
    """Tools that read documents and add to them."""
    return (
        _tool(
            door,
            "get_context",
            "Read context",
            "Read a document, or search all of them; with a query only the sections that match. Returns the map, too.",
            schemas.takes(
                "type",
                type=schemas.choice("What to read.", *TYPES),
                query=schemas.text("Words to look for.", LONGEST_TEXT),
                detail=schemas.number("1 whole text, 2 headings and first lines, 3 headings.", 1, 3),
                compression=schemas.number("The same as detail.", 1, 3),
                date=schemas.word("Of daily notes: YYYY-MM-DD, today or yesterday."),
                budget=schemas.budget(),
            ),
            schemas.gives("ccos.cos-context/1", content=schemas.TEXT, tokens=schemas.NUMBER, map=schemas.TEXT),
            reads_only=True,
        ),
        _tool(
            door,
            "update_memory",
            "Add to the memory",
            "Append to a section of MEMORY.md; a missing section is created.",
            schemas.takes(
                "section",
                "content",
                section=schemas.word("Its heading or slug."),
                content=schemas.text("Markdown.", LONGEST_TEXT),
            ),
            schemas.gives("ccos.cos-update/1", path=schemas.TEXT, changed=schemas.FLAG, section=schemas.TEXT),
        ),
        _tool(
            door,
            "log_impression",
            "Log an impression",
            "Remember a formative experience, in the record and in IMPRESSIONS.md if that exists.",
            schemas.takes("text", text=schemas.text("What happened and what it means.", LONGEST_TEXT)),
            schemas.gives("ccos.cos-impression/1", memo=schemas.TEXT, changed=schemas.FLAG, step=schemas.NUMBER),
        ),
    )  # fmt: skip


def _paging(door: Door) -> tuple[Tool, ...]:
    """Tools that say what should be held, and how much it matters."""
    resource = schemas.word(RESOURCE)
    return (
        _tool(
            door,
            "page_in",
            "Page in",
            "Ask for a resource to be held, and get its text.",
            schemas.takes(
                "resource",
                resource=resource,
                content=schemas.switch("Whether to return the text.", default=True),
            ),
            schemas.gives("ccos.cos-paged/1", **PAGED),
        ),
        _tool(
            door,
            "page_out",
            "Page out",
            "Propose a resource for eviction; a summary is kept, and its whole text by reference.",
            schemas.takes("resource", resource=resource, reason=schemas.text("Why.", LONGEST_TEXT)),
            schemas.gives("ccos.cos-paged-out/1", resource_id=schemas.TEXT, original_tokens=schemas.NUMBER,
                          compressed_tokens=schemas.NUMBER, summary=schemas.TEXT, freed=schemas.NUMBER),
        ),
        _tool(
            door,
            "set_attention",
            "Set attention",
            "Say how much a resource matters; what has little attention is evicted first.",
            schemas.takes(
                "resource",
                "weight",
                resource=resource,
                weight={
                    "type": "number",
                    "description": "0 ignore, 1 usual, 2 critical. 0 to 2.",
                    "minimum": 0,
                    "maximum": 2,
                },
            ),
            schemas.gives("ccos.cos-attention/1", node=schemas.TEXT, weight=schemas.NUMBER, status=schemas.TEXT),
        ),
        _tool(
            door,
            "annotate",
            "Annotate",
            "Leave a note on a resource for your future self.",
            schemas.takes("resource", "note", resource=resource, note=schemas.text("The note.", LONGEST_TEXT)),
            schemas.gives("ccos.cos-note/1", node=schemas.TEXT, changed=schemas.FLAG, step=schemas.NUMBER),
        ),
    )  # fmt: skip


def _window(door: Door) -> tuple[Tool, ...]:
    """Tools about the window as a whole."""
    return (
        _tool(
            door,
            "get_pressure",
            "Context pressure",
            "Get how full your context window is, what to do about it, and what to evict first.",
            schemas.takes(),
            schemas.gives("ccos.cos-pressure/1", level=schemas.TEXT, context_used=schemas.NUMBER,
                          context_max=schemas.NUMBER, recommended_action=schemas.TEXT,
                          eviction_candidates=schemas.LIST),
            reads_only=True,
        ),
        _tool(
            door,
            "set_priority",
            "Set the eviction policy",
            "Choose what is evicted first among resources of the same attention.",
            schemas.takes(
                eviction_policy=schemas.choice("The policy.", *POLICIES),
                policy=schemas.choice("The same as eviction_policy.", *POLICIES),
            ),
            schemas.gives("ccos.cos-priority/1", policy=schemas.TEXT, changed=schemas.FLAG),
        ),
    )  # fmt: skip


def _tool(
    door: Door,
    name: str,
    title: str,
    description: str,
    takes: schemas.Schema,
    gives: schemas.Schema,
    *,
    reads_only: bool = False,
) -> Tool:
    return Tool(
        name=name,
        title=title,
        description=description,
        takes=takes,
        gives=gives,
        toolset="context",
        reads_only=reads_only,
        repeats=True,
        run=_run(door, name),
    )


def _run(door: Door, name: str) -> Callable[[Arguments, Call], Answer]:
    def run(given: Arguments, call: Call) -> Answer:
        from ccos_core.serve.mcp import steering_tools

        act: Callable[[Door, Arguments, Call], Answer] = getattr(steering_tools, name)
        return act(door, given, call)

    return run
