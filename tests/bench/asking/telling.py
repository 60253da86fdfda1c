"""How the story of a session is told: each thing the agent does, as the observations a host would deliver for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.bench.asking.printed import printed
from tests.bench.asking.tree import Module, Tree
from tests.bench.asking.words import SAID

Observation = dict[str, Any]
BEGUN = 1_771_061_460_000
HOST, SESSION = "story", "long-story"
MAIN = ""
FULL, EMPTIED = 160_000, 18_000
"""Tokens at which the host shortens a context, and about what is left of it then."""


@dataclass(slots=True)
class Stream:
    """One context of the conversation."""

    name: str
    tokens: int = 12_000
    kept: list[str] = field(default_factory=list)
    """Its last calls."""


class Teller:
    """What has been told so far."""

    def __init__(self, tree: Tree, rng: Random) -> None:
        self.tree = tree
        self.rng = rng
        self.told: list[Observation] = []
        """Not yet delivered."""
        self.count = 1
        """Ops so far, the first epoch included."""
        self.streams = {name: Stream(name) for name in (MAIN, "explorer-1", "tester-2")}
        self.stream = self.streams[MAIN]
        self._at = BEGUN
        self._calls = 0

    def ingest(self, module: Module) -> None:
        """Somebody looks at the tree, and finds a file."""
        text = printed(self.tree, module).text
        seen = {"kind": "seen", "how": "ingest", "actor": "user", "path": module.path, "content": text}
        self.tell_as_it_is({**seen, "at": self._at})

    def tell_as_it_is(self, said: Observation) -> None:
        """An observation of no context."""
        self.told.append(said)
        self.count += 1

    def tell(self, kind: str, actor: str = "agent", **fields: Any) -> None:
        """One more observation of this context."""
        self._at += 200 + self.rng.randrange(9_000)
        said = {"kind": kind, "at": self._at, "actor": actor, "host": HOST, "session": SESSION, **fields}
        if self.stream.name:
            said["context"] = self.stream.name
        self.tell_as_it_is(said)

    def prompt(self, said: str, source: str = "user") -> None:
        self._called()
        self.tell("prompt", "user", said=said, source=source, call=self._call)
        self.stream.tokens += 60

    def read(self, module: Module, first: int = 0, last: int = 0) -> None:
        """The agent reads a file, or lines of it."""
        lines = printed(self.tree, module).lines
        arguments: dict[str, Any] = {"file_path": module.path}
        part: dict[str, Any] = {"content": "\n".join(lines) + "\n"}
        if first:
            first = min(max(1, first), len(lines))
            last = min(max(first, last), len(lines))
            arguments |= {"offset": first, "limit": last - first + 1}
            part = {"content": "\n".join(lines[first - 1 : last]) + "\n", "slice": [first, last]}
        self._speak(module)
        self.tool("Read", arguments)
        self.tell("seen", how="read", path=module.path, call=self._call, **part)
        self._grow(len(part["content"]) // 4)

    def edit(self, module: Module, how: str = "edit") -> None:
        """The file is what the tree says now, and the agent made it so."""
        page = printed(self.tree, module)
        changed = page.lines[len(page.lines) // 2].strip()
        self._speak(module)
        self.tool(how.capitalize(), {"file_path": module.path, "new_string": changed}, "The file has been updated.")
        self.tell("seen", how=how, path=module.path, content=page.text, call=self._call)
        self._grow(150 if how == "edit" else len(page.text) // 4)

    def run(self, command: str, result: str, outcome: str = "ok") -> None:
        """The agent runs a command."""
        if self.rng.randrange(8):
            self.tell("turn", model="story-1", stop="tool")
        self.tool("Bash", {"command": command}, result, outcome)
        self._grow(len(result) // 4)

    def tool(self, name: str, arguments: dict[str, Any], result: str = "", outcome: str = "ok") -> None:
        self._called()
        said: dict[str, Any] = {"name": name, "arguments": arguments, "outcome": outcome, "call": self._call}
        if name == "Bash":
            said["millis"] = 40 + self.rng.randrange(9_000)
        self.tell("tool", **said, **({"result": result} if result else {}))
        self.stream.kept = [*self.stream.kept[-5:], self._call]

    def cut(self) -> None:
        """The host shortens this context, or somebody empties it."""
        rng, stream = self.rng, self.stream
        after = EMPTIED + rng.randrange(8_000)
        if rng.randrange(12) == 0:
            self.tell("cleared", "user", reason="/clear")
            after = 9_000
        else:
            exact = rng.randrange(4) == 0
            kept: dict[str, Any] = {"kept": stream.kept[-3:]} if exact else {}
            summary = f"So far: {rng.choice(SAID).format('the last file')} {rng.randrange(40)} files were looked at."
            self.tell("compaction", "host", trigger="auto", before=stream.tokens, after=after, exact=exact,
                      summary=summary, **kept)  # fmt: skip
        stream.tokens = after

    # -- helpers --------------------------------------------------------------------------------------------------

    @property
    def _call(self) -> str:
        return f"call-{self._calls}"

    def _called(self) -> None:
        self._calls += 1

    def _speak(self, module: Module) -> None:
        if self.rng.randrange(8):
            said = self.rng.choice(SAID).format(module.path.rpartition("/")[2])
            self.tell("turn", model="story-1", said=said, stop="tool")
            self.stream.tokens += 40

    def _grow(self, tokens: int) -> None:
        """The context holds more; every now and then the host says how much."""
        stream = self.stream
        stream.tokens += tokens + 80
        if self.rng.randrange(5):
            self.tell("usage", "host", window=stream.tokens, written=30 + tokens // 9, limit=200_000)
        if stream.tokens > FULL:
            self.cut()
