"""Is the true cause among the first three suspects, and does a healthy session raise no alarm?

The seeds of a judged run begin at `JUDGED`, or where `CCOS_DRIFTS_SEED` says; those below it are for development, so
that no figure is taken on seeds that anybody tuned by.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

from tests.bench.drifts import driver
from tests.bench.drifts.cases import KINDS, make
from tests.bench.drifts.driver import Verdict
from tests.bench.drifts.model import Drift
from tests.bench.harness import Result

JUDGED = 40_000
CASES = 200
"""Per kind."""
FIRST = 3
"""Suspects that are looked at."""
MISSED = 10.0
"""The most that may be missed, and the most false alarms, in percent."""


@dataclass(frozen=True)
class Judged:
    """What came of one case."""

    kind: str
    shape: str
    family: str
    seed: int
    right: bool
    """The cause is among the first suspects; of a control: no drift was found."""
    in_time: bool
    """It also named a step at which the session went wrong."""
    said: str
    """What was said instead, for people."""


def lines(smoke: bool) -> Iterator[Result]:
    if smoke:
        yield from _smoke()
        return
    if find_spec("ccos_core.query.autopsy") is None:
        print("drifts: SKIPPED, there is no autopsy to judge")
        return
    start = int(os.environ.get("CCOS_DRIFTS_SEED") or JUDGED)
    print(f"drifts: seeds {start} to {start + CASES - 1} of each kind; others with CCOS_DRIFTS_SEED=START")
    for kind in KINDS:
        found = list(judged(kind, range(start, start + CASES), os.cpu_count() or 1))
        print("\n".join(told(found)))
        what = "false alarms" if kind == "control" else f"cause not among the first {FIRST}"
        yield Result(f"drifts {kind}, {len(found)}: {what}", _percent(found), "%", MISSED)


def judged(kind: str, seeds: Sequence[int], processes: int = 1) -> Iterator[Judged]:
    if processes == 1:
        for seed in seeds:
            yield judge(kind, seed)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(judge, [kind] * len(seeds), seeds, chunksize=10)


def judge(kind: str, seed: int) -> Judged:
    drift = make(kind, seed)
    with tempfile.TemporaryDirectory() as held:
        recorded = driver.record(Path(held), drift)
        verdict = driver.asked(recorded)
    first, last = recorded.steps[drift.answer.first], recorded.steps[drift.answer.last]
    right = is_right(drift, verdict)
    said = f"{'drifted' if verdict.drifted else 'no drift'} at {verdict.step}: {', '.join(verdict.suspects[:FIRST])}"
    in_time = right and (kind == "control" or first <= verdict.step <= last)
    return Judged(kind, drift.answer.shape, drift.family, seed, right, in_time, said)


def is_right(drift: Drift, verdict: Verdict) -> bool:
    """A suspect counts when it is one of the guilty, or a symbol of a guilty file."""
    if not drift.answer.guilty:
        return not verdict.drifted
    files = [node.removeprefix("file:") for node in drift.answer.guilty if node.startswith("file:")]
    named = verdict.suspects[:FIRST]
    return verdict.drifted and any(
        node == f"file:{path}" or node.startswith(f"sym:{path}#") for node in named for path in files
    )


def told(found: Sequence[Judged]) -> Iterator[str]:
    """Where it was right and where not, for people."""
    shapes = dict.fromkeys(sorted(each.shape for each in found))
    parts = [_share(shape, [each for each in found if each.shape == shape]) for shape in shapes]
    yield f"  {found[0].kind}: {', '.join(parts)}; the step too {100 * sum(e.in_time for e in found) // len(found)} %"
    families = dict.fromkeys(sorted(each.family for each in found))
    yield f"    {', '.join(_share(family, [each for each in found if each.family == family]) for family in families)}"
    for each in [each for each in found if not each.right][:8]:
        yield f"    seed {each.seed}, {each.shape}, {each.family}: {each.said}"


def _share(name: str, found: Sequence[Judged]) -> str:
    return f"{name} {sum(each.right for each in found)}/{len(found)}"


def _percent(found: Sequence[Judged]) -> float:
    return 100 * sum(not each.right for each in found) / max(1, len(found))


def _smoke() -> Iterator[Result]:
    """One case of each kind is made and recorded, whether there is anybody to ask or not."""
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as held:
            drift = make(kind, JUDGED)
            recorded = driver.record(Path(held), drift)
            missing = sum(step == 0 for step in recorded.steps)
        yield Result(f"drifts smoke {kind}: observations lost", missing, "", 0)


def main(arguments: Sequence[str]) -> None:
    """`python -m tests.bench.drifts.run KIND FIRST COUNT`: some development cases, and what came of them."""
    kind, first, count = arguments[0], int(arguments[1]), int(arguments[2])
    print("\n".join(told(list(judged(kind, range(first, first + count), os.cpu_count() or 1)))))


if __name__ == "__main__":
    main(sys.argv[1:])
