"""`statement`: one thing that was said, when the agent's window had it, when it lost it, and by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.present.parts import op_row, strip
from ccos_core.present.rows import Moment, Row, Span, View, clean, note, row, title
from ccos_core.present.words import STATES as STATE_WORDS
from ccos_core.query.carriers import Carriers, Carrying
from ccos_core.query.hosted.happening import Cut, Witness
from ccos_core.query.hosted.rows import agent_state, cut_rows, legend, state_words, whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.said import Place, memo_id, said_until
from ccos_core.query.telling import Run, Told, told, told_runs
from ccos_core.replay.residency.runs import STATES, WITHIN, runs, turns
from ccos_core.text.retrieval.carried import normalised_words

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MEMO = "memo:"
STRIP_INDENT = 4


@dataclass(frozen=True, slots=True)
class Change:
    """A step at which the window got the words, lost them, or lost a part of them."""

    step: int
    before: str
    state: str
    op: Told
    lost: bool
    """Whether the window has less of the words than before."""

    cut: Cut | None
    """What is known of the compaction, if one dropped what carried the words."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The answer to `statement`."""

    schema: ClassVar[str] = "ccos.statement/1"
    at: int
    whose: Whose
    memo: str
    """Its id: the same wherever the same words are said."""

    text: str
    places: tuple[Place, ...]
    """Where the user said it as a statement of its own; empty of a phrase that is part of others."""

    state: str
    """How it stands at the step: `in`, `partial`, `uncertain`, `out`, `unborn`."""

    runs: tuple[Run, ...]
    """How it stood at each step of the session."""

    carriers: tuple[Carrying, ...]
    """What brought the words into this context, over all of the session."""

    changes: tuple[Change, ...]

    def as_rows(self, view: View) -> Sequence[Row]:
        """Show a strip over the session, then each change with what caused it."""
        return list(_rows(self, view))


def _rows(answer: Standing, view: View) -> Iterator[Row]:
    yield title(f"“{clean(answer.text)}”")
    yield note(f"  {whose_words(answer.whose)}")
    for place in answer.places:
        channel = f" ({clean(place.channel)})" if place.channel else ""
        yield row(Span("  said at ", "quiet"), Span(f"step {place.step:,}", "link"), channel, leads=Moment(place.step))
    room = view.columns - STRIP_INDENT if view.columns is not None else None
    yield row("  ", *strip(answer.runs, room, state_words))
    yield row("  ", legend(answer.runs))
    yield row(f"  step {answer.at:,}: ", agent_state(answer.state))
    for each in answer.changes:
        sign = STATE_WORDS[each.state][0]
        words = f"  {sign} {state_words(each.state)}: "
        yield op_row(each.op, Span(words, "out" if each.lost else "in", f"  {state_words(each.state)}: "))
        if each.cut is not None:
            yield from cut_rows(each.cut, view.columns or 80)
    for carrier in answer.carriers:
        how = "word for word" if carrier.whole else "in part"
        yield row(f"  {clean(carrier.item)} carries it {how}", leads=Moment(carrier.step))


def statement(timeline: Timeline, at: int, words: str, session: str | None, context: str | None) -> Standing:
    """Return when the window of a context had some words that were said: a statement's id, its step, its words, or a
    phrase."""
    number, whose = chosen(timeline, at, HOST, session, context)
    every = said_until(timeline, timeline.head, (whose.host, whose.session))
    phrase = tuple(normalised_words(words))
    found = next((each for each in every if words == each.memo or each.words == phrase), None)
    if found is None and words.isdecimal():
        found = next((each for each in every if int(words) in [place.step for place in each.places]), None)
    if found is None and words.startswith(MEMO):
        raise NotFound("there is no such statement", place=words, hint="`statements` lists them.")
    wanted = found.words if found is not None else phrase
    carriers = Carriers(timeline, number)
    carrying = carriers.of(wanted, timeline.head)
    if found is None and not carrying:
        raise NotFound("these words were never said", place=words, hint="`statements` lists what was said.")
    states = carriers.states(carrying)
    return Standing(
        at=at,
        whose=whose,
        memo=memo_id(wanted),
        text=found.text if found is not None else words,
        places=found.places if found is not None else (),
        state=STATES[int(states[at])],
        runs=told_runs(runs(states)),
        carriers=carrying,
        changes=tuple(_changes(timeline, number, states.tolist(), turns(states).tolist(), carrying)),
    )


def _changes(
    timeline: Timeline, context: int, states: list[int], steps: list[int], carriers: Sequence[Carrying]
) -> Iterator[Change]:
    witness = Witness(timeline, context)
    cuts = set(witness.cuts(1, timeline.head))
    for step in steps:
        before, state = states[step - 1], states[step]
        lost = before in WITHIN and (state not in WITHIN or WITHIN.index(state) > WITHIN.index(before))
        op = told(timeline, step)
        item = next((each.item for each in carriers if each.step < step), "")
        cut = witness.cut(step, item) if step in cuts and lost else None
        yield Change(step, STATES[before], STATES[state], op, lost, cut)


QUESTION = Question(
    ask=statement,
    answers=(Standing,),
    example="statement invoices are due a fortnight late",
    arguments=(Argument("words", "text", "words that were said, or the step of a statement", required=True), *WHOSE),
    about=(
        "The words are in the agent's window while something there says them. A summary that says only a part of "
        "them, or says them otherwise, has them in part."
    ),
)
