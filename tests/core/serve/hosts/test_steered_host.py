"""OpenCode from npm, with a scripted model: an agent gets back after a compaction what it noted before.

Judged is what the model server received: the bundle it starts with, a window cut by the host itself, and in the window
after that what the agent had noted before.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import shared
from tests.core.serve.hosts.hosting import Hosted, opencode, program, requests, scripted
from tests.core.serve.hosts.test_real_hosts import taken_in
from tests.laws.test_hooked import ops

pytestmark = pytest.mark.slow

AGENTS = "# Agents\n\n## Build\n\nRun `make`.\n"
MEMORY = "# Memory\n\n## Eli\n\nEli prefers tea.\n\n- [ ] ask Eli about billing\n"
NOTE, IMPRESSION, LEARNT = "Eli decides about billing", "Eli laughed at the invoice", "invoices are in cents"
FULL = 99_500
"""Tokens the model says it was given; the host cuts its window at 100,000 less its answer."""


@pytest.fixture(autouse=True)
def _one_host_at_a_time() -> Iterator[None]:
    with shared.turn("real hosts"):
        yield


def test_opencode_gets_back_what_was_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = program("opencode-ai", "bin/opencode.exe")
    hosted, eli = Hosted(tmp_path), "cos://memory/eli"
    (hosted.project / "AGENTS.md").write_text(AGENTS)
    (hosted.project / "MEMORY.md").write_text(MEMORY)
    turns: list[dict[str, Any]] = [
        {"calls": [{"name": "ccos_annotate", "args": {"resource": eli, "note": NOTE}}]},
        {"calls": [{"name": "ccos_log_impression", "args": {"text": IMPRESSION}}]},
        {"calls": [{"name": "ccos_update_memory", "args": {"section": "Shop", "content": f"- {LEARNT}"}}]},
        {"calls": [{"name": "ccos_page_out", "args": {"resource": eli}}], "tokens": FULL},
        {"calls": [{"name": "ccos_page_in", "args": {"resource": eli}}]},
        {"calls": [{"name": "ccos_get_context", "args": {"type": "memory", "query": "invoices"}}]},
        {"calls": [{"name": "ccos_get_context", "args": {"type": "impressions"}}]},
        {"text": "Billing is Eli's."},
    ]
    with scripted(tmp_path, turns) as address:
        hosted.ours("setup", "--host", "opencode", "--yes")
        steer(hosted)
        hosted.host(*command, "run", "--command", "ccos:bootstrap", "Mend the invoices.", **opencode(address))
        ws = taken_in(hosted, monkeypatch)
    kinds = [op["kind"] for op in ops(ws)]
    assert kinds.index("paged_out") < kinds.index("compaction") < kinds.index("paged_in")
    asked = [said(each) for each in requests(tmp_path)]
    (cut,) = (at for at, text in enumerate(asked) if text.startswith("Here is the conversation so far"))
    begun, renewed, after = asked[1], asked[cut + 1], asked[-1]
    assert "@MM" in begun
    assert "Build: Run `make`." in begun
    assert "ask Eli about billing" in begun
    assert "Mend the invoices." in begun
    for noted in (NOTE, IMPRESSION, LEARNT, "Eli prefers tea."):
        assert noted not in renewed  # the host took it away
        assert noted in after


def said(request: dict[str, Any]) -> str:
    """What a request says after the host's own instructions."""
    found = (message.get("content") for message in request["messages"] if message["role"] != "system")
    texts = (each if isinstance(each, str) else "".join(part.get("text", "") for part in each or ()) for each in found)
    return "\n".join(texts)


def steer(hosted: Hosted) -> None:
    """Have the host's server offer the toolset `context`, as the documentation says."""
    path = hosted.home / ".config" / "opencode" / "opencode.json"
    settings = json.loads(path.read_text())
    settings["mcp"]["ccos"]["command"] += ["--toolsets", "memory,context"]
    path.write_text(json.dumps(settings))
