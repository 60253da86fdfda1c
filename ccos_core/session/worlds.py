"""Worlds to fold into: one that has seen nothing, or one that goes on from where a state was kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ccos_core.errors import CcosError, Damaged
from ccos_core.replay.playing import Row, play
from ccos_core.session import baselines
from ccos_core.session.collecting import uncollected
from ccos_core.session.facts import Facts
from ccos_core.session.interpreters import FOLD
from ccos_core.state.baseline import WRONG, restore, saved
from ccos_core.state.world import World
from ccos_core.storage import journals
from ccos_core.storage.record import Record
from ccos_core.storage.segments import segments
from ccos_core.text.syntax.languages import family_of, resolvers
from ccos_core.values.canon import NotCanonical, parse_known, spelled

if TYPE_CHECKING:
    from ccos_core.replay.scribe import Scribe


def new_world() -> World:
    """A state before any op, with a resolver for each family of languages."""
    return World(resolvers(), family_of)


def resumed_world(record: Record, facts: Facts, upto: int) -> World:
    """The last state that was kept of a record up to a step, or none at all."""
    body = journals.load_state(record, FOLD, upto)
    if body is not None:
        world = new_world()
        try:
            restore(world, parse_known(body), facts)
        except (*WRONG, NotCanonical):
            return new_world()
        return world
    return new_world()


def baseline_world(record: Record, facts: Facts, upto: int) -> World | None:
    """The state that was recorded when ops were moved into the archive, if that was up to a step and it is whole."""
    floor = segments(record)[-1] if record.floor() else None
    state = baselines.kept(record, floor.after) if floor is not None and floor.last <= upto else None
    if state is None:
        return None
    world = new_world()
    try:
        restore(world, state, facts)
    except WRONG as error:
        raise Damaged("the state kept at its archive's end can't be read", place=record.path) from error
    return world


def forget_notices(world: World) -> None:
    """What it has changed up to here is known."""
    world.graph.settle()
    for each in (world.moved, world.reread, world.failures.turned, world.graph.recounted, world.graph.rewired):
        each.clear()
    world.hosts.moved.clear()


def keep_world(record: Record, world: World, forgotten: int) -> None:
    """Keep a state, so that folding can go on from it; it was begun when so many contents were `forgotten`."""
    journals.save_state(record, FOLD, world.step, spelled(saved(world)), forgotten)


def fold(
    world: World,
    rows: Iterable[Row],
    facts: Facts,
    scribe: Scribe | None = None,
    heard: Callable[[int], None] = lambda step: None,
) -> None:
    """Fold rows of a record into a state; `scribe` writes down what changes, `heard` is told of each step."""
    with uncollected():
        play(world, rows, facts, facts.look_ahead, scribe, heard, _hash_at(facts.record, world.step))


def _hash_at(record: Record, step: int) -> bytes | None:
    """The chain's hash where a world stands: what comes next has to follow it. None where that can't be told."""
    try:
        return record.op(step)[1] if step else None
    except CcosError:  # it may lie in an archive that isn't at hand
        return next((each.after for each in segments(record) if each.last == step), None)
