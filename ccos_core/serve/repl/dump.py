"""A whole record as one JSON object, for whoever doesn't know yet what to ask.

It is as much as can be read: where a record is damaged, its proof says where, and what lies behind is there all the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, BinaryIO

from ccos_core.errors import CcosError
from ccos_core.ops.plain import NotAnOp, unseal
from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve import exits
from ccos_core.serve.cli.common import as_bytes, error_object
from ccos_core.serve.cli.proving import as_answer as proof_as_answer
from ccos_core.serve.cli.proving import proof_of
from ccos_core.serve.printing import as_json_object

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk
    from ccos_core.storage.record import Record

SCHEMA = "ccos.session/1"
TOGETHER = 1_000
"""Ops written at a time."""


def dump(desk: Desk, out: BinaryIO) -> int:
    """Write it as JSON; gives the exit code."""
    record = desk.record
    proof = proof_of(record)
    stats, broken = _or_error(lambda: as_json_object(_census(record)))
    window, unfolded = _or_error(lambda: _working_set(desk))
    before = {"schema": SCHEMA, "workspace": record.path, "stats": stats, "integrity": proof_as_answer(proof)}
    after: dict[str, object] = {
        "working_set": window,
        "compaction_floor": proof.floor,
        "marks": [asdict(mark) for mark in desk.marks],
    }
    out.write(as_bytes(before)[:-1] + b',"timeline":[')
    cut_off, unread = _or_error(lambda: _write_rows(record, out))
    after |= {"cut_off": cut_off} if unread else {}
    out.write(b"]," + as_bytes(after)[1:] + b"\n")
    return exits.DAMAGED if not proof.valid else max(broken, unfolded, unread)


def _census(record: Record) -> Any:
    from ccos_core.storage.census import census

    return census(record)


def _working_set(desk: Desk) -> dict[str, object]:
    asked = desk.ask(BY_NAME["recall"], {})
    return as_json_object(asked.answer, asked.partial)


def _write_rows(record: Record, out: BinaryIO) -> dict[str, object]:
    for piece in _rows(record):
        out.write(piece)
    return {}


def _rows(record: Record) -> Iterator[bytes]:
    """The ops, as `log --json` gives them, with commas between."""
    waiting: list[bytes] = []
    comma = b""
    for step, hash_, body in record.rows(tolerant=True):
        waiting.append(as_bytes({"step": step, "hash": hash_.hex(), **_op(body)}))
        if len(waiting) == TOGETHER:
            yield comma + b",".join(waiting)
            waiting, comma = [], b","
    if waiting:
        yield comma + b",".join(waiting)


def _op(body: bytes) -> dict[str, Any]:
    try:
        return unseal(body)
    except NotAnOp:
        return {"unreadable": body.hex()}


def _or_error(make: Callable[[], dict[str, object]]) -> tuple[dict[str, object], int]:
    """What is made, or why it can't be, with an exit code."""
    try:
        return make(), exits.DONE
    except CcosError as error:
        code = exits.code_of(error)
        return error_object(error.fact, error.place, error.hint, code), code
