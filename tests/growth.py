"""Judge whether work grows with its input and no faster, without a clock.

    with lines_at_most(80 * len(text)):
        outlined(text)

counts the lines of Python that run, each turn of a loop anew, and ends the work when they are used up: the count is
the same on every machine, and quadratic work fails instead of hanging. A regular expression runs no lines; where one
does the work, `assert_linear_cpu` compares the CPU time of two sizes so far apart that quadratic growth is eight times
linear growth.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")

CPU_FACTOR = 8
CPU_ALLOWED = 3
"""Times the growth of the input. Quadratic work has 8, and a busy machine makes linear work up to 2."""
CPU_SPARED_SECONDS = 0.04
"""Less than this is never too much."""
CPU_TRIES = 3


@contextmanager
def lines_at_most(budget: int) -> Iterator[None]:
    """Fail as soon as the body has run more lines than `budget`."""
    left = budget

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                sys.settrace(None)
                raise AssertionError(f"more than {budget:,} lines of Python ran; the last was in {frame.f_code}")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def assert_linear_cpu(make: Callable[[int], T], work: Callable[[T], object], size: int) -> None:
    """Fail if `work` takes more CPU time for a larger input than its growth explains, each time it is measured."""
    small, large = make(size), make(size * CPU_FACTOR)
    work(small)  # what is loaded and compiled once is no growth
    few = many = 0.0
    for _ in range(CPU_TRIES):
        many = _cpu_seconds(work, large)
        if many <= CPU_SPARED_SECONDS:
            return
        few = _cpu_seconds(work, small)
        if many <= few * CPU_FACTOR * CPU_ALLOWED:
            return
    raise AssertionError(f"{few:.3f} s of CPU time, of {CPU_FACTOR} times the size {many:.3f} s")


def _cpu_seconds(work: Callable[[T], object], what: T) -> float:
    begin = time.thread_time()
    work(what)
    return time.thread_time() - begin
