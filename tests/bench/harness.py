"""How a benchmark measures and what it reports.

Machines are noisy, and noise comes in waves: so the two sides of a comparison run alternately, A B A B, and the verdict
is on the median of the ratios of neighbours, not on the ratio of two medians taken minutes apart. A limit is on the
ratio where there is a baseline, and on the value where there is none.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import NamedTuple


@dataclass(frozen=True)
class Result:
    """One printed line."""

    name: str
    value: float
    unit: str
    limit: float
    # on `ratio` if there is one, else on `value`, in its unit
    baseline: float | None = None
    ratio: float | None = None

    @property
    def passed(self) -> bool:
        return (self.value if self.ratio is None else self.ratio) <= self.limit

    def line(self, verdict: str = "") -> str:
        baseline = "" if self.baseline is None else f"{self.baseline:.4g} {self.unit}"
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}x"
        limit = f"{self.limit:g} {self.unit}" if self.ratio is None else f"{self.limit:g}x"
        verdict = verdict or ("PASS" if self.passed else "FAIL")
        return (
            f"{self.name:<44} {self.value:>9.4g} {self.unit:<5} {baseline:>12} {ratio:>8}   limit {limit:<8} {verdict}"
        )


class Paired(NamedTuple):
    value: float
    """Median seconds of the first."""
    baseline: float
    """Median seconds of the second."""
    ratio: float
    """Median of the ratios of neighbouring runs."""

    def result(self, name: str, limit: float) -> Result:
        return Result(name, self.value * 1000, "ms", limit, self.baseline * 1000, self.ratio)


def as_installed() -> dict[str, str]:
    """An environment as on a user's machine, where what was compiled once is kept."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def paired(a: Callable[[], object], b: Callable[[], object], runs: int) -> Paired:
    """Run both alternately after a warm-up of each. Which of them goes first in a pair alternates too."""
    a(), b()
    pairs = []
    for turn in range(runs):
        if turn % 2:
            second, first = timed(b), timed(a)
        else:
            first, second = timed(a), timed(b)
        pairs.append((first, second))
    return Paired(
        value=median(first for first, _ in pairs),
        baseline=median(second for _, second in pairs),
        ratio=median(first / second for first, second in pairs),
    )


def timed(run: Callable[[], object]) -> float:
    started = perf_counter()
    run()
    return perf_counter() - started
