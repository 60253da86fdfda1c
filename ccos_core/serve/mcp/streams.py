"""The two ends a host holds, and what it has said that is not answered yet.

Only the protocol goes out: whatever else would print, a library or a child process, prints to stderr meanwhile, and
reads nothing of the host's. One thread reads and another answers, so a request can be taken back while it is answered
and a ping is heard. What waits is bounded by its bytes: a host that says more than is answered waits itself.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque

from ccos_core.serve.mcp import wire
from ccos_core.serve.mcp.wire import Batch, Note, Request, is_stateless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import Any, BinaryIO, TextIO, TypeAlias

    from ccos_core.serve.mcp.wire import Message

    Errand: TypeAlias = Callable[[], None]

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


FULL = wire.LONGEST
"""Bytes that may wait before nobody reads on; what waits alone is let in whatever it weighs."""
LEAST = 1024
"""What a message weighs besides its bytes, however few they are."""


class Inbox:
    """Messages in the order in which they came."""

    def __init__(self, outlet: Outlet) -> None:
        self._outlet = outlet
        self._waiting: deque[tuple[Message | Errand, int]] = deque()
        self._weight = 0
        self._open: dict[Any, Request] = {}
        """Requests that can still be taken back, by id."""
        self._ended = False
        self._moved = threading.Condition()

    def fill(self, read: Callable[[], bytes]) -> None:
        """Take in what the host says until it says no more."""
        try:
            for line in wire.lines(read):
                message = wire.message_of(line)
                if message is not None:
                    self._take(message, LEAST + len(line or b""))
        except OSError:
            pass  # an end that is gone has nothing more to say
        finally:
            with self._moved:
                self._ended = True
                self._moved.notify_all()

    def hand_in(self, errand: Errand) -> None:
        """Something that isn't the host's, to be done when its turn comes. Whoever hands one in waits for it to be
        done before the next."""
        with self._moved:
            self._waiting.append((errand, 0))
            self._moved.notify_all()

    def next(self, patience: float | None) -> Message | Errand | None:
        """What is to be answered or done now; None when nothing came in all that time."""
        with self._moved:
            if not self._waiting and not self._ended:
                self._moved.wait(patience)
            if not self._waiting:
                return None
            message, weight = self._waiting.popleft()
            self._weight -= weight
            self._moved.notify_all()
            return message

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to answer and nothing will come."""
        with self._moved:
            return self._ended and not self._waiting

    def forget(self, message: Message) -> None:
        """It is answered, and can't be taken back any more, unless it lasts."""
        with self._moved:
            for request in _requests(message):
                if self._open.get(request.key) is request and not request.lasts:
                    del self._open[request.key]

    def _take(self, message: Message, weight: int) -> None:
        if isinstance(message, Note) and message.method == "notifications/cancelled":
            self._stop(message.params.get("requestId"))
        elif isinstance(message, Request) and message.method == "ping" and not is_stateless(message.params):
            self._outlet.send(wire.encoded(wire.answered(message.key, {})))
        else:
            self._put(message, weight)

    def _put(self, message: Message, weight: int) -> None:
        with self._moved:
            while self._waiting and self._weight + weight > FULL:
                self._moved.wait()
            self._open.update((request.key, request) for request in _requests(message))
            self._waiting.append((message, weight))
            self._weight += weight
            self._moved.notify_all()

    def _stop(self, key: object) -> None:
        with self._moved:
            request = self._open.pop(key, None) if wire.is_key(key) else None
            if request is not None:
                request.stopped = True


def _requests(message: Message) -> list[Request]:
    """Those in it that may be taken back: all but the handshake."""
    parts = message.messages if isinstance(message, Batch) else [message]
    return [part for part in parts if isinstance(part, Request) and part.method != "initialize"]
