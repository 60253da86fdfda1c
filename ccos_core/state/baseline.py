"""A state as plain values, to go on from without the ops before it, when those were moved out of reach.

What can be found again from facts (outlines, what a name means) isn't in it, except for the links, which are what takes
time. A fold that goes on from a baseline ends in the very state it would have reached from the first op.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ccos_core.state import host_rows
from ccos_core.state.digest import told
from ccos_core.state.failures import Live
from ccos_core.state.rules import Rules
from ccos_core.state.sightings import page_now, text_of
from ccos_core.state.world import Version, World
from ccos_core.text.syntax.resolution import Link, Target, is_config
from ccos_core.values.code import Outline
from ccos_core.values.nesting import Nesting
from ccos_core.values.outcome import Failure, Frame
from ccos_core.values.sheet import Sheet

if TYPE_CHECKING:
    from ccos_core.state.fold import Facts

LAYOUT = 4
WRONG = (ValueError, KeyError, TypeError, IndexError, AttributeError)


def saved(world: World) -> dict[str, Any]:
    """The state as values that have canonical bytes. Settles the graph."""
    state = told(world)
    names, links = _links(world)
    return {**state, "layout": LAYOUT, "names": names, "links": links, "since": world.graph.since}


def restore(world: World, state: Mapping[str, Any], facts: Facts) -> None:
    """Make a world that has seen nothing the one that was saved; raises one of WRONG where these values are of none."""
    if state["layout"] != LAYOUT:
        raise ValueError("a baseline of another layout")
    world.step, world.clock, world.looking = state["step"], state["clock"], state["looking"]
    world.rules = Rules(*state["rules"])
    world.pins = [(step, dict(pins)) for step, pins in state["pins"]]
    since, base = state["paced"]
    world.paced = since, base
    for node, heats in state["heats"]:
        world.heat(node, list(heats))
    world.pinned, world.away = dict(state["pinned"]), dict(state["away"])
    world.sheets = {path: _sheet(*each) for path, *each in state["sheets"]}
    for path, versions in state["files"]:
        world.versions[path] = [_version(*each) for each in versions]
    for key, *live in state["failures"]:
        _restore_failure(world, tuple(key), *live)
    _restore_graph(world, state, facts)
    host_rows.restore(world.hosts, state, lambda path: page_now(world, path, facts), facts.text)


def _links(world: World) -> tuple[list[str], list[Any]]:
    """All paths; and of each that depends on any its links, and since when each of the edges they make holds."""
    graph = world.graph
    names = {path: at for at, path in enumerate(sorted(graph.files))}
    rows = [
        [
            names[path],
            [
                [each.owner, names[each.target.path], each.target.symbol, each.role, each.line, each.count]
                for each in links
            ],
            list(graph.edges.get(path, {}).values()),
        ]
        for path, links in sorted(graph.links.items())
    ]
    return list(names), rows


def _restore_graph(world: World, state: Mapping[str, Any], facts: Facts) -> None:
    graph = world.graph
    names, rows = state["names"], state["links"]
    for path in names:
        facts.under(_pins(world, world.versions[path][-1].step))
        graph.files[path] = Nesting(path, _outline(world, path, facts))
        world.put_file(path)
    facts.under(_pins(world, world.step))
    for resolver in graph.resolvers.values():
        for path in names:
            if is_config(path, resolver):
                resolver.configure(path, text_of(world, path, facts))
    for path in names:
        graph.tell(path, graph.files[path].outline, True)
    for at, links, since in rows:
        told = tuple(Link(owner, Target(names[to], symbol), role, *where) for owner, to, symbol, role, *where in links)
        graph.recall(names[at], told, since)
    # an older version kept every edge that ever ended
    ended = {(owner, to, role): since for owner, to, role, since, until in state["past"] if until == state["since"]}
    graph.resume(ended, state["since"])


def _outline(world: World, path: str, facts: Facts) -> Outline:
    if (sheet := world.sheets.get(path)) is not None:
        return facts.outline_of_text(sheet.text, path) or Outline()
    content = world.versions[path][-1].content
    return (facts.outline(content, path) if content else None) or Outline()


def _pins(world: World, step: int) -> Mapping[str, int]:
    """By which interpreters what was seen at a step was read."""
    at = bisect_right(world.pins, step, key=itemgetter(0))
    return world.pins[at - 1][1] if at else {}


def _sheet(text: str, runs: list[list[Any]], ended: bool) -> Sheet:
    lines = tuple(text.split("\n")) if runs else ()
    return Sheet(lines, tuple((first, last, kind) for first, last, kind in runs), ended)


def _version(step: int, content: str, runs: list[list[Any]], why: str) -> Version:
    return Version(step, content, tuple((first, last, kind) for first, last, kind in runs), why)


def _restore_failure(
    world: World,
    key: Any,
    said: list[Any],
    anchors: list[str],
    since: int,
    step: int,
    unit: int,
    reached: list[Any],
    by: list[Any],
) -> None:
    runner, test, frames, message, part = said
    failure = Failure(runner, test, tuple(Frame(*each) for each in frames), message, part)
    reports = tuple(tuple((command, folder) for command, folder in report) for report in by)
    world.failures.fail(key, Live(failure, tuple(anchors), since, step, unit, dict(reached), reports))
