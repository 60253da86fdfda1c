"""A record as JSON Lines, and back: the interchange form, readable without us.

    {"is":"ccos-record","format":1}
    {"is":"blob","blob":HASH,"text":...}            before the first op that refers to it
    {"is":"erased","blob":HASH,"bytes":N,...}        in place of a content that was forgotten
    {"is":"op","step":N,"hash":HASH,"op":{...}}
    {"is":"fact",...}  {"is":"delivery",...}         what the ops alone don't give back
    {"is":"end","steps":N,"head":HASH,"lines":HASH}  the last: blake3 of all bytes before this line

Every line is canonical, and their order follows the steps, so the same record gives the same bytes whatever its file
is called; reading them gives the same head, and anything that isn't exactly what was written is refused. Bytes that
aren't text stand as `"hex"` instead of `"text"`. Both directions stream. Reading them is in `jsonl_in`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from blake3 import blake3

from ccos_core.errors import ChainBroken, Erased
from ccos_core.log.chain import GENESIS, Break, follow
from ccos_core.log.facts import drawn_from, fact_body, is_composed
from ccos_core.log.packing import Spoiled, row_holds
from ccos_core.ops.plain import blobs_of, delivery_key
from ccos_core.storage.bodies import opened
from ccos_core.storage.files import damaged
from ccos_core.storage.record import ERASED, Record
from ccos_core.values.canon import canonical, parse

FORMAT = 1

Line = dict[str, Any]


def exported(record: Record) -> Iterator[bytes]:
    """The lines of a record, each with its line end."""
    return written(lines(record))


def written(lines: Iterable[Line]) -> Iterator[bytes]:
    """Lines as bytes; the end gets the digest of what went before."""
    before = blake3()
    for line in lines:
        if line["is"] == "end":
            line = {**line, "lines": before.hexdigest()}
        raw = canonical(line) + b"\n"
        before.update(raw)
        yield raw


def lines(record: Record) -> Iterator[Line]:
    """The same as values, the chain checked along the way. The record as it was when its last op was read."""
    yield {"is": "ccos-record", "format": FORMAT}
    told: set[bytes] = set()
    keys: set[bytes] = set()
    step, head = 0, GENESIS
    for row in follow(GENESIS, record.rows()):
        if isinstance(row, Break):
            raise ChainBroken(
                f"the chain breaks at step {row.step}: {row.what}",
                step=row.step,
                place=record.path,
                hint=f"Steps 1 to {row.step - 1} were exported. See: ccos-tui verify {record.path}",
            )
        step, head, body = row
        op = opened(record, step, body)
        for _, blob in blobs_of(op):
            if blob not in told:
                told.add(blob)
                yield _content(record, blob)
        key = delivery_key(op)
        if key is not None:
            keys.add(key)
        told.add(head)
        yield {"is": "op", "step": step, "hash": head.hex(), "op": parse(body)}
    yield from _facts(record, told)
    yield from _deliveries(record, step, keys)
    yield {"is": "end", "steps": step, "head": head.hex()}


def _content(record: Record, blob: bytes) -> Line:
    try:
        return {"is": "blob", "blob": blob.hex(), **_spelled(record.content(blob))}
    except Erased:
        size, step, at, why, _ = record.ask(ERASED, (blob,))[0]
        return {"is": "erased", "blob": blob.hex(), "bytes": size, "step": step, "at": at, "why": why}


def _facts(record: Record, told: set[bytes]) -> Iterator[Line]:
    """What is known of the contents and ops that were told."""
    query = (
        'SELECT key, interpreter, version, digest, form, "check", body, size FROM fact'
        " WHERE (key, interpreter, version) > (?, ?, ?) ORDER BY key, interpreter, version"
    )
    lowest = -(2**63)
    for row in record.walk(query, (lowest, "", lowest), 50):
        key, interpreter, version = row[:3]
        try:
            body = fact_body(*row)
        except Spoiled as error:
            raise damaged(f"fact {interpreter}/{version}: {error}", record.path) from error
        parts = drawn_from(key)
        if is_composed(key) or (parts and told.issuperset(parts)):  # else it is of an op that was appended meanwhile
            yield {"is": "fact", "of": key.hex(), "interpreter": interpreter, "version": version, **_spelled(body)}


def _deliveries(record: Record, last: int, keys: set[bytes]) -> Iterator[Line]:
    """Events that added no op of their own; the others' keys are in their ops."""
    query = 'SELECT step, key, "check" FROM delivery WHERE step <= ? ORDER BY step, key'
    for step, key, check in record.ask(query, (last,)):
        if not row_holds(check, key, step):
            raise damaged(f"the note of an event of step {step} was changed", record.path)
        if key not in keys:
            yield {"is": "delivery", "key": key.hex(), "step": step}


def _spelled(content: bytes) -> Line:
    try:
        return {"text": content.decode()}
    except UnicodeDecodeError:
        return {"hex": content.hex()}
