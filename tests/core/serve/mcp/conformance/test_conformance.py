"""Every scenario of the official conformance suite that asks for something we offer passes."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.core.serve.mcp.conformance import node
from tests.core.serve.mcp.talking import environment
from tests.house import tree

ONLY_TEXT = "what we show a model is text: the window of a working memory, and answers about it"
NO_QUESTIONS = "we ask a host nothing: a server that only answers can't keep one waiting"
NO_LOG = "what we have to say goes into answers; our own troubles go to a file that `doctor` reads"
NOT_OFFERED = {
    "tools-call-image": ONLY_TEXT,
    "tools-call-audio": ONLY_TEXT,
    "tools-call-embedded-resource": ONLY_TEXT,
    "tools-call-mixed-content": ONLY_TEXT,
    "resources-read-binary": ONLY_TEXT,
    "prompts-get-embedded-resource": ONLY_TEXT,
    "prompts-get-with-image": ONLY_TEXT,
    "tools-call-with-logging": NO_LOG,
    "tools-call-sampling": NO_QUESTIONS,
    "tools-call-elicitation": NO_QUESTIONS,
    "elicitation-sep1034-defaults": NO_QUESTIONS,
    "elicitation-sep1330-enums": NO_QUESTIONS,
}
OF_THE_BRIDGE = {"server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection"}
"""About HTTP, which only the bridge of these tests speaks; we serve on stdin and stdout."""
OURS = {
    "server-initialize", "logging-set-level", "ping", "completion-complete", "tools-list", "tools-call-simple-text",
    "tools-call-error", "tools-call-with-progress", "json-schema-2020-12", "resources-list", "resources-read-text",
    "resources-templates-read", "resources-subscribe", "resources-unsubscribe", "prompts-list", "prompts-get-simple",
    "prompts-get-with-args",
}  # fmt: skip


@pytest.fixture
def address() -> Iterator[str]:
    bridge = subprocess.Popen(
        [sys.executable, "-m", "tests.core.serve.mcp.conformance.bridge"],
        stdout=subprocess.PIPE,
        cwd=tree.ROOT,
        env=environment(),
        text=True,
    )
    with bridge:
        assert bridge.stdout is not None
        yield bridge.stdout.readline().strip()
        bridge.terminate()


@pytest.mark.slow
def test_every_scenario_that_asks_for_what_we_offer_passes(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    program, package = node.found("@modelcontextprotocol/conformance")
    url = request.getfixturevalue("address")
    words = [f"{package}/dist/index.js", "server", "--url", url, "--suite", "all", "-o", str(tmp_path)]
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=300)
    results = {scenario_of(path.parent.name): json.loads(path.read_text()) for path in tmp_path.glob("*/checks.json")}
    failed = {name for name, checks in results.items() if any(check["status"] == "FAILURE" for check in checks)}
    passed = {
        name for name, checks in results.items() if any(check["status"] == "SUCCESS" for check in checks)
    } - failed
    assert failed == set(NOT_OFFERED), done.stdout[-3000:] + done.stderr[-2000:]
    assert passed >= OURS
    assert set(results) == OURS | OF_THE_BRIDGE | set(NOT_OFFERED), "a scenario that nobody has thought about"


def scenario_of(folder: str) -> str:
    """`server-tools-list-2026-11-21T18-08-06-584Z` holds what came of `tools-list`."""
    return re.sub(r"-\d{4}-\d\d-\d\dT.*", "", folder.removeprefix("server-"))
