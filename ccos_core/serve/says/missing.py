"""The words of `missing`: since when, the strip, and each time it left and came back, with why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.present.words import count
from ccos_core.query.leaving import Entrance, Eviction
from ccos_core.query.missing import LIMIT
from ccos_core.serve.says import parts
from ccos_core.serve.terminal import coloured

if TYPE_CHECKING:
    from ccos_core.query.missing import Missing

LEFT = {
    "crowded out": "crowded out",
    "cooled": "cooled below the stop rule",
    "fell": "fell, for heat was taken from it",
    "grew": "grew",
    "squeezed": "squeezed out, for those above it take more",
    "reweighed": "reweighed",
    "sent away": "sent away",
    "gone": "gone",
    "left": "left",
}
"""What happened to a node that left → how that is said."""
CAME = {
    "rose": "rose",
    "back": "back",
    "made room": "others made room",
    "warm again": "above the stop rule again",
    "reweighed": "reweighed",
    "came": "came",
}
ON_A_SCREEN = 4
"""Evictions that are told where nobody said how many."""
LONGEST = 60
"""Characters of an op, and of a node in a list."""


def says(answer: Missing, columns: int | None) -> Iterator[str]:
    """The strip, and what happened one by one."""
    yield f"{parts.node(answer.node)}  {window(answer.lens, answer.budget)}"
    yield from (f"  {line}" for line in _before(answer))
    yield f"  {parts.strip(answer.runs, columns)}"
    yield coloured(f"  {parts.legend(answer.runs)}", "quiet")
    yield f"  {_now(answer)}; {_often(answer)}"
    if answer.looked is not None:
        yield coloured(f"  {parts.looked(answer.looked)}", "quiet")
    told = len(_told(answer))
    if told < answer.evicted:
        yield coloured(f"  the last {told:,} of {answer.evicted:,} evictions; --limit 0 tells all:", "quiet")
    for event in _events(answer):
        yield from left(event) if isinstance(event, Eviction) else came(event)


def plain(answer: Missing) -> Iterator[str]:
    yield f"{parts.node(answer.node)}, in the window of {window(answer.lens, answer.budget)}."
    yield from parts.sentences(_before(answer))
    yield f"{_now(answer).capitalize()}; {_often(answer)}."
    yield from parts.sentences(filter(None, [parts.looked(answer.looked)]))
    for run in answer.runs:
        yield f"{parts.span(run.first, run.last).capitalize()}: {parts.STATES[run.state][1]}."
    for event in _events(answer):
        yield from aloud(event)


def window(lens: str, budget: int) -> str:
    """Which windows are meant."""
    return f"{parts.node(lens, LONGEST)}, budget {budget:,}"


def left(each: Eviction) -> Iterator[str]:
    """How a node left: by which op, and why."""
    sign, out = parts.STATES[each.state]
    yield f"{coloured(sign, 'bad')} {out} at {parts.step_words(each.op, LONGEST)}{parts.since_look(each.after)}"
    yield from (f"    {line}" for line in why_left(each))


def why_left(each: Eviction) -> Iterator[str]:
    """Why, and who took the place."""
    said = [f"{parts.node(each.node, LONGEST)} {LEFT[each.what]}"]
    if each.what == "fell" and each.rank is None:
        said.append("it is below the stop rule")
    if each.rank is not None and each.entry is not None and each.short is not None:
        said.append(f"rank {each.rank:,}, {count(each.short, 'token')} short of the {each.entry:,} it needs")
    if each.kept is not None and each.kept_tokens is not None:
        said.append(f"the window kept {count(each.kept, 'node')}, {count(each.kept_tokens, 'token')} as they came in")
    yield "; ".join(said)
    if each.takers:
        takers = ", ".join(f"{parts.node(taker.node, LONGEST)} ({taker.tokens:,})" for taker in each.takers)
        yield f"above it now: {takers}{f' and {each.more_takers:,} more' if each.more_takers else ''}"


def came(each: Entrance) -> Iterator[str]:
    """How a node came in."""
    sign, part = parts.STATES[each.state]
    yield f"{coloured(sign, 'good')} {part} at {parts.step_words(each.op, LONGEST)}{parts.since_look(each.after)}"
    yield f"    {why_came(each)}"


def why_came(each: Entrance) -> str:
    """Why it did."""
    stands = f" to rank {each.rank:,}" if each.what == "rose" and each.rank else ""
    needs = f"; in from a budget of {each.entry:,} on" if each.entry is not None else ""
    return f"{parts.node(each.node, LONGEST)} {CAME[each.what]}{stands}{needs}"


def aloud(each: Eviction | Entrance) -> Iterator[str]:
    """The same in sentences."""
    when = f"{parts.step_words(each.op, LONGEST)}{parts.since_look(each.after)}"
    yield f"{parts.STATES[each.state][1].capitalize()} at {when}."
    lines = why_left(each) if isinstance(each, Eviction) else [why_came(each)]
    yield from (f"{line}." for line in parts.aloud(lines))


def _before(answer: Missing) -> Iterator[str]:
    if answer.born is None:
        yield "never in the graph"
    else:
        yield f"in the graph since {parts.step_words(answer.born, LONGEST)}"
    if len(answer.names) > 1:
        was = [f"{parts.node(each.node)} until step {each.last:,}" for each in answer.names[:-1]]
        yield f"called {', then '.join(was)}, then {parts.node(answer.names[-1].node)}"


def _now(answer: Missing) -> str:
    return f"step {answer.at:,}: {parts.STATES[answer.state][1]}, since step {answer.since:,}"


def _often(answer: Missing) -> str:
    seen = " as far as was looked" if parts.skipped(answer.looked) else ""
    if not answer.entered:
        return f"it never was in the window{seen}"
    if not answer.evicted:
        return f"it never left the window{seen}"
    return f"it came in {times(answer.entered)} and left {times(answer.evicted)}"


def times(number: int) -> str:
    """`once`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _events(answer: Missing) -> list[Eviction | Entrance]:
    """What is told in full, in order, from where both kinds of it are."""
    evictions = _told(answer)
    first = evictions[0].step if len(evictions) < answer.evicted else 0
    every: list[Eviction | Entrance] = [*evictions, *(each for each in answer.entrances if each.step >= first)]
    return sorted(every, key=lambda each: each.step)


def _told(answer: Missing) -> Sequence[Eviction]:
    return answer.evictions[-ON_A_SCREEN:] if answer.limit == LIMIT else answer.evictions
