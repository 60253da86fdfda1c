"""What was said, statement by statement: who said it, where, and an id that is the same wherever it is said again."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccos_core.query.contexts import contexts_of
from ccos_core.query.saying.user import user_utterances
from ccos_core.query.saying.utterance import AUTHORS, USER, Utterance
from ccos_core.values.canon import canonical, digest

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.text.statements import Statement

SAID_CLASS, SAID_SCOPE = "said", "session"
MEMO_DIGITS = 16
LIVE, SUPERSEDED, RETRACTED, EXPIRED = "live", "superseded", "retracted", "expired"


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
    """One thing that somebody said, wherever it was said again."""

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
    """What it is, where that is certain or was confirmed."""

    about: tuple[str, ...] = ()
    """The nodes it is about, as far as they were told."""

    standing: str = LIVE
    """`live`, `superseded`, `retracted` or `expired`."""

    by: str = ""
    """The statement that takes its place."""

    scope: str = SAID_SCOPE


def memo_id(words: Iterable[str]) -> str:
    """Return the id of a statement with these normalised words."""
    return "memo:" + digest(canonical([SAID_CLASS, SAID_SCOPE, " ".join(words)])).hex()[:MEMO_DIGITS]


def said_until(
    timeline: Timeline, at: int, session: tuple[str, str], authors: Collection[str] = (USER,)
) -> tuple[Said, ...]:
    """Return what was said up to a step in a session (host, name), by author and in the order in which it was first
    said."""
    every = contexts_of(timeline)
    contexts = {number for number, each in every.items() if (each.host, each.session) == session}
    places: dict[tuple[str, tuple[str, ...]], list[Place]] = {}
    last: dict[tuple[str, tuple[str, ...]], Statement] = {}
    for utterance in _utterances(timeline, authors):
        if utterance.step <= at and utterance.context in contexts:
            for each in utterance.statements:
                key = utterance.author, each.words
                last[key] = each
                places.setdefault(key, []).append(_place(utterance, each))
    return tuple(
        Said(memo_id(words), last[author, words].text, words, tuple(found), author, last[author, words].pasted)
        for (author, words), found in places.items()
    )


def _utterances(timeline: Timeline, authors: Collection[str]) -> Iterable[Utterance]:
    for author in AUTHORS:
        if author in authors and author in _SPEAKERS:
            yield from _SPEAKERS[author](timeline)


def _place(utterance: Utterance, statement: Statement) -> Place:
    first, last = statement.first, statement.last
    return Place(utterance.step, first, last, utterance.channel, utterance.path, utterance.status)


_SPEAKERS = {USER: user_utterances}
