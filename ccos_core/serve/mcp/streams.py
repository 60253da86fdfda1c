"""The two ends a host holds: what it says comes in, and nothing but the protocol goes out.

Whatever else would print, a library or a child process, prints to stderr meanwhile, and reads nothing of the host's.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import BinaryIO, TextIO

CHUNK = 1 << 16
"""Bytes taken at a time."""
SIGNALS = ("SIGTERM", "SIGINT")


class Ending(BaseException):
    """Somebody wants this process to end; whatever is under way is left."""


class Outlet:
    """The way to the host, for the thread that answers and the one that reads."""

    def __init__(self, write: Callable[[memoryview], int | None]) -> None:
        self._write = write
        self._lock = threading.Lock()

    def send(self, line: bytes) -> None:
        """One message. Nothing is buffered: whoever ends us doesn't wait for a host that reads no more."""
        with self._lock:
            left = memoryview(line + b"\n")
            while left:
                left = left[self._write(left) or 0 :]


class Ends:
    """stdin and stdout, taken from everybody else in this process for as long as it serves."""

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self._moved: list[tuple[int, int]] = []
        self._handlers: list[tuple[int, object]] = []
        self.read = _reader(stdin, self._claimed(stdin, 0))
        self.outlet = Outlet(_writer(stdout, self._claimed(stdout, 1)))

    def __enter__(self) -> Ends:
        if threading.current_thread() is threading.main_thread():
            for name in SIGNALS:
                number = getattr(signal, name)
                self._handlers.append((number, signal.signal(number, _end)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers:
            signal.signal(number, handler)  # type: ignore[arg-type]  # as `signal` gave it
        for private, number in self._moved if _flushed(sys.stdout, 1) else ():
            os.dup2(private, number)
        _flushed(sys.stderr, 2)

    def _claimed(self, stream: BinaryIO, number: int) -> int | None:
        """A descriptor of our own where the stream is the process's; what stood there leads elsewhere from now on."""
        descriptor = _descriptor(stream)
        if descriptor != number:
            return descriptor
        private = _duplicate(number)
        elsewhere = os.open(os.devnull, os.O_RDONLY) if number == 0 else _stderr()
        os.dup2(elsewhere, number)
        os.close(elsewhere)
        self._moved.append((private, number))
        return private


def _descriptor(stream: BinaryIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, AttributeError):
        return None


def _duplicate(number: int) -> int:
    """Never in the place of a standard stream that is closed, or stray words would find it there."""
    duplicate = os.dup(number)
    if duplicate > 2:
        return duplicate
    try:
        return _duplicate(number)
    finally:
        os.close(duplicate)


def _flushed(stream: TextIO | None, number: int) -> bool:
    """Whether all that was printed by mistake is gone, so that none of it reaches the host once its end is back. What
    can't go anywhere goes nowhere: left to the end of the process it would be what that ends with."""
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        if nowhere != number:
            os.close(nowhere)
        return False
    return True


def _stderr() -> int:
    try:
        return _duplicate(2)
    except OSError:  # closed
        return os.open(os.devnull, os.O_WRONLY)


def _reader(stream: BinaryIO, descriptor: int | None) -> Callable[[], bytes]:
    """Past Python's own buffers: a thread that waits in one keeps the interpreter from ending."""
    if descriptor is None:
        return lambda: stream.read(CHUNK)
    _wait_on(descriptor)
    return lambda: os.read(descriptor, CHUNK)


def _writer(stream: BinaryIO, descriptor: int | None) -> Callable[[memoryview], int | None]:
    if descriptor is None:
        return stream.write
    _wait_on(descriptor)
    return lambda data: os.write(descriptor, data)


def _wait_on(descriptor: int) -> None:
    """Some hosts hand over pipes that say `try again` where one would wait."""
    try:
        os.set_blocking(descriptor, True)
    except (OSError, AttributeError):  # not for this kind of stream, or not on this system
        return


def _end(number: int, frame: FrameType | None) -> None:
    raise Ending
