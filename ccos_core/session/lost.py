"""What matters in a session and isn't in its host's window any more, as a small window of its own.

Nothing is lost before a host has cut its window; and what was told once is left out, unless it reads otherwise by now.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ccos_core.session.knowing import Knowing
from ccos_core.state.holding import IN, PATCHED
from ccos_core.state.host import Held
from ccos_core.values.canon import digest
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, enrich, likeliest
from ccos_core.window.working_set import SHARE, ranked

NAME = 16
"""Characters of the hash something is known by that was told."""


@dataclass(frozen=True, slots=True)
class Lost:
    """What there is to tell a session."""

    window: Window
    told: tuple[str, ...]
    """By what each item of it is known that is told now."""
    since: int
    """The step at which its host cut its window last; 0 where no step says so."""


def lost(
    knowing: Knowing, host: str, session: str, budget: int, told: Collection[str], *, everything: bool = False
) -> Lost:
    """What a session lost. `everything` where its host has just cut its window, and the record may not know yet."""
    held = knowing.world.hosts.contexts.get((host, session, ""), Held())
    since = held.cuts[-1][0] if held.cuts else 0
    candidates = list(_left_out(knowing, held, told, everything=everything)) if since or everything else []
    found = admit(candidates, budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, budget * UNIT, likeliest)
    names = tuple(name_of(member.candidate) for member in found.members)
    return Lost(linearize("lost", budget, found.members), names, since)


def failing(knowing: Knowing) -> tuple[str, ...]:
    """What fails just now, by runner and test."""
    live = knowing.world.failures.live.values()
    return tuple(dict.fromkeys(f"{each.failure.runner}: {each.failure.test or each.failure.message}" for each in live))


def name_of(candidate: Candidate) -> str:
    """What was told of something, in short: its name and its text."""
    source = candidate.source
    first, last = source.span(candidate.symbol)
    text = "\n".join([source.node(candidate.symbol), *source.lines[first - 1 : last]])
    return digest(text.encode("utf-8", "surrogatepass")).hex()[:NAME]


def _left_out(knowing: Knowing, held: Held, told: Collection[str], *, everything: bool) -> Iterator[Candidate]:
    """What is warm and not in the host's window, in its order."""
    for candidate in ranked(knowing.world, knowing.source):
        node = candidate.source.node(candidate.symbol)
        is_there = held.state(node).state in (IN, PATCHED) and not everything
        if not is_there and name_of(candidate) not in told:
            yield candidate
