"""What is seen and how it is judged, wherever a key is pressed and a picture waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.bench.harness import Result

MILLIS = 50.0
"""From a key to what it paints."""


def judged(name: str, seconds: Sequence[float], millis: float = MILLIS) -> Result:
    """By the 95th percentile."""
    return Result(f"{name}, p95", sorted(seconds)[min(len(seconds) * 95 // 100, len(seconds) - 1)] * 1000, "ms", millis)


def at(step: int, steps: int) -> Callable[[str], bool]:
    """The line at the foot says so, and the list's row is there."""
    return lambda screen: f"step {step:,} of {steps:,}" in screen and f" {step} " in screen.replace(",", "")


def under_the_window(screen: str) -> str:
    """What the border below the window says: it is painted with the answer, and so is the gauge above, which may have
    been scrolled out of sight."""
    lines = [line.rstrip() for line in screen.split("\n")]
    return next((line[line.rfind("╰") :] for line in lines if line.endswith("─╯")), "")
