"""The shape of a large tree: each command on django, as a whole process that has nothing kept from before.

The other side of the ratio is a process that only makes the index such a command starts from. The questions themselves
are asked of made-up code at two sizes in turn: twice the code should cost about twice.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from ccos_core.query.structure.graph import Codebase
from ccos_core.query.structure.regions import regions
from ccos_core.query.structure.summary import summarise
from ccos_core.query.structure.top import top
from ccos_core.text.syntax.resolution import Link, Target
from ccos_core.values.code import Outline, Symbol
from tests.bench.corpora import corpus
from tests.bench.harness import Result, paired, timed

ROOT = Path(__file__).resolve().parents[2]
SECONDS, OVER_INDEX, DOUBLED = 10.0, 1.8, 3.2
COMMANDS = ("analyze", "top", "regions")
INDEX = "import sys; from ccos_core.session.index import Index; Index(sys.argv[1])"
SYMBOLS = 12
"""Of each made-up file."""


def lines(smoke: bool) -> Iterator[Result]:
    yield from _doubled(20 if smoke else 2_000, 1 if smoke else 3)
    if smoke:
        with tempfile.TemporaryDirectory() as held:
            for number in range(5):
                Path(held, f"m{number}.py").write_text(f"import m{(number + 1) % 5}\n")
            yield from _measured(Path(held), 1)
        return
    folder = corpus("django")
    if folder is None:
        print("structure: SKIPPED, django's sources cannot be had here")
        return
    yield from _measured(folder, 2)


def _measured(folder: Path, runs: int) -> Iterator[Result]:
    for command in COMMANDS:
        ours, index = _process("-m", "ccos_tui", command, str(folder)), _process("-c", INDEX, str(folder))
        pairs = [(timed(ours), timed(index)) for _ in range(runs)]
        whole, bare = (min(side) for side in zip(*pairs, strict=True))  # of seconds, the least disturbed
        yield Result(f"{command}, cold", whole, "s", SECONDS)
        yield Result(f"{command}, against its index", whole, "s", OVER_INDEX, bare, whole / bare)


def _process(*words: str) -> Callable[[], object]:
    def run() -> None:
        with tempfile.TemporaryDirectory() as home:
            env = {**os.environ, "XDG_CACHE_HOME": home}
            done = subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{' '.join(words)} exited with {done.returncode}: {done.stderr[-2000:]}")

    return run


def _doubled(files: int, runs: int) -> Iterator[Result]:
    once, twice = _made_up(files), _made_up(2 * files)
    for name, ask in (("summarise", summarise), ("top", lambda code: top(code, 10)), ("regions", regions)):
        result = paired(lambda ask=ask: ask(twice), lambda ask=ask: ask(once), runs)  # type: ignore[misc]
        yield result.result(f"{name} of {2 * files * SYMBOLS:,} symbols, doubled", DOUBLED)


def _made_up(files: int) -> Codebase:
    """Folders of files that mostly use their neighbours, and now and then something far below; some in circles."""
    paths = [f"d{number // 40:03}/m{number:05}.py" for number in range(files)]
    outline = Outline(tuple(Symbol(f"f{at}", "function", at, at, at, at) for at in range(1, SYMBOLS + 1)))
    links = {}
    for number, path in enumerate(paths):
        used = {max(0, number - step) for step in (1, 2, 3)} | {number * 7 // 11, number // 40}
        used |= {min(files - 1, number + 1)} if number % 40 < 3 else set()
        targets = [(at, Target(paths[to], (at * 5 + to) % SYMBOLS)) for at in range(SYMBOLS) for to in sorted(used)]
        imports = [Link(-1, Target(paths[to]), "import", line) for line, to in enumerate(sorted(used), 1)]
        links[path] = (*imports, *(Link(at, target, "call", at + 1) for at, target in targets))
    return Codebase(dict.fromkeys(paths, outline), links)
