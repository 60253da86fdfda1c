"""Doctests, run by `python -m doctest` or by a suite of unittest: an example, what it should give, what it gave."""

from __future__ import annotations

import re

from ccos_core.intake.failures import python
from ccos_core.intake.failures.lines import CLAIMED, CUT
from ccos_core.intake.failures.page import Findings, Page, short
from ccos_core.values.outcome import Failure, Frame

DOCTEST = "doctest"
SIGNS = ("Failed example:",)

_RULE = re.compile(r"\s*(?:\*{60,}|-{60,}|={60,})$")
_EXAMPLE = "Failed example:"
EXPECTED = "Expected:"
_LONGEST = 400
"""Lines of one failed example that are looked at."""


def read(page: Page) -> Findings:
    found = Findings()
    begun = starts(page.lines)
    for at, following in zip(begun, [*begun[1:], len(page.lines)], strict=False):
        end = min(end_of(page.lines, at), following)
        frame = python.FRAME.match(page.lines[at])
        frames, message = told(page.lines, at, end)
        found.failures.append((at, Failure(DOCTEST, (frame[4] or "") if frame is not None else "", frames, message)))
        found.claimed.append((at, end))
    return found


def starts(lines: list[str], start: int = 0, end: int | None = None) -> list[int]:
    """The lines that name a failed example's place."""
    stop = len(lines) if end is None else end
    return [
        at - 1
        for at in range(start + 1, stop)
        if lines[at].strip() == _EXAMPLE and python.FRAME.match(lines[at - 1]) is not None
    ]


def end_of(lines: list[str], start: int) -> int:
    """Where the next thing begins."""
    for at in range(start + 1, min(len(lines), start + _LONGEST)):
        if _RULE.match(lines[at]) or lines[at] in (CLAIMED, CUT):
            return at
    return min(len(lines), start + _LONGEST)


def told(lines: list[str], start: int, end: int) -> tuple[tuple[Frame, ...], str]:
    """(frames, message): what was raised inside, then the example itself; a mismatch is in the example alone."""
    place = python.FRAME.match(lines[start])
    site = (Frame(place[2], int(place[3])),) if place is not None else ()
    raised = python.traces(lines, start + 2, end)
    if raised:
        return raised[0].frames + site, raised[0].message
    return site, short(mismatch([line.strip() for line in lines[start + 2 : end] if line.strip()]))


def mismatch(said: list[str]) -> str:
    """What an example should give and what it gave, in one line."""
    return " ".join(said[said.index(EXPECTED) :] if EXPECTED in said else said)
