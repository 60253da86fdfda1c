"""The state of a record: started empty or from a baseline, and folded to a step.

A baseline is the state at the floor of a record whose older ops were moved out of it. It is kept as facts about the op
it ends with, so it travels and is proven like other facts; a large state takes several. While the older ops are at
hand a baseline is compared with the fold, not believed. `Knowing` adds the sources, to make windows of. Nothing here
records an op.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError, Damaged, NotFound
from ccos_core.log.facts import fact_body
from ccos_core.log.packing import Spoiled
from ccos_core.replay.playing import Row, play
from ccos_core.session.collecting import uncollected
from ccos_core.session.facts import Facts
from ccos_core.session.interpreters import FOLD
from ccos_core.state.baseline import WRONG, restore, saved
from ccos_core.state.digest import digest_of
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import World
from ccos_core.storage import facts as rows
from ccos_core.storage import journals
from ccos_core.storage.record import LAST_STEP, Record
from ccos_core.storage.segments import segments
from ccos_core.text.syntax.languages import family_of, resolvers
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.canon import NotCanonical, canonical, parse, parse_known, spelled
from ccos_core.values.code import Outline
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.replay.scribe import Scribe

BASELINE = "baseline"
PART_ROWS = 2_000
"""Rows of a list in one fact, at most; ..."""
PART_BYTES = 4 * 2**20
"""... and bytes, so that none is larger than a fact may be, whatever texts its rows hold."""


def write_baseline(record: Record, hash_: bytes, state: Mapping[str, Any]) -> None:
    """Record the state that the op with this hash ended in."""
    with record.write() as writing:
        for name, part in _parts(state):
            writing.keep_fact(hash_, name, FOLD, canonical(part))


def read_baseline(record: Record, hash_: bytes) -> dict[str, Any] | None:
    """The state that was recorded for the op with this hash, if it is whole."""
    state = _one(record, hash_, BASELINE)
    if not isinstance(state, dict):
        return None
    for name, parts in state.pop("parts").items():
        found = [_one(record, hash_, f"{BASELINE}.{name}.{at}") for at in range(parts)]
        if not all(isinstance(each, list) for each in found):
            return None
        state[name] = [row for part in found for row in part]
    return state


def forget_baselines(record: Record) -> None:
    """Let go of them all: whatever is being forgotten may be in them."""
    with record.write() as writing:
        writing.drop_facts("interpreter = ? OR interpreter LIKE ?", (BASELINE, f"{BASELINE}.%"))


def _parts(state: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    lists = {name: value for name, value in state.items() if isinstance(value, list) and name != "rules"}
    parts = {name: list(_pieces(value)) for name, value in lists.items()}
    sizes = {name: len(pieces) for name, pieces in parts.items()}
    yield BASELINE, {**{name: value for name, value in state.items() if name not in lists}, "parts": sizes}
    for name, pieces in parts.items():
        for at, piece in enumerate(pieces):
            yield f"{BASELINE}.{name}.{at}", piece


def _pieces(rows: list[Any]) -> Iterator[list[Any]]:
    piece: list[Any] = []
    size = 0
    for row in rows:
        more = len(canonical(row))
        if piece and (len(piece) == PART_ROWS or size + more > PART_BYTES):
            yield piece
            piece, size = [], 0
        piece.append(row)
        size += more
    if piece:
        yield piece


def _one(record: Record, hash_: bytes, name: str) -> Any:
    for key, packed in rows.recorded(record, [(hash_, name, FOLD)]):
        try:
            digest, size, form, check, stored = packed
            return parse(fact_body(*key, digest, form, check, stored, size))
        except (Spoiled, NotCanonical):
            return None
    return None


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
    state = read_baseline(record, floor.after) if floor is not None and floor.last <= upto else None
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


class Knowing:
    """One record, understood up to a step."""

    def __init__(self, record: Record, upto: int = LAST_STEP) -> None:
        self.record = record
        self.facts = Facts(record)
        self.world = resumed_world(record, self.facts, upto)
        self._sources: dict[str, Source] = {}
        try:
            self.catch_up(upto)
        except NotFound:  # older ops lie in an archive that isn't at hand
            world = baseline_world(record, self.facts, upto)
            if world is None:
                raise
            self.world = world
            self.catch_up(upto)

    def catch_up(self, upto: int = LAST_STEP) -> None:
        """Learn what was recorded since."""
        fold(self.world, self.record.rows(self.world.step + 1, upto), self.facts)
        self.world.graph.settle()
        self.facts.record_missing()
        self._sources.clear()

    @property
    def step(self) -> int:
        """Where it stands."""
        return self.world.step

    def digest(self) -> str:
        """The hash of the state."""
        return digest_of(self.world)

    def paths(self) -> Sequence[str]:
        """Every file that is there."""
        return sorted(self.world.graph.files)

    def outline(self, path: str) -> Outline:
        """What a file says of itself."""
        return self.world.graph.files[path].outline

    def source(self, path: str) -> Source:
        """A file as a window shows it; empty where nothing of its text is known."""
        if path not in self._sources:
            text = text_of(self.world, path, self.facts)
            self._sources[path] = Source(path, text or "", self.outline(path), unknown_lines(self.world, path))
        return self._sources[path]

    def links(self, path: str) -> tuple[Link, ...]:
        """What a file depends on."""
        return self.world.graph.links.get(path, ())


def keep_baseline(record: Record, step: int) -> None:
    """Record the state at a step, for the time when the ops up to there are out of reach."""
    write_baseline(record, record.op(step)[1], saved(Knowing(record, step).world))


def baseline_holds(record: Record) -> bool | None:
    """Whether the recorded baseline is the state its ops fold to; None where there is none, or they aren't here."""
    state = read_baseline(record, segments(record)[-1].after) if record.floor() else None
    if state is None:
        return None
    world, facts = new_world(), Facts(record)
    try:
        fold(world, record.rows(1, record.floor()), facts)
    except NotFound:
        return None
    return canonical(saved(world)) == canonical(state)
