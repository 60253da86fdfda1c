"""The offer as a host asks for it: lists of tools, resources, templates and prompts, page by page; and calls to them.

URI templates are the part of RFC 6570 we offer, `{name}` and `{?name,other}`, read backwards. URIs written by hand are
seldom encoded: the last name of a path takes slashes and hashes as they are (`ccos://node/sym:src/db.py#Pool.take`).
"""

from __future__ import annotations

import re
from functools import cache

from ccos_core.errors import CcosError, NotFound, Usage
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.schema import filled, nearest
from ccos_core.serve.mcp.wire import BATCHED, DEFECT, NO_RESOURCE, STATELESS, STRUCTURED, WRONG_PARAMS, Refusal, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeVar

    from ccos_core.serve.mcp.offer import Offer, Prompt, Resource, Tool
    from ccos_core.serve.mcp.server import Talk, Underway

    Named = TypeVar("Named", Tool, Prompt)

NAMED = re.compile(r"\{(\??)([\w.,]+)\}")
"""An expression: whether it is a query's, and its names."""


def is_template(uri: str) -> bool:
    return "{" in uri


@cache
def names(template: str) -> tuple[str, ...]:
    """In the order in which they stand there."""
    return tuple(name for found in NAMED.finditer(template) for name in found[2].split(","))


def matched(template: str, uri: str) -> dict[str, str] | None:
    """What the names stand for; None where the URI is none of the template's. Raises `Wrong` for what can't be read."""
    path, in_path, in_query = _taken_apart(template)
    found = path.fullmatch(uri)
    if found is None or (found["query"] is not None and not in_query):
        return None
    values = {name: _decoded(name, value) for name, value in zip(in_path, found.groups(), strict=False)}
    return values | _query(found["query"] or "", in_query)


@cache
def _taken_apart(template: str) -> tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]]:
    """(what the URI looks like, names in its path, names in its query)."""
    in_path: list[str] = []
    in_query: list[str] = []
    pattern, at = "", 0
    for found in NAMED.finditer(template):
        pattern += re.escape(template[at : found.start()])
        at = found.end()
        if found[1]:
            in_query += found[2].split(",")
        else:
            in_path.append(found[2])
            pattern += "([^?]+)" if template[at : at + 2] in ("", "{?") else "([^/?#]+)"
    pattern += re.escape(template[at:]) + r"(?:\?(?P<query>.*))?"
    return re.compile(pattern, re.DOTALL), tuple(in_path), tuple(in_query)


def _query(said: str, known: tuple[str, ...]) -> dict[str, str]:
    values: dict[str, str] = {}
    for part in filter(None, said.split("&")):
        name, _, value = part.partition("=")
        if name not in known:
            raise Wrong(name[:80], f"the URI takes {', '.join(known)} after its question mark.", nearest(name, known))
        if name in values:
            raise Wrong(name, "is given twice.")
        values[name] = _decoded(name, value)
    return values


def _decoded(name: str, value: str) -> str:
    if "%" not in value:
        return value
    from urllib.parse import unquote

    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError:
        raise Wrong(name, "the text after a percent sign isn't UTF-8.") from None


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
    entry: dict[str, Any] = {key: each.uri, "name": each.name, "description": each.description, "mimeType": each.mime}
    if each.tokens is not None and (tokens := each.tokens()) is not None:
        entry["_meta"] = {TOKENS: tokens}
    return {**entry, "title": each.title} if revision >= STRUCTURED else entry


def _prompt(prompt: Prompt, revision: str) -> dict[str, Any]:
    arguments = [{"name": name, "description": what, "required": must} for name, what, must in prompt.arguments]
    entry: dict[str, Any] = {"name": prompt.name, "description": prompt.description, "arguments": arguments}
    return {**entry, "title": prompt.title} if revision >= STRUCTURED else entry


TOKENS = "ccos-tui/tokens"
"""What a listed resource takes of a window, about; the protocol's own `size` is in bytes."""
ARGUMENT, NEAREST = "ccos-tui/argument", "ccos-tui/nearest"
"""What an answer about a wrong argument says beside its words."""
MOST = 100
"""Completions told at once."""


def call_tool(talk: Talk, asked: Underway) -> dict[str, Any]:
    """Answer a call. Whatever is wrong with its arguments is a result with `isError` in every revision: hosts show
    results to their model, which corrects itself, and errors of the protocol as a defect of the server."""
    tool = _named(talk.offer.tools, asked.text("name"), "tool")
    try:
        answer = dict(tool.run(filled(tool.takes, asked.object("arguments")), asked))
    except Wrong as wrong:
        return {"content": [_text(str(wrong))], "isError": True, "_meta": _named_in(wrong)}
    except CcosError as error:
        return {"content": [_text(str(error))], "isError": True}
    if tool.plain is not None:
        return {"content": [_text(tool.plain(answer))], "isError": False}
    result: dict[str, Any] = {"content": [_text(text_of(answer))], "isError": False}
    return {**result, "structuredContent": answer} if asked.revision >= STRUCTURED else result


def read_resource(talk: Talk, asked: Underway) -> dict[str, Any]:
    uri = asked.text("uri")
    resource, values = found(talk.offer, uri, asked.revision)
    try:
        text = resource.read(uri, values, asked)
    except (NotFound, Usage) as error:
        raise _missing(uri, str(error), asked.revision) from error
    except CcosError as error:
        raise Refusal(DEFECT, str(error), {"uri": uri}) from error
    return {"contents": [{"uri": uri, "mimeType": resource.mime, "text": text}]}


def found(offer: Offer, uri: str, revision: str) -> tuple[Resource, dict[str, str]]:
    """The resource a URI means, and what the names of its template stand for. Plain ones come first."""
    for resource in offer.resources:
        if resource.uri == uri and not is_template(uri):
            return resource, {}
    for resource in offer.resources:
        values = matched(resource.uri, uri) if is_template(resource.uri) else None
        if values is not None:
            return resource, values
    near = nearest(uri, [resource.uri for resource in offer.resources])
    hint = f" Did you mean {near}?" if near else ""
    raise _missing(uri, f"There is no resource {uri[:200]}.{hint}", revision)


def get_prompt(talk: Talk, asked: Underway) -> dict[str, Any]:
    prompt = _named(talk.offer.prompts, asked.text("name"), "prompt")
    arguments = asked.object("arguments")
    known = [name for name, _, _ in prompt.arguments]
    for name, value in arguments.items():
        if name not in known:
            raise Wrong(name[:80], "there is no such argument.", nearest(name, known))
        if not isinstance(value, str):
            raise Wrong(name, "must be a string.")
    for name, _, needed in prompt.arguments:
        if needed and name not in arguments:
            raise Wrong(name, "is required.")
    try:
        said = prompt.say(arguments)
    except CcosError as error:
        family = WRONG_PARAMS if isinstance(error, NotFound | Usage) else DEFECT
        raise Refusal(family, str(error)) from error
    return {"description": prompt.description, "messages": [{"role": "user", "content": _text(said)}]}


def complete(talk: Talk, asked: Underway) -> dict[str, Any]:
    entry, known = _referred(talk.offer, asked.object("ref"), asked.revision)
    argument = asked.object("argument")
    name, typed = argument.get("name"), argument.get("value")
    if not isinstance(name, str) or not isinstance(typed, str):
        raise Wrong("argument", "must be an object with a name and a value, both strings.")
    if name not in known:
        raise Wrong("argument", f"nothing named {name[:80]} can be completed.", nearest(name, known))
    others = asked.object("context").get("arguments", {})
    if not isinstance(others, dict) or not all(isinstance(value, str) for value in others.values()):
        raise Wrong("context", "its arguments must be an object of strings.")
    values = list(entry.complete(name, typed, others)) if entry.complete else []
    return {"completion": {"values": values[:MOST], "total": len(values), "hasMore": len(values) > MOST}}


def _referred(offer: Offer, ref: Mapping[str, Any], revision: str) -> tuple[Resource | Prompt, Sequence[str]]:
    kind = ref.get("type")
    if kind == "ref/prompt" and isinstance(ref.get("name"), str):
        prompt = _named(offer.prompts, ref["name"], "prompt")
        return prompt, [name for name, _, _ in prompt.arguments]
    if kind == "ref/resource" and isinstance(ref.get("uri"), str):
        same = [resource for resource in offer.resources if resource.uri == ref["uri"]]
        resource = same[0] if same else found(offer, ref["uri"], revision)[0]
        return resource, names(resource.uri)
    raise Wrong("ref", "must be a ref/prompt with a name or a ref/resource with a uri.")


def _named(entries: Sequence[Named], name: str, kind: str) -> Named:
    for entry in entries:
        if entry.name == name:
            return entry
    raise Wrong("name", f"there is no {kind} {name[:80]}.", nearest(name, [entry.name for entry in entries]))


def _named_in(wrong: Wrong) -> dict[str, str]:
    """The same for scripts: which argument, and what was probably meant."""
    return {ARGUMENT: wrong.argument, **({NEAREST: wrong.nearest} if wrong.nearest else {})}


def _missing(uri: str, said: str, revision: str) -> Refusal:
    return Refusal(WRONG_PARAMS if revision >= STATELESS else NO_RESOURCE, said, {"argument": "uri", "uri": uri})


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
