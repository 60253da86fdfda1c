"""What the tools of one language give to the laws that hold for every output: `test_hostile`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ccos_core.intake.failures.paths import Known


@dataclass(frozen=True)
class Texts:
    """Outputs of the tools of one language, and their parts."""

    name: str
    known: Known
    """Files of the workspace."""

    commands: Sequence[str]
    pieces: Sequence[str]
    """Lines that mean something to a reader."""

    floods: Sequence[str]
    """Texts that come again and again."""

    crowds: Sequence[tuple[str, str]]
    """What comes again with a number, and what then comes again with a number."""

    real: Callable[[], Sequence[str]] | None = None
    """Whole outputs; asked late, for some are printed by a program that runs."""

    runs: str = ""
    """The command that a flood is part of."""

    before: str = ""
    between: str = ""
    """What stands before and between the halves of a crowd."""


def lines_of(texts: Iterable[str]) -> list[str]:
    """Every line there is, once."""
    return sorted({line for text in texts for line in text.split("\n")})
