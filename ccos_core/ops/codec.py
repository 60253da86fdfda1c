"""Ops as dataclasses, to and from the bytes of the record.

`decode` reads any version ever written: a body of an older version of its kind goes through `plain`'s upcasts first,
so a fold only meets the newest. `encode` writes the newest. The bytes in the record never change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from ccos_core.ops import (
    base,
    claim,
    episode,
    epoch,
    failure,
    host,
    paging,
    plain,
    recall,
    rule,
    source,
    table,
)
from ccos_core.ops.base import Op

CLASSES: Mapping[str, type[Op]] = {
    "epoch": epoch.Epoch,
    "seen": source.Seen,
    "gone": source.Gone,
    "renamed": source.Renamed,
    "tool": host.Tool,
    "failed": failure.Failed,
    "passed": failure.Passed,
    "recall": recall.Recall,
    "paged_in": paging.PagedIn,
    "paged_out": paging.PagedOut,
    "attention": paging.Attention,
    "annotation": episode.Annotation,
    "supported": claim.Supported,
    "contradicted": claim.Contradicted,
    "retracted": claim.Retracted,
    "superseded": claim.Superseded,
    "turn": host.Turn,
    "prompt": host.Prompt,
    "usage": host.Usage,
    "compaction": host.Compaction,
    "cleared": host.Cleared,
    "retune": rule.Retune,
}

KIND_OF: Mapping[type[Op], str] = {op: kind for kind, op in CLASSES.items()}


def encode(op: Op) -> bytes:
    """The canonical bytes of an op."""
    return plain.seal(to_plain(op))


def decode(body: bytes, upcasts: Mapping[tuple[str, int], plain.Upcast] = plain.UPCASTS) -> Op:
    """The op in these bytes, brought up to the newest version of its kind."""
    return from_plain(plain.unseal(body, upcasts))


def to_plain(op: Op) -> plain.Plain:
    """The op as the table writes it: fields without a value left out."""
    kind = KIND_OF[type(op)]
    written: plain.Plain = {"kind": kind, "v": table.KINDS[kind][0]}
    for name, form, required in table.fields_of(kind):
        value = getattr(op, name)
        if required or not (value is None or value == ()):
            written[name] = _LOWERED.get(form, _same)(value)
    return written


def from_plain(value: plain.Plain) -> Op:
    """The dataclass of an op that has been checked."""
    kind = value["kind"]
    given = {name: _RAISED.get(form, _same)(value[name]) for name, form, _ in table.fields_of(kind) if name in value}
    return CLASSES[kind](**given)


def _same(value: Any) -> Any:
    return value


def _row(value: Any) -> list[Any]:
    return [getattr(value, field.name) for field in fields(value)]


def _reference(value: base.Blob) -> dict[str, Any]:
    return {field.name: part for field in fields(value) if (part := getattr(value, field.name)) is not None}


_LOWERED: Mapping[str, Callable[[Any], Any]] = {
    "blob": _reference,
    "json": _reference,
    "span": _row,
    "texts": list,
    "paths": list,
    "nodes": list,
    "numbers": dict,
    "sites": lambda rows: [_row(row) for row in rows],
    "items": lambda rows: [_row(row) for row in rows],
    "findings": lambda rows: [_row(row) for row in rows],
}
"""From what a dataclass holds to what JSON can say."""

_RAISED: Mapping[str, Callable[[Any], Any]] = {
    "blob": lambda given: base.Blob(**given),
    "json": lambda given: base.Blob(**given),
    "span": lambda given: base.Span(*given),
    "texts": tuple,
    "paths": tuple,
    "nodes": tuple,
    "sites": lambda rows: tuple(base.Site(*row) for row in rows),
    "items": lambda rows: tuple(base.Item(*row) for row in rows),
    "findings": lambda rows: tuple(base.Finding(*row) for row in rows),
}
"""And back."""
