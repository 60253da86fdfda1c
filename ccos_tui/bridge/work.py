"""Long work on a thread of its own, with progress and a way to stop it; and the search for this machine's sessions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from ccos_tui.messages import Listed, Progressed, Stopped

if TYPE_CHECKING:
    from ccos_tui.messages import FromEngine

OFTEN = 0.05
"""Seconds between two words about how far it has come."""
Heard = Callable[[int, int], None]
"""Is told how much of how much is done; raises where nobody waits any more."""


class GivenUp(BaseException):
    """Raised inside of long work that nobody waits for; no handler in between may take it for a failure."""


class Pace:
    """When it is time for another word about how far something has come."""

    def __init__(self) -> None:
        self._next = 0.0

    def is_due(self) -> bool:
        """Whether it is; then the next one is a while away."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + OFTEN
        return True


class Work:
    """One thing to do, once."""

    def __init__(
        self, name: str, do: Callable[[Work], FromEngine | None], post: Callable[[FromEngine], object]
    ) -> None:
        self.name = name
        """`importing`, `looking`, `proving`, ..."""
        self._do = do
        self._post_to = post
        self._given_up = threading.Event()
        self._pace = Pace()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def give_up(self) -> None:
        """Leave it; what is done of it is kept."""
        self._given_up.set()

    def end(self, patience: float) -> None:
        """Leave it, and wait a moment until it has put everything away."""
        self.give_up()
        if patience and self._thread.is_alive():
            self._thread.join(patience)

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to come."""
        return not self._thread.is_alive()

    # -- for who does it ----------------------------------------------------------------------------------------------

    def heard(self, done: int, total: int, kept: int = 0) -> None:
        """So much is done, and so many steps are on disk."""
        if self._given_up.is_set():
            raise GivenUp
        if self._pace.is_due():
            self.post(Progressed(self.name, done, total, kept))

    def wait(self, seconds: float) -> None:
        """Do nothing for a while."""
        if self._given_up.wait(seconds):
            raise GivenUp

    def post(self, message: FromEngine) -> None:
        """Tell the app."""
        message.engine = self
        self._post_to(message)

    def _run(self) -> None:
        try:
            message = self._do(self)
        except GivenUp:
            message = Stopped(self.name)
        except Exception as error:  # whatever it is, it is told, and the screens live on
            message = Stopped(self.name, *explained(error, self.name))
        if message is not None:
            self.post(message)


def explained(error: Exception, *words: str) -> tuple[str, str, str, int]:
    """(fact, place, hint, exit code) of what went wrong while somebody did so."""
    from ccos_core.serve import defects

    return defects.explained(error, ["app", *words])


LOOKING = "looking"


def looking(post: Callable[[FromEngine], object]) -> Work:
    """Look for them; they come as messages."""
    return Work(LOOKING, _looked, post)


def places() -> list[str]:
    """Where they are looked for."""
    from ccos_core.session.places import places

    return places()


def _looked(work: Work) -> Listed:
    from ccos_core.session.listing import Sessions, arriving

    found = Sessions(())
    for found in arriving(heard=work.heard):
        work.post(Listed(found, whole=False))
    return Listed(found, whole=True)
