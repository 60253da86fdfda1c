"""The mirrors of a record: stores outside of it that follow it, noted with the record on this machine.

    add(path, "postgres", "service=memory", name="team")
    for mirror in mirrors_of(path): follower(path, mirror).catch_up()

The entries that this program searches by itself are a mirror too, `INDEX`; it is always there.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass

from ccos_core.errors import CcosError, NotFound, Refused, Usage
from ccos_core.memory.backend import Backend, Stats
from ccos_core.session.subscribing import Ingestor
from ccos_core.storage.memory_sqlite import MemorySqlite, memory_path
from ccos_core.storage.opening import open_record

KEPT = "mirrors"
"""What a record calls the list of its mirrors."""
KINDS = ("lines", "sqlite", "postgres", "qdrant")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PASSWORD = re.compile(r"://[^/@\s]*:[^/@\s]+@|\b(?:password|api_key)\s*=|[?&](?:password|api_key)=", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mirror:
    """One store that follows a record."""

    name: str
    kind: str
    place: str
    """A file, a folder, or the address of a server without a password."""


@dataclass(frozen=True, slots=True)
class State:
    """How a mirror is."""

    mirror: Mirror
    step: int
    """The step up to which it follows the record."""

    lag: int
    """Steps that it doesn't have yet."""

    stats: Stats | None
    trouble: str
    """Why it can't be asked; empty if it can."""


INDEX = Mirror("index", "sqlite", "")


def mirrors_of(path: str) -> list[Mirror]:
    """Return the mirrors of a record; the index comes first."""
    with open_record(path) as record:
        kept = record.local(KEPT)
    return [INDEX, *(Mirror(**each) for each in json.loads(kept or "[]"))]


def add(path: str, kind: str, place: str, name: str = "") -> Mirror:
    """Note a mirror; it is filled when it is run. Raises `Usage` or `Refused`."""
    name = name or kind
    if kind not in KINDS:
        raise Usage("isn't a kind of mirror", place=kind[:40], hint="One of: " + "  ".join(KINDS))
    if not _NAME.fullmatch(name):
        raise Usage("isn't a name for a mirror", place=name[:40], hint="Use small letters, digits and _.")
    if _PASSWORD.search(place):
        hint = "Keep it in ~/.pgpass, or in PGPASSWORD or QDRANT_API_KEY."
        raise Refused("names a password, which isn't written down", place="PLACE", hint=hint)
    if kind in ("lines", "sqlite"):
        place = os.path.abspath(place)
        if os.path.lexists(place):  # it might be anything, and would be written over
            raise Refused("is there already", place=place, hint="Name a file that isn't there.")
    mirror = Mirror(name, kind, place)
    known = mirrors_of(path)
    if any(each.name == name for each in known):
        raise Refused("is there already", place=name, hint="Name another with --name.")
    _keep(path, [*known, mirror])
    return mirror


def remove(path: str, name: str) -> Mirror:
    """Follow with a mirror no more. What it holds stays there."""
    mirror = named(path, name)
    if mirror == INDEX:
        raise Refused("can't be removed", place=name, hint="Its file may be deleted at any time.")
    _keep(path, [each for each in mirrors_of(path) if each != mirror])
    return mirror


def named(path: str, name: str) -> Mirror:
    """Return a mirror by its name."""
    known = mirrors_of(path)
    for each in known:
        if each.name == name:
            return each
    raise NotFound("there is no such mirror", place=name[:40], hint="One of: " + "  ".join(m.name for m in known))


def follower(path: str, mirror: Mirror) -> Ingestor:
    """Return what keeps a mirror up with its record."""
    return Ingestor(path, opening(path, mirror))


def state_of(path: str, mirror: Mirror) -> State:
    """Ask a mirror how far it is, and what it holds."""
    with open_record(path) as record:
        head = record.head()[0]
    try:
        with closing(opening(path, mirror)()) as store:
            stats = store.get_stats()
    except CcosError as error:
        return State(mirror, 0, head, None, str(error).partition("\n")[0])
    return State(mirror, stats.cursor.step, max(head - stats.cursor.step, 0), stats, "")


def lag_of(path: str, mirror: Mirror) -> int:
    """Return how many steps a mirror is behind. Raises CcosError if it can't be asked."""
    with open_record(path) as record, closing(opening(path, mirror)()) as store:
        return max(record.head()[0] - store.cursor().step, 0)


def opening(path: str, mirror: Mirror) -> Callable[[], Backend]:
    """Return what opens the store of a mirror."""
    if mirror.kind == "sqlite":
        return lambda: MemorySqlite(mirror.place or memory_path(path))
    return lambda: _open(mirror)


def _open(mirror: Mirror) -> Backend:
    """Open a store; its driver is loaded for it alone."""
    if mirror.kind == "lines":
        from ccos_core.storage.memory_lines import MemoryLines

        return MemoryLines(mirror.place)
    if mirror.kind == "postgres":
        from ccos_core.storage.memory_postgres import MemoryPostgres

        return MemoryPostgres(mirror.place, f"ccos_{mirror.name}")
    from ccos_core.storage.memory_qdrant import MemoryQdrant

    return MemoryQdrant(mirror.place, f"ccos_{mirror.name}")


def _keep(path: str, mirrors: list[Mirror]) -> None:
    with open_record(path, write=True) as record, record.write() as writing:
        kept = [asdict(each) for each in mirrors if each != INDEX]
        writing.set_local(KEPT, json.dumps(kept) if kept else None)
