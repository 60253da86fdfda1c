"""A small language for stories: what an agent did, a line each, recorded as a host would deliver it.

    told(session, '''
        prompt "Invoices are wrong"
        see src/db.py                            the agent reads the file, as it is in the story's tree
        see src/db.py 2-4                        ... a part of it
        write src/db.py "x = 1\\n"                ... and the tree changes
        edit src/db.py "x = 1" -> "x = 2"
        move src/db.py -> src/store.py
        remove src/store.py
        tool Bash pytest -q -> error "1 failed"
        fail test_x at src/api.py:40
        pass test_x
        recall 300 around src/api.py
        note "the cause lies elsewhere"
        usage 167066
        compact 167066
        again                                    the last event is delivered once more
        ingest                                   the project's folder is looked at
        pause / resume
        expect 5 steps
        expect log prompt read tool              the kinds (or how) of the last ops
        expect refused: paused                   the line before was refused, in these words
    ''')

Time stands still unless told otherwise, ids are counted, and each line is one `record`, so every line is durable.
Text in quotes is read as Python reads it. A line that isn't understood says so; nothing is guessed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ccos_core.errors import CcosError
from ccos_core.ops import plain
from ccos_core.session import lifecycle
from ccos_core.session.ingest import ingest
from ccos_core.session.session import Session, open_session

START = 1_771_061_460_000
Observation = dict[str, Any]


def new_session(folder: Path, name: str = "work.ccos") -> Session:
    """A fresh workspace in `folder`, open, on a clock that stands still."""
    path = str(folder / name)
    lifecycle.init(path, clock=lambda: START)
    return open_session(path, clock=lambda: START)


def told(session: Session, story: str) -> Story:
    """Tell a story to a session; gives the story, to be asked."""
    return Story(session).tell(story)


def tell_anew(folder: Path, story: str) -> Story:
    """Tell a story to a fresh workspace, and close it: what can be asked is what is on disk."""
    with new_session(folder) as session:
        return told(session, story)


@dataclass
class Story:
    """One session's events, as they were delivered."""

    session: Session
    name: str = "story-1"
    events: list[Observation] = field(default_factory=list)
    refused: str = ""

    def tell(self, story: str) -> Story:
        for line in filter(None, map(str.strip, story.splitlines())):
            self._one(line)
        return self

    def ops(self) -> list[plain.Plain]:
        """What the record holds, the epoch it begins with left out."""
        return [plain.unseal(body) for _, _, body in self.session.recorded.rows(2)]

    def head(self) -> tuple[int, str]:
        step, hash_ = self.session.recorded.head()
        return step, hash_.hex()

    def kinds(self) -> list[str]:
        return [op.get("how", op["kind"]) for op in self.ops()]

    def observation(self, line: str) -> Observation:
        """The event a line stands for, without delivering it."""
        for pattern, make in LINES.items():
            if found := re.fullmatch(pattern, line):
                return make(self, *found.groups())
        raise SyntaxError(f"not a line of a story: {line}")

    def _one(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "expect":
            return self._expect(rest)
        self.refused = ""
        try:
            if word == "again":
                self.session.record(self.events[-1:])
            elif word == "ingest":
                ingest(self.session, [self.session.root])
            elif word in ("pause", "resume"):
                lifecycle.pause(self.session.recorded.path, word == "pause")
            else:
                self._deliver(self.observation(line))
        except CcosError as error:
            self.refused = str(error)

    def _deliver(self, observation: Observation) -> None:
        call = f"call-{len(self.events) + 1}"
        event = {"host": "story", "session": self.name, "actor": "agent", "call": call, **observation}
        self.events.append(event)
        self.session.record([event])

    def _expect(self, said: str) -> None:
        assert said.startswith("refused") or not self.refused, self.refused
        if found := re.fullmatch(r"(\d+) steps?", said):
            assert len(self.ops()) == int(found[1]), self.kinds()
        elif said.startswith("log "):
            wanted = said.split()[1:]
            assert self.kinds()[-len(wanted) :] == wanted, self.kinds()
        elif found := re.fullmatch(r"refused: (.+)", said):
            assert found[1] in self.refused, self.refused
            self.refused = ""
        else:
            raise SyntaxError(f"no such expectation: {said}")

    # -- the tree the agent works in ------------------------------------------------------------------------------

    def file(self, path: str) -> Path:
        return Path(self.session.root, path)

    def read(self, path: str) -> str:
        return self.file(path).read_text(encoding="utf-8") if self.file(path).exists() else ""

    def put(self, path: str, text: str) -> str:
        self.file(path).parent.mkdir(parents=True, exist_ok=True)
        self.file(path).write_text(text, encoding="utf-8")
        return text


def _see(story: Story, path: str, first: str | None, last: str | None) -> Observation:
    if first is None or last is None:
        return {"kind": "seen", "how": "read", "path": path, "content": story.read(path)}
    lines = story.read(path).splitlines(keepends=True)
    part = "".join(lines[int(first) - 1 : int(last)])
    return {"kind": "seen", "how": "read", "path": path, "content": part, "slice": [int(first), int(last)]}


def _write(story: Story, path: str, text: str) -> Observation:
    return {"kind": "seen", "how": "write", "path": path, "content": story.put(path, _quoted(text))}


def _edit(story: Story, path: str, old: str, new: str) -> Observation:
    text = story.read(path).replace(_quoted(old), _quoted(new), 1)
    return {"kind": "seen", "how": "edit", "path": path, "content": story.put(path, text)}


def _move(story: Story, path: str, to: str) -> Observation:
    story.file(to).parent.mkdir(parents=True, exist_ok=True)
    story.file(path).rename(story.file(to))
    return {"kind": "renamed", "path": path, "to": to}


def _remove(story: Story, path: str) -> Observation:
    story.file(path).unlink()
    return {"kind": "gone", "path": path}


def _tool(_: Story, name: str, command: str, outcome: str | None, result: str | None) -> Observation:
    arguments = {"command": command} if name == "Bash" else {"file_path": command}
    said = {"kind": "tool", "name": name, "arguments": arguments, "outcome": outcome or "ok"}
    return said | ({"result": _quoted(result)} if result else {})


def _fail(_: Story, test: str, path: str, line: str) -> Observation:
    return {"kind": "failed", "runner": "pytest", "test": test, "sites": [[path, int(line)]]}


def _recall(_: Story, budget: str, lens: str, about: str | None) -> Observation:
    name = lens + (f":{about}" if about else "")
    items = [["file:" + about, "body", 12]] if about else []
    return {"kind": "recall", "lens": name, "budget": int(budget), "computed_at": 1, "parameters": {}, "items": items,
            "window": "0" * 64}  # fmt: skip


def _quoted(text: str) -> str:
    return str(ast.literal_eval(text))


TEXT = r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
LINES: dict[str, Callable[..., Observation]] = {
    r"see (\S+)(?: (\d+)-(\d+))?": _see,
    rf"write (\S+) {TEXT}": _write,
    rf"edit (\S+) {TEXT} -> {TEXT}": _edit,
    r"move (\S+) -> (\S+)": _move,
    r"remove (\S+)": _remove,
    rf"tool (\w+) (.*?)(?: -> (ok|error|interrupted|unknown)(?: {TEXT})?)?": _tool,
    r"fail (\S+) at (\S+):(\d+)": _fail,
    r"pass (\S+)": lambda _, test: {"kind": "passed", "runner": "pytest", "scope": "tests", "tests": [test]},
    r"recall (\d+) ([\w-]+)(?: (\S+))?": _recall,
    rf"prompt {TEXT}": lambda _, said: {"kind": "prompt", "said": _quoted(said), "source": "user"},
    rf"note {TEXT}": lambda _, said: {"kind": "annotation", "note": _quoted(said), "actor": "user"},
    r"usage (\d+)": lambda _, tokens: {"kind": "usage", "window": int(tokens)},
    r"compact (\d+)": lambda _, tokens: {
        "kind": "compaction", "trigger": "auto", "before": int(tokens), "exact": False, "summary": "what was kept",
    },
}  # fmt: skip
"""Each kind of line, and the event it stands for."""
