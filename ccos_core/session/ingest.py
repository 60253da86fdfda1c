"""`ingest`: looking at a source tree, and recording what is new in it.

Files go in by batches, each one durable transaction, so an interrupted run has lost nothing and the next one goes on
where it stopped: what is recorded already, unchanged, adds nothing. Files that were recorded and aren't there any
more are recorded as gone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ccos_core.errors import NotFound, Usage
from ccos_core.session.admit import Admitted, admit, recorded_path
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.known import content_of
from ccos_core.session.scan import Found, LeftOut, Listed, Tally, read, walk
from ccos_core.session.session import Session
from ccos_core.session.workers import spread
from ccos_core.values.canon import digest
from ccos_core.values.paths import Place, inside

if TYPE_CHECKING:
    from ccos_core.session.admit import Observation

BATCH_FILES, BATCH_BYTES = 100, 2 * 2**20
"""A batch is full at either: many small files for speed, few large ones for memory."""
WORTH_WORKERS = 4
"""Batches from which other processes pay."""


@dataclass(slots=True)
class Report:
    """What an ingest did."""

    recorded: int = 0
    unchanged: int = 0
    gone: int = 0
    tally: Tally = field(default_factory=Tally)


How = Literal["ingest", "edit"]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Files to be read and brought through the gate, by this process or another."""

    root: str
    place: Place
    at: int
    listed: tuple[Listed, ...]
    paths: tuple[str, ...]
    """Their paths as the record spells them."""
    known: dict[str, str]
    """What the record says of them, as far as it does."""
    how: How = "ingest"


def ingest(
    session: Session, paths: Iterable[str], progress: Callable[[int, int], None] | None = None, how: How = "ingest"
) -> Report:
    """Record the sources at `paths`. `progress` hears (files done, files in all) after each batch. `how` is `edit` for
    files that were known and have changed since, without an author."""
    report = Report()
    starts = [_start(session, path) for path in paths]
    listed, met = _listed(session, starts, report.tally)
    session.known.catch_up(session.recorded.head()[0])
    batches = list(_batches(session, listed, how))
    done = 0
    for batch, looked in zip(batches, spread(_look, batches, worth_it=len(batches) >= WORTH_WORKERS), strict=True):
        met.update(batch.paths)
        for found, _ in looked:
            report.tally.add(found)
        admitted = [each for _, each in looked if each is not None]
        before = session.added
        session.append(admitted)
        met.update(each.op["path"] for each in admitted)
        report.recorded += session.added - before
        report.unchanged += sum(isinstance(found, Found) for found, _ in looked) - (session.added - before)
        done += len(batch.listed)
        if progress is not None:
            progress(done, len(listed))
    report.gone = _record_gone(session, starts, met)
    return report


def _look(batch: _Batch) -> list[tuple[Found | LeftOut, Admitted | None]]:
    """Read a batch and bring what isn't known through the gate. The contents come back packed."""
    ignored = CcosIgnore(batch.root)
    looked: list[tuple[Found | LeftOut, Admitted | None]] = []
    for item, path in zip(batch.listed, batch.paths, strict=True):
        found = read(batch.root, item)
        if isinstance(found, LeftOut):
            looked.append((found, None))
            continue
        if found.data is not None and digest(found.data).hex() == batch.known.get(path):
            looked.append((Found(found.path, b""), None))  # the gate let exactly this through before
            continue
        admitted = admit({**_seen(found, batch.how), "at": batch.at}, batch.place, ignored)
        if content_of(admitted.op) == batch.known.get(admitted.op["path"]):
            admitted.blobs = []  # a content that was recorded once is there, or is to stay forgotten
        admitted.pack()
        looked.append((Found(found.path, None if found.data is None else b""), admitted))
    return looked


def _start(session: Session, path: str) -> str:
    """The folder or file to walk, as a path inside the root."""
    full = os.path.abspath(path)
    if not os.path.lexists(full):
        raise NotFound("there is no such file or folder", place=path)
    if os.path.isdir(full):
        real = os.path.realpath(full)
    else:
        real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    root = os.path.realpath(session.root)
    if real != root and not real.startswith(os.path.join(root, "")):
        raise Usage(
            f"is outside {session.root}, the project of this workspace",
            place=path,
            hint="Create a workspace for it: ccos-tui init WS --root DIR",
        )
    return os.path.relpath(real, root) if real != root else ""


def _listed(session: Session, starts: list[str], tally: Tally) -> tuple[list[Listed], set[str]]:
    """(what is to be read; the record's spelling of what is there and left out)."""
    listed: list[Listed] = []
    met: set[str] = set()
    for start in dict.fromkeys(starts):
        try:
            for item in walk(session.root, start):
                if isinstance(item, Listed):
                    listed.append(item)
                else:
                    tally.add(item)
                    met.add(_recorded(session, item.path))
        except OSError as error:
            raise NotFound(f"can't be read: {error.strerror}", place=start or session.root) from error
    return listed, met


def _batches(session: Session, listed: list[Listed], how: How) -> Iterator[_Batch]:
    files: list[Listed] = []
    size = 0
    for item in listed:
        files.append(item)
        size += _size(session.root, item)
        if len(files) >= BATCH_FILES or size >= BATCH_BYTES:
            yield _batch(session, files, how)
            files, size = [], 0
    if files:
        yield _batch(session, files, how)


def _batch(session: Session, files: list[Listed], how: How) -> _Batch:
    paths = tuple(_recorded(session, item.path) for item in files)
    known = {path: session.known.paths[path] for path in paths if path in session.known.paths}
    return _Batch(session.root, session.place, session.clock(), tuple(files), paths, known, how)


def _size(root: str, item: Listed) -> int:
    try:
        return os.path.getsize(os.path.join(root, item.path))
    except (OSError, ValueError):
        return 0


def _seen(found: Found, how: How) -> Observation:
    actor = "user" if how == "ingest" else "tool"
    return {"kind": "seen", "how": how, "actor": actor, "path": _exactly(found.path), "content": found.data}


def _recorded(session: Session, path: str) -> str:
    return recorded_path(_exactly(path), session.place)


def _exactly(path: str) -> str:
    """A path that is the file system's own word, so that no backslash in it is taken for a slash."""
    return "./" + path


def _record_gone(session: Session, starts: list[str], met: set[str]) -> int:
    """Record what was known to be on the disk below the starts, wasn't met, and isn't there any more."""
    session.known.catch_up(session.recorded.head()[0])
    session.known.meet(met)
    below = tuple(_recorded(session, start.replace(os.sep, "/")) + "/" if start else "" for start in starts)
    missing = [
        path
        for path in sorted(session.known.paths)
        if path.startswith(below)
        and path not in met
        and path not in session.known.reported
        and inside(path)
        and not os.path.lexists(os.path.join(session.root, path))
    ]
    session.record({"kind": "gone", "path": _exactly(path), "actor": "user"} for path in missing)
    return len(missing)
