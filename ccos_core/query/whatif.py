"""`whatif`: the window of a step, had something been otherwise, beside the one it was.

Another budget, a stop rule or weights of causes are another sum over one look at the journal. A half-life, weights
that decide how failures spread, and ops left out or added need a fork: the ops are folded anew, in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import Usage
from ccos_core.ops.epoch import WEIGHTS
from ccos_core.present.rows import Row, View
from ccos_core.query.question import Argument, Question
from ccos_core.query.squeezing.answer import SqueezedSession, squeezed_session
from ccos_core.query.whatif_rows import whatif_rows
from ccos_core.query.windows import window_at
from ccos_core.replay.fork import AT_ONCE, Otherwise, Progress, Retuned, forked
from ccos_core.state.rules import LARGEST, LONGEST_LIFE
from ccos_core.values.ids import path_of
from ccos_core.window.linearize import DEFAULT_BUDGET, Item, Window

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.window.state import State

LOOK, FORK = "look", "fork"
HALF_LIFE = "half_life"
WORKING_SET = "working-set"
_RUN = re.compile(r"(\d{1,15})(?:(?:\.\.|-)(\d{1,15}))?")


@dataclass(frozen=True, slots=True)
class Place:
    """How a member of a window is shown there."""

    rank: int
    """Its place in the order of all that may be in, from 1; of other lenses than the working set, where it is shown."""

    level: str
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class Member:
    """A node that is in one of the two windows, or in both."""

    node: str
    before: Place | None
    """Nothing where it wasn't in."""

    after: Place | None
    short: int | None
    """Tokens the other budget lacks for one that left, if it is among the near misses."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two windows."""

    budget: int
    tokens: int
    members: int


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The answer to `whatif`."""

    schema: ClassVar[str] = "ccos.whatif/1"
    step: int
    head: int
    """The last step there is."""

    lens: str
    otherwise: tuple[str, ...]
    """What is otherwise, in words."""

    way: str
    """`look`, where the journal knew; `fork`, where ops were folded anew."""

    folded: int
    """How many of them."""

    before: Side
    after: Side
    entered: tuple[Member, ...]
    left: tuple[Member, ...]
    moved: tuple[Member, ...]
    """Members of both that have another level now, or another place among them."""

    same: int
    """Members of both that have the same."""

    def as_rows(self, view: View) -> Sequence[Row]:
        return list(whatif_rows(self, view))


@dataclass(frozen=True, slots=True)
class _Windowed:
    window: Window
    state: State


def whatif(
    timeline: Timeline,
    at: int,
    *,
    step: int | None,
    given: int,
    lens: str,
    budget: int | None,
    stop: int | None,
    weight: str | None,
    half_life: int | None,
    without: str | None,
    with_pass: bool,
    with_read: str | None,
    with_failure: str | None,
    squeeze: bool,
    progress: Progress,
) -> WhatIf | SqueezedSession:
    """Both windows of a step, side by side; or the session up to it with shortened tool results."""
    step = at if step is None else step
    if squeeze:
        _check_alone(budget, stop, weight, half_life, without, with_pass, with_read, with_failure)
        return squeezed_session(timeline, step, progress)
    weights = {**_weights(weight), **({} if half_life is None else {HALF_LIFE: _life(half_life)})}
    otherwise = Otherwise(
        weights=weights,
        caps={} if stop is None else {"stop": min(stop, LARGEST)},
        without=tuple(_runs(without)),
        passes=with_pass,
        reads=(_path(with_read),) if with_read is not None else (),
        failures=(with_failure,) if with_failure is not None else (),
    )
    said = tuple(_said(otherwise, budget))
    if not said:
        raise Usage("say what to change", place="whatif", hint=f"As in: {QUESTION.example}")
    was = _Windowed(window_at(timeline, step, lens, given), timeline.at(step))
    now, folded = _after(timeline, step, otherwise, was.window.lens, given if budget is None else budget, progress)
    return _answer(timeline, step, said, was, now, folded)


def _check_alone(*others: object) -> None:
    if any(other is not None and other is not False for other in others):
        raise Usage("stands alone: it asks about the session, not about one window", place="--squeeze")


def _answer(
    timeline: Timeline, step: int, said: tuple[str, ...], was: _Windowed, now: _Windowed, folded: int
) -> WhatIf:
    members = _members(was, now)
    moved = _moved(members)
    return WhatIf(
        step=step,
        head=timeline.head,
        lens=was.window.lens,
        otherwise=said,
        way=FORK if folded else LOOK,
        folded=folded,
        before=_side(was.window),
        after=_side(now.window),
        entered=tuple(each for each in members if each.before is None),
        left=tuple(each for each in members if each.after is None),
        moved=tuple(moved),
        same=sum(each.before is not None and each.after is not None for each in members) - len(moved),
    )


def _after(
    timeline: Timeline, step: int, otherwise: Otherwise, lens: str, budget: int, progress: Progress
) -> tuple[_Windowed, int]:
    """The other window, and how many ops were folded for it."""
    if _at_once(otherwise):
        moment = Retuned(timeline, step, otherwise.weights, otherwise.caps)
        return _Windowed(moment.window(lens, budget), moment), 0
    fork = forked(timeline, step, otherwise, progress)
    return _Windowed(fork.window(lens, budget), fork.world), fork.folded


def _at_once(otherwise: Otherwise) -> bool:
    adds = otherwise.passes or otherwise.reads or otherwise.failures
    return not (adds or otherwise.without) and all(weight in AT_ONCE for weight in otherwise.weights)


# ---- the two of them ----


def _members(was: _Windowed, now: _Windowed) -> list[Member]:
    before, after = _places(was), _places(now)
    short = {each.uri: each.short for each in now.window.missed}
    nodes = dict.fromkeys((*after, *before))
    return [Member(node, before.get(node), after.get(node), short.get(node)) for node in nodes]


def _places(one: _Windowed) -> dict[str, Place]:
    items = {item.uri: item for item in one.window.items}
    ranks = {node: at for at, node in enumerate(items, 1)}
    if one.window.lens == WORKING_SET:
        ranks.update(_ranked(one.state, items))
    found = {node: Place(ranks[node], item.level, item.tokens, item.reason) for node, item in items.items()}
    return dict(sorted(found.items(), key=lambda each: each[1].rank))


def _ranked(state: State, items: Mapping[str, Item]) -> Iterator[tuple[str, int]]:
    """Where they stand in the order; members are the first of it."""
    left = len(items)
    for rank, (_, _, node) in enumerate(state.ranking()[1], 1):
        if left == 0:
            return
        if node in items:
            left -= 1
            yield node, rank


def _moved(members: Sequence[Member]) -> list[Member]:
    """Those that have another level, or another place among those that are in both."""
    both = [(each, each.before, each.after) for each in members if each.before is not None and each.after is not None]
    places = {each.node: at for at, (each, _, _) in enumerate(sorted(both, key=lambda one: one[1].rank))}
    return [
        each
        for at, (each, before, after) in enumerate(both)
        if places[each.node] != at or (before.level, before.tokens) != (after.level, after.tokens)
    ]


def _side(window: Window) -> Side:
    return Side(window.budget, window.tokens, len(window.items))


# ---- what is said ----


def _weights(said: str | None) -> dict[str, int]:
    """`edit=96,read=8`."""
    found: dict[str, int] = {}
    for part in (said or "").split(",") if said is not None else ():
        name, mark, value = (each.strip() for each in part.partition("="))
        name = name.replace("-", "_") if name.replace("-", "_") == HALF_LIFE else name
        if name not in WEIGHTS:
            near = get_close_matches(name[:80], list(WEIGHTS), 1)
            hint = f"Did you mean {near[0]}?" if near else f"One of: {'  '.join(WEIGHTS)}"
            raise Usage("isn't a weight", place=name[:80], hint=hint)
        if not mark or not re.fullmatch(r"\d{1,9}", value):
            raise Usage("needs = and a number", place=name, hint="As in: --weight edit=96,read=8")
        found[name] = _life(int(value)) if name == HALF_LIFE else min(int(value), LARGEST)
    return found


def _life(ticks: int) -> int:
    if not 1 <= ticks <= LONGEST_LIFE:
        raise Usage(f"isn't a half-life: give 1 to {LONGEST_LIFE:,} ticks", place=f"{ticks}")
    return ticks


def _runs(said: str | None) -> Iterator[tuple[int, int]]:
    """`41,50..60`."""
    for part in said.split(",") if said is not None else ():
        found = _RUN.fullmatch(part.strip())
        if found is None:
            raise Usage("aren't steps", place=part.strip()[:80], hint="As in: --without 41,50..60")
        yield int(found[1]), int(found[2] or found[1])


def _path(node: str) -> str:
    path = path_of(node)
    if path is None:
        raise Usage("isn't a file, so it can't be read", place=node)
    return path


def _said(otherwise: Otherwise, budget: int | None) -> Iterator[str]:
    """What is otherwise, in words."""
    if budget is not None:
        yield f"budget {budget:,}"
    yield from (f"{name.replace('_', '-')} {value:,}" for name, value in otherwise.weights.items())
    yield from (f"{name} {value:,}" for name, value in otherwise.caps.items())
    for first, last in otherwise.without:
        yield f"without step {first:,}" if first == last else f"without steps {first:,} to {last:,}"
    if otherwise.passes:
        yield "everything passes"
    yield from (f"{path} is read" for path in otherwise.reads)
    yield from (f"{node.partition(':')[2]} fails" for node in otherwise.failures)


def _otherwise(name: str, form: str, says: str, default: object = None) -> Argument:
    return Argument(name, form, says, default=default, flag=True)


QUESTION = Question(
    ask=whatif,
    answers=(WhatIf, SqueezedSession),
    example="whatif 40 --weight edit=96",
    arguments=(
        Argument("step", "step", "the step; without one, the cursor"),
        Argument("given", "budget", "size of the original window", default=DEFAULT_BUDGET),
        _otherwise("lens", "lens", "which window", WORKING_SET),
        _otherwise("budget", "budget", "size of the changed window"),
        _otherwise("stop", "count", "leave out what scores below the best score halved this many times"),
        _otherwise("weight", "name", "changed weights, such as edit=96,read=8"),
        _otherwise("half-life", "count", "changed half-life of heat, in ticks, from the first step on"),
        _otherwise("without", "name", "steps to leave out, such as 41,50..60"),
        _otherwise("with-pass", "switch", "add a run at the end in which everything passes", False),
        _otherwise("with-read", "node", "add a read of this file at the end"),
        _otherwise("with-failure", "node", "add a failure at this node at the end"),
        _otherwise("squeeze", "switch", "shorten all tool results up to the step", False),
    ),
    needs=("progress",),
    about=(
        "It writes nothing. The steps after a change stay as recorded: what the agent would have done instead is "
        "unknown. With `--squeeze` the answer is about the session: tokens saved by kind, when compactions would have "
        "come, and which lines the agent used but wouldn't have been shown."
    ),
)
