"""An agent without a model: it does what a script says in a real folder, and writes it down as Claude Code does."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

START_MINUTE = "2026-03-01T09:{:02}:{:02}.000Z"
GIT = {
    "GIT_AUTHOR_NAME": "Kim", "GIT_AUTHOR_EMAIL": "kim@example.com", "GIT_COMMITTER_NAME": "Kim",
    "GIT_COMMITTER_EMAIL": "kim@example.com", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_DATE": "2026-03-01T09:00:00Z", "GIT_COMMITTER_DATE": "2026-03-01T09:00:00Z",
}  # fmt: skip


class ScriptedAgent:
    """Reads, edits, writes and runs commands in `root`; every call goes into the transcript."""

    def __init__(self, root: Path, session: str = "scripted-0001") -> None:
        self.root, self.session = root, session
        self.lines: list[dict[str, Any]] = []

    def prompt(self, text: str) -> None:
        self._add("user", {"role": "user", "content": text})

    def read(self, path: str) -> None:
        text = self._text(path)
        size = text.count("\n") + 1
        told = {"filePath": self._full(path), "content": text, "numLines": size, "startLine": 1, "totalLines": size}
        listed = "\n".join(f"{number:6}→{line}" for number, line in enumerate(text.split("\n"), 1))
        self._call("Read", {"file_path": self._full(path)}, listed, {"type": "text", "file": told})

    def read_lines(self, path: str, first: int, last: int) -> None:
        lines = self._text(path).split("\n")
        part = "\n".join(lines[first - 1 : last])
        told = {"filePath": self._full(path), "content": part, "numLines": last - first + 1, "startLine": first}
        listed = "\n".join(f"{number:6}→{line}" for number, line in enumerate(part.split("\n"), first))
        arguments = {"file_path": self._full(path), "offset": first, "limit": last - first + 1}
        self._call("Read", arguments, listed, {"type": "text", "file": {**told, "totalLines": len(lines)}})

    def edit(self, path: str, old: str, new: str) -> None:
        before = self._text(path)
        assert before.count(old) == 1
        self._put(path, before.replace(old, new))
        told = {"filePath": self._full(path), "oldString": old, "newString": new, "originalFile": before}
        arguments = {"file_path": self._full(path), "old_string": old, "new_string": new}
        self._call("Edit", arguments, "The file has been updated.", {**told, "structuredPatch": []})

    def write(self, path: str, text: str) -> None:
        before = self._text(path) if (self.root / path).exists() else None
        self._put(path, text)
        told = {"type": "update" if before else "create", "filePath": self._full(path), "content": text}
        arguments = {"file_path": self._full(path), "content": text}
        self._call("Write", arguments, "File created successfully.", {**told, "originalFile": before})

    def run(self, command: str) -> str:
        """Run a command in a shell for real; gives what it printed."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.root,
            env={**os.environ, **GIT},
            capture_output=True,
            text=True,
            check=False,
        )
        printed = done.stdout + done.stderr
        arguments = {"command": command}
        if done.returncode:
            said = f"Exit code {done.returncode}\n{printed}"
            self._call("Bash", arguments, said, f"Error: {said}", is_error=True)
        else:
            self._call("Bash", arguments, printed, {"stdout": done.stdout, "stderr": done.stderr, "interrupted": False})
        return printed

    def save(self, path: Path) -> Path:
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _full(self, path: str) -> str:
        return str(self.root / path)

    def _text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def _put(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(text.encode())

    def _call(self, name: str, arguments: dict[str, Any], printed: str, told: Any, **more: Any) -> None:
        number = len(self.lines)
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
        usage = {"input_tokens": 5, "cache_read_input_tokens": 9_000 + 40 * number, "output_tokens": 60}
        model = {"role": "assistant", "model": "some-model", "stop_reason": "tool_use", "usage": usage}
        self._add("assistant", {"id": f"msg_{number}", **model, "content": [block]})
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": printed, **more}
        self._add("user", {"role": "user", "content": [result]}, toolUseResult=told)

    def _add(self, kind: str, message: dict[str, Any], **more: Any) -> None:
        number = len(self.lines)
        named = {"uuid": f"u{number}", "parentUuid": f"u{number - 1}" if number else None, "sessionId": self.session}
        where = {"cwd": str(self.root), "isSidechain": False, "version": "2.1.40"}
        moment = START_MINUTE.format(number // 60, number % 60)
        self.lines.append({"type": kind, **named, **where, "timestamp": moment, "message": message, **more})
