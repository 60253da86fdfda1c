"""Which node a person means who may name a statement, a claim or code: `memo:1f0c`, `claim:rates are floats`, `db.py`.

An id that doesn't exist is refused, with the nearest ones named.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ccos_core.errors import NotFound, Usage
from ccos_core.query.believing import claims
from ccos_core.query.contexts import contexts_of
from ccos_core.query.remembered import CLAIM, MEMO, assertions_of, remembered_until
from ccos_core.query.said import said_until
from ccos_core.query.saying.utterance import AUTHORS
from ccos_core.text.retrieval.carried import normalised_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from ccos_core.replay.timeline import Timeline

FEWEST_DIGITS = 4  # of a memo's id
NEAR = 3  # names told where nothing has that name
EMPTY = "the text"  # how a text without words is named
LONGEST_SHOWN = 60  # characters of a statement in a hint
_DIGITS = re.compile(r"[0-9a-f]{1,16}")
_BARE_ID = re.compile(r"[0-9a-f]{16}")


def known_statements(
    timeline: Timeline, at: int, user: Timeline | None = None, authors: Collection[str] = AUTHORS
) -> dict[str, str]:
    """Memo → its words: all that was said in any session or remembered, up to a step; and what the user's own record
    has."""
    found = {memo: each.text for memo, each in remembered_until(user, user.head).items()} if user is not None else {}
    found.update((memo, each.text) for memo, each in remembered_until(timeline, at).items())
    for session in dict.fromkeys((each.host, each.session) for each in contexts_of(timeline).values()):
        found.update((each.memo, each.text) for each in said_until(timeline, at, session, authors))
    return found


def node_named(timeline: Timeline, said: str, at: int, user: Timeline | None = None) -> str:
    """Return the node that is meant. Raises `NotFound` with what comes nearest."""
    if said.startswith(MEMO) or _BARE_ID.fullmatch(said):
        return statement_named(timeline, said, at, user)
    if said.startswith(CLAIM):
        return claim_named(timeline, said, at)
    return timeline.node(said, at)


def statement_named(timeline: Timeline, said: str, at: int, user: Timeline | None = None) -> str:
    """Return the statement with this id; its start is enough if it means only one."""
    digits = said.removeprefix(MEMO)
    whole = MEMO + digits
    if assertions_of(timeline, whole, at).born or (user is not None and assertions_of(user, whole, user.head).born):
        return whole  # as most often; reading all that was said takes seconds in a long record
    known = known_statements(timeline, at, user)
    if whole in known:
        return whole
    enough = len(digits) >= FEWEST_DIGITS and _DIGITS.fullmatch(digits)
    found = [memo for memo in known if memo.startswith(whole)] if enough else []
    if len(found) > 1:
        raise Usage("is the start of several statements", place=said, hint="One of: " + "  ".join(found[:NEAR]))
    if not found:
        raise NotFound("there is no such statement", place=said, hint="`statements` lists them.")
    return found[0]


def claim_named(timeline: Timeline, said: str, at: int) -> str:
    """Return the claim with these words, if it was ever spoken of."""
    known, claim = claims(timeline, at), claim_node(said)
    if claim not in known:
        near = get_close_matches(claim[:200], known, NEAR)
        hint = "Near: " + "  ".join(near) if near else "`claims` lists them."
        raise NotFound("there is no such claim", place=said, hint=hint)
    return claim


def claim_node(said: str) -> str:
    """Return the node of a claim, however its words are spaced."""
    words = " ".join(said.removeprefix(CLAIM).split())
    if not words:
        raise Usage("has no words", place=said)
    return CLAIM + words


def statement_words(text: str) -> tuple[str, ...]:
    """Return the normalised words of a statement. Raises `Usage` if there are none."""
    words = tuple(normalised_words(text))
    if not words:
        raise Usage("has no words", place=text.strip()[:LONGEST_SHOWN] or EMPTY)
    return words
