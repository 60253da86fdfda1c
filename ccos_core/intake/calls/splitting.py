"""Which part of an output came from which of the programs that printed it, one after the other.

Of each program it is known what it may have printed: this text and nothing else, or so many lines at most, or lines of
one look. Every way to cut the output that agrees with all of them is counted; a cut is believed only where all of them
have it in the same place. Linear in the output for each program.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

MOST = 4_000_000
"""Programs times places that are looked at."""
LONGEST = 2_000
"""A line that is longer may go on with anything."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What a program may have printed."""

    literal: str | None = None
    """Exactly this."""
    least: int = 0
    most: int | None = None
    """Lines; None for any number."""
    looks: re.Pattern[str] | None = None
    """What every line of it looks like."""
    optional: bool = False
    """Whether it may not have been run at all."""
    fed: bool = False
    """Whether its last line ends with a line feed, whatever it prints."""


@dataclass(frozen=True, slots=True)
class Cut:
    """What certainly came from one program, from its first line on."""

    text: str
    all: bool
    """Whether that is everything it printed."""


SILENT = Printed(most=0)
ANYTHING = Printed()


def split(output: str, printed: Sequence[Printed], torn: bool = False) -> list[Cut | None]:
    """What each printed; None where not even its beginning is certain. `torn`: the output goes on, unseen."""
    if len(printed) == 1 and printed[0].literal is None:
        return [Cut(output, not torn)]
    places = _Places(output, [part.literal for part in printed if part.literal], torn)
    if len(places.at) * len(printed) > MOST:
        return [None] * len(printed)
    reaches = [_reach(places, part) for part in printed]
    forward = [[number == 0 for number in range(len(places.at))]]
    for part, ends in zip(printed, reaches, strict=True):
        forward.append(_after(places, forward[-1], part, ends))
        if torn and any(_is_torn(places, number, part, ends) for number in _true(forward[-2])):
            forward[-1][-1] = True
    return _cuts(printed, places, forward, reaches, torn)


# -- helpers ----------------------------------------------------------------------------------------------------------


class _Places:
    """Where an output can be cut: at its lines, around what was printed literally, and anywhere in between, which is
    one place more: a file may end without a line feed, and what is printed next goes on with its last line."""

    def __init__(self, output: str, literals: Sequence[str], torn: bool) -> None:
        self.output = output
        starts = set(_starts(output))
        marks = {place for literal in dict.fromkeys(literals) for place in _around(output, literal, torn)}
        if torn:
            marks.update(place for literal in dict.fromkeys(literals) for place in _begun(output, literal))
        sharp = sorted({*starts, len(output), *marks})
        self.at: list[int] = []
        self.vague: list[bool] = []
        """Whether it is somewhere behind that place, before the next."""
        self.begins: list[bool] = []
        """Whether a line begins there, or nothing does."""
        self.feeds: list[int] = []
        """Line feeds before each place."""
        self.lines: list[int] = []
        """Lines that have begun before each place."""
        count = previous = 0
        for place, after in zip(sharp, [*sharp[1:], 0], strict=True):
            count += output.count("\n", previous, place)
            previous = place
            self._put(place, False, count, place in starts, place == len(output))
            if after - place > 1:
                self._put(place, True, count, False, False)
        self.index = {place: number for number, place in enumerate(self.at) if not self.vague[number]}

    def _put(self, place: int, vague: bool, count: int, begins: bool, last: bool) -> None:
        self.at.append(place)
        self.vague.append(vague)
        self.begins.append(begins or last)
        self.feeds.append(count)
        self.lines.append(count + (not begins))


def _starts(output: str) -> list[int]:
    found = [0]
    at = output.find("\n")
    while at >= 0:
        found.append(at + 1)
        at = output.find("\n", at + 1)
    return found


def _around(output: str, literal: str, torn: bool) -> list[int]:
    """Before and behind each place it stands in. Within a line of the same mark (`-----`) nothing begins, for then it
    would begin before; unless it needn't have been printed at all."""
    found: list[int] = []
    at = output.find(literal)
    while at >= 0:
        if torn or at == 0 or output[at - 1] == "\n" or output[at - 1] != literal[0]:
            found += [at, at + len(literal)]
        at = output.find(literal, at + 1)
    return found


def _begun(output: str, literal: str) -> Iterator[int]:
    """Where it begins that goes on beyond the end."""
    for size in range(1, min(len(literal), len(output) + 1)):
        if output.endswith(literal[:size]):
            yield len(output) - size


def _after(places: _Places, before: list[bool], part: Printed, ends: list[int] | None) -> list[bool]:
    """Where a program may have ended that began in one of these places."""
    if part.literal is not None:
        after = [False] * len(before)
        for number in _true(before):
            if (end := _literally(places, number, part.literal)) is not None:
                after[end] = True
    else:
        steps = [0] * (len(before) + 1)
        for number in _true(before):
            first, last = _range(places, number, part, ends)
            if first <= last:
                steps[first] += 1
                steps[last + 1] -= 1
        after = [count > 0 for count in accumulate(steps[:-1])]
        if part.fed:
            begun = before if part.least == 0 else [False] * len(before)
            after = [(one and start) or none for one, start, none in zip(after, places.begins, begun, strict=True)]
    return [one or other for one, other in zip(after, before, strict=True)] if part.optional else after


def _before(places: _Places, after: list[bool], part: Printed, ends: list[int] | None, torn: bool) -> list[bool]:
    """Where a program may have begun that ended in one of these places."""
    if part.literal is not None:
        found = []
        for number in range(len(after)):
            to = _literally(places, number, part.literal)
            found.append((to is not None and after[to]) or (torn and _is_torn(places, number, part, ends)))
    else:
        allowed = [one and (start or not part.fed) for one, start in zip(after, places.begins, strict=True)]
        sums = [0, *accumulate(allowed)]
        found = []
        for number in range(len(after)):
            first, last = _range(places, number, part, ends)
            reached = first <= last and sums[last + 1] > sums[first]
            reached = reached or (part.least == 0 and after[number])
            found.append(reached or (torn and _is_torn(places, number, part, ends)))
    return [one or other for one, other in zip(found, after, strict=True)] if part.optional else found


def _is_torn(places: _Places, number: int, part: Printed, ends: list[int] | None) -> bool:
    """Whether what a program that began here printed may go on beyond the end of what is seen."""
    if part.literal is None:
        return _range(places, number, part, ends, least=0)[1] >= len(places.at) - 1
    seen = places.output[places.at[number] :] if not places.vague[number] else part.literal
    return len(seen) < len(part.literal) and part.literal.startswith(seen)


def _literally(places: _Places, number: int, literal: str) -> int | None:
    at = places.at[number]
    if not literal:
        return number
    if places.vague[number]:
        return None
    return places.index.get(at + len(literal)) if places.output.startswith(literal, at) else None


def _reach(places: _Places, part: Printed) -> list[int] | None:
    """From each place, how far lines look as this program's do."""
    if part.looks is None:
        return None
    found = [len(places.at) - 1] * len(places.at)
    beyond = len(places.at) - 1  # where the next line begins
    for number in range(len(places.at) - 2, -1, -1):
        start, end = places.at[number], _line_end(places, number)
        if places.vague[number]:
            fits = end - start > LONGEST or part.looks.search(places.output, start + 1, end) is not None
        else:
            fits = part.looks.match(places.output, start, end) is not None
        found[number] = found[beyond] if fits else number
        beyond = number if places.begins[number] else beyond
    return found


def _line_end(places: _Places, number: int) -> int:
    end = places.output.find("\n", places.at[number])
    return len(places.output) if end < 0 else end


def _range(
    places: _Places, number: int, part: Printed, ends: list[int] | None, least: int | None = None
) -> tuple[int, int]:
    """(first, last place) it may have ended that began here."""
    wanted = part.least if least is None else least
    base = places.feeds[number]
    first = number if wanted == 0 else max(bisect_left(places.lines, base + wanted), number + 1)
    last = len(places.at) - 1 if part.most is None else max(bisect_right(places.lines, base + part.most) - 1, number)
    return first, last if ends is None else min(last, ends[number])


def _true(marks: list[bool]) -> list[int]:
    return [number for number, mark in enumerate(marks) if mark]


def _cuts(
    printed: Sequence[Printed],
    places: _Places,
    forward: list[list[bool]],
    reaches: Sequence[list[int] | None],
    torn: bool,
) -> list[Cut | None]:
    end = len(places.at) - 1
    backward = [number == end for number in range(end + 1)]
    possible: list[list[int]] = [[]] * (len(printed) + 1)
    for number in range(len(printed), -1, -1):
        possible[number] = _true([one and other for one, other in zip(forward[number], backward, strict=True)])
        if number:
            backward = _before(places, backward, printed[number - 1], reaches[number - 1], torn)
            backward[end] = backward[end] or torn
    found: list[Cut | None] = []
    for number in range(len(printed)):
        starts, stops = possible[number], possible[number + 1]
        if len(starts) != 1 or not stops or places.vague[starts[0]]:
            found.append(None)
            continue
        first, last = places.at[starts[0]], places.at[stops[0]]
        certain = len(stops) == 1 and not places.vague[stops[0]] and not (torn and stops[0] == end)
        found.append(Cut(places.output[first:last], certain))
    return found
