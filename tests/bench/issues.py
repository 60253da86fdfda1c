"""Does the window of an issue's text hold what its fix changed? Ours, without any model, on real issues.

Rows and score come from the harness beside the checkout (`../shared/bench/issues`); the repositories from a folder of
mirrors that `CCOS_MIRRORS` names; real tokens from a vocabulary in `TIKTOKEN_CACHE_DIR`. What isn't there is said, and
nothing is judged. Figures are shares that were missed, in percent, so that a limit is a limit.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

from ccos_core.session.index import Index
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.task import hybrid
from tests.bench.harness import Result

HARNESS = Path(__file__).resolve().parents[3] / "shared" / "bench" / "issues"
OWED = {2_048: {"def": 52, "body": 42, "edit": 45}, 8_192: {"def": 70, "body": 58, "edit": 62}}
"""The share of issues, in percent, whose window shows the definition, the whole body, an edited line."""
SLOWEST_MILLIS = 100.0
"""A warm query, in the median."""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        yield from _smoke()
        return
    reason = _why_not()
    if reason:
        print(f"issues: SKIPPED, {reason}")
        return
    with tempfile.TemporaryDirectory() as held:
        files = {budget: Path(held) / f"hybrid-{budget}.jsonl" for budget in OWED}
        rows = [json.loads(line) for line in (HARNESS / "dev.jsonl").read_text("utf-8").splitlines()]
        seconds = _windows(rows, Path(held), files)
        for budget, owed in OWED.items():
            told = _score(budget, files[budget], Path(held))
            for what, share in owed.items():
                missed = 100 - 100 * float(told[f"{what}_any"])
                yield Result(f"issues, {budget:,} tokens: {what} missed", missed, "%", 100 - share)
            yield Result(f"issues, {budget:,} tokens: windows over", 100 * float(told["over"]), "%", 0)
    yield Result("issues: a warm query", 1_000 * sorted(seconds)[len(seconds) // 2], "ms", SLOWEST_MILLIS)


def _why_not() -> str:
    if not HARNESS.is_dir():
        return f"there is no harness at {HARNESS}"
    if not os.path.isdir(os.environ.get("CCOS_MIRRORS", "")):
        return "CCOS_MIRRORS names no folder with mirrors of the repositories"
    if find_spec("tiktoken") is None or not os.environ.get("TIKTOKEN_CACHE_DIR"):
        return "real tokens need tiktoken, and a vocabulary in TIKTOKEN_CACHE_DIR"
    return ""


def _windows(rows: list[dict[str, str]], held: Path, files: dict[int, Path]) -> list[float]:
    """Write the windows of each budget; gives what each warm query took, in seconds."""
    seconds = []
    found: dict[int, list[str]] = {budget: [] for budget in files}
    for row in rows:
        tree = held / row["instance_id"]
        _run("prepare.py", "tree", "--instance", row["instance_id"], "--dest", str(tree))
        lexicon = Lexicon(Index(str(tree)))
        for budget in files:
            hybrid(row["problem_statement"], lexicon, budget)
            started = perf_counter()
            window = hybrid(row["problem_statement"], lexicon, budget)
            seconds.append(perf_counter() - started)
            items = [{"path": item.path, "text": item.text} for item in window.items]
            told = {"instance_id": row["instance_id"], "text": window.text, "items": items}
            found[budget].append(json.dumps(told) + "\n")
    for budget, path in files.items():
        path.write_text("".join(found[budget]), "utf-8")
    return seconds


def _score(budget: int, windows: Path, held: Path) -> dict[str, str]:
    table = held / f"{budget}.csv"
    _run("score.py", "--budget", str(budget), "--csv", str(table), f"hybrid={windows}")
    with table.open(encoding="utf-8", newline="") as file:
        (told,) = csv.DictReader(file)
    return told


def _run(script: str, *words: str) -> None:
    first = words[:1] if script == "prepare.py" else ()
    asked = [
        sys.executable,
        str(HARNESS / script),
        *first,
        "--mirrors",
        os.environ["CCOS_MIRRORS"],
        *words[len(first) :],
    ]
    subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)


def _smoke() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as held:
        folder = Path(held)
        (folder / "parcels.py").write_text("class Parcel:\n    def weigh(self):\n        return self.grams\n")
        (folder / "ships.py").write_text("def sail(ship):\n    return ship.leave()\n")
        window = hybrid("A parcel's weight is wrong\n\n`Parcel.weigh()` forgets the box.", Lexicon(Index(held)), 2_048)
        missed = 0 if "return self.grams" in window.text else 100
        yield Result("issues smoke: body missed", missed, "%", 0)
