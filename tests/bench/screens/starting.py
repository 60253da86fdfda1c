"""From the start of the program to its first frame, beside an app that shows a word; and what both hold."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from tests.bench.harness import Result
from tests.bench.screens.empty import SAYS
from tests.bench.screens.terminal import Seen, Terminal, program

ROOT = str(Path(__file__).resolve().parents[3])
SECONDS, TIMES = 0.8, 2.5
RUNS = 7
EMPTY = [sys.executable, "-P", str(Path(__file__).with_name("empty.py"))]


def first_frame(steps: int) -> Seen:
    """The list of steps, and where the reader stands."""
    return lambda screen: f"step {steps:,} of {steps:,}" in screen and "Steps" in screen


def lines(terminal: Terminal, path: Path, steps: int, smoke: bool) -> Iterator[Result]:
    """Alternately, after one run of each that isn't counted."""
    pairs: list[tuple[float, float]] = []
    for _ in range(2 if smoke else RUNS + 1):
        empty = started(terminal, EMPTY, lambda screen: SAYS in screen)
        pairs.append((started(terminal, program(path), first_frame(steps)), empty))
    del pairs[0]
    ours, empty = (median(pair[at] for pair in pairs) for at in (0, 1))
    ratio = median(one / other for one, other in pairs)
    yield Result(f"first frame of {steps:,} steps", ours * 1000, "ms", SECONDS * 1000)
    yield Result("first frame, to that of an empty app", ours * 1000, "ms", TIMES, empty * 1000, ratio)


def started(terminal: Terminal, command: list[str], seen: Seen) -> float:
    """Seconds until a program that is begun shows something."""
    began = terminal.run(command, ROOT)
    return terminal.until(seen, began) - began


def held_by_an_empty_app(terminal: Terminal) -> int:
    """Kilobytes."""
    started(terminal, EMPTY, lambda screen: SAYS in screen)
    return terminal.kilobytes()
