"""The workspace a script works on, open as long as its pipe is, and the verbs of a line.

It is behind the same door as an agent's tools; what others record meanwhile, and what hooks hear, is known at the next
line. The verbs are the tools of the MCP server in a script's words, and the catalogue's questions. An unknown argument
is an error, and so is a value of another type.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError, Usage
from ccos_core.query.catalogue import ALIASES, BY_NAME, entry_of
from ccos_core.query.question import MANY
from ccos_core.query.tool import Entry
from ccos_core.query.words import AT, SEPARATOR, nearest
from ccos_core.serve.mcp.offer import Tool, Wrong
from ccos_core.serve.mcp.offering import ALL, offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools import schemas
from ccos_core.serve.mcp.tools.asking import told
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.session import lifecycle
from ccos_core.session.hearing import take_in
from ccos_core.storage import locate

if TYPE_CHECKING:
    from ccos_core.serve.mcp.offer import Answer as ToolAnswer
    from ccos_core.serve.mcp.offer import Arguments, Call

HELP, HELP_SCHEMA = "help", "ccos.memory-help/1"
OTHER_NAMES = {
    "signal_failure": "failure",
    "signal_pass": "pass",
    "page-fault": "page_fault",
    "what_if": "recall_what_if",
    "causes": "blame",
    "wm.search": "wm_search",
    "observability.ingest": "observability_ingest",
}
"""What agents, the seed or somebody else may call things → what they are here."""
RECALL = "recall"
"""The one question that isn't put as one: the tool of that name knows more."""
DEEP = {"depth": "hops"}
"""What an argument of a question may be called, too."""
LOOK, LOOKED = "look", "ingest"
"""A source nobody but the script has looked at: what the tool calls that, and what scripts do."""


def verb_named(verb: str) -> str:
    """What a verb is called here."""
    return OTHER_NAMES.get(verb, verb)


def question_of(verb: str) -> Entry | None:
    """The question a verb puts."""
    return None if verb == RECALL else entry_of(verb)


def scripted(tools: Mapping[str, Tool]) -> dict[str, Tool]:
    """The tools by the verbs that use them; those that put a question aren't among them."""
    others = {name: tool for name, tool in tools.items() if question_of(name) is None}
    found = {verb_named(name): _ADAPTED.get(name, _as_it_is)(tool) for name, tool in others.items()}
    found[HELP] = _help(found)
    return found


def unknown(verb: str, tools: Mapping[str, Tool]) -> Usage:
    """That nobody knows a verb, and which was probably meant."""
    known = [*tools, *OTHER_NAMES, *BY_NAME, *ALIASES]
    return Usage("there is no such op", place=verb[:40], hint=nearest(verb, known) or 'Say {"op":"help"}')


def said_for(entry: Entry, said: Mapping[str, Any]) -> dict[str, str]:
    """What was said for the arguments of a question, as somebody would type it. What wasn't said may be said as
    null."""
    arguments = {argument.name: argument for argument in entry.load().arguments}
    known = [*arguments, AT]
    found: dict[str, str] = {}
    for name, value in said.items():
        plain = DEEP.get(name, name).replace("_", "-")
        if plain not in known:
            hint = nearest(plain, known) or f"It takes: {'  '.join(known)}"
            raise Usage(f"{entry.name} takes no such argument", place=name[:40], hint=hint)
        if value is None or value is False:
            continue
        if plain in found:
            raise Usage("is given twice", place=name[:40])
        several = plain in arguments and arguments[plain].form in MANY
        found[plain] = _typed_many(name, value) if several else _typed(name, value)
    for name, argument in arguments.items():
        if argument.required and name not in found:
            raise Usage(f"{entry.name} needs it: {argument.says}", place=name)
    return found


def _typed_many(name: str, value: Any) -> str:
    """Write one text or a list of texts as an argument that has several values."""
    texts = value if isinstance(value, list) else [value]
    if not texts or not all(isinstance(each, str) for each in texts):
        raise Usage("must be a text or a list of texts", place=name)
    return SEPARATOR.join(texts)


def _typed(name: str, value: Any) -> str:
    if value is True:
        return "yes"
    if isinstance(value, dict):  # a query or boundaries
        return json.dumps(value)
    if isinstance(value, list) and len(value) == 2 and all(type(each) is int for each in value):
        return f"{value[0]}..{value[1]}"
    if isinstance(value, str) or (type(value) is int and abs(value) < 2**63):
        return str(value)
    raise Usage("must be a text, a number, true or false, or two steps", place=name)


# ---- tools that scripts have in words of their own ----


def _as_it_is(tool: Tool) -> Tool:
    return tool


def _ingest(tool: Tool) -> Tool:
    """Whether a source is new is said as `new`."""
    how = tool.takes["properties"]["how"]
    words = [LOOKED if word == LOOK else word for word in how["enum"]]

    def run(given: Arguments, call: Call) -> ToolAnswer:
        told = dict(tool.run({**given, "how": LOOK if given["how"] == LOOKED else given["how"]}, call))
        return {**told, "new": told.pop("changed"), "how": given["how"]}

    return tool._replace(takes=_taking(tool, how={**how, "enum": words}), run=run)


def _recall(tool: Tool) -> Tool:
    """Each call says whether it is recorded; reasons come unasked."""
    record = schemas.switch("Record that the agent was given it.")
    return tool._replace(takes=_taking(_recall_what_if(tool), record=record))


def _recall_what_if(tool: Tool) -> Tool:
    others = {name: each for name, each in tool.takes["properties"].items() if name != "reasons"}
    return tool._replace(takes={**tool.takes, "properties": others})


def _pass(tool: Tool) -> Tool:
    """Where nothing is named, everything passes."""

    def run(given: Arguments, call: Call) -> ToolAnswer:
        everything = not (given.get("nodes") or given.get("tests"))
        return tool.run({**given, "everything": given["everything"] or everything}, call)

    return tool._replace(run=run)


def _taking(tool: Tool, **arguments: Any) -> dict[str, Any]:
    return {**tool.takes, "properties": {**tool.takes["properties"], **arguments}}


def _help(tools: Mapping[str, Tool]) -> Tool:
    def run(given: Arguments, call: Call) -> ToolAnswer:
        own = {name: _told(tool.description, tool.takes["properties"]) for name, tool in tools.items()}
        asked = {
            name: _told(entry.summary, [*(each.name for each in entry.load().arguments), AT])
            for name, entry in BY_NAME.items()
            if question_of(name) is not None
        }
        return {"schema": HELP_SCHEMA, "ops": own | asked}

    summary, ops = "List every op with its arguments.", {"ops": schemas.OBJECT}
    return Tool(HELP, "Help", summary, schemas.takes(), schemas.gives(HELP_SCHEMA, **ops), "", True, True, run)


def _told(summary: str, arguments: Iterable[str]) -> dict[str, Any]:
    return {"summary": summary, "arguments": list(arguments)}


_ADAPTED: Mapping[str, Callable[[Tool], Tool]] = {
    "ingest": _ingest,
    "recall": _recall,
    "recall_what_if": _recall_what_if,
    "signal_pass": _pass,
}


Answer = dict[str, Any]


class Store:
    """A workspace, and all that can be done with it."""

    def __init__(self, named: str, principal: str = "owner") -> None:
        self.door = Door(_path(named), "", scripted=True, principal=principal)
        self.tools = scripted({tool.name: tool for tool in offering(self.door, (ALL,)).tools})
        self.door.live()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.door.close()

    def obey(self, verb: str, said: Mapping[str, Any]) -> Answer:
        """Do what a verb says. What hooks heard for this workspace is taken in before; what of that can't be yet is for
        a later line."""
        take_in(self.door.path)
        verb = verb_named(verb)
        if (entry := question_of(verb)) is not None:
            return self._ask(entry, said_for(entry, said))
        if verb not in self.tools:
            raise unknown(verb, self.tools)
        return self._call(self.tools[verb], said)

    def _call(self, tool: Tool, said: Mapping[str, Any]) -> Answer:
        """What a tool answers. What wasn't said may be said as null."""
        try:
            given = filled(tool.takes, {name: value for name, value in said.items() if value is not None})
            return dict(tool.run(given, _Nobody()))
        except Wrong as wrong:
            raise _as_error(wrong) from wrong

    def _ask(self, entry: Entry, said: Mapping[str, str]) -> Answer:
        """A question of the catalogue, as of now unless it says otherwise."""
        live = self.door.live()
        live.keep_up()
        asked = live.ask(entry, dict(said))
        return told(self.door, {}, asked.answer, asked.partial)


class _Nobody:
    """Whom no progress is told."""

    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass


def _as_error(wrong: Wrong) -> CcosError:
    """What is wrong with an argument, of the family that says how the pipe ends: the engine's own words, where it was
    the engine that couldn't do with it."""
    if isinstance(wrong.__cause__, CcosError):
        return wrong.__cause__
    hint = f"Did you mean {wrong.nearest}?" if wrong.nearest else ""
    return Usage(wrong.fact.removesuffix("."), place=wrong.argument, hint=hint)


def _path(named: str) -> str:
    """The record that is meant; it is made where there is none."""
    path, root = named, None
    if os.path.isdir(named):
        root = locate.project_root(named)
        path = locate.default_path(root)
    if not os.path.exists(path):
        if not path.endswith(locate.SUFFIX):
            hint = f"ccos-tui memory {path}{locate.SUFFIX}"
            raise Usage(f"a workspace's name ends in {locate.SUFFIX}", place=path, hint=hint)
        lifecycle.init(path, root)
    return path
