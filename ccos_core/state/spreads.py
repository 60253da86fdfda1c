"""What was spread, for as long as all it rests on stays what it is: a test that fails again spreads as before.

It rests on the ways of the files it came through, and on how much depends on the nodes those lead to. That is hundreds
of files for each, of which few change before it is asked for again: so what changes is noted once, in the order in
which it does, and looked through by who asks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

Starts = tuple[tuple[tuple[str, int], int], ...]
"""Places (a file and one of its symbols), and the strength at each."""
MOST = 256
"""Spreads that are kept: many more than fail at a time, as a rule."""
MOST_OUTDATED = 50_000
"""Files that are noted as others, before all is forgotten."""


@dataclass(slots=True)
class Spread:
    """What was spread from somewhere."""

    strengths: Mapping[str, int]
    paths: Sequence[Sequence[str]]
    """What it rests on, some of it more than once: most are never looked through."""
    looked: int
    """How many of the paths that were outdated it is known not to rest on."""


class Spreads:
    """Strengths by where they start."""

    def __init__(self) -> None:
        self._rules: object = None
        self._known: dict[Starts, Spread] = {}
        self._outdated: list[str] = []
        """Paths where something isn't so any more, in the order in which that came up."""

    def are_by(self, rules: object) -> bool:
        """Whether they were made by these rules; if not, there are none any more."""
        same = rules is self._rules
        if not same:
            self._rules = rules
            self._clear()
        return same

    def find(self, starts: Starts) -> Mapping[str, int] | None:
        """What was spread from there, if that is known."""
        known = self._known.get(starts)
        if known is None or not self._holds(known):
            return None
        return known.strengths

    def keep(self, starts: Starts, strengths: Mapping[str, int], paths: Sequence[Sequence[str]]) -> None:
        """This was spread, and rests on these files."""
        if len(self._known) >= MOST:
            self._known = {each: known for each, known in self._known.items() if self._holds(known)}
        if len(self._known) >= MOST:
            self._clear()
        self._known[starts] = Spread(strengths, paths, len(self._outdated))

    def outdate(self, path: str) -> None:
        """What rests on a file isn't so any more."""
        if self._known:
            self._outdated.append(path)
            if len(self._outdated) > MOST_OUTDATED:
                self._clear()

    def __bool__(self) -> bool:
        return bool(self._known)

    def _holds(self, known: Spread) -> bool:
        since = self._outdated[known.looked :]
        if since and not frozenset(since).isdisjoint(chain.from_iterable(known.paths)):
            return False
        known.looked = len(self._outdated)
        return True

    def _clear(self) -> None:
        self._known.clear()
        self._outdated.clear()
