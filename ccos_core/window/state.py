"""What a window asks of a state: the world as it is now, or as it was at any step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from ccos_core.state.failures import Failures
from ccos_core.state.rules import Rules
from ccos_core.text.syntax.resolution import Target


class State(Protocol):
    """Who is warm, and why."""

    @property
    def rules(self) -> Rules:
        """What weighs how much."""

    @property
    def failures(self) -> Failures:
        """What fails."""

    @property
    def pinned(self) -> Mapping[str, int]:
        """What somebody pinned, and at which step."""

    def find(self, node: str) -> Target | None:
        """The file or symbol a node is, if it is there."""

    def heat_of(self, node: str) -> tuple[int, ...]:
        """A node's heat by cause."""

    def score(self, node: str) -> int:
        """How much a node matters."""

    def tier(self, node: str, anchors: Mapping[str, object]) -> int:
        """Which tier of a window a node is in, when failures are felt at `anchors`."""

    def ranking(self) -> tuple[int, Iterable[tuple[int, int, str]]]:
        """The best score of all that is warm, there, and wasn't sent away; and (tier, score, node) of each of them, in
        the order in which they may be in."""
