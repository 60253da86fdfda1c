"""What is offered, as lists: tools, resources, templates and prompts, in the offer's order, a page at a time."""

from __future__ import annotations

from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.revisions import BATCHED, STRUCTURED
from ccos_core.serve.mcp.templates import is_template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ccos_core.serve.mcp.offer import Prompt, Resource, Tool
    from ccos_core.serve.mcp.talk import Talk, Underway

PAGE = 100
"""Entries told at once."""


def tools(talk: Talk, asked: Underway) -> dict[str, Any]:
    return _page("tools", [entry_of(tool, asked.revision) for tool in talk.offer.tools], "name", asked)


def resources(talk: Talk, asked: Underway) -> dict[str, Any]:
    plain = [each for each in talk.offer.resources if not is_template(each.uri)]
    return _page("resources", [_resource(each, "uri", asked.revision) for each in plain], "uri", asked)


def templates(talk: Talk, asked: Underway) -> dict[str, Any]:
    found = [each for each in talk.offer.resources if is_template(each.uri)]
    listed = [_resource(each, "uriTemplate", asked.revision) for each in found]
    return _page("resourceTemplates", listed, "uriTemplate", asked)


def prompts(talk: Talk, asked: Underway) -> dict[str, Any]:
    return _page("prompts", [_prompt(prompt, asked.revision) for prompt in talk.offer.prompts], "name", asked)


def _page(what: str, entries: Sequence[dict[str, Any]], key: str, asked: Underway) -> dict[str, Any]:
    """From behind the entry that the cursor names, so that a page stays right where others come and go before it."""
    begin = _after(entries, key, asked.params.get("cursor"))
    page = {what: list(entries[begin : begin + PAGE])}
    if begin + PAGE >= len(entries):
        return page
    return {**page, "nextCursor": _cursor(entries[begin + PAGE - 1][key])}


def _after(entries: Sequence[dict[str, Any]], key: str, cursor: object) -> int:
    if cursor is None:
        return 0
    for at, entry in enumerate(entries):
        if _cursor(entry[key]) == cursor:
            return at + 1
    raise Wrong("cursor", "isn't a cursor of this server; ask again without one.")


def _cursor(name: str) -> str:
    return name.encode().hex()


def entry_of(tool: Tool, revision: str) -> dict[str, Any]:
    """A tool as a host gets it. One that declares the schema of its answer has to give a structured one, so those that
    answer in plain text don't."""
    entry: dict[str, Any] = {"name": tool.name}
    if revision >= STRUCTURED:
        entry["title"] = tool.title
    entry |= {"description": tool.description, "inputSchema": tool.takes}
    if revision >= STRUCTURED and tool.plain is None:
        entry["outputSchema"] = tool.gives
    if revision >= BATCHED:
        entry["annotations"] = (
            _annotations(tool) if revision >= STRUCTURED else {"title": tool.title, **_annotations(tool)}
        )
    return entry


def _annotations(tool: Tool) -> dict[str, bool]:
    """Only what has a meaning for it: a host may put these words before a model, which pays for them."""
    if tool.reads_only:
        return {"readOnlyHint": True, "openWorldHint": False}
    # the record only grows
    return {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": tool.repeats, "openWorldHint": False}


def _resource(each: Resource, key: str, revision: str) -> dict[str, Any]:
    entry = {key: each.uri, "name": each.name, "description": each.description, "mimeType": each.mime}
    return {**entry, "title": each.title} if revision >= STRUCTURED else entry


def _prompt(prompt: Prompt, revision: str) -> dict[str, Any]:
    arguments = [{"name": name, "description": what, "required": must} for name, what, must in prompt.arguments]
    entry: dict[str, Any] = {"name": prompt.name, "description": prompt.description, "arguments": arguments}
    return {**entry, "title": prompt.title} if revision >= STRUCTURED else entry
