"""What a workspace knows: its record folded to a step, with sources at hand to make windows of.

Reads, and at the end records facts that were missing; never an op.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccos_core.errors import NotFound
from ccos_core.session import baselines
from ccos_core.session.facts import Facts
from ccos_core.session.worlds import baseline_world, fold, new_world, resumed_world
from ccos_core.state.baseline import saved
from ccos_core.state.digest import digest_of
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.storage.record import LAST_STEP, Record
from ccos_core.storage.segments import segments
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.canon import canonical
from ccos_core.values.code import Outline
from ccos_core.window.source import Source


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
    baselines.keep(record, record.op(step)[1], saved(Knowing(record, step).world))


def baseline_holds(record: Record) -> bool | None:
    """Whether the recorded baseline is the state its ops fold to; None where there is none, or they aren't here."""
    state = baselines.kept(record, segments(record)[-1].after) if record.floor() else None
    if state is None:
        return None
    world, facts = new_world(), Facts(record)
    try:
        fold(world, record.rows(1, record.floor()), facts)
    except NotFound:
        return None
    return canonical(saved(world)) == canonical(state)
