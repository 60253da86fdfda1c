"""Crowds on a busy machine: hooks that run at once beside twelve busy processes, and servers that are killed again and
again. What counts is not time but that every event is recorded and no process is left.

Busy processes end with the benchmark, whatever becomes of it.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from ccos_core.serve.hook_line import hook_command
from ccos_core.session.hearing import take_in, waiting
from ccos_core.session.lost_events import lost_count
from tests.bench.harness import Result
from tests.kin import Kin, greet, kill, make_project

HOOKS, BUSY, KILLS = 64, 12, 50
GRACE_SECONDS, LONGEST_SECONDS = 5.0, 120
SPIN = "import sys; sys.path.insert(0, {root!r}); from ccos_core.session.child_process import end_with_parent; \
import os; end_with_parent(os.getppid())\nwhile True: pass"


def lines(smoke: bool) -> Iterator[Result]:
    hooks, busy, kills = (4, 1, 2) if smoke else (HOOKS, BUSY, KILLS)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as folder:
        yield from _hooks(Path(folder), hooks, busy)
        yield from _kills(Path(folder), kills)


def _hooks(folder: Path, hooks: int, busy: int) -> Iterator[Result]:
    project = folder / "shop"
    (project / ".git").mkdir(parents=True)
    kin, ws = Kin(folder / "state"), str(folder / "shop.ccos")
    begun = perf_counter()
    with _busy(busy):
        running = [_hook(kin, project, ws, number) for number in range(hooks)]
        for process in running:
            process.communicate(timeout=LONGEST_SECONDS)
    seconds, waits, lost = perf_counter() - begun, waiting(ws), lost_count(ws)
    recorded = take_in(ws).added
    missing = hooks - recorded
    yield Result(f"of {hooks} hooks at a load of {busy}, not recorded", missing, "evts", 0)
    yield Result("... and in no count", max(0, hooks - waits - lost), "evts", 0)
    yield Result("... all of them took", seconds, "s", LONGEST_SECONDS)


def _kills(folder: Path, kills: int) -> Iterator[Result]:
    kin, project = Kin(folder / "state"), make_project(folder / "project")
    most = 0
    for _ in range(kills):
        server = kin.start("mcp", cwd=project)
        greet(server)
        most = max(most, len(kin.alive()))
        kill(server)
    left = len(kin.left_after(GRACE_SECONDS))
    yield Result(f"of {kills} killed servers, left {GRACE_SECONDS:g} s later", left, "proc", 0)
    yield Result("... alive at most meanwhile", most, "proc", 8)


def _hook(kin: Kin, project: Path, ws: str, number: int) -> "subprocess.Popen[bytes]":
    """A hook as a host runs it, which has been told all of its event."""
    event = {
        "session_id": "s1", "cwd": str(project), "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_use_id": f"t{number}", "tool_input": {"command": f"echo {number}"},
        "tool_response": {"stdout": f"line {number}\n" * 400, "stderr": "", "interrupted": False},
    }  # fmt: skip
    command = ["sh", "-c", hook_command(sys.executable, "--ws", ws)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, cwd=project, env=kin.env)
    assert process.stdin is not None
    process.stdin.write(json.dumps(event).encode())
    process.stdin.close()
    process.stdin = None
    return process


@contextmanager
def _busy(count: int) -> Iterator[None]:
    """So many processes that want all of a processor."""
    program = SPIN.format(root=str(Path(__file__).resolve().parents[2]))
    spinning = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(count)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()
