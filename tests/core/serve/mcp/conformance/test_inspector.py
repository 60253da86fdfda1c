"""The official Inspector, as people run it in a terminal, shows what we offer."""

import json
import subprocess
import sys
import tempfile
from typing import Any

import pytest

from tests.core.serve.mcp.conformance import node
from tests.core.serve.mcp.offering import make
from tests.core.serve.mcp.talking import environment
from tests.house import tree

SERVER = [sys.executable, "-m", "tests.core.serve.mcp.offering"]
pytestmark = pytest.mark.slow


def inspected(method: str, *words: str) -> Any:
    program, package = node.found("@modelcontextprotocol/inspector")
    script = f"{package}/clients/launcher/build/index.js"
    command = [program, script, "--cli", "-e", f"PYTHONPATH={tree.ROOT}", *SERVER, "--method", method, *words]
    # it keeps a catalogue of servers, and would make one of the user's
    with tempfile.TemporaryDirectory() as folder:
        alone = {**environment(), "MCP_CATALOG_PATH": f"{folder}/catalogue.json"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=tree.ROOT, env=alone)
    return json.loads(done.stdout or done.stderr)


def test_tools() -> None:
    assert [each["name"] for each in inspected("tools/list")["tools"]] == [each.name for each in make().tools]
    said = inspected("tools/call", "--tool-name", "add", "--tool-arg", "a=3")
    assert (said["isError"], said["structuredContent"]["sum"]) == (False, 8)
    refused = inspected("tools/call", "--tool-name", "add", "--tool-arg", "a=-1")
    assert refused["isError"]
    assert refused["content"][0]["text"] == "a: must be at least 0. Did you mean 0?"


def test_resources() -> None:
    assert [each["uri"] for each in inspected("resources/list")["resources"]] == ["test://notes"]
    (template,) = inspected("resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "test://note/{name}{?tone}"
    (content,) = inspected("resources/read", "--uri", "test://note/first?tone=glad")["contents"]
    assert content["text"] == "hello (glad)"


def test_prompts() -> None:
    assert [each["name"] for each in inspected("prompts/list")["prompts"]] == ["greet", "wave"]
    (message,) = inspected("prompts/get", "--prompt-name", "greet", "--prompt-args", "name=Ada")["messages"]
    assert message["content"]["text"] == "Greet Ada, glad."
