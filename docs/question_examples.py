"""Run the examples of docs/QUERIES.md on the demonstration, so that the page shows what the program really prints."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

from ccos_core.query.catalogue import QUESTIONS
from ccos_core.query.tool import Entry
from ccos_core.serve import exits
from ccos_core.serve.cli.main import main

SESSION = Path(__file__).resolve().parents[1] / "sample_workspaces" / "drift" / "session.jsonl"
HALF_LINES = 60
"""Lines of the session that `half.ccos` holds: it ends soon after the compaction."""
SET_UP = (
    "ccos-tui import sample_workspaces/drift/session.jsonl -o demo.ccos",
    f"head -n {HALF_LINES} sample_workspaces/drift/session.jsonl > half.jsonl",
    "ccos-tui import half.jsonl -o half.ccos",
)
"""The commands by which a reader gets the workspaces that the examples ask."""

EXAMPLES = {
    "timeline": "timeline demo.ccos 38 42",
    "overview": "overview demo.ccos --columns 20",
    "goto": "goto demo.ccos 40",
    "state": "state demo.ccos --lens host --at 40",
    "next": "next demo.ccos src/db.py --lens host --at 40",
    "prev": "prev demo.ccos --at 40",
    "when": "when demo.ccos --at 40",
    "recall": "recall demo.ccos --budget 80 --at 40",
    "around": "around demo.ccos src/api.py 80",
    "task": "task demo.ccos total of amounts in euros --budget 80",
    "hybrid": "hybrid demo.ccos AssertionError in test_invoice_in_euros --budget 80",
    "missing": "missing demo.ccos src/db.py --lens host",
    "last": "last demo.ccos src/db.py",
    "watch": "watch demo.ccos src/db.py --lens host",
    "why": "why demo.ccos src/db.py --at 40",
    "diff": "diff demo.ccos 38 42 --lens host",
    "energy": "energy demo.ccos 4 9",
    "cause": "cause demo.ccos src/db.py",
    "show": "show demo.ccos src/db.py --at 40",
    "files": "files demo.ccos --at 40",
    "provenance": "provenance demo.ccos src/db.py#total",
    "impact": "impact demo.ccos src/db.py#total",
    "blame": "blame demo.ccos tests/test_api.py",
    "failures": "failures demo.ccos --all",
    "recoveries": "recoveries demo.ccos --calls",
    "find": "find demo.ccos 'kind=tool error'",
    "whatif": "whatif demo.ccos 40 --budget 600",
    "compare": "compare demo.ccos half.ccos",
    "govern": """govern demo.ccos set '{"principals": {"agent": {"level": "low"}}}'""",
    "mark": "mark demo.ccos before-the-loss --at 39",
    "note": "note demo.ccos the agent still has the cause here --at 39",
}
"""Question → what is asked of the demonstration, where the question's own example isn't about it."""

SHOWN_LINES = 4
"""Lines of an output that the page shows, unless `LINES_OF` says another number."""
LINES_OF = {
    "overview": 14, "goto": 2, "state": 3, "prev": 2, "stats": 3, "recall": 13, "missing": 9, "watch": 7, "autopsy": 10
}  # fmt: skip
LINE_WIDTH = 116
"""Characters of a line that the page shows."""


def example_of(entry: Entry) -> str:
    """The command line of a question, without the program's name."""
    name, _, rest = entry.load().example.partition(" ")
    return EXAMPLES.get(entry.name) or f"{name} demo.ccos {rest}".strip()


def run_examples() -> dict[str, str]:
    """Question → its example and the start of its output, in the order of the catalogue."""
    with tempfile.TemporaryDirectory() as folder, _standing_in(folder):
        Path("half.jsonl").write_bytes(b"".join(SESSION.read_bytes().splitlines(keepends=True)[:HALF_LINES]))
        _run(["import", str(SESSION), "-o", "demo.ccos"])
        _run(["import", "half.jsonl", "-o", "half.ccos"])
        return {entry.name: _shown(entry) for entry in QUESTIONS}


def _shown(entry: Entry) -> str:
    line = example_of(entry)
    output = [each.rstrip() for each in _run(shlex.split(line)).splitlines()]
    most = LINES_OF.get(entry.name, SHOWN_LINES)
    kept = output if len(output) <= most + 1 else [*output[:most], f"... ({len(output) - most} more lines)"]
    cut = (each if len(each) <= LINE_WIDTH else each[: LINE_WIDTH - 1] + "…" for each in kept)
    return "\n".join([f"$ ccos-tui {line}", *cut])


def _run(words: Sequence[str]) -> str:
    """What a command prints; raise where it fails."""
    out, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors), mock.patch.object(sys, "argv", ["-"]):
        code = main(list(words))
    for stream in (out, errors):
        stream.flush()
        stream.seek(0)
    if code not in (exits.DONE, exits.NO):
        raise RuntimeError(f"{shlex.join(words)} ends with {code}: {errors.read()}\nGive it a line in {__file__}.")
    return out.read()


@contextlib.contextmanager
def _standing_in(folder: str) -> Iterator[None]:
    """Make a folder the current one, and the home of everything that is written aside."""
    here = Path.cwd()
    names = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, dict.fromkeys(names, f"{folder}/home")):
            yield
    finally:
        os.chdir(here)
