"""What a host has said and nobody has answered yet. One thread reads, another answers.

So a host can take a request back while it is being answered, and hears from a ping that we live. What waits is
bounded by its bytes: a host that says more than is answered waits itself.
"""

from __future__ import annotations

import threading
from collections import deque

from ccos_core.serve.mcp import wire
from ccos_core.serve.mcp.revisions import is_stateless
from ccos_core.serve.mcp.wire import Batch, Note, Request

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ccos_core.serve.mcp.streams import Outlet
    from ccos_core.serve.mcp.wire import Message

    Errand: TypeAlias = Callable[[], None]

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
