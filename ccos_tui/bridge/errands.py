"""Questions that are asked once, each with what is to be done with its answer.

A pane asks the same again wherever the cursor goes, and wants the newest answer alone. What is kept or exported is
wanted once, and in full: two letters put at two steps, one right behind the other, are two questions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ccos_tui.bridge.ask import Ask
from ccos_tui.messages import Answered, Refused

PREFIX = "errand:"
Then = Callable[[Answered], object]
Otherwise = Callable[[Refused], object]


class Asked(Protocol):
    """Who answers."""

    def ask(self, slot: str, question: Ask) -> None:
        """Ask it."""


class Errands:
    """Those that are under way."""

    def __init__(self) -> None:
        self._under_way: dict[str, tuple[Then, Otherwise]] = {}
        self._number = 0

    def send(self, engine: Asked, question: Ask, then: Then, otherwise: Otherwise) -> None:
        """Ask, and do something with what comes of it."""
        self._number += 1
        slot = f"{PREFIX}{self._number}"
        self._under_way[slot] = (then, otherwise)
        engine.ask(slot, question)

    def answered(self, message: Answered) -> bool:
        """Whether it was the answer to one of them."""
        then, _ = self._under_way.pop(message.slot, (None, None))
        if then is not None:
            then(message)
        return message.slot.startswith(PREFIX)

    def refused(self, message: Refused) -> bool:
        """The same of what can't be answered."""
        _, otherwise = self._under_way.pop(message.slot, (None, None))
        if otherwise is not None:
            otherwise(message)
        return message.slot.startswith(PREFIX)
