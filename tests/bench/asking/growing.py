"""What one more op and one more question cost after a short session and after a long one, in the same tree."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median

from ccos_core.query.catalogue import BY_NAME
from ccos_core.session.asking import Desk
from ccos_core.session.journaling import Journaling
from ccos_core.session.session import open_session
from ccos_core.storage.opening import open_record
from tests.bench.asking.questioning import drawn
from tests.bench.asking.session import observations
from tests.bench.asking.telling import BEGUN
from tests.bench.harness import Result, timed

FLAT = 1.5
ASKED = {"missing": 100.0, "why": 30.0, "last": 30.0}
"""Questions, and the milliseconds they may take."""


def op_micros(path: Path, steps: int, files: int, seed: int, more: int) -> float:
    """Median of microseconds an op costs that is told to a folded workspace, until it can be asked about."""
    going_on = islice(observations(steps, files, seed), steps - 1, steps - 1 + more)
    with open_session(str(path), clock=lambda: BEGUN) as session:
        journaling = Journaling(session.recorded)
        took = []
        for observation in going_on:
            session.record([observation])
            took.append(timed(journaling.catch_up))
    return median(took) * 1e6


def op_lines(micros: dict[int, float]) -> Iterator[Result]:
    """Each against the first."""
    first = next(iter(micros.values()))
    for steps, each in micros.items():
        yield Result(f"one more op after {steps:,} steps of work", each, "us", FLAT, first, each / first)


def question_lines(path: Path, steps: int, seed: int, times: int) -> Iterator[Result]:
    """Medians of a few kinds of question, at budgets and steps drawn anew."""
    with open_record(str(path)) as record, Desk(record) as desk:
        rng, nodes = Random(seed), drawn(desk, times + 2)
        budgets = rng.sample(range(300, 20_000), len(nodes) * len(ASKED))
        for name, millis in ASKED.items():
            took = []
            for node in nodes:
                said = {"node": node, "budget": str(budgets.pop())}
                at = rng.randrange(1, desk.timeline.head + 1)
                took.append(timed(lambda name=name, said=said, at=at: desk.ask(BY_NAME[name], said, at)))  # type: ignore[misc]
            yield Result(f"{name} after {steps:,} steps of work", median(took[1:]) * 1_000, "ms", millis)
