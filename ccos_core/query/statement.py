"""`statement`: one thing that was said, when the agent's window had it, when it lost it, and by what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound
from ccos_core.present.parts import and_more, op_row, strip
from ccos_core.present.rows import Moment, Part, Row, Span, View, clean, note, row, title
from ccos_core.present.words import STATES as STATE_WORDS
from ccos_core.query.believing import sums, weigh
from ccos_core.query.carriers import Carrying
from ccos_core.query.hosted.happening import Happening, Witness
from ccos_core.query.hosted.item_names import carrier_name
from ccos_core.query.hosted.rows import UNSAID, agent_state, carrier_words, cut_rows, legend, state_words, whose_words
from ccos_core.query.hosted.whose import WHOSE, Whose, chosen, watched_there
from ccos_core.query.question import HOST, Argument, Question
from ccos_core.query.recorded import SCOPE_WORDS
from ccos_core.query.remembered import LIVE, Objection, assertions_of, remembered_until
from ccos_core.query.said import Place, said_until, statement_with
from ccos_core.query.saying.utterance import AUTHORS, USER, memo_id
from ccos_core.query.spoken import Spoken
from ccos_core.query.telling import Run, told_runs
from ccos_core.replay.residency.runs import STATES, runs, turns
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.values.ids import SPOKEN_PREFIXES, WORDS_PREFIX

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

STRIP_INDENT = 4
CARRIERS, LISTED_CARRIERS = 12, 200
"""Carriers that a terminal shows, and that an answer has."""


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
    """Where it was said as a statement of its own; empty of a phrase that is part of others."""

    state: str
    """How it stands at the step: `in`, `partial`, `stale` where other words have taken its place and the window doesn't
    have these, `uncertain`, `out`, `unborn`."""

    runs: tuple[Run, ...]
    """How it stood at each step of the session."""

    carriers: tuple[Carrying, ...]
    """What brought the words into this context, over all of the session: the last ones."""

    changes: tuple[Happening, ...]
    """Each step at which the window got the words, lost them, or lost a part of them."""

    carrier_names: tuple[str, ...] = ()
    """What each of these carriers is called: `prompt 12`, `skill 82`, `output of Bash 311`."""

    unsaid: bool = False
    """Whether the user never said these words."""

    more: int = 0
    """Carriers before those listed."""

    cls: str = ""
    """The class it was given, such as `preference`; empty if none."""

    scope: str = ""
    """Where it holds, if it was remembered: `session`, `project`, `user`."""

    standing: str = LIVE
    """`live`, `superseded`, `retracted` or `expired`."""

    by: str = ""
    """What superseded it, or the policy by which it expired."""

    objection: Objection | None = None
    """How others than a person would have a statement of the user stand; None if they didn't say."""

    belief: int = 0
    """From -1000 to 1000, by all evidence."""

    tension: int = 0
    """How much speaks on both sides, up to 1000."""

    def as_rows(self, view: View) -> Sequence[Row]:
        """Show a strip over the session, then each change with what caused it."""
        return list(_rows(self, view))


def _rows(answer: Standing, view: View) -> Iterator[Row]:
    yield title(f"“{clean(answer.text)}”")
    yield note(f"  {whose_words(answer.whose)}")
    for place in answer.places:
        channel = f" ({clean(place.channel)})" if place.channel else ""
        yield row(Span("  said at ", "quiet"), Span(f"step {place.step:,}", "link"), channel, leads=Moment(place.step))
    if answer.unsaid:
        yield note(UNSAID)
    if answer.cls or answer.standing != LIVE or answer.belief or answer.tension:
        yield row("  ", *_filed(answer))
    if answer.objection is not None:
        by = f" by {clean(answer.objection.by)}" if answer.objection.by else ""
        yield note(f"  {clean(str(answer.objection))}{by}; only a person can change it")
    room = view.columns - STRIP_INDENT if view.columns is not None else None
    yield row("  ", *strip(answer.runs, room, state_words))
    yield row("  ", legend(answer.runs))
    yield row(f"  step {answer.at:,}: ", agent_state(answer.state))
    for each in answer.changes:
        state = state_words(each.state)
        sign = Span(f"  {STATE_WORDS[each.state][0]} {state}: ", "out" if each.lost else "in", f"  {state}: ")
        yield op_row(each.op, sign)
        if each.carrier_names:
            yield note(f"    {carrier_words(each)}")
        if each.cut is not None:
            yield from cut_rows(each.cut, view.columns or 80)
    named = list(zip(answer.carriers, answer.carrier_names, strict=False))
    shown, more = view.some(named, CARRIERS, last=True)
    yield from and_more(more + answer.more, "earlier carrier")
    for carrier, name in shown:
        how = "word for word" if carrier.whole else "in part"
        yield row(f"  {clean(name)} carries it {how}", leads=Moment(carrier.step))


def _filed(answer: Standing) -> Iterator[Part]:
    """Say what a statement is, where it holds, how it stands and what is believed of it."""
    where = SCOPE_WORDS.get(answer.scope, clean(answer.scope))
    yield " ".join(filter(None, (clean(answer.cls), where))) + (", " if answer.cls or where else "")
    yield Span(clean(answer.standing), "good" if answer.standing == LIVE else "bad")
    yield f" by {clean(answer.by)}" if answer.by else ""
    yield Span(f", belief {answer.belief:+,}, tension {answer.tension:,}", "quiet")


def statement(
    timeline: Timeline, at: int, user: Timeline | None, words: str, session: str | None, context: str | None
) -> Standing:
    """Return when the window of a context had some words that were said: a statement's id, its step, its words, or a
    phrase."""
    node = words if words.startswith(SPOKEN_PREFIXES) else WORDS_PREFIX + words
    if words.isdecimal():
        _, whose = chosen(timeline, at, HOST, session, context)
        every = said_until(timeline, timeline.head, (whose.host, whose.session), AUTHORS)
        node = next((each.memo for each in every if int(words) in [place.step for place in each.places]), node)
    if own := remembered_until(user, user.head).get(node) if user is not None else None:
        node = WORDS_PREFIX + own.text
    return statement_standing(timeline, at, node, session, context, user)


def statement_standing(
    timeline: Timeline,
    at: int,
    node: str,
    session: str | None,
    context: str | None,
    user: Timeline | None = None,
) -> Standing:
    """Return when the window of a context had the words of a node: a statement's id, or a phrase."""
    number, whose = chosen(timeline, at, HOST, session, context)
    if node.startswith(WORDS_PREFIX):
        memo = memo_id(normalised_words(node.removeprefix(WORDS_PREFIX)))
        node = memo if statement_with(timeline, memo, (whose.host, whose.session)) is not None else node
    seen = watched_there(timeline, node, at, number, HOST)
    words = seen.residency
    assert isinstance(words, Spoken)
    every = said_until(timeline, timeline.head, (whose.host, whose.session), AUTHORS, user)
    said = [each for each in every if each.words == words.words]
    places = [place for each in said for place in each.places]
    if not places and not words.carrying:
        raise NotFound("these words were never said", place=words.text, hint="`statements` lists what was said.")
    states = words.states(0, 0, timeline.head)
    witness = Witness(timeline, number)
    memo = memo_id(words.words)
    of_user = any(each.author == USER for each in said)
    own = assertions_of(user, memo, user.head, of_user=of_user) if user is not None else None
    is_own = own is not None and bool(own.born)
    filed = own if own is not None and is_own else assertions_of(timeline, memo, at)
    evidence = sums(user, user.head, memo) if user is not None and is_own else sums(timeline, at, memo)
    belief, tension = weigh(*evidence)
    turned = [(step, int(states[step - 1]), int(states[step])) for step in turns(states).tolist()]
    return Standing(
        at=at,
        whose=whose,
        memo=memo,
        text=said[0].text if said else words.text,
        places=tuple(places),
        state=STATES[int(states[at])],
        runs=told_runs(runs(states)),
        carriers=words.carrying[-LISTED_CARRIERS:],
        carrier_names=tuple(carrier_name(timeline.journal, each.item) for each in words.carrying[-LISTED_CARRIERS:]),
        unsaid=not words.by_user,
        more=max(len(words.carrying) - LISTED_CARRIERS, 0),
        changes=tuple(witness.told(seen, *each) for each in turned),
        cls=filed.cls,
        scope=filed.scope,
        standing=filed.standing,
        by=filed.by,
        objection=filed.objection,
        belief=belief,
        tension=tension,
    )


QUESTION = Question(
    ask=statement,
    answers=(Standing,),
    needs=("user",),
    example="statement invoices are due a fortnight late",
    arguments=(Argument("words", "text", "words that were said, or the step of a statement", required=True), *WHOSE),
    about=(
        "The words are in the agent's window while something there says them. A summary that says only a part of "
        "them, or says them otherwise, has them in part."
    ),
)
