"""What is found for each text, found once: a vocabulary is small beside the lines it makes up, and these beside the
versions they are in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")


class Remembered(dict[str, Value]):
    """What so many texts come to, at most; begun anew when they are more. Longer ones are not remembered."""

    def __init__(self, find: Callable[[str], Value], most: int, longest: int) -> None:
        super().__init__()
        self._find, self._most, self._longest = find, most, longest

    def __missing__(self, text: str) -> Value:
        found = self._find(text)
        if len(text) <= self._longest:
            if len(self) >= self._most:
                self.clear()
            self[text] = found
        return found
