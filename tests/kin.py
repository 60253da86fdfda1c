"""Processes and all they start, known by a mark in their environment, so that none of them can be lost sight of."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MARK = "CCOS_TEST_KIN"
PROJECT_FILES = 400


class Kin:
    """Processes of one mark."""

    def __init__(self, state: Path) -> None:
        self.name = uuid.uuid4().hex
        self.env = {**os.environ, MARK: self.name, "XDG_STATE_HOME": str(state), "PYTHONPATH": str(ROOT)}

    def start(self, *words: str, cwd: Path) -> subprocess.Popen[bytes]:
        """Start ccos-tui with these words, with pipes at both ends."""
        command = [sys.executable, "-P", "-m", "ccos_tui", *words]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env, cwd=cwd)

    def alive(self) -> list[int]:
        """The processes that run; one that only waits to be reaped doesn't."""
        return [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit() and self._is_ours(each)]

    def are(self, count: int, seconds: float = 20.0) -> bool:
        """Whether there are so many of them, which may take some seconds to come about."""
        until = time.monotonic() + seconds
        while (enough := len(self.alive()) >= count) is False and time.monotonic() < until:
            time.sleep(0.01)
        return enough

    def left_after(self, seconds: float) -> list[int]:
        """The processes that still run after so many seconds, as soon as there are none."""
        until = time.monotonic() + seconds
        while (left := self.alive()) and time.monotonic() < until:
            time.sleep(0.02)
        return left

    def _is_ours(self, process: Path) -> bool:
        with contextlib.suppress(OSError):
            if f"{MARK}={self.name}".encode() in (process / "environ").read_bytes():
                return (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        return False


def make_project(folder: Path, files: int = PROJECT_FILES) -> Path:
    """A project that takes some time to look through."""
    (folder / ".git").mkdir(parents=True)
    for number in range(files):
        (folder / f"m{number}.py").write_text(f"import m{number // 2}\n" + f"def f{number}(a):\n    return a\n" * 20)
    return folder


def greet(server: subprocess.Popen[bytes]) -> None:
    """Say hello to a server of the protocol, and wait for its answer."""
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    say(server, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})


def say(server: subprocess.Popen[bytes], message: dict[str, object]) -> dict[str, object]:
    """Say one line and wait for the one that answers it."""
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(message).encode() + b"\n")
    server.stdin.flush()
    answer: dict[str, object] = json.loads(server.stdout.readline())
    return answer


def kill(server: subprocess.Popen[bytes]) -> None:
    """Kill a server as a crash of its host does."""
    with server:
        server.kill()
