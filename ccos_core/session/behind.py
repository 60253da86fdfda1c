"""Processes that work behind somebody's back: nobody waits for them, and they say nothing. Imports next to nothing."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def begun(words: Sequence[str], *, alone: bool = False) -> int | None:
    """A process of these words, by its number; None where none can be had. `alone` it outlives whoever began it, and
    hears nothing of the signals of their terminal."""
    if not hasattr(os, "posix_spawn"):
        return None
    silent = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    try:
        return os.posix_spawn(words[0], list(words), os.environ, file_actions=silent, setsid=alone)
    except (OSError, NotImplementedError):
        return None
