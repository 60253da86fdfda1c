"""What was spread, for as long as all it rests on stays what it is: a test that fails again spreads as before.

It rests on the ways of the files it came through, and on how much depends on the nodes those lead to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Starts = tuple[tuple[tuple[str, int], int], ...]
"""Places (a file and one of its symbols), and the strength at each."""
MOST = 256
"""Spreads that are kept: many more than fail at a time, as a rule."""


class Spreads:
    """Strengths by where they start."""

    def __init__(self) -> None:
        self._rules: object = None
        self._known: dict[Starts, tuple[Mapping[str, int], tuple[str, ...]]] = {}
        """What was spread, and the paths it rests on."""
        self._resting: dict[str, dict[Starts, None]] = {}
        """Path → the known ones that rest on what is there."""

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
        return known[0] if known is not None else None

    def keep(self, starts: Starts, strengths: Mapping[str, int], paths: Iterable[str]) -> None:
        """This was spread, and rests on these files."""
        if len(self._known) >= MOST:
            self._clear()
        paths = tuple(paths)
        self._known[starts] = strengths, paths
        for path in paths:
            self._resting.setdefault(path, {})[starts] = None

    def outdate(self, path: str) -> None:
        """What rests on a file isn't so any more."""
        for starts in tuple(self._resting.get(path, ())):
            for each in self._known.pop(starts)[1]:
                del self._resting[each][starts]

    def __bool__(self) -> bool:
        return bool(self._known)

    def _clear(self) -> None:
        self._known.clear()
        self._resting.clear()
