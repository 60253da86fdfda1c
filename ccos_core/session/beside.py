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
from contextlib import contextmanager, suppress
from select import POLLIN, poll
from time import monotonic
from typing import NoReturn

from ccos_core.replay.residency.shared import Heard, Work
from ccos_core.session.child_process import prepare
from ccos_core.session.workers import live_as_a_worker

OFTEN_MS = 50
"""Between two words about waiting."""
PATIENCE = 10.0
"""Seconds the other is waited for, when all other pieces are done here, or as many as these took: it has one left. A
process that is made while other threads are at work may wait for what none of them will ever do there."""
AT_ONCE = 1 << 16
"""Bytes that are read at once."""
SIZE = 8
"""Bytes that say how many follow: while other threads make processes too, nobody can count on the end of a pipe."""


def shared(work: Work, pieces: int, heard: Heard, last: int) -> list[bytes] | None:
    """What comes of each of some pieces of work, at most 256: whoever is free takes the next. Only this process is
    heard; while it waits for the other it is at the last moment. None, where the other came to nothing."""
    with _waiting_to_be_done(pieces) as queue, _another(work, queue) as other:
        begun = monotonic()
        found = dict(_done(work, queue, heard))
        if other is not None:
            patience = max(PATIENCE, monotonic() - begun)
            found |= other.found(lambda: heard(last), patience)
    return [found[at] for at in range(pieces)] if len(found) == pieces else None


def _done(work: Work, queue: int, heard: Heard) -> Iterator[tuple[int, bytes]]:
    """Take one piece after the other, until there are none."""
    with suppress(BlockingIOError):
        while piece := os.read(queue, 1):
            yield piece[0], work(piece[0], heard)


@contextmanager
def _waiting_to_be_done(pieces: int) -> Iterator[int]:
    """Where to take the next: a byte for each, and no two get the same."""
    queue, filling = os.pipe()
    try:
        os.set_blocking(queue, False)
        os.write(filling, bytes(range(pieces)))
        yield queue
    finally:
        os.close(filling)
        os.close(queue)


@contextmanager
def _another(work: Work, queue: int) -> Iterator[_Other | None]:
    """Another process that takes pieces until this is left; none, where the machine has no room for it."""
    other = _begun(work, queue)
    try:
        yield other
    finally:
        if other is not None:
            other.end()


def _begun(work: Work, queue: int) -> _Other | None:
    """Ctrl-C is for this process alone; while the other is made it waits."""
    parent = os.getpid()
    prepare()
    try:
        reading, telling = os.pipe()
    except OSError:
        return None
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process = os.fork()
        if not process:
            _be_another(work, queue, telling, parent)
        return _Other(process, reading)
    except OSError:
        os.close(reading)
        return None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(telling)


class _Other:
    """The other process, seen from here."""

    def __init__(self, process: int, reading: int) -> None:
        self._process = process
        self._reading = reading
        self._is_there = True

    def found(self, waiting: Callable[[], None], patience: float) -> dict[int, bytes]:
        """What came of its pieces, as soon as there are no more; nothing where it didn't live to tell all of it, or
        takes longer than so many seconds."""
        until = monotonic() + patience
        told, coming = bytearray(), poll()
        coming.register(self._reading, POLLIN)
        while len(told) < SIZE or len(told) < SIZE + int.from_bytes(told[:SIZE]):
            if coming.poll(OFTEN_MS):
                more = os.read(self._reading, AT_ONCE)
            elif monotonic() < until and not self._has_ended():
                waiting()
                continue
            else:
                more = b""
            if not more:
                return {}
            told += more
        found: dict[int, bytes] = pickle.loads(told[SIZE:])  # noqa: S301 (it is ourselves)
        return found

    def end(self) -> None:
        """Whatever it is at, it needn't go on."""
        os.close(self._reading)
        if self._is_there:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            self._has_ended(0)

    def _has_ended(self, how: int = os.WNOHANG) -> bool:
        with suppress(ChildProcessError):  # where the system buries whoever ends, nobody can ask for them
            self._is_there = os.waitpid(self._process, how)[0] == 0
        return not self._is_there


def _be_another(work: Work, queue: int, telling: int, parent: int) -> NoReturn:
    """What it took along is never closed, and nobody but its maker is told anything."""
    try:
        gc.disable()  # cycles may hold what isn't its own to close
        live_as_a_worker(parent)
        found = pickle.dumps(dict(_done(work, queue, _unheard)))
        told = len(found).to_bytes(SIZE) + found
        while told:
            told = told[os.write(telling, told) :]
        os._exit(0)
    finally:
        os._exit(1)


def _unheard(at: int) -> None:
    """Who listens does so in the process that made this one."""
