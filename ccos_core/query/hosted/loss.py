"""What would be lost with an item of the agent's window: what else in the window goes with it, and whether its text
could be had again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.query.hosted.item_names import code_name, item_names, step_of
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.dependence import Dependence
from ccos_core.replay.measure import cuts, held_at
from ccos_core.state.holding import STALE, Standing
from ccos_core.values.ids import file_node, path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LISTED = 6
"""Items that are listed, the largest."""
WIDEST = 500
"""Nodes of the dependency graph after which the search stops."""
DEPENDS, TURN, PAIR = "depends on it", "answers it", "belongs to it"
FILE, RUN, RECORD, OLD = "file", "run", "record", "old"
PAIRS = {"call": "result", "result": "call"}


@dataclass(frozen=True, slots=True)
class Dependant:
    """Something else in the window that goes with an item."""

    node: str
    says: str
    """What it is called."""

    step: int
    tokens: int
    how: str
    """`depends on it`: its code uses the item's; `answers it`: it came in the turn of that prompt; `belongs to it`: the
    call of a result, or the result of a call."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What would be lost with an item."""

    says: str
    """What the item is called."""

    tokens: int
    """What is held of it."""

    again: str
    """Where its text could be had again: `file`, which still has it; `run`, by running the call again; `record`, only
    from this record; `old`: it isn't what the file is now, so no file has all of it."""

    dependants: tuple[Dependant, ...]
    """The largest first, ..."""

    more: int
    """... and how many there are besides."""

    with_it: int
    """Tokens of all of them."""

    stands_for: int
    """Of a summary: the step up to which it is all that is left; else 0."""


def loss_of(timeline: Timeline, context: int, node: str, at: int) -> Loss | None:
    """Return what would be lost with an item of a context's window at a step; None where nothing of it is held."""
    held = held_at(timeline.journal, context, timeline.at(at).last)
    standing = held.get(node)
    if standing is None:
        return None
    is_code = node.startswith(("file:", "sym:"))
    found = _users(timeline, held, node, at) if is_code else _companions(timeline, context, held, node, at)
    found.sort(key=lambda each: (-held[each[0]].tokens, each[0]))
    shown = found[:LISTED]
    names = item_names(timeline, [node, *(each for each, _ in shown)])
    dependants = tuple(
        Dependant(each, (names.get(each) or code_name(each, ())).says, held[each].step, held[each].tokens, how)
        for each, how in shown
    )
    return Loss(
        says=(names.get(node) or code_name(node, ())).says,
        tokens=standing.tokens,
        again=_again(node, standing),
        dependants=dependants,
        more=len(found) - len(shown),
        with_it=sum(held[each].tokens for each, _ in found),
        stands_for=step_of(node) if node.startswith("summary:") else 0,
    )


def _again(node: str, standing: Standing) -> str:
    if node.startswith(("file:", "sym:")):
        return OLD if standing.state == STALE else FILE
    return RUN if node.startswith("result:") else RECORD


def _users(timeline: Timeline, held: dict[str, Standing], node: str, at: int) -> list[tuple[str, str]]:
    """The files in the window whose code uses a file or a symbol."""
    moment = timeline.at(at)
    there = moment.find(node)
    if there is None:
        return []
    source = moment.source(there.path)
    inside = [source.node(each) for each in sorted(source.inside(there.symbol))]
    graph = Dependence(timeline.journal, moment.last, node, inside, WIDEST)
    files = dict.fromkeys(file_node(path) for each in graph.on(1) if (path := path_of(each.node)) is not None)
    own = file_node(there.path)
    return [(file, DEPENDS) for file in files if file in held and file != own]


def _companions(
    timeline: Timeline, context: int, held: dict[str, Standing], node: str, at: int
) -> list[tuple[str, str]]:
    """What goes with a prompt, a call or a result."""
    kind, _, number = node.partition(":")
    if kind in PAIRS:
        other = f"{PAIRS[kind]}:{number}"
        return [(other, PAIR)] if other in held else []
    if kind != "prompt":
        return []
    end = _next_prompt(timeline, context, int(number), at)
    own = [each for each in held if int(number) < (step_of(each) or held[each].step) < end]
    return [(each, TURN) for each in own if not each.startswith("sym:")]


def _next_prompt(timeline: Timeline, context: int, step: int, at: int) -> int:
    """The step of the next prompt or cut of a context; behind a step where there is none."""
    steps = timeline.journal.steps
    mine = steps["context"][step:at] == context
    prompts = np.nonzero(mine & (steps["kind"][step:at] == KIND_CODES["prompt"]))[0] + step + 1
    found = [*prompts[:1].tolist(), *cuts(timeline.journal, context, step + 1, at)[:1]]
    return min(found, default=at + 1)
