"""Folding: what an op costs in a small and in a large workspace, an edit in a real one, and the memory that takes.

The small and the large tree are made of the same modules, a thousand and twenty thousand; the same ops are told to
both. The real one is django, every file of it ingested; then files all over it are edited one by one, and what is timed
is the whole of what an edit costs: deriving the new outline, folding the op, and settling the graph.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ccos_core.session.index import Index
from tests.bench.corpora import corpus
from tests.bench.harness import Result
from tests.core.state.small import Tale

FLAT, EDIT_MILLIS, MEGABYTES = 1.5, 50.0, 600.0
KNOWING = """
import resource, sys
from ccos_core.session import lifecycle
from ccos_core.session.ingest import ingest
from ccos_core.session.worlds import Knowing
from ccos_core.session.session import open_session

path, root = sys.argv[1:]
lifecycle.init(path, root)
with open_session(path) as session:
    ingest(session, [root])
    knowing = Knowing(session.recorded)
    knowing.digest()
print(max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024)
"""


def lines(smoke: bool) -> Iterator[Result]:
    few, many, rounds = (20, 100, 5) if smoke else (1_000, 20_000, 100)
    costs = {size: _cost_of_an_op(size, rounds) for size in (few, many)}
    yield Result(f"an op among {many:,} files against {few:,}", costs[many] / costs[few], "×", FLAT)
    if smoke:
        with tempfile.TemporaryDirectory() as held:
            Path(held, "a.py").write_text("def f():\n    pass\n")
            yield from _in_a_real_tree(Path(held))
    elif (folder := corpus("django")) is not None:
        yield from _in_a_real_tree(folder)
    else:
        print("folding: SKIPPED in part, django's sources cannot be had here")


def _cost_of_an_op(size: int, rounds: int) -> float:
    tale = Tale({_path(number): _module(number, size) for number in range(size)})
    tale.prompt().world.graph.settle()
    begun = time.perf_counter()
    for turn in range(rounds):
        number = turn * 7 % size
        path, text = _path(number), _module(number, size)
        tale.read(path, text.split("\n")[4] + "\n", 5, 5)
        tale.edit(path, text.replace("+ 1", f"+ {turn + 2}"))
        tale.run(f'Traceback (most recent call last):\n  File "{path}", line 6, in f{number}\nKeyError: 1\n')
        tale.works(f"file:{path}")
        tale.prompt().world.graph.settle()
    return (time.perf_counter() - begun) / (5 * rounds)


def _path(number: int) -> str:
    return f"pkg{number // 50}/m{number}.py"


def _module(number: int, size: int) -> str:
    others = [(number * 3 + 1) % size, (number + 17) % size]
    imports = [f"from pkg{other // 50}.m{other} import f{other}" for other in others]
    calls = " + ".join(f"f{other}(x)" for other in others)
    return "\n".join([*imports, "", "", f"def f{number}(x):", f"    return {calls} + 1", ""])


def _in_a_real_tree(folder: Path) -> Iterator[Result]:
    index = Index(str(folder))
    tale = Tale({path: index.source(path).text for path in index.paths() if path.endswith(".py")})
    tale.prompt().world.graph.settle()
    paths = sorted(tale.world.graph.files)[:: max(1, len(tale.world.graph.files) // 60)]
    for name, change in (("an edit inside of functions", _inside), ("an edit that adds a function", _added)):
        costs = sorted(_edited(tale, path, change) for path in paths)
        yield Result(f"{name}, nine of ten", costs[len(costs) * 9 // 10] * 1_000, "ms", EDIT_MILLIS)
        yield Result("... the dearest of them", costs[-1] * 1_000, "ms", EDIT_MILLIS)
    with tempfile.TemporaryDirectory() as held:
        run = [sys.executable, "-c", KNOWING, str(Path(held, "work.ccos")), str(folder)]
        done = subprocess.run(run, capture_output=True, text=True, check=True)
    yield Result(f"ingesting and folding {len(index.paths()):,} files", float(done.stdout), "MB", MEGABYTES)


def _edited(tale: Tale, path: str, change: Callable[[str], str]) -> float:
    """Seconds until an edit is folded: the best of three, for a machine that does other things meanwhile."""
    best = 1e9
    for _ in range(3):
        text = change(tale.source(path).text)
        begun = time.perf_counter()
        tale.edit(path, text)
        tale.world.graph.settle()
        best = min(best, time.perf_counter() - begun)
    return best


def _inside(text: str) -> str:
    return text.replace("    return ", "    str()\n    return ")


def _added(text: str) -> str:
    name = f"made_by_the_benchmark_{text.count('made_by_the_benchmark')}"
    return f"import os\n\n\n{text}\n\ndef {name}():\n    return os\n"
