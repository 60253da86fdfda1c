"""Which streams of a host's conversation are meant: by its session, by the context in it, or all of them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import NotFound, Usage
from ccos_core.values.canon import parse

if TYPE_CHECKING:
    from ccos_core.replay.journal import Journal
    from ccos_core.replay.timeline import Timeline

MAIN = "main"
"""What the context of a session is called that the host gives no name."""


@dataclass(frozen=True, slots=True)
class Context:
    """One stream with a window of its own."""

    host: str
    session: str
    context: str
    """A subagent's name; empty for the main thread."""


def contexts_of(timeline: Timeline) -> dict[int, Context]:
    """Its number in the journal → each context there is, in the order in which they came up."""
    found: dict[int, Context] = timeline.journal.once("contexts", lambda: _all(timeline.journal))
    return found


def meant(timeline: Timeline, session: str | None, context: str | None) -> list[int]:
    """The numbers of those that are meant; a session may be said by its start."""
    every = contexts_of(timeline)
    found = dict(every)
    if session is not None:
        whole = {number: each for number, each in found.items() if each.session == session}
        found = whole or {number: each for number, each in found.items() if each.session.startswith(session)}
        sessions = list(dict.fromkeys(each.session for each in found.values()))
        if len(sessions) > 1:
            raise Usage("is the start of several sessions", place=session, hint="One of: " + "  ".join(sessions[:8]))
        if not found:
            raise _unknown("session", session, [each.session for each in every.values()])
    if context is not None:
        found = {number: each for number, each in found.items() if (each.context or MAIN) == (context or MAIN)}
        if not found:
            raise _unknown("context", context, [each.context or MAIN for each in every.values()])
    return list(found)


def last_speaker(timeline: Timeline, at: int) -> Context | None:
    """Return the context that spoke last up to a step, among those whose session has a name; None if there is none."""
    named = {number: each for number, each in contexts_of(timeline).items() if each.session}
    rows = np.flatnonzero(np.isin(timeline.journal.steps["context"][:at], list(named)))
    return named[int(timeline.journal.steps["context"][rows[-1]])] if len(rows) else None


def _all(journal: Journal) -> dict[int, Context]:
    numbers = sorted(np.unique(journal.steps["context"]).tolist())
    return {number: Context(*parse(journal.name(number).encode("utf-8", "surrogatepass"))) for number in numbers}


def _unknown(what: str, said: str, known: list[str]) -> NotFound:
    known = [each for each in dict.fromkeys(known) if each]
    near = get_close_matches(said, known, 1) or known
    hint = f"Did you mean {near[0]}?" if len(near) == 1 else f"There are: {'  '.join(near[:8])}" if near else ""
    return NotFound(f"there is no such {what}", place=said, hint=hint)
