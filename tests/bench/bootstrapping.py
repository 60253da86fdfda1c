"""How an agent begins, and finds what was noted: the toolset `context` on a workspace of 1,000 files.

A host connects, lists the resources and gets the prompt `bootstrap`: three requests to a server that has read its
workspace, with a conversation that grows between them, so that each answer is made anew. Then it searches documents of
10,000 sections. The slowest of twenty counts. Tokens are those of what the agent is given. What a start costs is also
compared with reading all of three real sets of documents: ours, and two that lie beside the checkout.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from ccos_core.serve.mcp.offering import DEFAULT, STEERING, offering
from ccos_core.serve.mcp.server import Talk, _result
from ccos_core.serve.mcp.steering import bundle_text
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.mcp.wire import Request
from ccos_core.session.lifecycle import init
from ccos_core.session.live_scan import look_through
from ccos_core.values.tokens import estimate
from tests.bench.asking.workspace import copied
from tests.bench.harness import Result, timed

FILES, OPS, SECTIONS, ROUNDS, SEED = 1_000, 5_000, 10_000, 40, 7
MILLIS, TOKENS = 100.0, 500
HALF = 50.0  # percent of the tokens of all documents
ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SETS = (
    (ROOT / "CONTRIBUTING.md", ROOT / "docs/MEMORY.md", ROOT / "docs/decisions"),
    (SHARED / "design/STYLE.md", SHARED / "design/MEMORY.md", SHARED / "facts"),
    (SHARED / "design/HOUSE.md", SHARED / "design/ACCEPTANCE.md", SHARED / "design"),
)
"""What is AGENTS.md, what MEMORY.md, and where the daily notes are."""
WORDS = ("build", "test", "deploy", "invoice", "parser", "cache", "tea", "meeting", "release", "rollback", "tax")
CHARTER = "# Charter\n\n" + "".join(
    f"## Rule {at}\n\nDo it by rule {at}, with care and in order.\n\n" for at in range(60)
)


class Quiet:
    """An outlet to nowhere."""

    def send(self, data: bytes) -> None:
        pass


def lines(smoke: bool) -> Iterator[Result]:
    files, ops, count, rounds = (40, 60, 50, 2) if smoke else (FILES, OPS, SECTIONS, ROUNDS)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        host = Host(copied(files + ops, files, SEED, Path(held)), count)
        took, tokens = zip(*(host.begin(at) for at in range(rounds)), strict=True)
        yield Result("bootstrap, 3 requests, p95", p95(took), "ms", MILLIS)
        yield Result("bootstrap, all that is given", max(tokens), "tok", TOKENS)
        found = [host.search(at) for at in range(rounds)]
        yield Result(f"search in {count:,} sections, p95", p95(found), "ms", MILLIS)
        host.door.close()
    yield from of_real_documents()


def of_real_documents() -> Iterator[Result]:
    """What the bundle of a start takes of what it would take to read all documents."""
    for number, (charter, memory, notes) in enumerate(SETS):
        if not charter.exists():
            print(f"bootstrapping: SKIPPED, {charter.parent.name}/{charter.name} isn't beside the checkout")
            continue
        with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
            root = Path(held)
            (root / "memory").mkdir()
            files = {"AGENTS.md": charter, "MEMORY.md": memory}
            files |= {
                f"memory/2026-02-{1 + day:02}.md": each for day, each in enumerate(sorted(notes.glob("*.md"))[:28])
            }
            for name, source in files.items():
                (root / name).write_bytes(source.read_bytes())
            whole = sum(estimate(source.read_text("utf-8")) for source in files.values())
            path = str(root / "work.ccos")
            init(path, str(root))
            door = Door(path, str(root), steers=True)
            told = estimate(bundle_text(door, "bootstrap", TOKENS, ""))
            door.close()
        print(f"  documents {number + 1}: {told:,} tokens of {whole:,}")
        yield Result(f"bootstrap of real documents {number + 1}", told, "tok", TOKENS)
        yield Result(f"of the tokens of documents {number + 1}", 100 * told / whole, "%", HALF)


def p95(values: Any) -> float:
    return float(sorted(values)[len(values) * 95 // 100])


class Host:
    """Whoever asks a server that was started before."""

    def __init__(self, path: Path, count: int) -> None:
        rng = Random(SEED)
        (path.parent / "AGENTS.md").write_text(CHARTER)
        words = (" ".join(rng.choices(WORDS, k=12)) for _ in range(count))
        days = max(count // 400, 1)
        notes = [f"## Note {at}\n\n{each} n{at}\n" for at, each in enumerate(words)]
        (path.parent / "memory").mkdir()
        for day in range(days):
            name = path.parent / "memory" / f"2026-{1 + day // 28:02}-{1 + day % 28:02}.md"
            name.write_text("\n".join(notes[day::days]))
        self.door = Door(str(path), str(path.parent), steers=True)
        live = self.door.live()
        look_through(str(path))
        live.keep_up(whole=True)
        self.talk = Talk(offering(self.door, (*DEFAULT, STEERING)), Quiet())  # type: ignore[arg-type]
        self.count = count
        self.begin(0)
        self.search(0)

    def begin(self, at: int) -> tuple[float, int]:
        """Milliseconds and tokens of a session's start."""
        self.door.live().tell(
            [
                {
                    "kind": "prompt",
                    "said": f"Please look at part {at} next.",
                    "source": "user",
                    "session": "s",
                    "host": "h",
                }
            ]
        )
        self.talk.following.begin_anew()
        given: list[str] = []

        def start() -> None:
            self._ask(
                "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "b", "version": "0"}
            )
            self._ask("resources/list")
            told = self._ask("prompts/get", name="bootstrap", arguments={})
            given.append(told["messages"][0]["content"]["text"])

        millis = timed(start) * 1_000
        return millis, estimate(given[0])

    def search(self, at: int) -> float:
        said = {"type": "search", "query": f"{WORDS[at % len(WORDS)]} n{at * 7 % self.count}"}
        return self._timed(lambda: self._ask("tools/call", name="get_context", arguments=said))

    def _timed(self, act: Callable[[], object]) -> float:
        return timed(act) * 1_000

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        found = _result(self.talk, Request(1, method, params))
        assert found is not None
        assert not found.get("isError"), found
        return found
