"""Conversations for tests of what the agent was told: prompts, commands, edits and compactions, a call each.

Conversation().say("Never push to main.").compact("They fix a bug.").run("git push origin main").timeline
"""

from __future__ import annotations

import json
from typing import Any

from ccos_core.replay.timeline import Timeline
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MAIN = {"host": "claude-code", "session": "s"}


class Conversation:
    """One session of a host."""

    def __init__(self) -> None:
        self.tale = Tale()
        self.texts: dict[str, str] = {}
        self.calls = 0
        self.context = ""

    @property
    def step(self) -> int:
        """The last step."""
        return len(self.tale.ops)

    @property
    def timeline(self) -> Timeline:
        return timeline_of(self.tale)

    def by(self, context: str) -> Conversation:
        """What follows is done by a subagent, or by the main thread again."""
        self.context = context
        return self

    def say(self, text: str, **more: Any) -> Conversation:
        """The user says something."""
        self._tell(kind="prompt", source="user", said=self._keep(text), **more)
        return self

    def task(self, context: str, text: str) -> Conversation:
        """The agent starts a subagent; what follows is done by that."""
        self.by(context)._tell(kind="prompt", source="agent", said=self._keep(text))
        return self

    def compact(self, summary: str) -> Conversation:
        """The host puts a summary in the place of the window."""
        self._tell(kind="compaction", trigger="auto", exact=False, summary=self._keep(summary))
        return self

    def run(self, command: str, printed: str = "", *, fails: bool = False) -> Conversation:
        """The agent runs a command."""
        self._call("Bash", {"command": command}, printed, fails)
        return self

    def look(self, path: str, text: str) -> Conversation:
        """The agent reads a file."""
        self.texts[path] = text
        self._call("Read", {"file_path": path}, text)
        self._effect("read", path)
        return self

    def edit(self, path: str, old: str, new: str) -> Conversation:
        """The agent replaces a piece of a file."""
        self.texts[path] = self.texts.get(path, old).replace(old, new)
        self._call("Edit", {"file_path": path, "old_string": old, "new_string": new}, "")
        self._effect("edit", path)
        return self

    def write(self, path: str, text: str) -> Conversation:
        """The agent writes a file."""
        self.texts[path] = text
        self._call("Write", {"file_path": path, "content": text}, "")
        self._effect("write", path)
        return self

    def _call(self, name: str, arguments: dict[str, Any], printed: str, fails: bool = False) -> None:
        self.calls += 1
        outcome = "error" if fails else "ok"
        kept = {"arguments": self._keep(json.dumps(arguments)), "result": self._keep(printed)}
        self._tell(kind="tool", name=name, outcome=outcome, call=f"c{self.calls}", cwd=".", **kept)

    def _effect(self, how: str, path: str) -> None:
        content = self._keep(self.texts[path])
        self._tell(kind="seen", how=how, path=path, content=content, call=f"c{self.calls}", phase="file.0")

    def _tell(self, **op: Any) -> None:
        where = {**MAIN, "context": self.context} if self.context else MAIN
        self.tale.tell({**op, **where})

    def _keep(self, text: str) -> dict[str, Any]:
        return self.tale.facts.keep(text)
