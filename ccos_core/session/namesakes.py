"""Two sessions of one name: whether what a transcript says is what was recorded under that name, or another session.

What was delivered before is known by the names of its host, session and call, so a session that is called like another
would be taken for it and left out. Where only its file named it, it gets a name of its own, the same each time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ccos_core.ops.plain import NotAnOp, delivery_key, unseal
from ccos_core.session.admit import admit
from ccos_core.session.hearing import is_heard
from ccos_core.values.canon import NotCanonical, digest

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation
    from ccos_core.storage.record import Record

LOOKED_AT = 20
"""Observations that were delivered before and are compared."""
ANOTHER = "told otherwise under this session's name before; what both call the same was left out"


def recorded_as(record: Record, said: Observation) -> int | None:
    """The step at which this, or something of the same name, was recorded. The gate has the last word: it may call
    the same thing otherwise."""
    try:
        key = delivery_key(said)
    except NotCanonical:
        return None
    return record.delivered(key) if key is not None else None


def is_another(record: Record, said: Iterable[Observation]) -> bool:
    """Whether these are of another session than what is recorded under their names. What a subagent does may be told
    twice, at two times, so only the main conversation tells. A session that hooks told of has its name from its host,
    and what they told has times of its own."""
    heard: dict[tuple[str, str], bool] = {}

    def by_hooks(each: Observation) -> bool:
        name = str(each.get("host", "")), str(each.get("session", ""))
        if name not in heard:
            heard[name] = is_heard(record, *name)
        return heard[name]

    ours = (each for each in said if not each.get("context") and not by_hooks(each))
    known = ((each, step) for each in ours if (step := recorded_as(record, each)) is not None)
    return any(not _is_same(record, each, step) for each, step in islice(known, LOOKED_AT))


def name_apart(name: str, said: Sequence[Observation]) -> str:
    """A name nobody else has: made of how the session begins."""
    begins = json.dumps(said[0], sort_keys=True, default=str).encode()
    return f"{name}~{digest(begins).hex()[:8]}"


def _is_same(record: Record, said: Observation, step: int) -> bool:
    op = unseal(record.op(step)[2])
    if said["kind"] != op["kind"]:
        return False
    at, before = said.get("at"), op.get("at")
    if at is not None or before is not None:
        return at == before
    try:
        return bool(admit(said).op.get("said") == op.get("said"))
    except NotAnOp:
        return True
