"""A Codex agent that follows a script: what it does is told twice, as its rollout and as events of its hooks.

It works on files in memory. As in Codex, a failed patch and a failed MCP call fire no event after the call, and a
command's event has the output alone.
"""

import json
from pathlib import Path
from typing import Any

from tests.core.intake.importers.codex_fixtures import Rollout, add, update
from tests.laws.scripted import FAILS, FILES, PASSES

Value = dict[str, Any]
SESSION = "0c0d-0007"
LONG = "y" * 200


class ScriptedCodex:
    """A session in the making."""

    def __init__(self, root: Path) -> None:
        self.root, self.cwd = root, str(root)
        self.files = dict(FILES)
        self.rollout = Rollout(id=SESSION, cwd=self.cwd)
        self.rollout.turn(self.cwd)
        self.events: list[Value] = []
        self.calls = self.turns = 0
        self._event("SessionStart", source="startup")

    # -- what happens -------------------------------------------------------------------------------------------------

    def prompt(self, words: str) -> None:
        self.turns += 1
        part = {"type": "input_text", "text": words}
        metadata = {"turn_id": f"turn-{self.turns}", "content_item_kinds": ["user.text"]}
        self.rollout.item(
            "message",
            role="user",
            content=[part],
            id=f"m{self.turns}",
            internal_chat_message_metadata_passthrough=metadata,
        )
        self._event("UserPromptSubmit", prompt=words)

    def cat(self, path: str) -> None:
        if path in self.files:
            self._ran(f"cat {path}", self.files[path])

    def show(self, path: str, first: int, last: int) -> None:
        if path in self.files:
            lines = self.files[path].splitlines(keepends=True)[first - 1 : last]
            self._ran(f"sed -n '{first},{last}p' {path}", "".join(lines))

    def numbers(self, path: str) -> None:
        if path in self.files:
            lines = self.files[path].splitlines(keepends=True)
            self._ran(f"cat -n {path}", "".join(f"{at:>6}\t{line}" for at, line in enumerate(lines, 1)))

    def pour(self, path: str, text: str, *, on_top: bool) -> None:
        before = self.files.get(path, "") if on_top else ""
        self.files[path] = before + text + "\n"
        self._ran(f"cat {'>>' if on_top else '>'} {path} <<'EOF'\n{text}\nEOF", "")

    def substitute(self, path: str, old: str, new: str) -> None:
        if path in self.files:
            self.files[path] = "\n".join(line.replace(old, new, 1) for line in self.files[path].split("\n"))
            self._ran(f"sed -i 's/{old}/{new}/' {path}", "")

    def move(self, path: str, to: str) -> None:
        if path in self.files:
            self.files[to] = self.files.pop(path)
            self._ran(f"mv {path} {to}", "")

    def remove(self, path: str) -> None:
        if self.files.pop(path, None) is not None:
            self._ran(f"rm {path}", "")

    def patch(self, path: str, line: int, new: str) -> None:
        """Put something in the place of a line that is there once."""
        found = self.files.get(path, "")
        lines = [each for each in found.split("\n") if each.strip() and found.count(each) == 1]
        if lines:
            old = lines[line % len(lines)]
            self.files[path] = found.replace(old, new)
            more = "".join(f"+{each}\n" for each in new.split("\n"))
            self._patched(update(path, f"-{old}\n{more}"), f"M {path}")

    def create(self, path: str, text: str) -> None:
        if path not in self.files:
            self.files[path] = f"{text}\n"
            self._patched(add(path, self.files[path]), f"A {path}")

    def delete(self, path: str) -> None:
        if self.files.pop(path, None) is not None:
            self._patched(f"*** Begin Patch\n*** Delete File: {path}\n*** End Patch", f"D {path}")

    def test(self, *, passes: bool) -> None:
        self._ran("pytest tests/test_a.py", PASSES if passes else FAILS, 0 if passes else 1)

    def asks(self, tool: str, printed: str) -> None:
        """A call of an MCP tool that ends well."""
        name, given = self._name(), {"text": "total"}
        self.rollout.item(
            "function_call", name=tool, namespace="mcp__other__", arguments=json.dumps(given), call_id=name
        )
        self.rollout.output(name, f"Wall time: 0.0100 seconds\nOutput:\n{printed}")
        response = {"content": [{"type": "text", "text": printed}], "isError": False}
        self._event(
            "PostToolUse", tool_name=f"mcp__other__{tool}", tool_input=given, tool_use_id=name, tool_response=response
        )

    def says(self, words: str) -> None:
        self.rollout.agent(words, id=f"a{self.turns}")
        self._event("Stop", stop_hook_active=False, last_assistant_message=words)

    # -- how it is told -----------------------------------------------------------------------------------------------

    def write_transcript(self, folder: Path) -> Path:
        path = folder / f"rollout-2026-01-02T03-04-05-{SESSION}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in self.rollout.lines))
        return path

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _name(self) -> str:
        self.calls += 1
        return f"call_{self.calls}"

    def _ran(self, command: str, printed: str, code: int = 0) -> None:
        name = self._name()
        self.rollout.call(name, "exec_command", {"cmd": command})
        heads = (
            f"Chunk ID: {name}\nWall time: 0.1000 seconds\nProcess exited with code {code}\nOriginal token count: 9\n"
        )
        self.rollout.output(name, f"{heads}Output:\n{printed}")
        self._event(
            "PostToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id=name, tool_response=printed
        )

    def _patched(self, patch: str, said: str) -> None:
        name = self._name()
        answer = f"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\n{said}\n"
        self.rollout.custom(name, "apply_patch", patch).output(name, answer, "custom_tool_call_output")
        given = {"command": patch}
        self._event("PostToolUse", tool_name="apply_patch", tool_input=given, tool_use_id=name, tool_response=answer)

    def _event(self, kind: str, **fields: Any) -> None:
        shared = {
            "session_id": SESSION,
            "turn_id": f"turn-{self.turns}",
            "transcript_path": "/t.jsonl",
            "cwd": self.cwd,
        }
        self.events.append({**shared, "hook_event_name": kind, "model": "m", **fields})
