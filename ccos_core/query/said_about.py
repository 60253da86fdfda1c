"""`said`: what was said about something, by the user or the agent, the best first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, TypeAlias

import numpy as np

from ccos_core.memory.speech import words_of_user
from ccos_core.present.cells import clip
from ccos_core.present.parts import and_more
from ccos_core.present.rows import Moment, Row, Span, View, clean, row, title
from ccos_core.present.words import count
from ccos_core.query.op_text import text_of
from ccos_core.query.question import Argument, Question
from ccos_core.query.saying.utterance import AGENT, USER
from ccos_core.replay.codes import KIND_CODES
from ccos_core.text.retrieval.scores import best_first
from ccos_core.text.retrieval.talk import Talk, Turn, said_terms

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

    _SaidThen: TypeAlias = tuple[int, Turn, str]

LIMIT = 10
ANYBODY = "all"
STEP_COLUMNS, SPEAKER_COLUMNS, NARROWEST = 7, 7, 20


@dataclass(frozen=True, slots=True)
class SaidTurn:
    """Something that was said at one step."""

    step: int
    by: str
    """`user` or `agent`."""

    channel: str
    """How the user said it: `queued`, `answer`, `refusal`, ...; empty for a prompt."""

    text: str
    """The line that has most of the words asked for."""


@dataclass(frozen=True, slots=True)
class SaidAbout:
    """The answer to `said`."""

    schema: ClassVar[str] = "ccos.said/1"
    at: int
    words: str
    """What was asked for."""

    turns: tuple[SaidTurn, ...]
    """The best first."""

    more: int
    """How many others have some of the words, or stand beside one that does."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """One row for each; Enter leads to its step."""
        if not self.turns:
            return [title(f"nothing was said about “{clean(self.words)}” up to step {self.at:,}")]
        every = count(len(self.turns) + self.more, "turn")
        head = title(f"said about “{clean(self.words)}” up to step {self.at:,}: the best of {every}")
        room = max((view.columns or 120) - STEP_COLUMNS - SPEAKER_COLUMNS, NARROWEST)
        return [head, *(_row(each, room) for each in self.turns), *and_more(self.more, "turn")]


def _row(each: SaidTurn, room: int) -> Row:
    number = Span(f"{each.step:>{STEP_COLUMNS - 1}} ", "quiet", f"step {each.step:,}, ")
    return row(
        number,
        Span(f"{clean(each.by):<{SPEAKER_COLUMNS}}", each.by if each.by in (USER, AGENT) else ""),
        clip(clean(each.text), room),
        leads=Moment(each.step),
    )


def said_about(timeline: Timeline, at: int, words: str, by: str, limit: int) -> SaidAbout:
    """Find what was said about some words up to step `at`, in every session and context of the record."""
    heard = _heard_until(timeline, at)
    scores = heard.talk.scores(words)
    if by != ANYBODY:
        scores[[each.speaker != by for each in heard.turns]] = 0
    found = best_first(scores)
    asked = set(said_terms(words))
    turns = tuple(
        SaidTurn(int(heard.steps[n]), heard.turns[n].speaker, heard.channels[n], _line(heard.turns[n].text, asked))
        for n in found[: limit or None]
    )
    return SaidAbout(at, words, turns, len(found) - len(turns))


class _Heard:
    """What was said, by context and step."""

    def __init__(self, said: Iterable[_SaidThen]) -> None:
        found = sorted(said, key=lambda each: (each[1].group, each[0]))
        self.steps = np.array([step for step, _, _ in found], dtype=np.int64)
        self.turns = [turn for _, turn, _ in found]
        self.channels = [channel for _, _, channel in found]
        self.talk = Talk(self.turns)


def _heard_until(timeline: Timeline, at: int) -> _Heard:
    """Return what was said up to a step: what is rare, and what stands beside a turn, depends on nothing later. What
    was asked for last is kept, and the whole."""
    said: list[_SaidThen] = timeline.journal.once("turns of talk", lambda: list(_read(timeline)))
    kept: dict[int, _Heard] = timeline.journal.once("talk", dict)
    size = bisect_right(said, at, key=itemgetter(0))
    if size not in kept:
        for each in [each for each in kept if each != len(said)]:
            del kept[each]
        kept[size] = _Heard(said[:size])
    return kept[size]


def _read(timeline: Timeline) -> Iterator[_SaidThen]:
    steps = timeline.journal.steps
    found = (np.flatnonzero(np.isin(steps["kind"], [KIND_CODES["prompt"], KIND_CODES["turn"]])) + 1).tolist()
    timeline.have_ready(found)
    for step in found:
        op = timeline.op(step)
        by, channel, text = AGENT, "", text_of(timeline, op.get("said"))
        if op["kind"] == "prompt":
            by = USER
            channel, text = words_of_user(op, text)
        if text.strip():
            yield step, Turn(by, text, int(steps["context"][step - 1])), channel


def _line(text: str, asked: set[str]) -> str:
    """Return the first of the lines that have most of the terms."""
    lines = [line for line in text.splitlines() if line.strip()]
    return max(lines, key=lambda line: len(asked & set(said_terms(line)))).strip()


QUESTION = Question(
    ask=said_about,
    answers=(SaidAbout,),
    example="said when are invoices due",
    arguments=(
        Argument("words", "text", "what it was about, as words or a question", required=True),
        Argument("by", "word", "who said it", default=ANYBODY, flag=True, words=(USER, AGENT, ANYBODY)),
        Argument("limit", "count", "turns to list; 0 lists all", default=LIMIT, flag=True),
    ),
    about="Words needn't be the same: forms of a word count as one, and the turns around a turn count with it.",
    nothing=lambda answer: not answer.turns,
)
