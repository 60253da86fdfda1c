"""What the readers of an output are handed, and what they hand back."""

from __future__ import annotations

from dataclasses import dataclass, field

from ccos_core.intake.failures.lines import lines_of
from ccos_core.values.outcome import Failure, Pass

MOST_FRAMES = 100
LONGEST_MESSAGE = 300


@dataclass(slots=True)
class Span:
    """The lines of one run, both included."""

    first: int
    last: int


@dataclass(slots=True)
class Page:
    """An output, and what is known about the command that made it."""

    lines: list[str]
    """Without colours and gutters; `lines.CUT` where something is missing, `lines.CLAIMED` where a reader was."""

    command: str = ""

    ok: bool | None = None
    """Whether the command succeeded; None when nobody says."""


@dataclass(slots=True)
class Findings:
    """What one reader found, each with the line it starts on."""

    failures: list[tuple[int, Failure]] = field(default_factory=list)
    passes: list[tuple[int, Pass]] = field(default_factory=list)
    looked: list[Pass] = field(default_factory=list)
    """What a run that failed took in, and of which it reports all that is wrong."""
    claimed: list[tuple[int, int]] = field(default_factory=list)
    """Lines [from, to) that are this reader's, so that nobody after it reads them again."""

    def add_run(self, run: Span, failures: list[tuple[int, Failure]], passes: list[Pass]) -> None:
        """Add what a run says: its passes stand at its end, and all its lines are claimed."""
        self.failures += failures
        self.passes += [(run.last, each) for each in passes]
        self.claimed.append((run.first, run.last + 1))


def page_of(output: str, command: str = "", ok: bool | None = None) -> Page:
    return Page(lines_of(output), command, ok)


def short(message: str) -> str:
    """One line, not too long."""
    message = message.strip()
    return message if len(message) <= LONGEST_MESSAGE else message[: LONGEST_MESSAGE - 1] + "…"
