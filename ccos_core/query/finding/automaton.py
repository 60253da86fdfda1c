"""Walking a text with a pattern: every character once, so no pattern and no text can make it take long.

The pattern becomes places with ways between them; where one may stand after a character is a set of places, and such
sets are worked out when a text first leads there and remembered while there are few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ccos_core.query.finding.pattern import ASSERTIONS, BEGIN, END, Chars, Edge, Either, Pattern, Row, Times

MOST = 50_000
"""Steps from a set to another that are remembered."""
OFTEN = 2_000
"""Steps worked out between two words about it."""
FIRST, LINE, WORD, OTHER, LAST = range(5)
"""What is on one side of a place: nothing before it, the end of a line, part of a word, anything else, nothing behind
it."""

Place = Chars | str | tuple[int, ...] | None
"""A character to go on by, an edge to be at, ways that are free, or the end of the pattern."""


class Automaton:
    """One pattern that can be looked for in many texts."""

    def __init__(self, found: Pattern, heard: Callable[[], None] = lambda: None) -> None:
        self._places: list[Place] = [None]
        self._next: list[int] = [0]
        self._begin = self._build(found, 0)
        self._heard = heard
        self._sets: dict[tuple[tuple[int, ...], int], _Set] = {}
        self._known = 0
        self._worked = 0

    def fits(self, text: str) -> bool:
        """Whether it fits anywhere in a text."""
        here: dict[str, _Set] = self._set((), FIRST)
        try:
            for char in text:
                here = here[char]
            here[""]
        except _Found:
            return True
        return False

    def step(self, places: tuple[int, ...], before: int, char: str) -> _Set:
        """Where one is after a character; raises where the pattern ended before it."""
        self._worked += 1
        self._known += 1
        if self._worked % OFTEN == 0:
            self._heard()
        reached = self._reached((*places, self._begin), before, _side(char))
        if 0 in reached:
            raise _Found
        further = dict.fromkeys(self._next[at] for at in reached if self._goes_on(at, char))
        if self._known > MOST:
            self._forget()
        return self._set(tuple(sorted(further)), _side(char))

    # -- helpers --------------------------------------------------------------------------------------------------

    def _set(self, places: tuple[int, ...], before: int) -> _Set:
        found = self._sets.get((places, before))
        if found is None:
            found = self._sets[places, before] = _Set(self, places, before)
        return found

    def _forget(self) -> None:
        for each in self._sets.values():
            each.clear()
        self._sets.clear()
        self._known = 0

    def _goes_on(self, at: int, char: str) -> bool:
        place = self._places[at]
        return isinstance(place, Chars) and bool(char) and place.fits(char)

    def _reached(self, places: Sequence[int], before: int, behind: int) -> dict[int, None]:
        """All places one can be at without a further character."""
        found: dict[int, None] = {}
        waiting = list(places)
        while waiting:
            at = waiting.pop()
            if at in found:
                continue
            found[at] = None
            place = self._places[at]
            if isinstance(place, tuple):
                waiting += place
            elif isinstance(place, str) and _is_at(place, before, behind):
                waiting.append(self._next[at])
        return found

    def _build(self, found: Pattern, then: int) -> int:
        """Add the places of a pattern that goes on at `then`; gives where it begins."""
        match found:
            case Chars():
                return self._add(found, then)
            case Edge(what):
                return self._add(what, then)
            case Row(parts):
                for part in reversed(parts):
                    then = self._build(part, then)
                return then
            case Either(parts):
                return self._add(tuple([self._build(part, then) for part in parts]), then)
            case Times(part, least, most):
                return self._build_times(part, least, most, then)

    def _build_times(self, part: Pattern, least: int, most: int | None, then: int) -> int:
        if most is None:
            loop = self._add((), then)
            self._places[loop] = (self._build(part, loop), then)
            then = loop
        else:
            end = then
            for _ in range(most - least):
                then = self._add((self._build(part, then), end), end)
        for _ in range(least):
            then = self._build(part, then)
        return then

    def _add(self, place: Place, then: int) -> int:
        self._places.append(place)
        self._next.append(then)
        return len(self._places) - 1


class _Found(Exception):
    """The pattern ended."""


class _Set(dict[str, "_Set"]):
    """Some places one may be at, and for each character seen there where one is after it."""

    def __init__(self, of: Automaton, places: tuple[int, ...], before: int) -> None:
        super().__init__()
        self._of = of
        self._places = places
        self._before = before

    def __missing__(self, char: str) -> _Set:
        found = self._of.step(self._places, self._before, char)
        self[char] = found
        return found


def _side(char: str) -> int:
    if not char:
        return LAST
    if char == "\n":
        return LINE
    return WORD if char.isalnum() or char == "_" else OTHER


def _is_at(edge: str, before: int, behind: int) -> bool:
    if edge == BEGIN:
        return before == FIRST
    if edge == END:
        return behind == LAST
    if edge == ASSERTIONS["^"]:
        return before in (FIRST, LINE)
    if edge == ASSERTIONS["$"]:
        return behind in (LAST, LINE)
    return ((before == WORD) != (behind == WORD)) == (edge == ASSERTIONS["b"])
