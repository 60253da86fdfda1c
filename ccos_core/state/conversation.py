"""What a host's own ops do to the contexts of its conversation: prompts, results, windows of ours, usage, cuts.

What was read or edited comes by `sightings`. A call whose sources are recorded beside it has no result of its own, so
that nothing counts twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ccos_core.state.sightings import context_of, deliver, page_now
from ccos_core.state.world import World
from ccos_core.values.code import MODULE
from ccos_core.values.nesting import Nesting
from ccos_core.values.tokens import by_size

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.state.fold import Facts

BODY, NAME = "body", "name"
"""The levels at which a window shows all of a node, and only what it is called."""
FEW = 4
"""Definitions that a window shows of a file, below its body."""


def prompt(world: World, op: Plain, _: Facts) -> None:
    """Somebody spoke to the agent."""
    _said(world, op, "prompt", op["said"]["bytes"])


def result(world: World, op: Plain) -> None:
    """The output of a call was shown, unless it is a source that was recorded with it."""
    if "result" in op and not _is_source(world, op):
        _said(world, op, "result", op["result"]["bytes"])


def recall(world: World, op: Plain, facts: Facts) -> None:
    """A window of ours was handed out: what it showed of files that are still what it was made from."""
    shown: dict[str, list[tuple[int, int]]] = {}
    for node, level, _ in op["items"]:
        place = world.find(node)
        version = world.version(place.path) if place is not None else None
        if place is not None and version is not None and version.step <= op["computed_at"]:
            shown.setdefault(place.path, []).extend(_lines(world.graph.files[place.path], place.symbol, level))
    for path, spans in shown.items():
        page = page_now(world, path, facts)
        deliver(world, op, path, page, [(first, last or page.size, False) for first, last in spans])
    if (call := op.get("call")) is not None:
        world.hosts.shown(context_of(op), call, world.step)


def usage(world: World, op: Plain, _: Facts) -> None:
    """The host said how full its window is."""
    world.hosts.measured(context_of(op), world.step, op["window"])


def compaction(world: World, op: Plain, _: Facts) -> None:
    """The host put something shorter in the place of its history."""
    world.hosts.cut(context_of(op), world.step, op.get("kept", ()), op["exact"])
    if "summary" in op:
        _said(world, op, "summary", op["summary"]["bytes"])


def cleared(world: World, op: Plain, _: Facts) -> None:
    """The host's window was emptied."""
    world.hosts.cut(context_of(op), world.step, (), exact=True)


def _said(world: World, op: Plain, kind: str, size: int) -> None:
    context = context_of(op)
    world.hosts.said(context, f"{kind}:{world.step}", world.step, by_size(size))
    if (call := op.get("call")) is not None:
        world.hosts.called(context, call, world.step)


def _is_source(world: World, op: Plain) -> bool:
    held = world.hosts.held(context_of(op))
    return any(f"result:{step}" not in held.said for step in held.calls.get(op.get("call", ""), ()))


def _lines(nesting: Nesting, symbol: int, level: str) -> Iterator[tuple[int, int]]:
    """What a window shows of a node at a level, and perhaps more: below its body, where it begins, and of a file where
    the first things in it do. To line 0 is to the end."""
    symbols = nesting.outline.symbols
    if symbol == MODULE:
        tops = sorted(dict.fromkeys(symbols[top].line for top in nesting.members[MODULE])) or [1]
        yield from [(1, 0)] if level == BODY else [(line, line) for line in tops[:FEW]]
        return
    told = symbols[symbol]
    if level == BODY:
        yield min(told.first, told.line), max(told.last, told.line)
    else:
        yield told.line, told.line if level == NAME else max(told.signature, told.line)
