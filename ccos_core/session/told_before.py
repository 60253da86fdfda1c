"""What conversations were told since their windows were cut last, kept beside the record, by the hook or by
the first window that an agent recalls in a session, or behind a cut.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ccos_core.errors import CcosError
from ccos_core.query.contexts import Context
from ccos_core.query.hosted.whose import chosen
from ccos_core.query.question import HOST
from ccos_core.query.remembered import assertion_ops
from ccos_core.query.retelling import retelling
from ccos_core.replay.measure import cuts
from ccos_core.storage.opening import open_record

if TYPE_CHECKING:
    from ccos_core.query.retelling import Retelling
    from ccos_core.replay.timeline import Timeline
    from ccos_core.storage.record import Record

KEPT = "injected"
"""What the record calls what was told: {conversation: [cuts by then, tokens, names]}."""
MOST_SESSIONS, MOST_NAMES = 50, 2_000
"""Sessions, and things told in one, that are remembered."""


class ToldBefore(NamedTuple):
    """What a conversation was told since its window was cut last."""

    cuts: int
    tokens: int
    names: Sequence[str]


NOTHING = ToldBefore(0, 0, ())


def conversation(session: str, context: str = "") -> str:
    """Return what a conversation is called here."""
    return f"{session}\t{context}" if context else session


def told_before(record: Record, name: str) -> ToldBefore:
    """Return what a conversation was told since its window was cut last."""
    return _all(record).get(name, NOTHING)


def remember(ws: str, name: str, now: ToldBefore, patience: float) -> bool:
    """Remember what is about to be told: rather not at all than twice. False where some of it was told meanwhile."""
    with open_record(ws, write=True, stay=False, patience=patience) as record, record.write() as writing:
        told = _all(record)
        known = told.pop(name, NOTHING)
        before = known.names if known.cuts >= now.cuts else ()
        if not set(now.names).isdisjoint(before):
            return False
        names = list(dict.fromkeys([*before, *now.names]))[-MOST_NAMES:]
        told[name] = ToldBefore(now.cuts, now.tokens, names)
        writing.set_local(KEPT, json.dumps(dict(list(told.items())[-MOST_SESSIONS:])))
    return True


def conversation_now(timeline: Timeline) -> tuple[str, int]:
    """Return what the conversation that spoke last is called here, and how often its window was cut; no name if no
    window is known."""
    try:
        number, whose = chosen(timeline, timeline.head, HOST, None, None)
    except CcosError:
        return "", 0
    return conversation(whose.session, whose.context), len(cuts(timeline.journal, number, 1, timeline.head))


class Untold(NamedTuple):
    """Words for a conversation that was told nothing since it began, or since its window was cut."""

    name: str
    cuts: int
    lost: Retelling


def untold_words(timeline: Timeline, user: Timeline | None, record: Record) -> Untold | None:
    """Return what the window of the conversation that spoke last doesn't hold and should, if it wasn't told anything
    since its beginning or its last cut."""
    try:
        number, whose = chosen(timeline, timeline.head, HOST, None, None)
    except CcosError:  # no window is known
        return None
    name, count = conversation(whose.session, whose.context), len(cuts(timeline.journal, number, 1, timeline.head))
    known = told_before(record, name)
    if known.cuts > count or (known.cuts == count and (count or known.names)):
        return None
    if not count and user is None and not assertion_ops(timeline, timeline.head):
        return None  # all that was ever said is in the window
    lost = retelling(timeline, timeline.head, Context(whose.host, whose.session, whose.context), user)
    return Untold(name, count, lost)


def _all(record: Record) -> dict[str, ToldBefore]:
    local = record.local(KEPT)
    try:
        told = json.loads(local) if isinstance(local, str) else {}
        return {
            str(name): ToldBefore(int(cuts), int(spent), list(names)) for name, (cuts, spent, names) in told.items()
        }
    except (ValueError, TypeError, AttributeError):
        return {}
