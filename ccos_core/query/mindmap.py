"""`mindmap`: a map of what the session works with, as MindMark, in one of three sizes.

The user's last request and the rules in force stand beside it word for word, at every level: a map of 80 tokens names
only the steps where they were said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ccos_core.errors import NotFound
from ccos_core.present.rows import Moment, Row, Span, View, clean, heading, note, row
from ccos_core.query.candidates import policy_at
from ccos_core.query.contexts import last_speaker
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.instructions.rules import LONGEST_RULE, rules_of
from ccos_core.query.mentions import Named, named_at
from ccos_core.query.pressure import Pressure, pressure_at
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.remembered import FULL_WEIGHT, LIVE
from ccos_core.query.resources import Resource, Standings
from ccos_core.query.retelling import sayings_of
from ccos_core.query.said import REMEMBERED, Said, said_until
from ccos_core.replay.codes import NO_TIME
from ccos_core.text.standing import weight_of
from ccos_core.values.ids import file_node, path_of
from ccos_core.window.map import COLD, MOST_ITEMS, UNLOADED, DrawnMap, MapItem, MapNote, MapState, MapWords, draw

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

LEVEL_WORDS = {"1": 1, "2": 2, "3": 3, "verbose": 1, "dense": 2, "ultra-dense": 3}
BY_PRESSURE = {"low": 1, "medium": 2, "high": 3, "critical": 3, "?": 2}
"""Pressure → the level that is drawn unless a level is asked for."""
SPENT_WEIGHT = -10
"""Weight of a statement that is spent: a question or a go-ahead that was answered (`text/standing.py`). Of 81 that
were labelled as standing none weighs so little."""
RULES = frozenset({"preference", "correction", "decision", "rule", "anti-pattern", "failed-attempt"})
"""Classes of statements that hold on."""
MINUTE = 60_000  # milliseconds
HOUR, DAY = 60, 1_440  # minutes
LINKING = 15
"""Files among which a map tells links."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Words of the user that hold, as they were said."""

    memo: str
    """Its id."""

    text: str
    step: int
    """Where they were said last; 0 of what only the user's own record has."""


@dataclass(frozen=True, slots=True)
class MindMap:
    """The answer to `mindmap`."""

    schema: ClassVar[str] = "ccos.mindmap/1"
    at: int
    level: int
    """1 to 3."""

    text: str
    """The map."""

    tokens: int
    pressure: str
    """The level of pressure; empty if no window of an agent is recorded."""

    policy: str
    """In which order things would be dropped."""

    resources: tuple[Resource, ...]
    """Those the map names, in the order in which it drops them from the end."""

    dropped: int
    """Resources it has no room for."""

    names: tuple[str, ...]
    """Identifiers it names."""

    names_dropped: int
    """Identifiers it has no room for."""

    request: tuple[Beside, ...]
    """The user's last request, word for word."""

    rules: tuple[Beside, ...]
    """What else the user said that still counts, word for word, what matters most first."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """The map, then what it keeps beside it."""
        rows = [row(clean(line)) for line in self.text.splitlines()]
        rows.append(note(f"level {self.level}, about {self.tokens:,} tokens"))
        for head, said in (("The user's last request", self.request), ("What the user said that holds", self.rules)):
            shown, more = view.some(said, MOST_BESIDE)
            rows += [heading(head)] if shown else []
            rows += [_beside_row(each) for each in shown]
            rows += [note(f"  and {more:,} more")] if more else []
        return rows


MOST_BESIDE = 12


def _beside_row(each: Beside) -> Row:
    step = Span(f"{each.step:>7} ", "quiet")
    return row(step, clean(" ".join(each.text.split())), leads=Moment(each.step) if each.step else None)


def mindmap(
    timeline: Timeline, at: int, user: Timeline | None, level: str | None, session: str | None, context: str | None
) -> MindMap:
    """Draw the map of a step."""
    pressed = _pressed(timeline, at, session, context)
    whose = pressed[1].whose if pressed is not None else None
    said = _said(timeline, at, user, whose)
    request, rules = _request(said), _rules(said)
    named = named_at(timeline, at)
    standings = Standings(timeline, at, pressed[0] if pressed is not None else None)
    resources = list(_resources(standings, named))
    pressure = pressed[1] if pressed is not None else None
    state = MapState(
        step=at,
        items=tuple(_item(standings, each) for each in resources),
        known=timeline.at(at).paths(),
        words=named.words,
        request=tuple(MapWords(each.step, each.text) for each in request),
        rules=tuple(MapWords(each.step, each.text) for each in rules),
        links=tuple(_links(timeline, at, resources[:LINKING])),
        used=pressure.context_used if pressure is not None else None,
        limit=pressure.context_max if pressure is not None else None,
        pressure=pressure.level if pressure is not None else "?",
        clock=_clock(timeline, at),
        policy=policy_at(timeline, at),
        evict=_first(pressure),
    )
    drawn = draw(state, LEVEL_WORDS[level] if level else BY_PRESSURE[state.pressure])
    return _answer(state, drawn, resources, request, rules)


# ---- helpers ----


def _pressed(timeline: Timeline, at: int, session: str | None, context: str | None) -> tuple[int, Pressure] | None:
    """The number of the context that is meant, and its pressure; None if no window of an agent is recorded."""
    try:
        number, whose = chosen(timeline, at, HOST, session, context)
    except NotFound:
        if session is not None or context is not None:
            raise
        return None
    return number, pressure_at(timeline, at, number, whose)


def _said(timeline: Timeline, at: int, user: Timeline | None, whose: Whose | None) -> list[Said]:
    """What the user said in this session, or asked to remember, and still stands."""
    speaker = whose or last_speaker(timeline, at)
    session = (speaker.host, speaker.session) if speaker is not None else ("", "")
    return [each for each in said_until(timeline, at, session, user=user) if each.standing == LIVE]


def _request(said: Sequence[Said]) -> tuple[Beside, ...]:
    """The statements of the last prompt, in order."""
    last = max((place.step for each in said for place in each.places if place.channel != REMEMBERED), default=0)
    found = [(place.first, each) for each in said for place in each.places if place.step == last and last]
    return tuple(Beside(each.memo, each.text, last) for _, each in sorted(found, key=lambda pair: pair[0]))


def _rules(said: list[Said]) -> tuple[Beside, ...]:
    """What else holds on: what is filed as a rule, reads as one, or is likely to count still."""
    weights = [weight_of(saying) for saying in sayings_of(said)] if said else []
    asked = {each.memo for each in _request(said)}
    found = [
        (weight, each)
        for weight, each in zip(weights, said, strict=True)
        if each.memo not in asked and (weight > SPENT_WEIGHT or _is_rule(each)) and not each.pasted
    ]
    found.sort(key=lambda pair: (not _is_filed(pair[1]), -pair[0], -pair[1].places[-1].step, pair[1].memo))
    return tuple(Beside(each.memo, each.text, each.places[-1].step) for _, each in found)


def _is_filed(each: Said) -> bool:
    return bool(RULES.intersection(each.classes)) or each.places[-1].channel == REMEMBERED


def _is_rule(each: Said) -> bool:
    return _is_filed(each) or (len(each.text) <= LONGEST_RULE and bool(rules_of(each.text)))


def _resources(standings: Standings, named: Named) -> Iterator[Resource]:
    """What was named, the most likely to be needed first by its attention; then what was only mentioned."""
    scores = {file_node(each.path): (each.score, each.last) for each in named.files}
    spoken_of = [node for node in standings.spoken_of() if node not in scores]
    every = [*scores.items(), *((node, (0, 0)) for node in spoken_of)]
    found = [(score, standings.resource(node, last)) for node, (score, last) in every[:MOST_ITEMS]]
    found.sort(key=lambda pair: (-pair[0] * pair[1].weight, -pair[1].weight, pair[1].node))
    yield from (resource for _, resource in found)
    yield from (Resource(node, COLD, UNLOADED, 0, last, FULL_WEIGHT) for node, (_, last) in every[MOST_ITEMS:])


def _item(standings: Standings, each: Resource) -> MapItem:
    notes = tuple(MapNote(note.step, note.text) for note in standings.notes(each.node))
    return MapItem(each.node, each.region, each.status, each.tokens, each.last, notes)


def _links(timeline: Timeline, at: int, resources: Sequence[Resource]) -> Iterator[tuple[str, str]]:
    """Which of these files depend on which others of them."""
    paths = [path for each in resources if each.node.startswith("file:") and (path := path_of(each.node))]
    moment = timeline.at(at)
    for path in paths:
        targets = dict.fromkeys(link.target.path for link in moment.links(path)) if moment.version(path) else {}
        yield from ((path, target) for target in targets if target in paths and target != path)


def _clock(timeline: Timeline, at: int) -> str:
    """When the step was, in hours and minutes of UTC; of the last one before that has a time."""
    times = timeline.journal.steps["at"][:at]
    timed = np.flatnonzero(times != NO_TIME)
    if not len(timed):
        return "--:--"
    minutes = int(times[timed[-1]]) // MINUTE % DAY
    return f"{minutes // HOUR:02}:{minutes % HOUR:02}"


def _first(pressure: Pressure | None) -> str:
    """What should be dropped first, in short."""
    candidates = pressure.eviction_candidates if pressure is not None else ()
    return candidates[0].item.rpartition("/")[2].removeprefix("file:") if candidates else ""


def _answer(
    state: MapState,
    drawn: DrawnMap,
    resources: Sequence[Resource],
    request: tuple[Beside, ...],
    rules: tuple[Beside, ...],
) -> MindMap:
    named = set(drawn.nodes)
    return MindMap(
        at=state.step,
        level=drawn.level,
        text=drawn.text,
        tokens=drawn.tokens,
        pressure="" if state.pressure == "?" else state.pressure,
        policy=state.policy,
        resources=tuple(each for each in resources if each.node in named),
        dropped=drawn.dropped,
        names=drawn.words,
        names_dropped=drawn.words_dropped,
        request=request,
        rules=rules,
    )


QUESTION = Question(
    ask=mindmap,
    answers=(MindMap,),
    needs=("user",),
    example="mindmap 2",
    arguments=(
        Argument("level", "word", "1 verbose, 2 dense, 3 ultra-dense; else by pressure", words=tuple(LEVEL_WORDS)),
        *WHOSE,
    ),
    about="Files and identifiers come in the order in which they are likely to be needed next. What has no room is "
    "counted. The user's last request and the rules in force are given with the map, word for word.",
    nothing=lambda answer: not answer.resources,
)
