"""What the ops of a record say in all, up to a step: counted by whoever has it at hand, for whoever counts the rest.

The one who knows what happened at each step doesn't know what lies in the store, nor the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Tally:
    """What is known of the first steps; without a word, of none."""

    upto: int = 0
    """The last step that is counted."""

    kinds: Mapping[str, int] = field(default_factory=dict)
    """Kind of op → how many of it there are."""

    sessions: frozenset[tuple[str, str]] = frozenset()
    """Host and session."""

    files: frozenset[str] = frozenset()
    """The nodes of all files that ops are about."""

    first_at: int | None = None
    last_at: int | None = None
    """Between which times, where any op says one."""

    heavy: Callable[[int], Iterable[int]] = lambda size: ()
    """The steps whose texts have so many bytes together, in order."""
