"""What the shortest command costs, against a Python that does nothing: agents call us often, and people notice.

Measured from outside, as whole processes: `python -m ccos_tui --version`, and the installed console script if there is
one, each against `python -c pass` of the same interpreter. A host starts the agent's server with each session; that is
measured up to its first answer, with its end; and how long its first `recall` takes when the host was silent before.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.harness import Result, as_installed, paired

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 4.0
GREETING_LIMIT = 6.0
SILENCE_SECONDS, FIRST_CALL_MILLIS = 5.0, 250.0
"""What a host leaves between its greeting and the first call, and what that call may take."""
RECALL = {"name": "recall", "arguments": {"text": "how the server starts"}}
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def lines(smoke: bool) -> Iterator[Result]:
    runs = 1 if smoke else 31
    nothing = process(sys.executable, "-c", "pass")
    for name, command in commands().items():
        yield paired(process(*command), nothing, runs).result(name, LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        yield paired(greeted(folder), nothing, runs).result("mcp, its first answer, and its end", GREETING_LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "ccos_core" / "serve", Path(folder, "project", "serve"))
        took = [first_call(folder, 0.1 if smoke else SILENCE_SECONDS) for _ in range(1 if smoke else 5)]
        yield Result("mcp, its first recall after 5 s of silence", median(took) * 1_000, "ms", FIRST_CALL_MILLIS)


def commands() -> dict[str, list[str]]:
    found = {"python -m ccos_tui --version": [sys.executable, "-m", "ccos_tui", "--version"]}
    script = Path(sys.executable).parent / ("ccos-tui.exe" if sys.platform == "win32" else "ccos-tui")
    if script.exists():
        found["ccos-tui --version"] = [str(script), "--version"]
    return found


def process(*command: str) -> Callable[[], object]:
    environment = as_installed()

    def run() -> None:
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)} exited with {done.returncode}: {done.stderr[-2000:]}")

    return run


def first_call(folder: str, silence: float) -> float:
    """Seconds until the first call is answered."""
    project = os.path.join(folder, "project")
    command = [sys.executable, "-P", "-m", "ccos_tui", "mcp", project]
    environment = {**as_installed(), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": folder, "XDG_RUNTIME_DIR": ""}
    with subprocess.Popen(
        command, cwd=project, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        for message in (GREETING, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": RECALL}):
            begun = perf_counter()
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            took = perf_counter() - begun
            time.sleep(silence if message is GREETING else 0)
        server.terminate()
    if answer["result"]["isError"]:
        raise RuntimeError(f"the server answered {answer}")
    return took


def greeted(folder: str) -> Callable[[], object]:
    """The server, started as `setup` has hosts start it, in a project without anything in it."""
    command = [sys.executable, "-P", "-m", "ccos_tui", "mcp", os.path.join(folder, "bench.ccos")]
    environment = {**as_installed(), "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": folder, "XDG_RUNTIME_DIR": ""}

    def run() -> None:
        with subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(json.dumps(GREETING).encode() + b"\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
            server.terminate()  # which ends the look through the project, too
        if "result" not in answer:
            raise RuntimeError(f"the server answered {answer}")

    return run
