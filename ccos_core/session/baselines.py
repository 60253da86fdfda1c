"""Baselines: the state at the floor of a record whose older ops were moved out of it, kept with the record.

They are facts about the op they end with, so they travel and are proven like other facts; a large state takes several.
While the older ops are at hand nobody needs one: then it is compared, and not believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ccos_core.log.facts import fact_body
from ccos_core.log.packing import Spoiled
from ccos_core.session.interpreters import FOLD
from ccos_core.storage import facts as rows
from ccos_core.values.canon import NotCanonical, canonical, parse

if TYPE_CHECKING:
    from ccos_core.storage.record import Record

NAME = "baseline"
ROWS = 2_000
"""Rows of a list in one fact, at most; ..."""
BYTES = 4 * 2**20
"""... and bytes, so that none is larger than a fact may be, whatever texts its rows hold."""


def keep(record: Record, hash_: bytes, state: Mapping[str, Any]) -> None:
    """Record the state that the op with this hash ended in."""
    with record.write() as writing:
        for name, part in _parts(state):
            writing.keep_fact(hash_, name, FOLD, canonical(part))


def kept(record: Record, hash_: bytes) -> dict[str, Any] | None:
    """The state that was recorded for the op with this hash, if it is whole."""
    state = _one(record, hash_, NAME)
    if not isinstance(state, dict):
        return None
    for name, parts in state.pop("parts").items():
        found = [_one(record, hash_, f"{NAME}.{name}.{at}") for at in range(parts)]
        if not all(isinstance(each, list) for each in found):
            return None
        state[name] = [row for part in found for row in part]
    return state


def forget(record: Record) -> None:
    """Let go of them all: whatever is being forgotten may be in them."""
    with record.write() as writing:
        writing.drop_facts("interpreter = ? OR interpreter LIKE ?", (NAME, f"{NAME}.%"))


def _parts(state: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    lists = {name: value for name, value in state.items() if isinstance(value, list) and name != "rules"}
    parts = {name: list(_pieces(value)) for name, value in lists.items()}
    sizes = {name: len(pieces) for name, pieces in parts.items()}
    yield NAME, {**{name: value for name, value in state.items() if name not in lists}, "parts": sizes}
    for name, pieces in parts.items():
        for at, piece in enumerate(pieces):
            yield f"{NAME}.{name}.{at}", piece


def _pieces(rows: list[Any]) -> Iterator[list[Any]]:
    piece: list[Any] = []
    size = 0
    for row in rows:
        more = len(canonical(row))
        if piece and (len(piece) == ROWS or size + more > BYTES):
            yield piece
            piece, size = [], 0
        piece.append(row)
        size += more
    if piece:
        yield piece


def _one(record: Record, hash_: bytes, name: str) -> Any:
    for key, packed in rows.recorded(record, [(hash_, name, FOLD)]):
        try:
            digest, size, form, check, stored = packed
            return parse(fact_body(*key, digest, form, check, stored, size))
        except (Spoiled, NotCanonical):
            return None
    return None
