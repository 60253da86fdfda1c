"""A transcript of Claude Code in the making: what was said, thought and done, a record each, with fixed times.

    told = Told("5f0c...", "/home/mara/parcel", "main", START)
    told.user("Add a delivery window.").think("Where are bookings made?").read("parcel/bookings.py", TEXT)
    told.text          # JSON Lines, as below ~/.claude/projects

The window grows by an estimate of what is said; nothing reads a clock, so a record of it has the same head everywhere.
"""

from __future__ import annotations

import json
import time
from typing import Any
from uuid import NAMESPACE_URL, uuid5

VERSION, MODEL = "2.1.40", "claude-sonnet-4-5-20250929"
SYSTEM_TOKENS = 17_846
"""Tokens of the host's own prompt and tools, with which every window begins."""
CHARACTERS_OF_A_TOKEN = 4

Value = dict[str, Any]


class Told:
    """One session."""

    def __init__(self, name: str, cwd: str, branch: str, start: int) -> None:
        self.session = self._id(name)
        self.cwd = cwd
        self._branch = branch
        self._at = start
        self._lines: list[Value] = []
        self._window = SYSTEM_TOKENS
        self._cached = 0
        """Tokens of the window that the host had sent before."""
        self._message = 0
        """The number of the model's message that is being told."""
        self._speaks = False
        self._counts: dict[str, int] = {}
        """The usage of that message."""
        self._last: str | None = None

    @property
    def text(self) -> str:
        """All of it, a record a line."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines)

    # -- what people and the model say --------------------------------------------------------------------------------

    def user(self, said: str, after: int = 40) -> Told:
        """The user types something, so many seconds later."""
        self._at += after * 1_000
        return self._of_user({"role": "user", "content": said}, said)

    def interrupt(self, after: int = 6) -> Told:
        """The user stops the agent."""
        self._at += after * 1_000
        said = "[Request interrupted by user]"
        return self._of_user({"role": "user", "content": [{"type": "text", "text": said}]}, said)

    def think(self, said: str) -> Told:
        """The model thinks."""
        signature = uuid5(NAMESPACE_URL, said).hex * 4
        return self._of_model({"type": "thinking", "thinking": said, "signature": signature}, said, 7)

    def say(self, said: str, *, ends: bool = False) -> Told:
        """The model says something; with `ends` it waits for the user then."""
        self._of_model({"type": "text", "text": said}, said, 4, "end_turn" if ends else None)
        self._speaks = self._speaks and not ends
        return self

    # -- what the model does ------------------------------------------------------------------------------------------

    def read(self, path: str, text: str) -> Told:
        """The model reads all of a file."""
        lines = text.rstrip("\n").split("\n")
        printed = "\n".join(f"{number:>6}→{line}" for number, line in enumerate(lines, 1))
        file = {"filePath": self._full(path), "content": text, "numLines": len(lines), "startLine": 1}
        told = {"type": "text", "file": {**file, "totalLines": len(lines)}}
        return self._call("Read", {"file_path": self._full(path)}, printed, told)

    def edit(self, path: str, old: str, new: str) -> Told:
        """The model replaces a piece of a file."""
        printed = f"The file {self._full(path)} has been updated."
        told = {"filePath": self._full(path), "oldString": old, "newString": new, "replaceAll": False}
        return self._call("Edit", {"file_path": self._full(path), "old_string": old, "new_string": new}, printed, told)

    def write(self, path: str, text: str) -> Told:
        """The model writes a new file."""
        told = {"type": "create", "filePath": self._full(path), "content": text, "structuredPatch": []}
        printed = f"File created successfully at: {self._full(path)}"
        return self._call("Write", {"file_path": self._full(path), "content": text}, printed, told)

    def run(self, command: str, printed: str, *, fails: bool = False, seconds: int = 3) -> Told:
        """The model runs a command."""
        self._at += seconds * 1_000
        told: Any = {"stdout": printed, "stderr": "", "interrupted": False, "isImage": False}
        shown = f"Exit code 1\n{printed}" if fails else printed
        return self._call("Bash", {"command": command}, shown, f"Error: {shown}" if fails else told, is_error=fails)

    def compact(self, summary: str, after: int = 30) -> Told:
        """The user has the window compacted."""
        self._at += after * 1_000
        metadata = {"trigger": "manual", "preTokens": self._window}
        self._add("system", subtype="compact_boundary", content="Conversation compacted", compactMetadata=metadata)
        said = f"This session is being continued from a previous conversation.\n\n{summary}"
        self._window, self._cached = SYSTEM_TOKENS, 0
        self._of_user({"role": "user", "content": said}, said, isCompactSummary=True, isVisibleInTranscriptOnly=True)
        return self

    # -- helpers ------------------------------------------------------------------------------------------------------

    def _call(self, name: str, arguments: Value, printed: str, told: Any, *, is_error: bool = False) -> Told:
        id_ = f"toolu_{uuid5(NAMESPACE_URL, f'{self.session}/{len(self._lines)}').hex[:24]}"
        block = {"type": "tool_use", "id": id_, "name": name, "input": arguments}
        self._of_model(block, json.dumps(arguments), 5, "tool_use")
        result = {
            "tool_use_id": id_,
            "type": "tool_result",
            "content": printed,
            **({"is_error": True} if is_error else {}),
        }
        self._at += 1_000
        return self._of_user({"role": "user", "content": [result]}, printed, toolUseResult=told)

    def _of_user(self, message: Value, said: str, **more: Any) -> Told:
        self._speaks = False
        self._window += len(said) // CHARACTERS_OF_A_TOKEN
        self._add("user", message=message, **more)
        return self

    def _of_model(self, block: Value, said: str, seconds: int, stop: str | None = None) -> Told:
        """One block of the model's message: it is a record of its own, and those of a message share its usage."""
        self._at += seconds * 1_000
        if not self._speaks:
            self._speaks = True
            self._message += 1
            self._counts = {
                "input_tokens": 4,
                "cache_creation_input_tokens": self._window - self._cached,
                "cache_read_input_tokens": self._cached,
            }
            self._cached = self._window
        written = len(said) // CHARACTERS_OF_A_TOKEN
        self._window += written
        message = {
            "id": f"msg_{uuid5(NAMESPACE_URL, f'{self.session}#{self._message}').hex[:24]}",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {**self._counts, "output_tokens": max(written, 1), "service_tier": "standard"},
        }
        self._add("assistant", message=message)
        return self

    def _add(self, kind: str, **more: Any) -> None:
        name = self._id(f"{self.session}:{len(self._lines)}")
        seconds, millis = divmod(self._at, 1_000)
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{millis:03}Z"
        where = {"isSidechain": False, "userType": "external", "cwd": self.cwd, "sessionId": self.session}
        named = {"version": VERSION, "gitBranch": self._branch, "type": kind, "uuid": name, "timestamp": moment}
        self._lines.append({"parentUuid": self._last, **where, **named, **more})
        self._last = name

    def _full(self, path: str) -> str:
        return f"{self.cwd}/{path}"

    @staticmethod
    def _id(name: str) -> str:
        return str(uuid5(NAMESPACE_URL, f"ccos-tui demonstration {name}"))
