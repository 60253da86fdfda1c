"""Work that two processes share piece by piece, the other one with all that is at hand here.

What a question has put together, hundreds of megabytes of it, can't be handed to anybody. A process that is made of
this one has it all. It only reckons: whatever is open here it leaves alone.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from select import select
from typing import NoReturn

from ccos_core.replay.residency.shared import Heard, Work
from ccos_core.session.workers import live_as_a_worker

OFTEN = 0.05
"""Seconds between two words about waiting."""
AT_ONCE = 1 << 16
"""Bytes that are read at once."""


def shared(work: Work, pieces: int, heard: Heard, last: int) -> list[bytes] | None:
    """What comes of each of some pieces of work, at most 256: whoever is free takes the next. Only this process is
    heard; while it waits for the other it is at the last moment. None, where the other came to nothing."""
    with _waiting_to_be_done(pieces) as queue, _another(work, queue) as other:
        found = dict(_done(work, queue, heard))
        if other is not None:
            found |= other.found(lambda: heard(last))
    return [found[at] for at in range(pieces)] if len(found) == pieces else None


def _done(work: Work, queue: int, heard: Heard) -> Iterator[tuple[int, bytes]]:
    """Take one piece after the other, until there are none."""
    while piece := os.read(queue, 1):
        yield piece[0], work(piece[0], heard)


@contextmanager
def _waiting_to_be_done(pieces: int) -> Iterator[int]:
    """Where to take the next: a byte for each, and no two get the same."""
    queue, filling = os.pipe()
    os.write(filling, bytes(range(pieces)))
    os.close(filling)
    try:
        yield queue
    finally:
        os.close(queue)


@contextmanager
def _another(work: Work, queue: int) -> Iterator[_Other | None]:
    """Another process that takes pieces until this is left; none, where the machine has no room for it."""
    parent, (reading, telling) = os.getpid(), os.pipe()
    try:
        process = os.fork()
    except OSError:
        process = None
    if process == 0:
        _be_another(work, queue, telling, parent)
    os.close(telling)
    other = _Other(process, reading) if process is not None else None
    try:
        yield other
    finally:
        os.close(reading)
        if other is not None:
            other.end()


class _Other:
    """The other process, seen from here."""

    def __init__(self, process: int, reading: int) -> None:
        self._process = process
        self._reading = reading
        self._is_there = True

    def found(self, waiting: Callable[[], None]) -> dict[int, bytes]:
        """What came of its pieces, as soon as there are no more; nothing where it didn't live to tell all of it."""
        told = b""
        while more := self._heard(waiting):
            told += more
        found: dict[int, bytes] = pickle.loads(told) if self._ended() == 0 else {}  # noqa: S301 (it is ourselves)
        return found

    def end(self) -> None:
        """Whatever it is at, it needn't go on."""
        if self._is_there:
            os.kill(self._process, signal.SIGKILL)
            self._ended()

    def _heard(self, waiting: Callable[[], None]) -> bytes:
        while not select([self._reading], [], [], OFTEN)[0]:
            waiting()
        return os.read(self._reading, AT_ONCE)

    def _ended(self) -> int:
        self._is_there = False
        return os.waitpid(self._process, 0)[1]


def _be_another(work: Work, queue: int, telling: int, parent: int) -> NoReturn:
    """What it took along is never closed, and nobody but its maker is told anything."""
    try:
        gc.disable()  # cycles may hold what isn't its own to close
        live_as_a_worker(parent)
        told = pickle.dumps(dict(_done(work, queue, _unheard)))
        while told:
            told = told[os.write(telling, told) :]
        os._exit(0)
    finally:
        os._exit(1)


def _unheard(at: int) -> None:
    """Who listens does so in the process that made this one."""
