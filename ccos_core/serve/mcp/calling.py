"""Tools called, resources read, prompts said and completed: a request's words to the offer, its answer back."""

from __future__ import annotations

from ccos_core.errors import CcosError, NotFound, Usage
from ccos_core.serve.mcp.offer import Wrong
from ccos_core.serve.mcp.revisions import STATELESS, STRUCTURED
from ccos_core.serve.mcp.schema import filled, nearest
from ccos_core.serve.mcp.templates import is_template, matched, names
from ccos_core.serve.mcp.wire import DEFECT, NO_RESOURCE, WRONG_PARAMS, Refusal, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeVar

    from ccos_core.serve.mcp.offer import Offer, Prompt, Resource, Tool
    from ccos_core.serve.mcp.talk import Talk, Underway

    Named = TypeVar("Named", Tool, Prompt)

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
