"""All finders, each with what it costs, and the order in which their findings are named.

`weight` decides: what an engineer would name first has the greatest. From the greatest down: a cause that a failure
proves; an instruction that was forgotten, never told to a subagent, or replaced; work handed in though its last run
failed; the user reporting three times that it does not work; a likely cause; a fix that was thrown away; circles; an
instruction that was ignored; work that was undone on request; refusals in a row; a failed attempt made again after it
was forgotten; commands failing in turn; the end by an error; refused edits; a single "still"; corrections; files read
again; a red end; a pasted failure; an instruction said again; an interruption at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.query.autopsy.answer import Finding
from ccos_core.query.autopsy.findings import (
    corrected,
    declined,
    drifts,
    endings,
    failing_in_turn,
    instructions,
    refused_edits,
    reported,
    retried,
    thrown_away,
    undone,
)

if TYPE_CHECKING:
    from ccos_core.query.autopsy.case import Work
    from ccos_core.query.autopsy.finding import Found


class Finder(NamedTuple):
    """One kind of finding."""

    find: Callable[[Work], Iterable[Finding]]
    reads: str
    """What it reads besides the journal's columns."""


FINDERS = (
    Finder(instructions.find, "what the user said; the arguments of calls and the texts of changed files"),
    Finder(reported.find, "the texts of the user's prompts; the turn before each report"),
    Finder(corrected.find, "the texts of the user's prompts; the turn after each that follows a change"),
    Finder(declined.find, "the beginnings of failed calls' results"),
    Finder(thrown_away.find, "the commands that changed files"),
    Finder(retried.find, "the arguments of edits, where a context was cut"),
    Finder(undone.find, "the texts of the user's prompts"),
    Finder(refused_edits.find, "the beginnings of failed calls' results"),
    Finder(failing_in_turn.find, "the arguments of failed calls"),
    Finder(endings.find, "the ops of the last calls, back to the last run; the facts of that run"),
)


def findings_of(work: Work, found: Found) -> tuple[Finding, ...]:
    """Everything found, what an engineer would name first comes first."""
    every = [*drifts.find(work, found), *_asked(work)]
    return tuple(sorted(every, key=lambda each: (-each.weight, each.step, each.kind, each.says)))


def _asked(work: Work) -> Iterator[Finding]:
    for finder in FINDERS:
        yield from finder.find(work)
