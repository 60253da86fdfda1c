"""A small offer with one of everything, and a server of it: `python -m tests.core.serve.mcp.offering`.

It stands in for the product where the protocol is tried. Like the product's own it imports next to nothing: how a
server starts is judged on it.
"""

from __future__ import annotations

import os
import sys
import time

from ccos_core.errors import NotFound, Unavailable
from ccos_core.serve.mcp.offer import Offer, Prompt, Resource, Tool, Wrong

OBJECT = {"type": "object"}
MOODS = ("glad", "glum", "grim", "gruff")


def add(arguments, call):
    return {"sum": arguments["a"] + arguments["b"], "words": f"{arguments['a']} + {arguments['b']}\n= ½\u2028"}


def echo(arguments, call):
    return {"said": dict(arguments)}


def slow(arguments, call):
    for done in range(arguments["steps"]):
        call.progress(done, arguments["steps"], f"step {done}")
        time.sleep(arguments["pause"] / 1000)
    call.progress(arguments["steps"], arguments["steps"])
    return {"steps": arguments["steps"]}


def deaf(arguments, call):
    """Says that it has begun, goes on until a file is there, and never asks whether it is still wanted."""
    call.progress(0)
    while arguments["until"] and not os.path.exists(arguments["until"]):
        time.sleep(0.005)
    return {"waited": True}


def fail(arguments, call):
    raise Unavailable("is locked", place="work.ccos", hint="Close the other one.")


def refuse(arguments, call):
    raise Wrong("node", "there is no node nod.", "node")


def breaks(arguments, call):
    return {"never": 1 / 0}


def bare(arguments, call):
    return {"not a number": float("nan")}


def chatter(arguments, call):
    """Prints where nothing may be printed, in each way there is."""
    print("a word by mistake")
    print("another", file=sys.__stdout__, flush=True)
    os.write(1, b"and a byte\n")
    os.system("echo from a child; cat")
    return {"quiet": True}


class Notes:
    """Something that changes."""

    def __init__(self) -> None:
        self.kept = {"first": "hello"}
        self.due = 0.0
        self.listed: list[Resource] = []
        """Those that were taken, each by itself."""
        self._changed: list[str] = []

    def take(self, arguments, call):
        uri = "test://note/" + arguments["name"]
        self.kept[arguments["name"]] = arguments["text"]
        self._changed += [uri, "test://notes"]
        self._list(arguments["name"])
        return {"uri": uri}

    def _list(self, name):
        uri = f"test://note/{name}"
        if all(each.uri != uri for each in self.listed):
            read = lambda uri, values, call: self.kept[name]  # noqa: E731
            self.listed.append(Resource(uri, name, name.title(), "One.", "text/plain", read, None))

    def later(self, arguments, call):
        """Changes when nobody asks for anything any more."""
        self.due = time.monotonic() + arguments["pause"] / 1000
        return {}

    def read(self, uri, values, call):
        if values["name"] not in self.kept:
            raise NotFound(f"There is no note {values['name']}.")
        return self.kept[values["name"]] + (f" ({values['tone']})" if "tone" in values else "")

    def complete(self, name, typed, others):
        return [each for each in (MOODS if name == "tone" else sorted(self.kept)) if each.startswith(typed)]

    def changed(self):
        if self.due and time.monotonic() > self.due:
            self.due = 0.0
            self._changed.append("test://note/late")
            self._list("late")
        changed, self._changed = self._changed, []
        return changed


def takes(*required, **properties):
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def tool(name, run, schema, gives=OBJECT, *, reads_only=True):
    return Tool(name, name.title(), f"What {name} does.", schema, gives, "base", reads_only, reads_only, run)


def make(more_tools=()):
    notes = Notes()
    number = {"type": "integer", "minimum": 0, "maximum": 10_000}
    anything = {"type": "object", "properties": {}}
    sum_of = {"type": "object", "properties": {"sum": {"type": "integer"}, "words": {"type": "string"}}}
    tools = [
        tool("add", add, takes("a", a=number, b={**number, "default": 5}), sum_of),
        tool("echo", echo, anything),
        tool("slow", slow, takes(steps={**number, "default": 3}, pause={**number, "default": 30})),
        tool("deaf", deaf, takes(until={"type": "string", "default": ""})),
        tool("fail", fail, takes()),
        tool("refuse", refuse, takes()),
        tool("breaks", breaks, takes()),
        tool("bare", bare, takes()),
        tool("chatter", chatter, takes()),
        tool(
            "note",
            notes.take,
            takes("name", "text", name={"type": "string"}, text={"type": "string"}),
            reads_only=False,
        ),
        tool("later", notes.later, takes(pause={**number, "default": 30}), reads_only=False),
        *more_tools,
    ]
    notes.listed += [
        Resource("test://notes", "notes", "Notes", "All.", "text/plain", lambda *_: ", ".join(notes.kept), None),
        Resource("test://note/{name}{?tone}", "note", "Note", "One.", "text/plain", notes.read, notes.complete),
    ]
    prompts = [
        Prompt(
            "greet",
            "Greet",
            "A greeting.",
            [("name", "who", True), ("mood", "how", False)],
            lambda said: f"Greet {said['name']}, {said.get('mood', 'glad')}.",
            lambda name, typed, others: [mood for mood in MOODS if name == "mood" and mood.startswith(typed)],
        ),
        Prompt("wave", "Wave", "No words.", [], lambda said: "Wave.", None),
    ]
    return Offer("trial", "A trial", "1.2.3", "Try it.", tools, notes.listed, prompts, notes.changed)


if __name__ == "__main__":
    from ccos_core.serve.mcp.server import serve

    sys.exit(serve(make, sys.stdin.buffer, sys.stdout.buffer))
