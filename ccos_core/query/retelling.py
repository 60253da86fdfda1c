"""What a window lost of what was said, in the order in which it is told again: the last request, standing statements
of the user, open todos, what was tried and failed. Nothing that the window still holds.

    retelling(timeline, at, Context("claude-code", "s1", "")).statements    # what matters most comes first
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.memory.speech import DONE
from ccos_core.query.carriers import Carriers
from ccos_core.query.contexts import contexts_of
from ccos_core.query.op_text import text_of
from ccos_core.query.remembered import LIVE
from ccos_core.query.said import REMEMBERED, Place, Said, said_until
from ccos_core.query.saying.agent import TODO
from ccos_core.query.saying.utterance import AGENT
from ccos_core.query.tried import tried
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.residency.runs import IN, OUT, UNBORN
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.standing import Saying, weight_of
from ccos_core.values.canon import digest

if TYPE_CHECKING:
    from ccos_core.query.contexts import Context
    from ccos_core.replay.timeline import Timeline

SHORT_WORDS = 2
"""Words of a statement that says nothing by itself, such as "yes" or "go on"."""
MOST_STATEMENTS = 200
"""Statements that are looked for, to count what a delivery has no room for."""
CUTS = ("compaction", "cleared")
MOST_ANNOTATIONS = 50
"""Notes on nodes that are looked at, the last ones."""
NAME_DIGITS = 16
ACTIVE = ("prompt", "turn", "thought", "tool")
"""Kinds of op by which a conversation goes on."""
NO_CONTEXT = -1
"""The number of a context of which nothing is recorded."""


@dataclass(frozen=True, slots=True)
class Retold:
    """One thing to tell again."""

    name: str
    """By this it is known that it was told: the id of the statement, or a hash of the text."""

    text: str
    step: int
    """Where it was said last; 0 if it stands in the user's own record."""

    pasted: bool = False


@dataclass(frozen=True, slots=True)
class Retelling:
    """What a window lost."""

    request: tuple[Retold, ...]
    """The statements of the last request that the window doesn't hold word for word, in order."""

    whole: bool
    """Whether these are all of that request."""

    statements: tuple[Retold, ...]
    """What the user said otherwise and the window doesn't hold, what matters most first."""

    todos: tuple[Retold, ...]
    """Todos of the agent that are open, with their status, and notes: what was remembered, and those on files and
    other nodes; the newest first."""

    tried: tuple[Retold, ...]
    """Edits after which a failure that is still alive was seen again, the newest failure first."""


def retelling(timeline: Timeline, at: int, whose: Context, user: Timeline | None = None) -> Retelling:
    """Return what the window of a context doesn't hold at a step of what its user said, here or, by the `user`'s own
    record, for every project. A subagent has no request of the user."""
    said = said_until(timeline, at, (whose.host, whose.session), user=user)
    said = tuple(each for each in said if each.standing == LIVE)
    window = _Window(timeline, whose, at)
    asked = [place.step for each in said for place in each.places if place.channel != REMEMBERED]
    last = 0 if whose.context else max(asked, default=0)
    request = [(place.first, each) for each in said for place in each.places if place.step == last and last]
    request.sort(key=lambda each: each[0])
    lost = [_retold(each) for _, each in request if not window.has_whole(each)]
    others = [each for each in said if each.places[-1].step != last or not last]
    own = [] if whose.context else _still_open(said_until(timeline, at, (whose.host, whose.session), (AGENT,)))
    todos = [_with_status(each) for each in own if window.lost(each)]
    todos += [] if whose.context else _annotations(timeline, at, number_of(timeline, whose), window)
    failed = [] if whose.context else [Retold(_name(text), text, step) for step, text in tried(timeline, at)]
    return Retelling(
        request=tuple(lost),
        whole=len(lost) == len(request),
        statements=tuple(islice(_by_weight(others, window), MOST_STATEMENTS)),
        todos=tuple(sorted(todos, key=lambda each: -each.step)),
        tried=tuple(each for each in failed if window.lost_words(tuple(normalised_words(each.text)))),
    )


def number_of(timeline: Timeline, whose: Context) -> int:
    """Return the number of a context in the journal."""
    return next((number for number, each in contexts_of(timeline).items() if each == whose), NO_CONTEXT)


def is_just_cut(timeline: Timeline, whose: Context, cut: int) -> bool:
    """Return whether a conversation was cut at step `cut` and hasn't gone on since."""
    steps = timeline.journal.steps
    later = steps["kind"][cut:][steps["context"][cut:] == number_of(timeline, whose)]
    return cut > 0 and not np.isin(later, [KIND_CODES[kind] for kind in ACTIVE]).any()


# ---- helpers ----


class _Window:
    """What the window of a context has of some words at a step."""

    def __init__(self, timeline: Timeline, whose: Context, at: int) -> None:
        number = number_of(timeline, whose)
        self._carriers = Carriers(timeline, number) if number != NO_CONTEXT else None
        self._at = at

    def has_whole(self, said: Said) -> bool:
        return self._state(said) == IN

    def lost(self, said: Said) -> bool:
        return self._state(said) in (OUT, UNBORN)

    def lost_words(self, words: tuple[str, ...]) -> bool:
        carriers = self._carriers
        return carriers is None or carriers.state(carriers.of(words, self._at), self._at)[0] in (OUT, UNBORN)

    def _state(self, said: Said) -> int:
        if self._carriers is None:
            return UNBORN
        return self._carriers.state(self._carriers.of_statement(said, self._at), self._at, said.first)[0]


def _by_weight(said: Sequence[Said], window: _Window) -> Iterator[Retold]:
    """What the window doesn't hold of these, by how likely each still counts."""
    sayings = sayings_of(said)
    order = sorted(range(len(said)), key=lambda at: (-weight_of(sayings[at]), -said[at].places[-1].step, at))
    for at in order:
        if len(said[at].words) > SHORT_WORDS and weight_of(sayings[at]) > 0 and window.lost(said[at]):
            yield _retold(said[at])


def sayings_of(said: Sequence[Said]) -> list[Saying]:
    """Return what the weight of each statement depends on, in the same order."""
    prompts = sorted({place.step for each in said for place in each.places})
    sizes = dict.fromkeys(prompts, 0)
    for each in said:
        for place in each.places:
            sizes[place.step] += 1
    since = {step: len(prompts) - 1 - number for number, step in enumerate(prompts)}
    return [
        Saying(
            text=each.text,
            words=each.words,
            times=len({place.step for place in each.places}),
            together=sizes[each.places[-1].step] if each.places[-1].step else 1,
            since=since[each.places[-1].step],
            leads=each.places[-1].first == 1,
            channel=each.places[-1].channel,
            pasted=each.pasted,
        )
        for each in said
    ]


def _still_open(said: Iterable[Said]) -> list[Said]:
    """The todos that aren't done, and what the agent asked to remember; the newest first."""
    found = [each for each in said if each.standing == LIVE and _is_open(each.places[-1])]
    return sorted(found, key=lambda each: -each.places[-1].step)


def _annotations(timeline: Timeline, at: int, context: int, window: _Window) -> Iterator[Retold]:
    """Yield the last notes on nodes that were left before a window began anew and that it lost."""
    steps = timeline.journal.steps
    mine = np.flatnonzero(steps["context"][:at] == context) + 1
    cuts = mine[np.isin(steps["kind"][mine - 1], [KIND_CODES[kind] for kind in CUTS])]
    begun = int(cuts[-1]) if len(cuts) else int(mine[0]) if len(mine) else at + 1
    left = np.flatnonzero(steps["kind"][: begun - 1] == KIND_CODES["annotation"]) + 1
    for step in left[-MOST_ANNOTATIONS:].tolist():
        op = timeline.op(step)
        text = text_of(timeline, op.get("note"))
        if text and window.lost_words(tuple(normalised_words(text))):
            told = f"(note on {op.get('node', ':the session').partition(':')[2]}) {text}"
            yield Retold(_name(told), told, step)


def _is_open(place: Place) -> bool:
    return place.channel == REMEMBERED or (place.channel == TODO and place.status not in DONE)


def _with_status(todo: Said) -> Retold:
    """What is told of a todo; told again when its status changed."""
    text = f"({todo.places[-1].status.replace('_', ' ') or 'noted'}) {todo.text}"
    return Retold(_name(text), text, todo.places[-1].step)


def _retold(said: Said) -> Retold:
    return Retold(said.memo, said.text, said.places[-1].step, said.pasted)


def _name(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass")).hex()[:NAME_DIGITS]
