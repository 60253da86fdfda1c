"""What hooks heard, taken into the workspace when it is opened next: for a window, a question, a list of steps.

The file hooks write to is renamed first, so that they go on in a new one; then its events go through the readers of
transcripts and the gate, in the order they were heard, in batches that are one durable transaction each; then the file
goes. One that is interrupted leaves it, and the next one begins with it: what was recorded is known by its key. One
takes, others wait for it. A line that was torn is set aside and keeps nothing else out.

Who has nothing to take in pays for a look at two names.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from ccos_core.errors import CcosError, Refused
from ccos_core.session.heard import bodies
from ccos_core.session.lost_events import count_lost
from ccos_core.session.settings import switched_off
from ccos_core.session.trouble_log import note_trouble
from ccos_core.storage import locate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ccos_core.session.heard_events import Taking
    from ccos_core.storage.record import Record

TAKEN, ASIDE = "-taken", "-aside"
"""What is added to the name of what was heard: while it is taken in, and for lines that can't be read."""
PATIENCE = 5.0
"""Seconds to wait for another process that takes in, or writes."""
LOOK_AFTER = 0.02
KEPT = "heard"
"""What the record calls what is kept of events beside it: {cwd: {conversation: folder}, ends: {step: how}}. A
conversation is its host, session and context."""
LARGEST_ASIDE = 2**20
"""Bytes of unreadable lines that are kept."""


class Taken:
    """What became of what was heard."""

    __slots__ = ("added", "aside", "events", "unknown", "waiting", "why")

    def __init__(self) -> None:
        self.events = 0
        """Events that were taken in."""
        self.added = 0
        """Steps that are new by them."""
        self.unknown = 0
        """Events of an unknown kind."""
        self.aside = 0
        """Lines that couldn't be read, and were set aside."""
        self.waiting = 0
        """Events that wait still, ..."""
        self.why = ""
        """... and why."""


def take_in(ws: str, patience: float = PATIENCE) -> Taken:
    """Take in what was heard for a workspace. What keeps it from that is said in the answer and not raised: a
    record is asked all the same."""
    taken = Taken()
    heard = locate.heard_path(ws)
    if not os.path.exists(heard) and not os.path.exists(heard + TAKEN):
        return taken
    try:
        _may_record(ws)
        while _take_one(ws, heard, patience, taken):  # what another process left, and then what came since
            pass
    except CcosError as error:
        taken.why = str(error)
    except OSError as error:
        taken.why = f"{error.filename or heard}: {error.strerror}"
    except Exception as error:  # a defect of ours is no reason to withhold an answer
        taken.why = f"{type(error).__name__}: {error}"
        note_trouble(f"hook: what was heard couldn't be taken in: {taken.why}")
    if taken.why:
        taken.waiting = waiting(ws)
    return taken


def kept_beside(record: Record) -> dict[str, dict[str, Any]]:
    """What a record keeps of events that no op has room for."""
    local = record.local(KEPT)
    try:
        kept = json.loads(local) if isinstance(local, str) else {}
    except ValueError:
        kept = {}
    return {name: each if isinstance(each := kept.get(name), dict) else {} for name in ("cwd", "ends")}


def is_heard(record: Record, host: str, session: str) -> bool:
    """Whether hooks have told of a session."""
    return any(name.startswith(f"{host}\t{session}\t") for name in kept_beside(record)["cwd"])


def waiting(ws: str) -> int:
    """Events that were heard and aren't taken in, as far as that can be told."""
    heard = locate.heard_path(ws)
    return _lines(heard + TAKEN) + _lines(heard)


def set_aside(ws: str) -> int:
    """Return lines of what was heard that couldn't be read, as many as are kept."""
    return _lines(aside_path(ws))


def aside_path(ws: str) -> str:
    """Where those lines are kept."""
    return locate.heard_path(ws) + ASIDE


# -- one at a time ----------------------------------------------------------------------------------------------------


def _take_one(ws: str, heard: str, patience: float, taken: Taken) -> bool:
    """Take in one file while no other process does; return whether there is another. What comes in the meantime is for
    the next look, so that this one ends."""
    path, handle = _alone(heard, patience)
    if handle < 0:
        return False
    try:
        is_left = path != heard
        if not is_left:
            os.rename(heard, heard + TAKEN)
        _take(ws, heard + TAKEN, taken, patience)
        os.unlink(heard + TAKEN)
    finally:
        os.close(handle)
    return is_left and os.path.exists(heard)


def _alone(heard: str, patience: float) -> tuple[str, int]:
    """The file to take in first, and a handle that keeps others from it; -1 where others have taken in everything."""
    deadline = time.monotonic() + patience
    while True:
        path = heard + TAKEN if os.path.exists(heard + TAKEN) else heard
        try:
            handle = _locked(path)
        except FileNotFoundError:
            if not os.path.exists(heard) and not os.path.exists(heard + TAKEN):
                return path, -1
            handle = -1
        if handle >= 0 and path == heard and os.path.exists(heard + TAKEN):
            os.close(
                handle
            )  # since we looked another process has taken a file, and hooks have begun this: theirs is first
            continue
        if handle >= 0:
            return path, handle
        if time.monotonic() > deadline:
            raise Refused("another process is recording the events", place=heard)
        time.sleep(LOOK_AFTER)


def _locked(path: str) -> int:
    """A handle that locks the file which has this name; -1 where another process has it, or it has been taken."""
    handle = os.open(path, os.O_RDWR | _flags("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
    try:
        try:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # a system without: what two take in at once is known by its keys
            pass
        known, now = os.fstat(handle), os.stat(path)
        if not stat.S_ISREG(known.st_mode):  # a pipe would be waited for until something is written
            raise Refused("isn't a file", place=path)
        if (known.st_dev, known.st_ino) == (now.st_dev, now.st_ino):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return -1


def _may_record(ws: str) -> None:
    if switched_off():
        raise Refused("recording is switched off by CCOS_OFF")
    if os.path.exists(locate.paused_path(ws)):
        raise Refused("recording is paused", place=ws, hint=f"Resume with: ccos-tui resume {ws}")


# -- one file ---------------------------------------------------------------------------------------------------------


def _take(ws: str, path: str, taken: Taken, patience: float) -> None:
    from ccos_core.session.heard_events import Taking

    with open(path, "rb") as file, Taking(ws, taken, patience) as taking:
        for line, body in bodies(_lines_of(file)):
            if body is None or not _taken(taking, body):
                taken.aside += 1
                _set_aside(ws, line)
            if taking.is_full:  # where that fails it is no fault of this event, and nothing is set aside
                taking.finish()
        taking.finish()
    if taken.aside:
        note_trouble(f"{ws}: {taken.aside:,} lines of hook events couldn't be read and were set aside")


def _lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; the last one as a whole where a hook that opened it before it was taken is just writing."""
    for line in file:
        while not line.endswith(b"\n"):
            time.sleep(LOOK_AFTER)
            if not (more := file.readline()):
                break
            line += more
        yield line


def _taken(taking: Taking, body: bytes) -> bool:
    """Take one event in; gives whether it could be. One that brings a reader to fall would do so each time that
    the workspace is opened."""
    try:
        return taking.take(body)
    except (CcosError, OSError):
        raise
    except Exception as error:
        note_trouble(f"hook: an event couldn't be taken in: {type(error).__name__}: {error}")
        return False


def _set_aside(ws: str, line: bytes) -> None:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _flags("O_NOFOLLOW", "O_NONBLOCK")
    handle = os.open(aside_path(ws), flags, 0o600)
    try:
        if os.fstat(handle).st_size + len(line) <= LARGEST_ASIDE:
            os.write(handle, line + b"\n")
        else:
            count_lost(ws, f"it couldn't be read, and {aside_path(ws)} is full")
    finally:
        os.close(handle)


def _flags(*names: str) -> int:
    """What this system has of these."""
    return sum(getattr(os, name, 0) for name in names)


def _lines(path: str) -> int:
    if not os.path.isfile(path):  # a pipe in its place would keep us waiting
        return 0
    with suppress(OSError), open(path, "rb") as file:
        return sum(1 for line in file if line.strip())
    return 0
