"""The fixtures that the scenarios of the official conformance suite ask for by name, offered through our protocol.

`python -m tests.core.serve.mcp.conformance.offering` serves them on stdin and stdout.
"""

import sys
import time

from ccos_core.errors import Refused
from ccos_core.serve.mcp.offer import Offer, Prompt, Resource, Tool

NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
ADDRESS = {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}
DIALECT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}


def simple(arguments, call):
    return {"text": "This is a simple text response for testing."}


def progress(arguments, call):
    for done in (0, 50, 100):
        call.progress(done, 100)
        time.sleep(0.05)
    return {"text": "done"}


def error(arguments, call):
    raise Refused("This tool intentionally returns an error for testing")


def tool(name, run, schema=NOTHING):
    return Tool(name, name, f"The fixture {name}.", schema, {"type": "object"}, "base", True, True, run)


def text(uri, what):
    return Resource(uri, uri, uri, f"The fixture {uri}.", "text/plain", what, None)


def make():
    tools = [
        tool("test_simple_text", simple),
        tool("test_tool_with_progress", progress),
        tool("test_error_handling", error),
        tool("json_schema_2020_12_tool", simple, DIALECT),
    ]
    resources = [
        text("test://static-text", lambda *_: "This is the content of the static text resource."),
        text("test://watched-resource", lambda *_: "Watch me."),
        text("test://template/{id}/data", lambda uri, values, call: f'{{"id":"{values["id"]}"}}'),
    ]
    two = [("arg1", "First", True), ("arg2", "Second", True)]
    prompts = [
        Prompt("test_simple_prompt", "Simple", "Simple.", [], lambda _: "This is a simple prompt for testing.", None),
        Prompt(
            "test_prompt_with_arguments",
            "Arguments",
            "With arguments.",
            two,
            lambda said: f"Prompt with arguments: arg1='{said['arg1']}', arg2='{said['arg2']}'",
            lambda name, typed, others: [word for word in ("paris", "park", "party") if word.startswith(typed)],
        ),
    ]
    return Offer("conformance", "Conformance", "1", "", tools, resources, prompts, list)


if __name__ == "__main__":
    from ccos_core.serve.mcp.server import serve

    sys.exit(serve(make, sys.stdin.buffer, sys.stdout.buffer))
