"""What an agent waits for: calls of the server's tools on a workspace of 1,000 files, after sessions of three lengths.

Through the tables that the protocol serves, answers written as JSON, without the pipe. The tree lies on the disk as it
was recorded. Each round changes a file and tells it, recalls, has a run fail, asks for the window of a step drawn anew,
and for what moved a node; so every recall pays for what was told before it. The median counts, and that it stays what
it is after the shortest session; the three are worked through side by side.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from ccos_core.serve.mcp.calling import entry_of
from ccos_core.serve.mcp.offering import ALL, DEFAULT, offering
from ccos_core.serve.mcp.tools.door import Door
from ccos_core.serve.mcp.wire import AGREED
from ccos_core.values.ids import path_of
from ccos_core.values.tokens import estimate
from tests.bench.asking.workspace import copied
from tests.bench.harness import Result, timed

FILES, SEED = 1_000, 7
OPS = (100, 1_000, 5_000)
MILLIS = {"ingest": 8.0, "recall": 25.0, "page_fault": 30.0, "recall_what_if": 40.0, "drift_cause": 60.0}
FLAT = 2.0
FELT = 1 / 3
"""The part of what is allowed below which nobody feels whether it grows: a short session has little to show, and of all
versions of its files most are at hand."""
MOST_TOKENS = 2_067 + 450  # what they took before statements, and what these may add
ROUNDS = 40
FAILED = """\
=================================== FAILURES ===================================
__________________________________ test_{name} __________________________________

    def test_{name}():
>       assert {name}() == 1

tests/test_{name}.py:6:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
{path}:{line}: in {name}
    return given["a"]
E   KeyError: 'a'

{path}:{line}: KeyError
=========================== short test summary info ============================
FAILED tests/test_{name}.py::test_{name} - KeyError: 'a'
============================== 1 failed in 0.03s ===============================
"""


class Unheard:
    """A host that doesn't ask how far it has come."""

    def progress(self, done: int, total: int | None = None, words: str = "") -> None:
        pass


def lines(smoke: bool) -> Iterator[Result]:
    files, lengths, rounds = (60, (40, 100), 2) if smoke else (FILES, OPS, ROUNDS)
    with tempfile.TemporaryDirectory(prefix="ccos-bench-") as held:
        agents = {ops: Agent(_workspace(Path(held, str(ops)), files, ops)) for ops in lengths}
        for _ in range(rounds):  # one after the other, for noise comes in waves
            for agent in agents.values():
                agent.work()
        for agent in agents.values():
            agent.door.close()
    for name, allowed in MILLIS.items():
        base = max(median(agents[lengths[0]].took[name]), allowed * FELT)
        for ops, agent in agents.items():
            millis = median(agent.took[name])
            yield Result(f"{name}, {ops:,} ops", millis, "ms", allowed)
            if ops > lengths[0]:
                yield Result(f"... against {lengths[0]:,} ops", millis, "ms", FLAT, base, millis / base)
    yield Result("definitions unasked", default_tokens(), "tok", MOST_TOKENS)


def _workspace(folder: Path, files: int, ops: int) -> Path:
    folder.mkdir()
    return copied(files + ops, files, SEED, folder)


def default_tokens() -> int:
    """What the tools take that a host gets unasked."""
    rows = [entry_of(tool, AGREED) for tool in offering(Door("/nowhere/work.ccos", "/nowhere"), DEFAULT).tools]
    return estimate(json.dumps({"tools": rows}, ensure_ascii=False, separators=(",", ":")))


class Agent:
    """Somebody who works through a server."""

    def __init__(self, path: Path) -> None:
        self.door = Door(str(path), str(path.parent))
        self.tools = {tool.name: tool for tool in offering(self.door, (ALL,)).tools}
        self.took: dict[str, list[float]] = {name: [] for name in MILLIS}
        """Tool → the milliseconds its calls took."""
        self.rounds = 0
        self.rng = Random(SEED)
        live = self.door.live()
        live.keep_up(whole=True)
        moment = live.desk.timeline.at(live.step)
        self.texts = {each: moment.source(each).text for each in moment.paths() if each.endswith(".py")}
        self.nodes = [node for _, _, node in moment.ranking()[1]][:200] or sorted(live.desk.timeline.names())[:200]
        for each, text in self.texts.items():
            full = path.parent / each
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text, encoding="utf-8", errors="surrogatepass")

        self.work()
        for each in self.took.values():  # what is imported with the first call is none of a median's business
            each.clear()

    def work(self) -> None:
        """One round."""
        self.rounds += 1
        path = self.rng.choice(sorted(self.texts))
        text = self.texts[path] = f"{self.texts[path]}\n\ndef added_{self.rounds}(given):\n    return given['a']\n"
        (Path(self.door.root) / path).write_text(text, encoding="utf-8", errors="surrogatepass")
        failed = FAILED.format(name=f"added_{self.rounds}", path=path, line=text.count("\n"))
        node = self.rng.choice(self.nodes)
        head = self.door.live().head
        step = self.rng.randrange(min(len(self.texts) + 1, head), head + 1)  # before, nothing was warm
        self._call("ingest", uri=path, source=text, how="edit")
        self._call("recall", budget=2_048)
        self._call("page_fault", output=failed, command="pytest", budget=2_048)
        self._call("recall_what_if", step=step, budget=2_048)
        self._call("drift_cause", node=path_of(node) or node, limit=8)

    def _call(self, name: str, **given: Any) -> None:
        self.took[name].append(timed(lambda: json.dumps(self.tools[name].run(given, Unheard()))) * 1_000)
