"""What matters in a session and isn't in its host's window any more, as a small window of its own.

Nothing is lost before a host has cut its window; and what was told once is left out, unless it reads otherwise by now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.state.holding import IN, PATCHED
from ccos_core.state.host import Held
from ccos_core.values.canon import digest
from ccos_core.values.tokens import UNIT
from ccos_core.window.layout import Candidate
from ccos_core.window.linearize import Window, linearize
from ccos_core.window.pack import admit, enrich, likeliest
from ccos_core.window.working_set import SHARE, ranked

if TYPE_CHECKING:
    from ccos_core.state.failures import Key, Live
    from ccos_core.window.source import Source
    from ccos_core.window.state import State

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
    state: State,
    sources: Callable[[str], Source],
    held: Held,
    budget: int,
    told: Collection[str],
    *,
    everything: bool = False,
) -> Lost:
    """What a session lost that has `held` something in its host's window. `everything` where that was cut just now, and
    the record may not know yet."""
    since = held.cuts[-1][0] if held.cuts else 0
    candidates = (
        list(_left_out(ranked(state, sources), held, told, everything=everything)) if since or everything else []
    )
    found = admit(candidates, budget * UNIT * SHARE[0] // SHARE[1], set(), SHARE)
    enrich(found.members, budget * UNIT, likeliest)
    names = tuple(name_of(member.candidate) for member in found.members)
    return Lost(linearize("lost", budget, found.members), names, since)


def failing(live: Mapping[Key, Live]) -> tuple[str, ...]:
    """What fails just now, by runner and test; what failed last comes first. A state that was kept has them in another
    order than one that was folded."""
    newest = (live[key].failure for key in sorted(live, key=lambda key: (-live[key].step, key)))
    return tuple(dict.fromkeys(f"{each.runner}: {each.test or each.message}" for each in newest))


def name_of(candidate: Candidate) -> str:
    """What was told of something, in short: its name and its text."""
    source = candidate.source
    first, last = source.span(candidate.symbol)
    text = "\n".join([source.node(candidate.symbol), *source.lines[first - 1 : last]])
    return digest(text.encode("utf-8", "surrogatepass")).hex()[:NAME]


def _left_out(warm: Iterable[Candidate], held: Held, told: Collection[str], *, everything: bool) -> Iterator[Candidate]:
    """What is warm and not in the host's window, in its order."""
    for candidate in warm:
        node = candidate.source.node(candidate.symbol)
        is_there = held.state(node).state in (IN, PATCHED) and not everything
        if not is_there and name_of(candidate) not in told:
            yield candidate
