"""`provenance NODE`: where what is known of a node comes from: who saw it first, which versions it had and how each of
its lines is known, which sightings showed it, what was noted of it, and which outputs said that something fails there.

A renamed source is followed back to its first name. A symbol has the versions of its file in which its own lines are
others than before, and the sightings that showed any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.query.contexts import contexts_of
from ccos_core.query.hosted.whose import watched_there
from ccos_core.query.provenance_rows import provenance_rows
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.statement import Standing, statement_standing
from ccos_core.query.telling import Told, one_line
from ccos_core.query.whereby import Telling
from ccos_core.replay.codes import HOW_CODES, KIND_CODES
from ccos_core.replay.renames import Name, Renames, renames
from ccos_core.replay.residency.runs import STATES
from ccos_core.state.failures import WHOLE_BITS
from ccos_core.values.code import MODULE
from ccos_core.values.ids import SPOKEN_PREFIXES, file_node, path_of

if TYPE_CHECKING:
    from ccos_core.present.rows import Row, View
    from ccos_core.replay.columns import Numbers
    from ccos_core.replay.sources import Version
    from ccos_core.replay.timeline import Timeline

LIMIT = 6
"""Versions, sightings, notes and failures of each sort that are listed by default."""
MOST_LOOKED_AT = 400
"""Versions of a file that are searched for those of one of its symbols."""
READ = HOW_CODES["read"]
SPEAKING = ("annotation", "supported", "contradicted")
"""Kinds of ops that may be about a node."""
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Lines:
    """How many lines are known in one way."""

    kind: str
    """`delivered`: given as they stand; `patched`: an edit put them there; `inferred`: known before something around
    them turned out to be other than thought; `unknown`: never seen."""

    count: int


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of the node."""

    op: Told
    """What gave it."""

    node: str
    """Its name then."""

    content: str
    """The hash of the file's text; empty where there is none."""

    missing: str
    """Why there is none: `gone`, `withheld`, `erased`, ..."""

    lines: tuple[Lines, ...]
    """How the node's lines are known."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """An op that showed lines of it."""

    op: Told
    first: int
    """The lines of the file that were shown; 0 where all of them were."""

    last: int
    state: str = ""
    """Of a read by an agent: how its window held the node's file before: `unborn`, `in`, `partial`, `stale`,
    `uncertain`, `out`, `gone`; empty where that isn't known."""

    since: int = 0
    """The step at which it became so; 0 if it was so from the first step on."""

    context: str = ""
    """The name of the subagent that read it; empty for the main thread."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A failure that lives and reaches the node."""

    runner: str
    test: str
    message: str
    percent: int
    """How much of it reaches the node."""

    felt: bool
    """Whether it is felt here, or on the way to where it is."""

    since: Told
    """What told it first, ..."""

    said: Told
    """... and last."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """The answer to `provenance`."""

    schema: ClassVar[str] = "ccos.provenance/1"
    node: str
    at: int
    there: bool
    """Whether it is there at that step."""

    was: tuple[str, ...]
    """Names it had before, the last first."""

    first: Told | None
    """What showed it first; none where it came up in no source."""

    editions: tuple[Edition, ...]
    """Its versions, the last first, ..."""

    editions_more: int
    """... and how many more its file had."""

    sightings: tuple[Sighting, ...]
    """What showed it, the last first, ..."""

    sightings_more: int
    """... and how many more its file had."""

    notes: tuple[Told, ...]
    """What was noted of it, or said for and against what it stands for, the last first."""

    notes_more: int
    failing: tuple[Failing, ...]
    """What fails here, the strongest first."""

    failing_more: int

    def as_rows(self, view: View) -> list[Row]:
        return provenance_rows(self, view)


def provenance(timeline: Timeline, at: int, *, node: str, limit: int) -> Provenance | Standing:
    """Where what is known of a node at a step comes from; of words, where they were said and what carries them."""
    if node.startswith(SPOKEN_PREFIXES):
        return statement_standing(timeline, at, node, None, None)
    moment, telling = timeline.at(at), Telling(timeline)
    names = Renames(renames(timeline, 0, moment.last)).names(node, moment.last)
    traces = _Traces(timeline, names)
    most = limit or timeline.head
    editions = list(islice(traces.editions(telling), most))
    sightings = list(islice(traces.sightings(telling), most))
    notes, failing = list(_notes(timeline, names)), list(_failing(timeline, at, node, telling))
    return Provenance(
        node=node,
        at=at,
        there=moment.find(node) is not None,
        was=tuple(name.node for name in names[1:]),
        first=_first(timeline, names, telling),
        editions=tuple(editions),
        editions_more=traces.versions - len(editions),
        sightings=tuple(sightings),
        sightings_more=traces.seen - len(sightings),
        notes=tuple(telling.at(step) for step in notes[:most]),
        notes_more=max(0, len(notes) - most),
        failing=tuple(failing[:most]),
        failing_more=max(0, len(failing) - most),
    )


class _Traces:
    """The versions of a node's file and the sightings of it, under all its names."""

    def __init__(self, timeline: Timeline, names: Sequence[Name]) -> None:
        self.timeline = timeline
        sources = timeline.sources
        self._versions = [
            (name.node, version)
            for name in names
            for version in reversed(sources.versions(path_of(name.node) or ""))
            if name.first <= version.step <= name.last
        ]
        self._steps = [(name.node, step) for name in names for step in _seen(timeline, name)]
        self._held: dict[tuple[str, int], Numbers] = {}
        """(File, context) → how it was held after each step."""

    @property
    def versions(self) -> int:
        """How many versions the file had."""
        return len(self._versions)

    @property
    def seen(self) -> int:
        """How often it was seen."""
        return len(self._steps)

    def editions(self, telling: Telling) -> Iterator[Edition]:
        """The versions in which the node's own lines are others than before, the last first."""
        looked = self._versions[:MOST_LOOKED_AT]
        older = [*looked[1:], *self._versions[MOST_LOOKED_AT : MOST_LOOKED_AT + 1], None]
        for (node, version), before in zip(looked, older, strict=False):
            text, lines = self._own(node, version)
            if before is None or node != before[0] or not node.startswith("sym:") or text != self._own(*before)[0]:
                missing = _missing(version) if text is not None else "not in this version"
                yield Edition(telling.at(version.step), node, version.content, missing, lines)

    def sightings(self, telling: Telling) -> Iterator[Sighting]:
        """The sightings that showed any of its lines, the last first."""
        for node, step in self._steps:
            op = self.timeline.op(step)
            first, last = op.get("slice", (0, 0))
            span = self._span(node, step)
            if span is not None and (not first or (first <= span[1] and span[0] <= last)):
                yield Sighting(telling.at(step), first, last, *self._before(node, step))

    def _before(self, node: str, step: int) -> tuple[str, int, str]:
        """How the window of the agent that reads a file at a step held it just before, since when, and whose it is."""
        steps, file = self.timeline.journal.steps, file_node(path_of(node) or "")
        number = int(steps["context"][step - 1])
        whose = contexts_of(self.timeline)[number]
        if int(steps["how"][step - 1]) != READ or not whose.host:
            return "", 0, ""
        if (file, number) not in self._held:
            watched = watched_there(self.timeline, file, step, number, HOST)
            self._held[file, number] = watched.residency.states(0, 0, self.timeline.head)
        states = self._held[file, number][:step]
        others = np.flatnonzero(states != states[-1])
        return STATES[int(states[-1])], int(others[-1]) + 1 if len(others) else 0, whose.context

    def _own(self, node: str, version: Version) -> tuple[list[str] | None, tuple[Lines, ...]]:
        """The node's lines in a version, and how they are known; None where it isn't in it."""
        path, sources = path_of(node) or "", self.timeline.sources
        source = sources.source(path, version)
        there = source.nesting.places.get(node)
        sheet = sources.sheet(path, version) if there is not None else None
        if there is None or sheet is None:
            return ([] if there is not None else None), ()
        first, last = source.span(there) if there != MODULE else (1, max(len(sheet.lines), 1))
        counts: dict[str, int] = {}
        for begin, end, kind in sheet.runs:
            within = min(end, last) - max(begin, first) + 1
            if within > 0:
                counts[kind] = counts.get(kind, 0) + within
        return source.lines[first - 1 : last], tuple(Lines(*each) for each in sorted(counts.items()))

    def _span(self, node: str, step: int) -> Span | None:
        """The lines of a node just after a step."""
        path, sources = path_of(node) or "", self.timeline.sources
        version = sources.at(path, step)
        if version is None or not node.startswith("sym:"):
            return (1, 1 << 31) if version is not None else None
        source = sources.source(path, version)
        there = source.nesting.places.get(node)
        return source.span(there) if there is not None else None


def _seen(timeline: Timeline, name: Name) -> list[int]:
    """The steps at which its file was seen under a name, the last first."""
    steps, first = timeline.journal.steps, max(name.first, 1)
    number = timeline.journal.id(file_node(path_of(name.node) or ""))
    kinds, names = steps["kind"][first - 1 : name.last], steps["name"][first - 1 : name.last]
    found: list[int] = (np.nonzero((kinds == KIND_CODES["seen"]) & (names == number))[0] + first).tolist()
    return found[::-1]


def _first(timeline: Timeline, names: Sequence[Name], telling: Telling) -> Told | None:
    """What showed a node first, by the oldest of its names that it had."""
    there = timeline.journal.there
    for name in reversed(names):
        rows = np.nonzero((there["node"] == timeline.journal.id(name.node)) & (there["there"] == 1))[0]
        steps = there["step"][rows]
        steps = steps[steps <= name.last]
        if len(steps):
            return telling.of(int(steps[0]), name.node)
    return None


def _missing(version: Version) -> str:
    return "" if version.content else version.why or "never recorded"


def _notes(timeline: Timeline, names: Sequence[Name]) -> Iterator[int]:
    """Return the steps at which something was said of a node, the last first."""
    last = names[0].last
    kinds = timeline.journal.steps["kind"][:last]
    codes = [KIND_CODES[kind] for kind in SPEAKING]
    for step in (np.nonzero(np.isin(kinds, codes))[0][::-1] + 1).tolist():
        op = timeline.op(step)
        about = {op.get("node"), *op.get("by", ())}
        if any(name.node in about and name.first <= step <= name.last for name in names):
            yield step


def _failing(timeline: Timeline, at: int, node: str, telling: Telling) -> Iterator[Failing]:
    failures = timeline.at(at).failures
    reaching = [failures.live[key] for key in failures.on.get(node, ())]
    for live in sorted(reaching, key=lambda each: (-each.strengths[node], each.since)):
        failure = live.failure
        yield Failing(
            failure.runner,
            failure.test,
            one_line(failure.message),
            100 * live.strengths[node] >> WHOLE_BITS,
            live.anchors[:1] == (node,),
            telling.at(live.since),
            telling.at(live.step),
        )


QUESTION = Question(
    ask=provenance,
    answers=(Provenance, Standing),
    example="provenance src/db.py#load",
    arguments=(
        Argument("node", "node", "file or symbol", required=True),
        Argument("limit", "count", "rows of each kind to list; 0 lists all", default=LIMIT, flag=True),
    ),
    about="For a symbol it lists the versions in which its own lines changed, and the reads that showed any of "
    "these lines. For words it lists where they were said, and what carries them.",
    words=True,
)
