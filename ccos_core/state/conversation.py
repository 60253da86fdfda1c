"""What a host's own ops do to the contexts of its conversation: all that was said, windows of ours, usage, cuts.

What was read or edited comes by `sightings`. A call whose sources are recorded beside it has no result of its own, so
that nothing counts twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ccos_core.state.sightings import context_of, deliver, page_now
from ccos_core.state.world import World
from ccos_core.text.delivered import CLOSING, LOST
from ccos_core.values.code import MODULE
from ccos_core.values.models import thoughts_leave
from ccos_core.values.nesting import Nesting
from ccos_core.values.tokens import by_size

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.state.fold import Facts
    from ccos_core.state.page import Page

    Items = Sequence[tuple[str, str]]

BODY, NAME = "body", "name"
"""The levels at which a window shows all of a node, and only what it is called."""
OURS = ("recall", "page_fault")
"""How the names end that hosts give those of our tools which hand out windows."""
EDITORS, REFUSED = ("Edit", "MultiEdit", "Write", "NotebookEdit"), "has not been read yet"
"""Tools that a host lets edit only files its context holds, and what it says of one that isn't."""
ASKING = ("user", "agent")
"""Whose prompts begin a turn of the model."""
QUEUED = "queued"
"""The channel of words that reach the agent as a message of their own."""
MOST_UNCLAIMED = 8  # windows handed out by the server of which no host has said yet that it got them
FEW = 4
"""Definitions that a window shows of a file, below its body."""


def prompt(world: World, op: Plain, _: Facts) -> None:
    """Somebody spoke to the agent. What a user said through a call's result stands in that result."""
    context = context_of(op)
    if op.get("channel", QUEUED) != QUEUED and op.get("call", "") in world.hosts.held(context).calls:
        return
    _said(world, op, "prompt", op["said"]["bytes"])
    if op["source"] in ASKING:
        world.hosts.asked(context, world.step)


def turn(world: World, op: Plain, _: Facts) -> None:
    """The agent spoke."""
    if "said" in op:
        _wrote(world, op, "text", by_size(op["said"]["bytes"]))


def thought(world: World, op: Plain, _: Facts) -> None:
    """The model thought. What a sealed thought takes is known when the host counts."""
    size = by_size(op["said"]["bytes"]) if "said" in op else 0
    _wrote(world, op, "thought", op.get("tokens", size))
    world.hosts.thought(context_of(op), f"thought:{world.step}", "tokens" in op)


def result(world: World, op: Plain, facts: Facts) -> None:
    """The output of a call was shown, unless it is a source that was recorded with it."""
    if op["outcome"] == "error" and op["name"] in EDITORS:
        _refused(world, op, facts)
    if "arguments" in op:
        _wrote(world, op, "call", by_size(op["arguments"]["bytes"]))
    if "result" in op and not _is_source(world, op):
        _said(world, op, "result", op["result"]["bytes"])
        if op["name"].endswith(OURS) and world.hosts.unclaimed and any(context_of(op)):
            _claim(world, op, facts.text(op["result"]["blob"]) or "", facts)


def recall(world: World, op: Plain, facts: Facts) -> None:
    """A window of ours was handed out: what it showed of files that are still what it was made from.

    The server knows of no host. Which of them got its window shows when the host tells of its call.
    """
    if not any(context_of(op)):
        unclaimed = world.hosts.unclaimed
        unclaimed[world.step] = op["computed_at"], tuple((node, level) for node, level, _ in op["items"])
        while len(unclaimed) > MOST_UNCLAIMED:
            del unclaimed[next(iter(unclaimed))]
    items = [(node, level) for node, level, _ in op["items"]]
    for path, spans in _shown(world, items, op["computed_at"]).items():
        page = page_now(world, path, facts)
        deliver(world, op, path, page, [(first, last or page.size, False) for first, last in spans])
    if (call := op.get("call")) is not None:
        world.hosts.shown(context_of(op), call, world.step)
    if "said" in op and any(context_of(op)):
        _delivered(world, op, op["said"]["bytes"])


def _refused(world: World, op: Plain, facts: Facts) -> None:
    """The host refused an edit: where it was uncertain whether the context holds that file, it doesn't."""
    doubted = world.hosts.doubted(context_of(op))
    if not doubted or "arguments" not in op or "result" not in op:
        return
    if REFUSED not in (facts.text(op["result"]["blob"]) or ""):
        return
    asked = facts.text(op["arguments"]["blob"]) or ""
    named = [path for path in doubted if f'/{path}"' in asked or f'"{path}"' in asked]
    if named:  # the longest: others are but the end of its name
        world.hosts.let_go(context_of(op), max(named, key=len))


def _claim(world: World, op: Plain, text: str, facts: Facts) -> None:
    """The result of a call of our server's tool: the window it handed out last that this text shows."""
    for step, (computed_at, items) in reversed(list(world.hosts.unclaimed.items())):
        shown = _shown(world, items, computed_at)
        pages = {path: page_now(world, path, facts) for path in shown}
        if not shown or not all(_stands_in(text, pages[path], spans) for path, spans in shown.items()):
            continue
        del world.hosts.unclaimed[step]
        for path, spans in shown.items():
            lines = [(first, last or pages[path].size, False) for first, last in spans]
            deliver(world, op, path, pages[path], lines)
        if (call := op.get("call")) is not None:
            world.hosts.shown(context_of(op), call, world.step)
        if LOST in text:
            _delivered(world, op, len(text.partition(CLOSING)[0].encode()))
        return


def _delivered(world: World, op: Plain, size: int) -> None:
    """Words of ours went into a context, which are no file."""
    world.hosts.said(context_of(op), f"delivery:{world.step}", world.step, by_size(size))


def _shown(world: World, items: Items, computed_at: int) -> dict[str, list[tuple[int, int]]]:
    """Path → the spans that a window showed of it, of files that are still what it was made from."""
    shown: dict[str, list[tuple[int, int]]] = {}
    for node, level in items:
        place = world.find(node)
        version = world.version(place.path) if place is not None else None
        if place is not None and version is not None and version.step <= computed_at:
            shown.setdefault(place.path, []).extend(_lines(world.graph.files[place.path], place.symbol, level))
    return shown


def _stands_in(text: str, page: Page, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether a text has the lines of these spans, whatever stands around them."""
    if page.text is None:
        return False
    lines = (line.strip() for first, last in spans for line in page.lines[first - 1 : last or page.size])
    return all(line in text for line in lines)


def usage(world: World, op: Plain, _: Facts) -> None:
    """The host said how full its window is, and perhaps what was thought before it."""
    context = context_of(op)
    if op.get("thinking"):
        world.hosts.thoughts_counted(context, op["thinking"])
    if thoughts_leave(op.get("model", "")):
        world.hosts.forget_thoughts(context)
    world.hosts.measured(context, world.step, op["window"])


def compaction(world: World, op: Plain, _: Facts) -> None:
    """The host put something shorter in the place of its history."""
    world.hosts.cut(context_of(op), world.step, op.get("kept", ()), op["exact"], leaves_out(op))
    if "summary" in op:
        _said(world, op, "summary", op["summary"]["bytes"])


def leaves_out(op: Plain) -> bool:
    """Whether a host that shortened its window only left old results out, and put nothing in their place. One that
    takes turns back (by hand), or whose summary nobody can read, left out more."""
    return op["kind"] == "compaction" and bool(op["exact"]) and "summary" not in op and op["trigger"] == "auto"


def cleared(world: World, op: Plain, _: Facts) -> None:
    """The host's window was emptied."""
    world.hosts.cut(context_of(op), world.step, (), exact=True)


def _said(world: World, op: Plain, kind: str, size: int) -> None:
    context = context_of(op)
    world.hosts.said(context, f"{kind}:{world.step}", world.step, by_size(size))
    if (call := op.get("call")) is not None:
        world.hosts.called(context, call, world.step)


def _wrote(world: World, op: Plain, kind: str, tokens: int) -> None:
    """Something of the model's own went into a context."""
    context = context_of(op)
    world.hosts.said(context, f"{kind}:{world.step}", world.step, tokens)
    if (call := op.get("call")) is not None:
        world.hosts.wrote(context, call, world.step)


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
