"""What is seen and how it is judged, wherever a key is pressed and a picture waited for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.bench.harness import Result
from tests.bench.screens.terminal import Terminal

MILLIS = 50.0
"""From a key to what it paints."""


def judged(name: str, seconds: Sequence[float], millis: float = MILLIS) -> Result:
    """By the 95th percentile."""
    return Result(f"{name}, p95", sorted(seconds)[min(len(seconds) * 95 // 100, len(seconds) - 1)] * 1000, "ms", millis)


def at(step: int, steps: int) -> Callable[[str], bool]:
    """The line at the foot says so, and the list's row is there."""
    return lambda screen: f"step {step:,} of {steps:,}" in screen and f" {step} " in screen.replace(",", "")


def stood(screen: str, steps: int) -> str:
    """The step that the line at the foot says."""
    return screen[: screen.rfind(f" of {steps:,}")].rpartition("step ")[2]


class Another:
    """Another step than before the key, by the line at the foot."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.before = ""

    def stand(self, screen: str) -> None:
        """This is what was shown before the key."""
        self.before = stood(screen, self.steps)

    def __call__(self, screen: str) -> bool:
        return stood(screen, self.steps) != self.before


def through(lens: str) -> Callable[[str], bool]:
    """The window is shown through a lens; the name of one is the beginning of another's."""
    return lambda screen: f"─ {lens}," in under_the_window(screen) or f"─ {lens} ─" in under_the_window(screen)


def look_through(terminal: Terminal, lens: str) -> None:
    """Press the key that steps through the lenses until it is this one."""
    while not through(lens)(terminal.screen()):
        terminal.press("L")
        terminal.quiet(0.5, 10)


def under_the_window(screen: str) -> str:
    """What the border below the window says: it is painted with the answer, and so is the gauge above, which may have
    been scrolled out of sight."""
    lines = [line.rstrip() for line in screen.split("\n")]
    return next((line[line.rfind("╰") :] for line in lines if line.endswith("─╯")), "")
