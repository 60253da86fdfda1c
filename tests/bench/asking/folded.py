"""The first fold of a long session, in a process of its own: how long, how much memory, and what came of it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ccos_core.replay.journal import Journal
from ccos_core.session.journaling import timeline_of
from ccos_core.storage.cache import cache_path
from ccos_core.storage.opening import open_record
from tests.bench.harness import Result, as_installed, timed

ROOT = Path(__file__).resolve().parents[3]
OP_MICROS, MEGABYTES, CHANGE_BYTES, PROCESS_SECONDS = 200.0, 600.0, 40.0, 1.0
NODES, CHANGED = 50_000, 25.0
"""What a session must come to, to be one that is meant: nodes, and changed ones of each op that is work."""
FOLD = """
import json, resource, sys, time

begun = time.perf_counter()
from ccos_core.session.journaling import timeline_of
from ccos_core.storage.opening import open_record

with open_record(sys.argv[1]) as record:
    steps = timeline_of(record).head
seconds = time.perf_counter() - begun, time.process_time()
peak = [resource.getrusage(who).ru_maxrss / 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps([steps, *seconds, max(peak)]))
"""
"""By the clock on the wall, every processor allowed, from before anything is imported; and by that of the process that
folds, without those who get facts ready for it."""


@dataclass(frozen=True, slots=True)
class Size:
    """What a session came to."""

    nodes: int
    changes: int
    changed: float
    """Nodes that an op which is work changes, on an average."""


def lines(path: Path, smoke: bool) -> Iterator[Result]:
    """Fold a workspace that nobody has folded yet."""
    command = [sys.executable, "-c", FOLD, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=as_installed())
    steps, seconds, alone, megabytes = json.loads(done.stdout)
    with open_record(str(path)) as record:
        size = size_of(timeline_of(record).journal)
    if not smoke and (size.nodes < NODES or size.changed < CHANGED):
        raise ValueError(f"the session is poorer than it has to be: {size}")
    yield Result(f"first fold of {steps:,} steps, an op", seconds / steps * 1e6, "us", OP_MICROS)
    yield Result("... of which the process that folds is busy", alone / steps * 1e6, "us", OP_MICROS)
    yield Result("... its memory at the most", megabytes, "MB", MEGABYTES)
    with sqlite3.connect(cache_path(str(path))) as connection:
        stored = connection.execute("SELECT sum(length(body)) FROM piece").fetchone()[0]
    yield Result(f"... a change on disk, of {size.changes:,}", stored / size.changes, "bytes", CHANGE_BYTES)


def as_a_process(path: Path, node: str, runs: int) -> Result:
    """Opening a folded workspace and answering one question; the run that was disturbed least."""
    command = [sys.executable, "-m", "ccos_tui", "missing", str(path), node]

    def run() -> None:
        done = subprocess.run(command, cwd=ROOT, env=as_installed(), capture_output=True, text=True)
        if done.returncode > 1:  # 1 says that there is nothing of the kind
            raise RuntimeError(f"{' '.join(command)} exited with {done.returncode}: {done.stderr[-2000:]}")

    return Result("a question as a process of its own", min(timed(run) for _ in range(runs)), "s", PROCESS_SECONDS)


def size_of(journal: Journal) -> Size:
    """What the session of a journal came to."""
    there = dict(zip(journal.there["node"].tolist(), journal.there["there"].tolist(), strict=True))
    work = np.diff(journal.steps["clock"], prepend=0) > 0
    changes = np.stack([journal.stamps, journal.changes["node"]])[:, work[journal.stamps - 1]]
    changed = np.unique(changes, axis=1).shape[1]
    return Size(sum(there.values()), len(journal.changes), changed / int(work.sum()))
