"""What hooks told of a session whose events have no names: its transcript tells the same under other names.

A call is known again by its tool and arguments, a prompt or a message by its words; of several alike the one nearest in
time. What is known again is left out, with what it did to files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.session.admit import admit

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation
    from ccos_core.storage.record import Record
    from ccos_core.values.paths import Place

NAMED_BY_US = "heard:"
"""How the names begin that we give to events without one."""
FARTHEST_MILLIS = 300_000
"""Between what a hook heard and what the transcript says of the same."""
FIELDS = {"tool": "arguments", "prompt": "said", "turn": "said"}
"""Kind of op → the text by which it is known again."""
OF_A_CALL = ("seen", "gone", "renamed")
Sign = tuple[str, str, str]


class HeardBefore:
    """What hooks told of one session, as far as its transcript hasn't told it by now."""

    def __init__(self, record: Record, host: str, session: str) -> None:
        self._times: dict[Sign, list[int]] = {}
        self._left_out: set[str] = set()
        """Calls that were known again."""
        marks = f'"session":"{session}"'.encode(), f'"{NAMED_BY_US}'.encode()
        for _, _, body in record.rows():
            if all(mark in body for mark in marks):
                op = unseal(body)
                sign = _sign_of(op)
                if op.get("host") == host and op.get("session") == session and sign is not None:
                    self._times.setdefault(sign, []).append(op.get("at") or 0)

    @property
    def any(self) -> bool:
        """Whether hooks told anything."""
        return bool(self._times)

    def new(self, said: Iterable[Observation], place: Place) -> Iterator[Observation]:
        """Yield what no hook told."""
        for each in said:
            if each["kind"] in OF_A_CALL:
                if each.get("call") not in self._left_out:
                    yield each
            elif each["kind"] not in FIELDS or not self._is_known(each, place):
                yield each

    def _is_known(self, each: Observation, place: Place) -> bool:
        try:
            sign = _sign_of(admit(each, place).op)
        except NotAnOp:
            return False
        times = self._times.get(sign, []) if sign is not None else []
        at = each.get("at")
        nearest = min(times, key=lambda time: abs(time - at)) if times and at is not None else next(iter(times), None)
        if nearest is None or (at is not None and abs(nearest - at) > FARTHEST_MILLIS):
            return False
        times.remove(nearest)
        self._left_out.add(str(each.get("call")))
        return True


def _sign_of(op: Any) -> Sign | None:
    field = FIELDS.get(op["kind"], "")
    text = op.get(field)
    return (op["kind"], str(op.get("name", "")), text["blob"]) if isinstance(text, dict) else None
