"""What a hook costs the agent it listens to, against a Python that does nothing: whole processes, through the shell as
a host runs them, with an event as small as most and one as large as a long file. And what `--inject` adds to a prompt
in a session that was never cut, against the same hook without it.

The state folder is one of its own, and what was heard is thrown away between runs, so that every run finds the same.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from ccos_core.serve.hook_line import hook_command
from tests.bench.harness import Result, as_installed, paired

ROOT = Path(__file__).resolve().parents[2]
SMALL, LARGE = 4_000, 200_000
"""Bytes of an event."""
LIMITS = {"hook line, 4 kB": 3.0, "hook line, 200 kB": 4.0, "ccos-tui hook, 4 kB": 4.0}
INJECT_LIMIT = 1.1
"""Against the same hook without `--inject`."""


def lines(smoke: bool) -> Iterator[Result]:
    runs = 1 if smoke else 61
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        (project / ".git").mkdir(parents=True)
        hook = Hook(Path(folder) / "state", project)
        nothing = hook.process([sys.executable, "-c", "pass"], b"")
        for name, command, size in hook.commands():
            event = hook.event(size)
            yield paired(hook.process(command, event), nothing, runs).result(name, LIMITS[name])
        plain, injecting = (["sh", "-c", hook_command(sys.executable, *words)] for words in ((), ("--inject",)))
        prompt = hook.prompt()
        found = paired(hook.process(injecting, prompt), hook.process(plain, prompt), runs)
        yield found.result("prompt with --inject, never cut", INJECT_LIMIT)


class Hook:
    """A hook in a place of its own."""

    def __init__(self, state: Path, project: Path) -> None:
        self.state, self.project = state, project
        self.env = {**as_installed(), "XDG_STATE_HOME": str(state), "PYTHONPATH": str(ROOT)}

    def commands(self) -> Iterator[tuple[str, list[str], int]]:
        line = ["sh", "-c", hook_command(sys.executable)]
        yield "hook line, 4 kB", line, SMALL
        yield "hook line, 200 kB", line, LARGE
        script = Path(sys.executable).parent / "ccos-tui"
        yield "ccos-tui hook, 4 kB", [str(script), "hook"] if script.exists() else _module(), SMALL

    def event(self, size: int) -> bytes:
        """A file that was read: our own sources, which have in them what sources have."""
        path = str(self.project / "shop.py")
        text = (ROOT / "ccos_core" / "session" / "arguments.py").read_text("utf-8") * (size // 1_000)
        text = text[: size * 9 // 10]
        file = {"filePath": path, "content": text, "startLine": 1, "totalLines": text.count("\n") + 1}
        event = {
            "session_id": "5e55-0003", "transcript_path": "/t.jsonl", "cwd": str(self.project), "tool_name": "Read",
            "hook_event_name": "PostToolUse", "tool_use_id": "toolu_1", "tool_input": {"file_path": path},
            "tool_response": {"type": "text", "file": file},
        }  # fmt: skip
        return json.dumps(event).encode()

    def prompt(self) -> bytes:
        """What a person typed, in a session whose window was never cut."""
        event = {
            "session_id": "5e55-0003", "transcript_path": "/t.jsonl", "cwd": str(self.project),
            "hook_event_name": "UserPromptSubmit", "prompt": "Why is the total wrong?", "prompt_id": "p1",
        }  # fmt: skip
        return json.dumps(event).encode()

    def process(self, command: list[str], event: bytes) -> Callable[[], object]:
        def run() -> None:
            done = subprocess.run(command, cwd=self.project, input=event, capture_output=True, env=self.env)
            if done.returncode or done.stdout or done.stderr:
                raise RuntimeError(f"{command}: {done.returncode} {done.stdout[-200:]!r} {done.stderr[-2000:]!r}")
            if event and not list(self.state.rglob("*-heard")):
                raise RuntimeError("nothing was heard")
            if event:
                shutil.rmtree(self.state)

        return run


def _module() -> list[str]:
    return [sys.executable, "-m", "ccos_tui"]
