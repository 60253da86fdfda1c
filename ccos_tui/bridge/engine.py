"""The engine at work, on a thread of its own: one question after the other, the most urgent first.

A database connection belongs to the thread that opened it, so the record is opened, folded, asked and closed in here.
What comes of it goes out as messages; nothing in here touches a widget.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ccos_tui.bridge.ask import Ask
from ccos_tui.bridge.queue import Queue, Request
from ccos_tui.messages import Answered, Grown, Progressed, Ready, Refused, Stopped

if TYPE_CHECKING:
    from textual.message import Message

    from ccos_core.errors import CcosError
    from ccos_core.session.asking import Asked, Desk

FOLDING, ASKING = "folding", "asking"
KEPT = 200
"""Answers that are remembered."""
OFTEN = 0.05
"""Seconds between two words about how far something has come."""


class GivenUp(BaseException):
    """Raised inside of long work that nobody waits for; no handler in between may take it for a failure."""


class Engine:
    """One record, asked from other threads."""

    def __init__(self, path: str, post: Callable[[Message], object]) -> None:
        self.path = path
        self._post = post
        self._queue = Queue()
        self._request: Request | None = None
        self._given_up = threading.Event()
        self._known: dict[Ask, Asked] = {}
        """The last answers, the newest last."""
        self._next = 0.0
        """When it is time for the next word of how far something has come."""
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def ask(self, slot: str, question: Ask) -> None:
        """Ask; an answer or a refusal comes as a message."""
        self._given_up.clear()
        self._queue.put(slot, question)

    def give_up(self) -> None:
        """Leave the long work that is being done; what is done of it is kept."""
        self._given_up.set()

    def close(self, patience: float = 2.0) -> None:
        """Leave everything."""
        self._queue.close()
        self._given_up.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    # -- on the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        from ccos_core.serve.defects import explained
        from ccos_core.session.asking import Desk
        from ccos_core.storage.opening import open_record

        try:
            with open_record(self.path) as record, Desk(record, self._folding) as desk:
                desk.asking = partial(self._asking, desk)
                self._fold(desk)
                while (request := self._queue.take()) is not None:
                    self._answer(desk, request)
        except GivenUp:
            self._post(Stopped(FOLDING, "Stopped. The list of steps can be read; Enter folds the rest."))
        except Exception as error:  # whatever it is, it is told, and the screens live on
            fact, place, hint, _ = explained(error, ["app"])
            self._post(Stopped(FOLDING, ". ".join(filter(None, (f"{place}: {fact}" if place else fact, hint)))))

    def _fold(self, desk: Desk) -> None:
        head = desk.timeline.head
        self._post(Ready(head, desk.broken.fact if desk.broken else ""))

    def _answer(self, desk: Desk, request: Request) -> None:
        from ccos_core.serve.defects import explained

        self._request = request
        try:
            if request.ask.name == CATCH_UP.name:
                self._catch_up(desk)
                return
            asked = self._known.get(request.ask) or _asked(desk, request.ask)
            self._remember(request, asked)
            self._post(Answered(request.slot, request.ask, asked.answer, asked.at, asked.moved, asked.partial))
        except GivenUp:
            if not self._queue.is_outdated(request):
                self._post(Refused(request.slot, request.ask, "stopped", "", ""))
        except Exception as error:
            fact, place, hint, _ = explained(error, ["app", request.ask.words()])
            self._post(Refused(request.slot, request.ask, fact, place, hint))
        finally:
            self._request = None

    def _remember(self, request: Request, asked: Asked) -> None:
        """Keep what a pane was told: who steps back asks the same again. A line somebody types may change something."""
        if request.ask.line:
            self._known.clear()
            return
        self._known.pop(request.ask, None)
        self._known[request.ask] = asked
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def _catch_up(self, desk: Desk) -> None:
        if desk.catch_up():
            self._known.clear()
            self._post(Grown(desk.timeline.head))

    def _folding(self, done: int, total: int) -> None:
        self._heard(FOLDING, done, total)

    def _asking(self, desk: Desk, done: int, total: int) -> None:
        """In the middle of a long answer: leave it where nobody wants it any more, and answer first what is urgent.

        Answers are pure functions of the same timeline, so one can be given inside of another."""
        request = self._request
        if request is None:
            return
        if self._queue.is_outdated(request):
            raise GivenUp
        while (urgent := self._queue.take_before(request)) is not None:
            self._answer(desk, urgent)
            self._request = request
        self._heard(ASKING, done, total)

    def _heard(self, work: str, done: int, total: int) -> None:
        if self._given_up.is_set():
            raise GivenUp
        now = time.monotonic()
        if now >= self._next:
            self._next = now + OFTEN
            self._post(Progressed(work, done, total))


CATCH_UP = Ask("catch-up")
"""Not a question: take in what others recorded since."""


def _asked(desk: Desk, question: Ask) -> Asked:
    """Ask what a pane, or a typed line, wants to know."""
    from ccos_core.query.catalogue import entry_of
    from ccos_core.query.words import assigned, line

    entry = entry_of(question.name)
    if entry is None:
        raise unknown(question.name)
    if not question.line:
        return desk.ask(entry, dict(question.said), question.at)
    words = line(question.line)
    said = assigned(entry.load(), entry.name, type(words)(words.text, words.words[1:]))
    return desk.ask(entry, said, question.at)


def unknown(word: str) -> CcosError:
    """What is said of a word nobody knows."""
    from ccos_core.errors import Usage
    from ccos_core.query.catalogue import ALIASES, BY_NAME
    from ccos_core.query.words import nearest

    return Usage("is no command", place=word[:60], hint=nearest(word, [*BY_NAME, *ALIASES]) or "? lists the keys.")
