"""What a first call would wait for is done while nobody asks, in pieces, and makes nothing that a call wouldn't."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.serve.mcp.offer import FIRST, LATER, NOW
from ccos_core.serve.mcp.offering import MODULES, GettingReady
from ccos_core.serve.mcp.server import PATIENCE, Talk
from ccos_core.serve.mcp.streams import Outlet
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.mcp.wire import Note, Request
from tests.core.serve.mcp.offering import make
from tests.core.serve.mcp.tools.serving import Host
from tests.house import tree

FIRST_CALLS = f"""
import json, sys
sys.path.insert(0, {str(tree.ROOT)!r})
from ccos_core.serve.mcp.offering import offering
from ccos_core.serve.mcp.schema import filled
from ccos_core.serve.mcp.tools.door import Door
from tests.core.serve.mcp.tools.serving import FAILED, STORE, Unheard
offer = offering(Door(sys.argv[1], sys.argv[2]))
while offer.get_ready() is not None:
    pass
calls = {{
    "recall": [{{}}, {{"text": "what shipping costs"}}, {{"anchor": "src/store.py"}}, {{"lens": "resume"}}],
    "ingest": [{{"uri": "src/store.py", "source": STORE + "\\\\n"}}],
    "page_fault": [{{"output": FAILED, "command": "pytest"}}],
    "signal_failure": [{{"node": "src/store.py"}}],
    "signal_pass": [{{"everything": True}}],
    "causal_intervene": [{{"node": "src/store.py"}}],
    "causal_blame": [{{"node": "src/billing.py"}}],
    "causal_flash": [{{}}],
}}
known = set(sys.modules)
for tool in offer.tools:
    for given in calls.pop(tool.name, ()):
        answer = tool.run(filled(tool.takes, given), Unheard())
        if tool.plain is not None:
            tool.plain(answer)
assert not calls, calls
print(json.dumps(sorted(name for name in set(sys.modules) - known if "." in name or not name.startswith("_"))))
"""


def test_a_first_call_loads_no_module_of_ours(host: Host) -> None:
    words = [sys.executable, "-c", FIRST_CALLS, host.door.path, str(host.project)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, cwd=tree.ROOT)
    assert done.returncode == 0, done.stderr
    loaded = [
        name for name in json.loads(done.stdout) if name.partition(".")[0] in ("ccos_core", "numpy", "tree_sitter")
    ]
    assert loaded == []


def test_the_workspace_is_open_and_understood(host: Host) -> None:
    door = Door(host.door.path, str(host.project))
    ready = GettingReady(door)
    said = [ready() for _ in MODULES]
    assert said == [NOW] * len(MODULES)
    assert door.opened is None
    while ready() is not None:
        pass
    assert door.opened is not None
    assert door.opened.is_ready
    door.close()


def test_no_workspace_is_made_for_a_call_that_may_never_come(tmp_path: Path) -> None:
    door = Door(str(tmp_path / "none.ccos"), str(tmp_path))
    ready = GettingReady(door)
    while ready() is not None:
        pass
    assert list(tmp_path.iterdir()) == []
    assert door.opened is None


# ---- when it is done ----


class Pieces:
    def __init__(self, *gives: float | Exception | None) -> None:
        self.gives = list(gives)

    def __call__(self) -> float | None:
        given = self.gives.pop(0)
        if isinstance(given, Exception):
            raise given
        return given


def talk(*gives: float | Exception | None) -> Talk:
    return Talk(make()._replace(get_ready=Pieces(*gives)), Outlet(io.BytesIO().write))


def test_a_message_comes_before_the_next_piece() -> None:
    here = talk(NOW, LATER, None, None)
    waits = [here.patience]
    for _ in range(3):
        here.get_ready()
        waits.append(here.patience)
    here.take(Request(1, "ping", {}))
    waits.append(here.patience)
    here.get_ready()
    waits.append(here.patience)
    assert waits == [FIRST, NOW, LATER, None, FIRST, None]


def test_who_follows_changes_is_told_of_them_all_the_same() -> None:
    here = talk(None)
    here.take(Note("notifications/initialized", {}))
    assert here.patience == FIRST
    here.get_ready()
    assert here.patience == PATIENCE


def test_a_piece_that_fails_ends_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    here = talk(OSError("no such disk"), LATER)
    here.get_ready()
    here.get_ready()  # the next piece waits for a message
    assert here.patience is None
    assert "no such disk" in capsys.readouterr().err
    here.take(Request(1, "ping", {}))
    here.get_ready()
    assert here.patience == LATER


def test_an_offer_without_anything_to_get_ready_waits_for_messages_alone() -> None:
    here = Talk(make(), Outlet(io.BytesIO().write))
    assert here.patience is None
    here.take(Request(1, "ping", {}))
    here.get_ready()
    assert here.patience is None
