"""Does the window of an issue's text hold what its fix changed? Ours, without any model, on real issues.

Rows and score come from the harness beside the checkout (`../shared/bench/issues`); the repositories from a folder of
mirrors that `CCOS_MIRRORS` names; real tokens from a vocabulary in `TIKTOKEN_CACHE_DIR`. What isn't there is said, and
nothing is judged. Figures are shares that were missed, in percent, so that a limit is a limit. Beside them is told what
share is found with each repository left out when choosing the weights of the lists (`choosing.py`).
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest.mock import patch

from ccos_core.session.index import Index
from ccos_core.window import ranking
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.linearize import Window
from ccos_core.window.task import hybrid
from tests.bench.choosing import Tally, left_out, together
from tests.bench.harness import Result

HARNESS = Path(__file__).resolve().parents[3] / "shared" / "bench" / "issues"
OWED = {2_048: {"def": 52, "body": 42, "edit": 45}, 8_192: {"def": 70, "body": 58, "edit": 62}}
"""The share of issues, in percent, whose window shows the definition, the whole body, an edited line."""
SLOWEST_MILLIS = 100.0
"""A warm query, in the median."""
LANDED = "landed"
SETTINGS = {
    "heads 2": {"heads": 2},
    "bodies 1": {"bodies": 1},
    "bodies 3": {"bodies": 3},
    "named 2": {"named": 2},
    "frames 2": {"frames": 2},
    "files 2": {"files": 2},
    "near 0": {"near": 0},
    "near 2": {"near": 2},
    LANDED: {},
}
"""Weights of lists that are other than those of `ccos_core.window.ranking`."""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        yield from _smoke()
        return
    reason = _why_not()
    if reason:
        print(f"issues: SKIPPED, {reason}")
        return
    rows = [json.loads(line) for line in (HARNESS / "dev.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as held:
        seconds = _windows(rows, Path(held))
        scores = {budget: _scores(budget, Path(held)) for budget in OWED}
    for budget, owed in OWED.items():
        told = scores[budget][LANDED]
        for what, share in owed.items():
            yield Result(
                f"issues, {budget:,} tokens: {what} missed", 100 - _share(told, f"{what}_any"), "%", 100 - share
            )
        yield Result(f"issues, {budget:,} tokens: windows over", _share(told, "over"), "%", 0)
    _print_left_out(rows, scores)
    yield Result("issues: a warm query", 1_000 * sorted(seconds)[len(seconds) // 2], "ms", SLOWEST_MILLIS)


def _why_not() -> str:
    if not HARNESS.is_dir():
        return f"there is no harness at {HARNESS}"
    if not os.path.isdir(os.environ.get("CCOS_MIRRORS", "")):
        return "CCOS_MIRRORS names no folder with mirrors of the repositories"
    if find_spec("tiktoken") is None or not os.environ.get("TIKTOKEN_CACHE_DIR"):
        return "real tokens need tiktoken, and a vocabulary in TIKTOKEN_CACHE_DIR"
    return ""


def _windows(rows: list[dict[str, str]], held: Path) -> list[float]:
    """Write the windows of each setting and budget; gives what each warm query took as landed, in seconds."""
    seconds = []
    for row in rows:
        tree, text = held / row["instance_id"], row["problem_statement"]
        run_script("prepare.py", "tree", "--instance", row["instance_id"], "--dest", str(tree))
        lexicon = Lexicon(Index(str(tree)))
        for budget in OWED:
            for name, changed in SETTINGS.items():
                with patch.object(ranking, "WEIGHTS", {**ranking.WEIGHTS, **changed}):
                    window = hybrid(text, lexicon, budget)
                with _file(held, name, budget).open("a", encoding="utf-8") as file:
                    file.write(_line(row["instance_id"], window))
            started = perf_counter()
            hybrid(text, lexicon, budget)
            seconds.append(perf_counter() - started)
    return seconds


def _line(instance: str, window: Window) -> str:
    items = [{"path": item.path, "text": item.text} for item in window.items]
    return json.dumps({"instance_id": instance, "text": window.text, "items": items}) + "\n"


def _file(held: Path, setting: str, budget: int) -> Path:
    return held / f"{setting}-{budget}.jsonl"


def _scores(budget: int, held: Path) -> dict[str, dict[str, Any]]:
    """Setting → instance → what its window reached."""
    into = held / f"scores-{budget}"
    runs = [f"{name}={_file(held, name, budget)}" for name in SETTINGS]
    run_script("score.py", "--budget", str(budget), "--per-instance", str(into), *runs)
    return {name: json.loads((into / f"{name}.json").read_text("utf-8")) for name in SETTINGS}


def _share(told: dict[str, Any], what: str) -> float:
    """Of the instances that have it at all, in percent."""
    having = [each[what] for each in told.values() if what in each]
    return 100 * float(sum(having)) / len(having)


def _print_left_out(rows: list[dict[str, str]], scores: dict[int, dict[str, dict[str, Any]]]) -> None:
    found: dict[str, dict[str, Tally]] = {name: {} for name in SETTINGS}
    asked = Tally()
    for budget, owed in OWED.items():
        for name in SETTINGS:
            for row in rows:
                reached = scores[budget][name][row["instance_id"]]
                tally = Tally({_figure(budget, what): int(reached.get(f"{what}_any", 0)) for what in owed})
                found[name].setdefault(row["repo"], Tally()).update(tally)
        for what in owed:
            asked[_figure(budget, what)] = sum(f"{what}_any" in each for each in scores[budget][LANDED].values())
    unseen, landed = left_out(found, Tally.total), together(found[LANDED])
    for figure in landed:
        all_in, out = (100 * tally[figure] / asked[figure] for tally in (landed, unseen))
        told = f"{all_in:.1f} %; each repository left out when choosing of {len(SETTINGS)}: {out:.1f} %"
        print(f"issues, {figure} found: {told}")


def _figure(budget: int, what: str) -> str:
    return f"{budget:,} tokens: {what}"


def run_script(script: str, *words: str) -> None:
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
