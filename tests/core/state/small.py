"""Small worlds for the tests of the fold: sources as texts, ops as a line each, facts derived when asked for."""

from collections.abc import Mapping
from typing import Any

from ccos_core.intake import failures
from ccos_core.ops import epoch
from ccos_core.session.worlds import new_world
from ccos_core.state.fold import apply
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import Version, World
from ccos_core.text.syntax import parse
from ccos_core.text.syntax.languages import language_of
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.canon import digest
from ccos_core.values.code import Outline
from ccos_core.values.outcome import Report
from ccos_core.window.lenses import window_of
from ccos_core.window.linearize import Window
from ccos_core.window.source import Source

Op = dict[str, Any]

INVOICES: Mapping[str, str] = {
    "api.py": "from service import invoice\n\n\ndef handle(request):\n    return invoice(request)\n\n\n"
    "def health():\n    return 'ok'\n",
    "service.py": "from store import load\n\n\ndef invoice(request):\n    return load(request).total\n",
    "store.py": "from dates import due\n\n\ndef load(request):\n    return due(request)\n\n\n"
    "def save(row):\n    return row\n",
    "dates.py": "DAYS = 30\n\n\ndef due(request):\n    return request + DAYS\n",
    "invoice_words.py": "def invoice_total_handle():\n    return 'invoice handle total'\n",
}
"""A failure in `handle` whose cause, `due`, is three dependencies away; and a file that only sounds like it."""


class Told:
    """Facts of contents that are kept here."""

    def __init__(self) -> None:
        self.contents: dict[str, str] = {}

    def keep(self, text: str) -> dict[str, Any]:
        name = digest(text.encode()).hex()
        self.contents[name] = text
        return {"blob": name, "bytes": len(text.encode())}

    def outline(self, content: str, path: str) -> Outline | None:
        return self.outline_of_text(self.contents[content], path)

    def outline_of_text(self, text: str, path: str) -> Outline | None:
        language = language_of(path)
        return parse.outline(language, text.encode()) if language is not None else None

    def text(self, content: str) -> str | None:
        return self.contents.get(content)

    def report(self, op: Op) -> Report | None:
        said = op.get("result") or op.get("output")
        if said is None:
            return None
        if "arguments" in op:  # as the facts of a record read it
            ok = {"ok": True, "error": False}.get(op["outcome"])
            return failures.read(self.contents[said["blob"]], self.contents[op["arguments"]["blob"]], ok)
        return failures.read(self.contents[said["blob"]], "", op.get("outcome") == "ok" or None) if said else None

    def under(self, pins: Mapping[str, int]) -> None:
        """Only today's versions here."""

    def entries(self, content: str, path: str) -> None:
        """Nobody has counted anything."""


class Tale:
    """A world, and ops told to it one by one."""

    def __init__(self, files: Mapping[str, str] = {}) -> None:
        self.facts = Told()
        self.ops: list[Op] = []
        self.world: World = new_world()
        self.tell(epoch.current())
        for path, text in files.items():
            self.look(path, text)

    def tell(self, op: Op) -> "Tale":
        self.ops.append(op)
        apply(self.world, len(self.ops), op, self.facts)
        return self

    def look(self, path: str, text: str) -> "Tale":
        return self.tell({"kind": "seen", "how": "ingest", "path": path, "content": self.facts.keep(text)})

    def read(self, path: str, text: str, first: int = 0, last: int = 0, **more: Any) -> "Tale":
        part = {"slice": [first, last]} if first else {}
        return self.tell(
            {"kind": "seen", "how": "read", "path": path, "content": self.facts.keep(text), **part, **more}
        )

    def edit(self, path: str, text: str) -> "Tale":
        return self.tell({"kind": "seen", "how": "edit", "path": path, "content": self.facts.keep(text)})

    def fail(self, *nodes: str, runner: str = "user", test: str = "") -> "Tale":
        return self.tell({"kind": "failed", "runner": runner, "nodes": list(nodes), **({"test": test} if test else {})})

    def works(self, *nodes: str) -> "Tale":
        scope: Op = {"scope": "nodes", "nodes": list(nodes)} if nodes else {"scope": "all"}
        return self.tell({"kind": "passed", "runner": "user", **scope})

    def run(self, output: str, outcome: str = "error", cwd: str = ".") -> "Tale":
        return self.tell(
            {"kind": "tool", "name": "run", "outcome": outcome, "result": self.facts.keep(output), "cwd": cwd}
        )

    def call(self, command: str, output: str = "", ok: bool | None = True, cwd: str = ".") -> "Tale":
        """A command in a shell, and how it ended; None where nobody says."""
        outcome = {True: "ok", False: "error", None: "unknown"}[ok]
        said = {"arguments": self.facts.keep(command), "result": self.facts.keep(output)}
        return self.tell({"kind": "tool", "name": "Bash", "outcome": outcome, "cwd": cwd, **said})

    def failing(self) -> list[tuple[str, str]]:
        """(runner, test or message) of what fails."""
        live = self.world.failures.live.values()
        return [(each.failure.runner, each.failure.test or each.failure.message) for each in live]

    def prompt(self) -> "Tale":
        return self.tell({"kind": "prompt", "said": self.facts.keep("go on"), "source": "user"})

    def window(self, lens: str, budget: int) -> Window:
        """What a lens shows now."""
        self.world.graph.settle()
        return window_of(lens, budget, self, self.world)

    def paths(self) -> list[str]:
        return sorted(self.world.graph.files)

    def outline(self, path: str) -> Outline:
        return self.world.graph.files[path].outline

    def source(self, path: str) -> Source:
        text = text_of(self.world, path, self.facts) or ""
        return Source(path, text, self.outline(path), unknown_lines(self.world, path))

    def links(self, path: str) -> tuple[Link, ...]:
        return self.world.graph.links.get(path, ())

    def ranked(self) -> list[str]:
        """Warm nodes by score, the hottest first."""
        self.world.graph.settle()
        return sorted(self.world.warm(), key=lambda node: (-self.world.score(node), node))


def replayed(tale: Tale) -> World:
    """The same ops folded anew."""
    world = new_world()
    for step, op in enumerate(tale.ops, 1):
        apply(world, step, op, tale.facts)
    return world


def versions_of(tale: Tale, path: str, upto: int | None = None) -> list[Version]:
    """All that a file ever was up to a step: a world only knows the last of it."""
    world, found = new_world(), list[Version]()
    for step, op in enumerate(tale.ops[:upto], 1):
        apply(world, step, op, tale.facts)
        version = world.version(path)
        if version is not None and version.step == step:
            found.append(version)
    return found
