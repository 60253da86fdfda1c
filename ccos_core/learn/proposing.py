"""Rules that the observations of many sessions bear out, without a model.

Pure and deterministic: the same observations give the same proposals in the same order, however they come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccos_core.learn.observed import Observation


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule that nobody has adopted yet."""

    cls: str
    """`rule` or `anti-pattern`."""

    words: str
    category: str
    """One of the ten: `testing`, `git`, ..."""

    scope: str
    """Where it holds: `project` or `user`."""

    reason: str
    """What bears it, in a sentence."""

    observations: tuple[Observation, ...]
    """What bears it, the oldest first."""

    sessions: tuple[str, ...]
    """The sessions that show it, in the order in which they first do."""

    established: bool = False
    """Whether the project's own instruction file says it."""
