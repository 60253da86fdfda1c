"""`why NODE --lens host`: what a context was shown of a node, by which ops and which lines, and what is left of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.hosted.happening import Counted, Happening, Witness, standing_in
from ccos_core.query.hosted.loss import Loss, loss_of
from ccos_core.query.hosted.whose import Whose, chosen, watched_there
from ccos_core.query.question import DELIVERED
from ccos_core.query.spoken import Spoken
from ccos_core.query.telling import Told
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.replay.renames import Name, all_renames, respelled
from ccos_core.replay.residency.hosted import Hosted, handed
from ccos_core.replay.residency.runs import STATES, UNCERTAIN, WITHIN, turns
from ccos_core.state.holding import ABSENT, PATCHED
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.query.carriers import Carrying
    from ccos_core.replay.residency.lens import Watched
    from ccos_core.replay.timeline import Timeline

FEW = 6
"""Deliveries that are told, the last ones."""
HOWS = [HOW_CODES[how] for how in ("read", "edit", "write")]
"""How a context is shown a file."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a file, both ends in."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Delivery:
    """Something of the node's file was shown to this context."""

    op: Told
    lines: Lines | None
    """Which lines, as they were counted then, where it was only some; of an edit those it says it changed."""

    level: str
    """Of a window of ours, how it showed the node or its file; else nothing."""

    fate: str
    """`there`, `dropped` by the host since, or `uncertain`, where the recorded context fell since. What is there may
    be stale all the same."""

    item: str = ""
    """Of words: the item that carries them; `delivery:N` of what we told."""

    whole: bool = True
    """Of words: whether it has them word for word."""

    gone: int = 0
    """Of words: the step at which it was dropped; 0 if it is there."""


@dataclass(frozen=True, slots=True)
class AgentWhy:
    """Why a node is in the agent's window, or not."""

    whose: Whose
    state: str
    """`unborn`, `in`, `partial`, `stale`, `uncertain`, `out`, `gone`."""

    patched: bool
    """Whether an edit is what showed it, or part of it."""

    tokens: int
    """What is held of it."""

    lines: Lines | None
    """Where it stands in its file then, if it does."""

    by: Told | None
    """The last delivery that counts."""

    deliveries: tuple[Delivery, ...]
    """What was shown of its file to this context, the last ones in order, ..."""

    more: int
    """... and how many there were before."""

    happening: Happening | None
    """How it became what it is: the last change of its state; nothing where nothing was ever shown of it."""

    counted: Counted | None
    """How full the context was then, as the host said."""

    loss: Loss | None = None
    """What would be lost with it, where anything of it is held."""


def agent_why(
    timeline: Timeline, at: int, *, node: str, lens: str, session: str | None, context: str | None
) -> tuple[str, AgentWhy]:
    """Return what the node is called at the step, and why it is in the agent's window, or not."""
    number, whose = chosen(timeline, at, lens, session, context)
    seen = watched_there(timeline, node, at, number, lens)
    states = seen.residency.states(0, 0, timeline.head)
    standing = standing_in(seen).standing(at)
    every = turns(states).tolist()
    place = bisect_right(every, at) - 1
    witness = Witness(timeline, number)
    words = seen.residency if isinstance(seen.residency, Spoken) else None
    shown = _shown(timeline, seen, number, at) if words is None else {}
    carrying = [each for each in words.carrying if each.step <= at] if words is not None else []
    delivered = _deliveries(timeline, witness, seen, dict(list(shown.items())[-FEW:]), at)
    told = None
    if place >= 0:
        step = every[place]
        told = witness.told(seen, step, int(states[step - 1]), int(states[step]))
    return seen.name(at), AgentWhy(
        whose=whose,
        state=STATES[int(states[at])],
        patched=standing.state == PATCHED,
        tokens=standing.tokens,
        lines=_lines(timeline, seen.name(at), at),
        by=witness.telling.at(standing.step) if standing.step else None,
        deliveries=tuple(delivered if words is None else _carriers(witness, words, carrying[-FEW:], at)),
        more=max(len(shown) + len(carrying) - FEW, 0),
        happening=told,
        counted=witness.counted(at),
        loss=loss_of(timeline, number, seen.name(at), at) if lens != DELIVERED and words is None else None,
    )


def _shown(timeline: Timeline, seen: Watched, context: int, at: int) -> dict[int, str]:
    """The steps up to one, in order, at which its file was shown to a context, in whole or in part → what the node was
    called; where only windows of ours are asked about, those."""
    found: dict[int, str] = {}
    for node, first, last in _names(timeline, seen, context, at):
        path = path_of(node)
        if path is not None:
            windows = [each for each in handed(timeline, context) if first <= each.step <= last]
            steps = [each.step for each in windows if any(path_of(item) == path for item, _, _ in each.items)]
            if seen.lens != DELIVERED:
                steps += _seen(timeline, context, path, max(first, 1), last)
            found.update(dict.fromkeys(steps, node))
    return dict(sorted(found.items()))


def _names(timeline: Timeline, seen: Watched, context: int, at: int) -> Iterator[Name]:
    """By which names, and when, something was shown of the node up to a step. What a host's context was shown of a file
    whose place it took is held as if it were of this one, where the context held nothing of the file that came."""
    node = seen.name(at)
    path = path_of(node)
    if seen.lens == DELIVERED or path is None:
        yield from (name._replace(last=min(name.last, at)) for name in seen.names)
        return
    done = [each for each in all_renames(timeline) if each.moment <= at]
    waiting = [(path, len(done), at)]
    while waiting:
        called, behind, last = waiting.pop()
        first = 0
        for place in reversed(range(behind)):
            _, was, to, moment = done[place]
            if called not in (was, to):
                continue
            if to == called:
                waiting.append((was, place, moment - 1))
            if to != called or _holds(timeline, context, was, moment - 1):
                first = moment
                break
        yield Name(respelled(node, path, called), first, last)


def _holds(timeline: Timeline, context: int, path: str, step: int) -> bool:
    """Whether a context held anything of a file."""
    names = [Name(file_node(path), 0, timeline.head)]
    return Hosted(timeline.journal, names, context).standing(step) != ABSENT


def _seen(timeline: Timeline, context: int, path: str, first: int, last: int) -> list[int]:
    """The steps between two at which a context saw or changed a file itself."""
    steps = timeline.journal.steps
    kind, how, name, whose = (steps[column][first - 1 : last] for column in ("kind", "how", "name", "context"))
    mine = (kind == KIND_CODES["seen"]) & (whose == context) & (name == timeline.journal.id(file_node(path)))
    return (np.nonzero(mine & np.isin(how, HOWS))[0] + first).tolist()


def _deliveries(
    timeline: Timeline, witness: Witness, seen: Watched, shown: Mapping[int, str], at: int
) -> Iterator[Delivery]:
    begin = min(shown, default=at)
    cuts, falls = witness.cuts(begin, at), witness.falls(begin, at)
    ours = witness.handed(at)
    for step, node in shown.items():
        op = timeline.op(step)
        since = [cut for cut in cuts if cut > step]
        if seen.lens == DELIVERED:
            fate = "there" if ours is not None and step == ours.step else "dropped"
        elif any(op.get("call") not in timeline.op(cut).get("kept", ()) for cut in since):
            fate = "dropped"
        else:
            last = max(since, default=step)
            fate = "uncertain" if any(fall.step > last for fall in falls) else "there"
        lines = Lines(*op["slice"]) if "slice" in op else None
        level = _level(op["items"], node) if op["kind"] == "recall" else ""
        yield Delivery(witness.telling.at(step), lines, level, fate)


def _carriers(witness: Witness, words: Spoken, carrying: Sequence[Carrying], at: int) -> Iterator[Delivery]:
    """What brought words into the context, and what became of it."""
    for each in carrying:
        state = words.carriers.held(each, at)
        fate = "uncertain" if state == UNCERTAIN else "there" if state in WITHIN else "dropped"
        gone = words.carriers.gone(each, at)
        yield Delivery(witness.telling.at(each.step), None, "", fate, each.item, each.whole, gone)


def _level(items: list[tuple[str, str, int]], node: str) -> str:
    """How a window showed a node; else how it showed the first of its file."""
    own = next((level for item, level, _ in items if item == node), "")
    return own or next((level for item, level, _ in items if path_of(item) == path_of(node)), "")


def _lines(timeline: Timeline, node: str, at: int) -> Lines | None:
    """Where a node stands in its file."""
    moment = timeline.at(at)
    there = moment.find(node) if node.startswith(("file:", "sym:")) else None
    return Lines(*moment.source(there.path).span(there.symbol)) if there is not None else None
