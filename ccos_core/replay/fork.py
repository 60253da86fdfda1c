"""A record as it would have gone otherwise: ops left out or added, or other weights. Nothing is written.

A fork folds the ops anew in memory. Steps keep their numbers, so what is left out leaves a gap; what follows is folded
as it was recorded. Weights of causes and the stop rule only matter when a window is made, so under others a moment is
summed up again (`Retuned`) and nothing is replayed; what decides how heat comes about needs a fork.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.errors import Usage
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.heat_columns import Warm, scores, warm_among
from ccos_core.replay.moment import Moment, Part, Ranked, in_order, part_of, sorted_out
from ccos_core.replay.past import rules_at
from ccos_core.state.fold import Facts, apply
from ccos_core.state.rules import CAUSES, Rules
from ccos_core.state.sightings import text_of, unknown_lines
from ccos_core.state.world import AWAY, World
from ccos_core.text.syntax.languages import family_of, resolvers
from ccos_core.text.syntax.resolution import Link
from ccos_core.values.canon import digest
from ccos_core.values.code import Outline
from ccos_core.values.outcome import Report
from ccos_core.window.lenses import window_of
from ccos_core.window.linearize import Window
from ccos_core.window.source import Source

if TYPE_CHECKING:
    from ccos_core.ops.plain import Plain
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.timeline import Timeline

AT_ONCE = CAUSES
"""Weights that need no fork."""


class Retuned(Moment):
    """Everything at a step, weighed otherwise."""

    def __init__(self, timeline: Timeline, step: int, weights: Mapping[str, int], caps: Mapping[str, int]) -> None:
        super().__init__(timeline.journal, timeline.sources, step)
        self._weights = weights
        self._caps = caps

    @cached_property
    def rules(self) -> Rules:
        """What weighs how much."""
        rules = rules_at(self.journal, self.last).retuned(self._weights)
        return replace(rules, caps={**rules.caps, **self._caps})

    def score(self, node: str) -> int:
        """How much a node matters."""
        number = self.journal.id(node)
        return int(self._scores[number]) if number >= 0 else 0

    def ranking(self) -> tuple[int, Iterable[Ranked]]:
        """The best score of all that counts, and whoever may be in, in the order of a window."""
        rows = self._latest
        counting = rows[self.journal.changes["tier"][rows] < AWAY]
        best = int(self._scores[self.journal.changes["node"][counting]].max(initial=0))
        return best, in_order(self._order)

    # -- helpers --------------------------------------------------------------------------------------------------

    @property
    def _standing_by(self) -> Hashable:
        return self.last, tuple(sorted(self._weights.items())), tuple(sorted(self._caps.items()))

    def _ranked(self) -> Iterator[Part]:
        yield part_of(self.journal, self._ranks)

    @cached_property
    def _ranks(self) -> Warm:
        """What may be in, in its order but for the names of equals."""
        changes, rows = self.journal.changes, self._latest
        return sorted_out(warm_among(rows, changes["tier"][rows], self._scores[changes["node"][rows]]))

    @cached_property
    def _scores(self) -> Numbers:
        """Number of a node → its score."""
        changes, rows = self.journal.changes, self._latest
        nodes = changes["node"][rows]
        heats = self.journal.heats(self.last)[nodes]
        found = np.zeros(len(self.journal.names), np.int64)
        columns = [np.ascontiguousarray(heats[:, at]) for at in range(len(CAUSES))]
        found[nodes] = scores(columns, changes["prior"][rows].astype(np.int64), self.rules.weights)
        return found


OFTEN = 200
"""Ops between two words about how far it has come."""
ANYBODY = "user"

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What is otherwise."""

    weights: Mapping[str, int] = field(default_factory=dict)
    """As if every epoch had said so, and no retune anything else."""

    caps: Mapping[str, int] = field(default_factory=dict)
    without: tuple[tuple[int, int], ...] = ()
    """Steps that didn't happen: the first and the last of each run."""

    passes: bool = False
    """At the end everything passes, ..."""

    reads: tuple[str, ...] = ()
    """... then these paths are read, ..."""

    failures: tuple[str, ...] = ()
    """... and then something fails at each of these nodes."""

    def leaves_out(self, step: int) -> bool:
        """Whether a step didn't happen."""
        return any(first <= step <= last for first, last in self.without)

    def told(self, op: Plain) -> Plain:
        """An op, with other rules where it says any."""
        if op["kind"] not in ("epoch", "retune"):
            return op
        said = {**op, "weights": {**op["weights"], **self.weights}}
        return {**said, "caps": {**op["caps"], **self.caps}} if op["kind"] == "epoch" else said


class Fork:
    """A state nobody recorded, with its sources at hand."""

    def __init__(self, facts: Facts) -> None:
        self.facts = _Overlay(facts)
        self.world = World(resolvers(), family_of)
        self.folded = 0
        """Ops that were folded."""
        self._sources: dict[str, Source] = {}

    def tell(self, step: int, op: Plain) -> None:
        """One op more."""
        apply(self.world, step, op, self.facts)
        self.folded += 1

    def settle(self) -> None:
        """Somebody wants to ask."""
        self.world.graph.settle()
        self._sources.clear()

    def works(self) -> None:
        """Everything passes now."""
        self._tell({"kind": "passed", "runner": ANYBODY, "scope": "all"})

    def read(self, path: str) -> None:
        """A file is read, as it is."""
        version = self.world.version(path)
        text = text_of(self.world, path, self.facts) if path in self.world.graph.files else None
        if version is None or text is None or unknown_lines(self.world, path):
            fact = "is known only in part" if text is not None else "doesn't exist or was erased"
            raise Usage(f"{fact}, so what a read would show is unknown", place=path)
        recorded = {"blob": version.content, "bytes": len(text.encode("utf-8", "surrogatepass"))}
        content = self.facts.keep(text) if path in self.world.sheets else recorded
        self._tell({"kind": "seen", "how": "read", "path": path, "content": content})

    def fail(self, node: str) -> None:
        """Something fails at a node."""
        if not self.world.is_there(node):
            raise Usage("doesn't exist, so it can't fail", place=node)
        self._tell({"kind": "failed", "runner": ANYBODY, "nodes": [node]})

    def window(self, lens: str, budget: int) -> Window:
        """What a lens shows."""
        return window_of(lens, budget, self, self.world)

    # -- code -----------------------------------------------------------------------------------------------------

    def paths(self) -> Sequence[str]:
        """Every file that is there."""
        return sorted(self.world.graph.files)

    def outline(self, path: str) -> Outline:
        """What a file says of itself."""
        return self.world.graph.files[path].outline

    def source(self, path: str) -> Source:
        """A file as a window shows it."""
        if path not in self._sources:
            text = text_of(self.world, path, self.facts) or ""
            self._sources[path] = Source(path, text, self.outline(path), unknown_lines(self.world, path))
        return self._sources[path]

    def links(self, path: str) -> tuple[Link, ...]:
        """What a file depends on."""
        return self.world.graph.links.get(path, ())

    def _tell(self, op: Plain) -> None:
        self.settle()
        self.tell(self.world.step + 1, {"v": 1, **op})


def forked(timeline: Timeline, step: int, otherwise: Otherwise, progress: Progress) -> Fork:
    """The state at a step, if that had been so; within a look at a tree, at the end of the look."""
    last = timeline.at(step).last
    _check(timeline, last, otherwise.without)
    fork = Fork(timeline.facts)
    for at, op in timeline.between(1, last):
        if at % OFTEN == 0:
            progress(at, last)
        if not otherwise.leaves_out(at):
            fork.tell(at, otherwise.told(op))
    fork.world.step = last
    if otherwise.passes:
        fork.works()
    for path in otherwise.reads:
        fork.read(path)
    for node in otherwise.failures:
        fork.fail(node)
    fork.settle()
    return fork


def _check(timeline: Timeline, last: int, without: Iterable[tuple[int, int]]) -> None:
    """Only what happened can be left out, and not the rules."""
    for begin, end in without:
        if not 1 <= begin <= end <= last:
            place = f"{begin}..{end}" if begin != end else f"{begin}"
            raise Usage(f"can't be left out of steps 1 to {last:,}", place=place)
    epochs = timeline.journal.steps["kind"][:last] == KIND_CODES["epoch"]
    for begin, end in without:
        if epochs[begin - 1 : end].any():
            raise Usage("begins an epoch, which all later steps depend on", place=f"{begin}..{end}")


class _Overlay:
    """Facts of the record, and of texts that only a fork knows."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._texts: dict[str, str] = {}

    def keep(self, text: str) -> dict[str, str | int]:
        """A reference to a text."""
        body = text.encode("utf-8", "surrogatepass")
        name = digest(body).hex()
        self._texts[name] = text
        return {"blob": name, "bytes": len(body)}

    def outline(self, content: str, path: str) -> Outline | None:
        text = self._texts.get(content)
        return self._facts.outline(content, path) if text is None else self._facts.outline_of_text(text, path)

    def outline_of_text(self, text: str, path: str) -> Outline | None:
        return self._facts.outline_of_text(text, path)

    def text(self, content: str) -> str | None:
        return self._texts[content] if content in self._texts else self._facts.text(content)

    def report(self, op: Plain) -> Report | None:
        return self._facts.report(op)

    def under(self, pins: Mapping[str, int]) -> None:
        self._facts.under(pins)
