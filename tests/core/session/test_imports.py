"""What a hook loads to record one event: the interpreter's own, blake3, and nothing that takes its time."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.session import lifecycle
from ccos_core.storage.opening import open_record

ROOT = Path(__file__).resolve().parents[3]
ALLOWED = {"json", "re", "sqlite3", "zlib", "blake3", "time"}
"""What the path may use; whatever these load by themselves comes with them."""

PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
import {allowed}
before = set(sys.modules)
from ccos_core.session.session import open_session
from ccos_core.session.admit import admit
from ccos_core.storage.opening import open_record
with open_session(sys.argv[2], stay=False) as session:
    session.record([
        {{"kind": "tool", "name": "Bash", "outcome": "error", "arguments": {{"command": "cat src/a.py"}}, "call": "c1",
         "result": "caf\\u00e9 \\u202e token = 'abc'", "cwd": "/x/y", "session": "s", "host": "h"}},
    ])
print(sorted(name for name in set(sys.modules) - before if not name.startswith(("ccos_core", "_"))))
"""


def test_recording_one_event_loads_nothing_more(tmp_path: Path) -> None:
    path = str(tmp_path / "work.ccos")
    lifecycle.init(path)
    code = PROBE.format(allowed=", ".join(sorted(ALLOWED)))
    command = [sys.executable, "-I", "-c", code, str(ROOT), path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"
    with open_record(path) as record:
        assert record.head()[0] == 2


HEAVY = ("textual", "rich", "numpy", "networkx", "tree_sitter", "tree_sitter_language_pack", "asyncio")
COMMANDS = [
    ["--version"], ["--help"], ["init", "NEW"], ["ingest", "WS", "."], ["log", "WS", "--steps"],
    ["log", "WS", "--json"], ["stats", "WS"], ["verify", "WS"], ["compact", "WS"],
    ["copy", "WS", "NEW"], ["export", "WS", "-o", "-"],
    ["pause", "WS"], ["resume", "WS"], ["upgrade", "WS"], ["demo"],
    ["demo", "evicted"], ["forget", "WS", "--match", "x"],
]  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_loads_what_it_does_not_need(tmp_path: Path, words: list[str]) -> None:
    lifecycle.init(str(tmp_path / "work.ccos"))
    named = {"WS": str(tmp_path / "work.ccos"), "NEW": str(tmp_path / "new.ccos"), ".": str(tmp_path)}
    code = (
        "import sys, os\nsys.path.insert(0, sys.argv.pop(1))\nfrom ccos_tui.__main__ import main\nmain(sys.argv[1:])\n"
        "import json\nprint('\\n' + json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    command = [sys.executable, "-I", "-c", code, str(ROOT), *(named.get(word, word) for word in words)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={"TMPDIR": str(tmp_path)}, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    reads_commands = {"tree_sitter", "tree_sitter_language_pack"} if words == ["demo", "evicted"] else set()
    assert not loaded & set(HEAVY) - reads_commands
    if words == ["--version"]:
        assert "click" not in loaded
