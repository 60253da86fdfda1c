"""Questions that wait: of each pane only the newest, the more urgent pane first; and errands, each asked once.

A held key asks a hundred times a second, so a new question replaces the one its pane had waiting. What is kept or
exported is wanted once and in full: two letters set at two steps are two errands, each with its own continuation.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from ccos_tui.bridge.ask import Ask
from ccos_tui.messages import Answered, Refused

URGENT = ("go", "line", "step", "window", "state", "diff", "why", "energy", "tree", "watch")
"""Panes by what a reader looks at first. Names may go on behind a colon; others come last, in the order they asked."""


@dataclass(frozen=True, slots=True)
class Request:
    """A question and the pane that wants to know."""

    slot: str
    ask: Ask
    number: int = 0
    """Given by the queue; the later the higher."""


class Queue:
    """What waits to be answered; safe between threads."""

    def __init__(self) -> None:
        self._waiting: dict[str, Request] = {}
        self._changed = threading.Condition()
        self._number = 0
        self._closed = False
        self._idle = False
        """Whether whoever answers has nothing left to do."""

    def put(self, slot: str, question: Ask) -> Request:
        """Ask; what the same pane asked before and nobody has begun to answer is forgotten."""
        with self._changed:
            request = self._put(slot, question)
            self._changed.notify()
        return request

    def put_all(self, questions: Iterable[tuple[str, Ask]]) -> None:
        """Ask several things at once, so that the first to be answered is the most urgent of them."""
        with self._changed:
            for slot, question in questions:
                self._put(slot, question)
            self._changed.notify()

    def drop(self, slot: str) -> None:
        """Nobody wants to know any more."""
        with self._changed:
            self._waiting.pop(slot, None)

    def take(self, patience: float | None = None) -> Request | None:
        """The most urgent one; waits for it, as long as anybody cares to. None when none came, or it was closed."""
        with self._changed:
            if not self._waiting and not self._closed:
                self._idle = True
                self._changed.wait_for(lambda: self._waiting or self._closed, patience)
            if self._closed or not self._waiting:
                return None
            self._idle = False
            request = min(self._waiting.values(), key=_urgency)
            del self._waiting[request.slot]
            return request

    @property
    def is_idle(self) -> bool:
        """Whether everything was answered: nothing waits, and nothing is being worked on."""
        with self._changed:
            return self._closed or (self._idle and not self._waiting)

    @property
    def waiting(self) -> int:
        """How many questions wait."""
        with self._changed:
            return len(self._waiting)

    def is_outdated(self, request: Request) -> bool:
        """Whether its pane has asked something else since, or nobody listens any more."""
        with self._changed:
            return self._closed or request.slot in self._waiting

    def take_before(self, request: Request) -> Request | None:
        """One that is more urgent than a request that is being answered, if there is any."""
        with self._changed:
            first = min(self._waiting.values(), key=_urgency, default=None)
            if self._closed or first is None or _urgency(first)[0] >= _urgency(request)[0]:
                return None
            return self._waiting.pop(first.slot)

    @property
    def closed(self) -> bool:
        """Whether nobody listens any more."""
        return self._closed

    def close(self) -> None:
        """Let whoever waits go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _put(self, slot: str, question: Ask) -> Request:
        self._number += 1
        request = self._waiting[slot] = Request(slot, question, self._number)
        return request


def _urgency(request: Request) -> tuple[int, int]:
    slot = request.slot.partition(":")[0]
    return URGENT.index(slot) if slot in URGENT else len(URGENT), request.number


PREFIX = "errand:"
Then = Callable[[Answered], object]
Otherwise = Callable[[Refused], object]


class Asked(Protocol):
    """Who answers."""

    def ask(self, slot: str, question: Ask) -> None:
        """Ask it."""


class Errands:
    """Those that are under way."""

    def __init__(self) -> None:
        self._under_way: dict[str, tuple[Then, Otherwise]] = {}
        self._number = 0

    def send(self, engine: Asked, question: Ask, then: Then, otherwise: Otherwise) -> None:
        """Ask, and do something with what comes of it."""
        self._number += 1
        slot = f"{PREFIX}{self._number}"
        self._under_way[slot] = (then, otherwise)
        engine.ask(slot, question)

    def answered(self, message: Answered) -> bool:
        """Whether it was the answer to one of them."""
        then, _ = self._under_way.pop(message.slot, (None, None))
        if then is not None:
            then(message)
        return message.slot.startswith(PREFIX)

    def refused(self, message: Refused) -> bool:
        """The same of what can't be answered."""
        _, otherwise = self._under_way.pop(message.slot, (None, None))
        if otherwise is not None:
            otherwise(message)
        return message.slot.startswith(PREFIX)
