"""What was said, statement by statement: who said it, where, and an id that is the same wherever it is said again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from ccos_core.query.contexts import contexts_of
from ccos_core.query.remembered import (
    LIVE,
    RETRACTED,
    Assertions,
    Objection,
    assertion_ops,
    assertions_of,
    remembered_until,
)
from ccos_core.query.saying.agent import TODO, agent_utterances
from ccos_core.query.saying.files import file_utterances
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.saying.utterance import (
    AGENT,
    AUTHORS,
    FILE,
    KNOWN_STATEMENTS,
    SAID_SCOPE,
    USER,
    Utterance,
    memo_id,
)
from ccos_core.text.retrieval.carried import normalised_words
from ccos_core.text.sorts import sort_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.text.statements import Statement

    _Key: TypeAlias = tuple[str, tuple[str, ...]]

REMEMBERED = "remembered"
"""The channel of words that were remembered without having been said before."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement was said."""

    step: int
    first: int
    """The first line of what was said then: of the prompt, of the file."""

    last: int
    channel: str
    """How it was said: `queued`, `answer`, `refusal`, `command`, `todo`, ...; empty for a prompt."""

    path: str = ""
    """The file that says it; empty where it wasn't a file."""

    status: str = ""
    """How far a todo was then, in the host's word."""


@dataclass(frozen=True, slots=True)
class Said:
    """One statement, wherever it was said again."""

    memo: str
    """The same wherever the same words are said."""

    text: str
    """As it was said last."""

    words: tuple[str, ...]
    places: tuple[Place, ...]
    author: str = USER
    """`user`, `agent` or `file`."""

    pasted: bool = False
    """Whether it is a block that was pasted: code, a log, a quote."""

    classes: tuple[str, ...] = ()
    """What it is, such as `preference` or `todo`, where that is certain."""

    inferred: bool = False
    """Whether its class was concluded from its form and isn't confirmed."""

    about: tuple[str, ...] = ()
    """The nodes it is about, as far as they were told."""

    standing: str = LIVE
    """`live`, `superseded`, `retracted` or `expired`."""

    by: str = ""
    """The statement that takes its place."""

    scope: str = SAID_SCOPE
    objection: Objection | None = None
    """How others than a person would have a statement of the user stand."""

    @property
    def first(self) -> int:
        """The step at which it was said first; 0 of what a file says."""
        return 0 if self.author == FILE else min(place.step for place in self.places)


def said_until(
    timeline: Timeline,
    at: int,
    session: tuple[str, str],
    authors: Collection[str] = (USER,),
    user: Timeline | None = None,
) -> tuple[Said, ...]:
    """Return what was said up to a step in a session (host, name), by author and in the order in which it was first
    said; and what holds in every project, by the `user`'s own record. What an instruction file doesn't say any more is
    retracted."""
    places: dict[_Key, list[Place]] = {}
    last: dict[_Key, Statement] = {}
    files: dict[str, Utterance] = {}
    for utterance in _utterances(timeline, session, authors):
        if utterance.step > at:
            continue
        if utterance.author == FILE:
            files[utterance.path] = utterance
        for each in utterance.statements:
            key = utterance.author, each.words
            last[key] = each
            places.setdefault(key, []).append(_place(utterance, each))
    stated = {each.words for utterance in files.values() for each in utterance.statements}
    told = [_said(author, last[author, words], tuple(found), stated) for (author, words), found in places.items()]
    known = assertion_ops(timeline, at)
    told = [_filed(each, _assertions(timeline, each, at)) if each.memo in known else each for each in told]
    told += _remembered(timeline, at, session, authors, {each.memo for each in told})
    return tuple(_with_own(told, user, authors) if user is not None else told)


def partly_read(timeline: Timeline, at: int, session: tuple[str, str]) -> tuple[int, ...]:
    """Return the steps up to `at` at which a user said more in a session than was read as statements."""
    spoken = _utterances(timeline, session, (USER,))
    return tuple(each.step for each in spoken if each.is_partly_read and each.step <= at)


def statement_with(timeline: Timeline, memo: str, session: tuple[str, str]) -> Said | None:
    """Return what has this id among all that was said in a session."""
    known: dict[tuple[str, str], dict[str, Said]] = timeline.journal.once("statements by id", dict)
    if session not in known:
        every = said_until(timeline, timeline.head, session, AUTHORS)
        known[session] = {each.memo: each for each in reversed(every)}  # the user's own before the agent's
    return known[session].get(memo)


# ---- helpers ----

_sort_of = lru_cache(KNOWN_STATEMENTS)(sort_of)


def _utterances(timeline: Timeline, session: tuple[str, str], authors: Collection[str]) -> Iterator[Utterance]:
    """Yield what was said in a session; files say the same in all sessions of a host."""
    every = contexts_of(timeline)
    contexts = {number for number, each in every.items() if (each.host, each.session) == session}
    spoken = [*(user_utterances(timeline) if USER in authors else ())]
    spoken += agent_utterances(timeline) if AGENT in authors else ()
    yield from (each for each in spoken if each.context in contexts)
    if FILE in authors:
        yield from file_utterances(timeline, session[0])


def _place(utterance: Utterance, statement: Statement) -> Place:
    first, last = statement.first, statement.last
    return Place(utterance.step, first, last, utterance.channel, utterance.path, utterance.status)


def _said(author: str, statement: Statement, places: tuple[Place, ...], stated: Collection[tuple[str, ...]]) -> Said:
    words, text = statement.words, statement.text
    is_todo = author == AGENT and any(place.channel == TODO for place in places)
    sort = _sort_of(text) if author == USER and not statement.pasted else ""
    return Said(
        memo_id(words),
        text,
        words,
        places,
        author,
        statement.pasted,
        classes=(TODO,) if is_todo else (sort,) if sort else (),
        inferred=bool(sort),
        standing=RETRACTED if author == FILE and words not in stated else LIVE,
    )


def _filed(said: Said, assertions: Assertions) -> Said:
    """Add how a statement is filed: its class, what it is about, how it stands."""
    return replace(
        said,
        classes=(assertions.cls,) if assertions.cls else said.classes,
        inferred=assertions.inferred if assertions.cls else said.inferred,
        about=assertions.about,
        standing=assertions.standing if assertions.standing != LIVE else said.standing,
        by=assertions.by,
        scope=assertions.scope or said.scope,
        objection=assertions.objection,
    )


def _assertions(timeline: Timeline, said: Said, at: int) -> Assertions:
    return assertions_of(timeline, said.memo, at, of_user=said.author == USER)


def _with_own(told: list[Said], user: Timeline, authors: Collection[str]) -> Iterator[Said]:
    """Yield what was said, filed as the user's own record says, and what only that record has, as said at step 0."""
    own = {memo: each for memo, each in remembered_until(user, user.head).items() if each.scope == USER}
    for said in told:
        is_own = said.memo in own and (own[said.memo].author == USER or said.author != USER)
        yield _filed(said, _assertions(user, said, user.head)) if is_own else said
    known = {said.memo for said in told}
    for memo, each in own.items():
        if memo not in known:
            yield from _never_said(each, 0, authors)


def _remembered(
    timeline: Timeline, at: int, session: tuple[str, str], authors: Collection[str], known: Collection[str]
) -> Iterator[Said]:
    """Yield what was remembered without having been said: in this session, or for more than one."""
    for memo, each in remembered_until(timeline, at).items():
        op = timeline.op(each.born)
        is_here = each.scope in ("project", "user") or (op.get("host", ""), op.get("session", "")) == session
        if memo not in known and is_here:
            yield from _never_said(each, each.born, authors)


def _never_said(assertions: Assertions, step: int, authors: Collection[str]) -> Iterator[Said]:
    """Yield what was remembered at a step without having been said, if it is by one of the authors."""
    author = USER if assertions.author == USER else AGENT
    if author in authors:
        text = assertions.text
        place = Place(step, 1, text.count("\n") + 1, REMEMBERED)
        yield _filed(Said(assertions.node, text, tuple(normalised_words(text)), (place,), author), assertions)
