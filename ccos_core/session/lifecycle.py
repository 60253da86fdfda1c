"""A workspace's life outside of recording: made, brought forward, paused, copied, slimmed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from ccos_core.errors import CcosError, Refused, Unavailable, Usage
from ccos_core.ops import epoch, plain
from ccos_core.session import interpreters
from ccos_core.session.session import ELSEWHERE, open_session, root_of, wall_clock
from ccos_core.storage import archive, schema, segments
from ccos_core.storage.bodies import opened
from ccos_core.storage.copying import copy_record, upgrade_file
from ccos_core.storage.locate import paused_path
from ccos_core.storage.opening import make_record, open_record
from ccos_core.storage.record import Record

Clock = Callable[[], int]


def init(path: str, root: str | None = None, *, clock: Clock = wall_clock) -> str:
    """Make a workspace about the project at `root`; gives that root. Its first op is the epoch it is written under."""
    folder = os.path.dirname(os.path.abspath(path))
    root = os.path.abspath(root) if root else folder
    if not os.path.isdir(root):
        raise Usage("isn't a folder, so it can't be a project", place=root)
    _make(path, "root", kept_root(root, folder), clock())
    return root


def init_elsewhere(path: str, root: str, at: int | None) -> None:
    """Make a workspace about a project that is known by what was said of it alone: `root` is a spelling, and need not
    be a folder here. The same words make the same chain, so the caller says the moment."""
    _make(path, ELSEWHERE, root, at)


def upgrade(path: str, *, clock: Clock = wall_clock) -> tuple[str | None, bool]:
    """Bring the file forward and start the current epoch; gives (backup, whether an epoch was written)."""
    backup = upgrade_file(path, schema.MIGRATIONS, schema.FORMAT)
    with open_session(path, clock=clock) as session:
        new = epoch.current(interpreters=interpreters.current(), at=clock())
        if _same_but_time(_last_epoch(session.recorded), new):
            return backup, False
        with session.recorded.write() as writing:
            writing.append(plain.seal(new))
    return backup, True


def pause(path: str, paused: bool) -> bool:
    """Stop or go on recording; gives whether that changed anything."""
    with open_record(path, write=True, stay=False) as record, record.write() as writing:
        before = bool(record.local("paused"))
        writing.set_local("paused", 1 if paused else None)
    _tell_hooks(path, paused)
    return before != paused


def compact(path: str, *, most: int, keep: int, outside: str | None = None) -> int:
    """Move all but the last `keep` ops into the archive when there are more than `most`; gives how many moved."""
    if keep < 0 or most < keep:
        raise Usage(f"can't keep {keep:,} steps of at most {most:,}", hint="0 ≤ keep ≤ max")
    with open_record(path, write=True) as record:
        if outside is not None:
            folder = os.path.dirname(os.path.realpath(path))
            outside = kept_root(os.path.abspath(outside), folder)
        step = record.head()[0]
        if step - record.floor() <= most:
            return 0
        until = step - keep
        if outside is not None and until > record.floor():
            from ccos_core.session.worlds import keep_baseline  # the whole engine, which nothing else here needs

            keep_baseline(record, until)
        with record.write() as writing:
            moved = archive.move_older(record, writing, writing.step - until, outside)
        with contextlib.suppress(
            Unavailable
        ):  # another process is in it; the space is free for what comes next all the same
            record.ask("VACUUM")
    return moved


def copy(path: str, to: str) -> tuple[str, list[str], CcosError | None]:
    """Make a whole, consistent copy, also while others write, in `to` if that is a folder.

    Gives where it is, the archive files that weren't at hand, and what a person should hear about the original.
    """
    if os.path.isdir(to):
        to = os.path.join(to, os.path.basename(path))
    if os.path.abspath(path) == os.path.abspath(to):
        raise Refused("is the workspace itself", place=to)
    with open_record(path) as record:
        notice = record.notice
        root = root_of(record)
        source_archive = segments.folder(record)
        copy_record(record, to)
    with open_record(to, write=True) as record, record.write() as writing:
        writing.set_local("root", kept_root(root, os.path.dirname(os.path.abspath(to))))
        writing.set_local("archive", source_archive)
        missing = archive.bring_inside(record, writing)
        if not missing:
            writing.set_local("archive", None)
    return to, missing, notice


def kept_root(root: str, folder: str) -> str:
    """Relative where one lies inside the other, so that moving the whole project keeps it true."""
    root, folder = os.path.realpath(root), os.path.realpath(folder)
    common = os.path.commonpath([root, folder]) if os.path.splitdrive(root)[0] == os.path.splitdrive(folder)[0] else ""
    return os.path.relpath(root, folder) if common in (root, folder) else root


def _make(path: str, named: str, root: str, at: int | None) -> None:
    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"can't create the folder: {error.strerror}", place=folder) from error

    def fill(record: Record) -> None:
        with record.write() as writing:
            writing.set_local(named, root)
            writing.append(plain.seal(epoch.current(interpreters=interpreters.current(), at=at)))

    make_record(path, fill)


def _tell_hooks(path: str, paused: bool) -> None:
    """What a hook can see, who opens no record."""
    marker = paused_path(path)
    try:
        if paused:
            os.close(os.open(marker, os.O_CREAT | os.O_WRONLY, 0o600))
        elif os.path.lexists(marker):
            os.unlink(marker)
    except OSError as error:
        raise Unavailable(f"can't be {'made' if paused else 'taken away'}: {error.strerror}", place=marker) from error


def _last_epoch(record: Record) -> plain.Plain | None:
    found: plain.Plain | None = None
    for step, _, body in record.rows():
        if b'"kind":"epoch"' in body and (op := opened(record, step, body))["kind"] == "epoch":
            found = op
    return found


def _same_but_time(one: plain.Plain | None, other: plain.Plain) -> bool:
    return one is not None and {**one, "at": None} == {**other, "at": None}
