"""An agent that follows a script: what it does is told twice, as Claude Code's transcript and as events of its hooks.

It works on files in memory. Times are the order in which things happened; a command may go to another folder, and from
then on the host stands there.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.core.intake.importers.claude_code_fixtures import Talk, edit_of, listed, read_of, use

Value = dict[str, Any]
SESSION = "5e55-0002"
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILES = {
    "conf.py": f"DEBUG = True\nTOKEN = '{TOKEN}'\nHOST = 'here'\n\n\ndef url():\n    return HOST\n",
    "a.py": "def total(rows):\n    return sum(rows)\n\n\ndef tax(rows):\n    return total(rows) // 5\n",
    "sub/b.py": "import a\n\n\ndef price(rows):\n    return a.total(rows) + a.tax(rows)\n\n\nSHOP = 'here'\n",
    "notes.txt": "one\ntwo\nthree\nfour\nfive",
}
FAILS = (
    "============ FAILURES ============\n____ test_total ____\n\n"
    "    def test_total():\n>       assert total([1]) == 2\n"
    "E       assert 1 == 2\n\ntests/test_a.py:5: AssertionError\n=== short test summary info ===\n"
    "FAILED tests/test_a.py::test_total - assert 1 == 2\n1 failed in 0.02s\n"
)
PASSES = "tests/test_a.py .                        [100%]\n\n1 passed in 0.01s\n"


class Scripted:
    """A session in the making."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files = dict(FILES)
        self.cwd = str(root)
        self.main = Talk(SESSION, cwd=self.cwd)
        self.agents: dict[str, Talk] = {}
        self.agent = ""
        """Whose turn it is; empty for the main conversation."""
        self.events: list[Value] = []
        self.clock = 0
        self.calls = 0
        self.event("SessionStart", source="startup")

    # -- what happens ---------------------------------------------------------------------------------------------

    def prompt(self, words: str) -> None:
        if self.agent:
            return
        self.calls += 1
        name = f"prompt-{self.calls}"
        self._stamp(self.main.prompt(words, promptId=name, cwd=self.cwd))
        self.event("UserPromptSubmit", prompt=words, prompt_id=name)

    def read(self, path: str, first: int = 0, limit: int = 0) -> None:
        given: Value = {"file_path": self._path(path)}
        if path not in self.files:
            self._call("Read", given, "File does not exist.", failed=True)
            return
        lines = self.files[path].split("\n")
        if first:
            first = min(first, len(lines))
            given |= {"offset": first, "limit": limit}
            content = "\n".join(lines[first - 1 : first - 1 + limit])
        else:
            first, content = 1, self.files[path]
        told = read_of(self._path(path), content, first, len(lines))
        self._call("Read", given, listed(content, first), told)

    def edit(self, path: str, line: int, new: str) -> None:
        old = self._line(path, line)
        if old is None:
            return
        before = self.files[path]
        self.files[path] = before.replace(old, new)
        given = {"file_path": self._path(path), "old_string": old, "new_string": new}
        self._call("Edit", given, "The file has been updated.", edit_of(self._path(path), before, old, new))

    def edits(self, path: str, line: int, new: str, tells: bool) -> None:
        old = self._line(path, line)
        if old is None:
            return
        before = self.files[path]
        self.files[path] = before.replace(old, new)
        edits = [{"old_string": old, "new_string": new}]
        told: Value = {"filePath": self._path(path), "edits": edits}
        if tells:
            told["originalFileContents"] = before
        self._call("MultiEdit", {"file_path": self._path(path), "edits": edits}, "Applied 1 edit.", told)

    def write(self, path: str, text: str) -> None:
        before = self.files.get(path)
        self.files[path] = text
        told = {"type": "create" if before is None else "update", "filePath": self._path(path), "content": text}
        told |= {"structuredPatch": [], "originalFile": before}
        self._call("Write", {"file_path": self._path(path), "content": text}, "File written.", told)

    def grep(self, word: str) -> None:
        hits = [
            f"{path}:{number}:{line}"
            for path, text in sorted(self.files.items())
            for number, line in enumerate(text.split("\n"), 1)
            if word in line
        ]
        content = "\n".join(hits)
        given = {"pattern": word, "output_mode": "content", "-n": True, "path": str(self.root)}
        self._call("Grep", given, content, {"mode": "content", "content": content, "numFiles": 0})

    def cat(self, path: str) -> None:
        if path in self.files:
            self._bash(f"cat {self._path(path)}", self.files[path])

    def show(self, path: str, first: int, last: int) -> None:
        if path in self.files:
            lines = self.files[path].splitlines(keepends=True)[first - 1 : last]
            self._bash(f"sed -n '{first},{last}p' {self._path(path)}", "".join(lines))

    def pour(self, path: str, text: str, *, on_top: bool) -> None:
        before = self.files.get(path, "") if on_top else ""
        self.files[path] = before + text + "\n"
        self._bash(f"cat {'>>' if on_top else '>'} {self._path(path)} <<'EOF'\n{text}\nEOF", "")

    def substitute(self, path: str, old: str, new: str) -> None:
        if path in self.files:
            self.files[path] = "\n".join(line.replace(old, new, 1) for line in self.files[path].split("\n"))
            self._bash(f"sed -i 's/{old}/{new}/' {self._path(path)}", "")

    def move(self, path: str, to: str) -> None:
        if path in self.files:
            self.files[to] = self.files.pop(path)
            self._bash(f"mv {self._path(path)} {self._path(to)}", "")

    def remove(self, path: str) -> None:
        if self.files.pop(path, None) is not None:
            self._bash(f"rm {self._path(path)}", "")

    def go_to_sub(self) -> None:
        """Look at a file by a name that counts from the new folder; afterwards the host stands there."""
        if "sub/b.py" in self.files:
            into, self.cwd = ("cd sub && " if self.cwd == str(self.root) else ""), self.cwd
            after = self.cwd if self.agent else str(self.root / "sub")
            self._bash(f"{into}cat b.py", self.files["sub/b.py"], after=after)

    def test(self, *, passes: bool) -> None:
        command = "pytest tests/test_a.py"
        if passes:
            self._bash(command, PASSES)
        else:
            self._call("Bash", {"command": command}, "Exit code 1\n" + FAILS.removesuffix("\n"), failed=True)

    def compact(self) -> None:
        if self.agent:
            return
        self.calls += 1
        summary = f"What was done so far, which is {self.calls} things."
        self.event("PreCompact", trigger="auto")
        boundary = self.main.compact(summary)
        for value in self.main.values[self.main.values.index(boundary) :]:
            self._stamp(value)
        self.event("SessionStart", source="compact")
        self.event("PostCompact", trigger="auto", compact_summary=summary)

    def delegate(self, do: Callable[[], object]) -> None:
        """Have a subagent do something."""
        if self.agent:
            do()
            return
        self.calls += 1
        call, agent, cwd = f"toolu_{self.calls}", f"agent{self.calls}", self.cwd
        given = {"prompt": "look around", "description": "look", "subagent_type": "general-purpose"}
        self._stamp(self.main.says(use(call, "Agent", given), message=f"msg_{call}", cwd=cwd))
        self.agent = agent
        self.agents[agent] = Talk(SESSION, cwd=cwd, isSidechain=True, agentId=agent)
        self._stamp(self.agents[agent].prompt("look around"))
        self.event("SubagentStart", agent_type="general-purpose")
        do()
        self.event("SubagentStop", agent_type="general-purpose")
        self.agent = ""
        told = {"status": "completed", "agentId": agent, "content": [{"type": "text", "text": "it is so"}]}
        self._stamp(self.main.result(call, [{"type": "text", "text": "it is so"}], told, cwd=self.cwd))
        self.event("PostToolUse", tool_name="Agent", tool_use_id=call, tool_input=given, tool_response=told)

    # -- how it is told -------------------------------------------------------------------------------------------

    def event(self, kind: str, **fields: Any) -> None:
        whose = {"agent_id": self.agent} if self.agent else {}
        shared = {"session_id": SESSION, "transcript_path": "/t.jsonl", "cwd": self.cwd, "permission_mode": "default"}
        self.events.append({**shared, "hook_event_name": kind, **whose, **fields})

    def write_transcript(self, folder: Path) -> Path:
        path = folder / f"{SESSION}.jsonl"
        _write(path, self.main.values)
        for agent, talk in self.agents.items():
            _write(folder / SESSION / "subagents" / f"agent-{agent}.jsonl", talk.values)
        return path

    # -- helpers --------------------------------------------------------------------------------------------------

    def _path(self, path: str) -> str:
        return str(self.root / path)

    def _line(self, path: str, number: int) -> str | None:
        """A line that is there once."""
        text = self.files.get(path, "")
        lines = [line for line in text.split("\n") if line.strip() and text.count(line) == 1]
        return lines[number % len(lines)] if lines else None

    def _bash(self, command: str, stdout: str, after: str = "") -> None:
        stdout = stdout.removesuffix("\n")
        told = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False}
        self._call("Bash", {"command": command}, stdout, told, after=after)

    def _call(
        self, name: str, given: Value, printed: str, told: Value | None = None, failed: bool = False, after: str = ""
    ) -> None:
        self.calls += 1
        call = f"toolu_{self.calls}"
        talk = self.agents.get(self.agent, self.main)
        self._stamp(talk.says(use(call, name, given), message=f"msg_{call}", cwd=self.cwd))
        self.cwd = after or self.cwd
        kept = None if self.agent else (f"Error: {printed}" if failed else told)
        self._stamp(talk.result(call, printed, kept, is_error=failed, cwd=self.cwd))
        shared = {"tool_name": name, "tool_use_id": call, "tool_input": given}
        if failed:
            self.event("PostToolUseFailure", error=printed, is_interrupt=False, **shared)
        else:
            self.event("PostToolUse", tool_response=told, **shared)

    def _stamp(self, value: Value) -> None:
        self.clock += 1
        value["timestamp"] = f"2026-03-01T{10 + self.clock // 3600:02}:{self.clock // 60 % 60:02}:{self.clock % 60:02}Z"


def _write(path: Path, values: list[Value]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(json.dumps(value).encode() + b"\n" for value in values))
