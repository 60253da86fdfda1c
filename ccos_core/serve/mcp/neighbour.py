"""A hook of the same user asks what its agent has lost, and the server that has the workspace open answers.

One thread listens and talks, to one after the other; what is known is asked by the thread that answers the host,
between two messages. So nobody who says nothing, or anything, keeps the host waiting, and no more than one question
ever waits. Of several servers of a workspace one listens; when it goes, however it goes, another takes its place.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time

from ccos_core.serve import next_door
from ccos_core.serve.next_door import LONGEST_QUESTION, TAKEN, TAKEN_UP, answer_of, unix_sockets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ccos_core.serve.mcp.streams import Errand
    from ccos_core.serve.mcp.tools.door import Door
    from ccos_core.serve.next_door import Wanted

    HandIn: TypeAlias = Callable[[Errand], None]

TO_SPEAK = 0.05
"""Seconds somebody has to say what it wants, and to take what it is told."""
WAITING = 8
"""Neighbours that may stand at the door."""
LOCK = ".lock"
"""What is added to a socket's name for what is locked by whoever listens there."""


class TooLate(Exception):
    """Whoever asked has stopped waiting."""


class Question:
    """What a neighbour wants to know, on its way to the thread that knows."""

    def __init__(self, want: Wanted, until: float, is_there: Callable[[], bool]) -> None:
        self.want = want
        self.answer: bytes | None = None
        self._until = until
        self._is_there = is_there
        self._state = "waits"
        self._moved = threading.Condition()

    def take(self) -> bool:
        """Begin with it; False where it has been withdrawn."""
        with self._moved:
            return self._turn("waits", "taken")

    def end(self, answer: bytes | None) -> None:
        """That is all there is to say; None to have it asked elsewhere."""
        with self._moved:
            self.answer = answer
            self._turn("taken", "ended")

    def is_taken(self, seconds: float) -> bool:
        """Wait until somebody begins with it; it is withdrawn where nobody does."""
        with self._moved:
            self._moved.wait_for(lambda: self._state != "waits", seconds)
            return not self._turn("waits", "withdrawn")

    def is_ended(self) -> bool:
        """Wait for its answer, as long as whoever asks does."""
        with self._moved:
            return self._moved.wait_for(lambda: self._state == "ended", max(0.0, self._until - time.monotonic()))

    def is_wanted(self) -> bool:
        """Whether somebody still waits for an answer."""
        return time.monotonic() < self._until and self._is_there()

    def heard(self, done: int, total: int) -> None:
        """Steps are folded: not longer than anybody waits."""
        if time.monotonic() >= self._until:
            raise TooLate

    def _turn(self, before: str, after: str) -> bool:
        is_so = self._state == before
        if is_so:
            self._state = after
            self._moved.notify_all()
        return is_so


class Neighbour:
    """A door for hooks, as long as a server serves."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._sockets: Any = unix_sockets()
        self._listening: Any = None
        self._mine: list[str] = []
        """Files that go when this ends."""
        self._lock = -1
        self._closed = False

    def begin(self, hand_in: HandIn) -> None:
        """Listen from now on; what is to be done between two messages is handed in."""
        if self._sockets is not None:
            threading.Thread(target=self._listen, args=(hand_in,), name="neighbour", daemon=True).start()

    def close(self) -> None:
        """Nobody is listened to any more."""
        self._closed = True
        mine, self._mine = self._mine, []
        for path in mine:
            with contextlib.suppress(OSError):
                os.unlink(path)
        if self._listening is not None:
            with contextlib.suppress(OSError):
                self._listening.shutdown(self._sockets.SHUT_RDWR)

    def answer(self, question: Question) -> None:
        """Answer it, in the thread that answers the host; and be ready for the next one, if this one came too early."""
        if not question.take():
            return
        said = None
        try:
            said = self._known(question)
        except Exception as error:
            self._note(error)
        finally:
            question.end(said)
        if said is None:
            self._get_ready()

    # -- helpers --------------------------------------------------------------------------------------------------

    def _known(self, question: Question) -> bytes | None:
        from ccos_core.session.settings import switched_off

        live = self._door.opened
        if live is None or switched_off():
            return None
        from ccos_core.serve.inject import answer_live

        try:
            return answer_live(live, question.want, question.heard, question.is_wanted)
        except TooLate:
            return None

    def _get_ready(self) -> None:
        """Have the workspace open for the next one: to do so takes longer than anybody waits. A host that asks
        meanwhile would wait for the same."""
        if os.path.exists(self._door.path):
            try:
                self._door.live().get_ready()
            except Exception as error:
                self._note(error)

    def _note(self, error: Exception) -> None:
        from ccos_core.session.trouble_log import note_trouble

        note_trouble(f"mcp: a hook couldn't be answered: {type(error).__name__}: {error}")

    def _listen(self, hand_in: HandIn) -> None:
        """Where that can't be, hooks do their own work."""
        with contextlib.suppress(OSError, ImportError):
            place = self._place()
            if place and self._is_alone(place):
                self._open(place)
                while not self._closed:
                    self._hear_next(hand_in)
        self.close()  # before the lock goes: what lies there afterwards is somebody else's
        if self._listening is not None:
            self._listening.close()
        if self._lock >= 0:
            os.close(self._lock)

    def _place(self) -> str:
        for place in next_door.places(self._door.path):
            folder = os.path.dirname(place)
            with contextlib.suppress(OSError):
                os.makedirs(folder, mode=0o700, exist_ok=True)
            if next_door.is_ours(folder):
                return place
        return ""

    def _is_alone(self, place: str) -> bool:
        """Wait until no other server listens there. A lock goes with whoever has it, also with one that is killed."""
        import fcntl

        while not self._closed:
            lock = os.open(place + LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not self._closed and _is_at(lock, place + LOCK):
                self._lock = lock
                self._mine = [place + LOCK]
                return True
            os.close(lock)  # the one before has taken the file with it
        return False

    def _open(self, place: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place)  # of one that was killed
        self._listening = self._sockets.socket(self._sockets.AF_UNIX, self._sockets.SOCK_STREAM)
        self._listening.bind(place)
        os.chmod(place, 0o600)
        self._mine.insert(0, place)
        self._listening.listen(WAITING)
        if self._closed:
            self.close()

    def _hear_next(self, hand_in: HandIn) -> None:
        try:
            descriptor, _ = self._listening._accept()
        except OSError:  # one that has left again, or this process has too many files open
            time.sleep(TO_SPEAK)
            return
        self._hear(descriptor, hand_in)

    def _hear(self, descriptor: int, hand_in: HandIn) -> None:
        """One neighbour, from its question to its answer."""
        sockets = self._sockets
        with_it = sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM, 0, fileno=descriptor)
        try:
            want, seconds = next_door.understood(_line(with_it))
            question = Question(want, time.monotonic() + seconds, lambda: self._is_there(with_it))
            with_it.settimeout(0)
            hand_in(lambda: self.answer(question))
            if question.is_taken(min(TAKEN_UP, seconds)):
                with_it.sendall(TAKEN)
                if question.is_ended() and question.answer is not None:
                    with_it.settimeout(TO_SPEAK)
                    with_it.sendall(answer_of(question.answer))
        except (OSError, ValueError, RecursionError):  # gone, or none of ours
            pass
        finally:
            with_it.close()

    def _is_there(self, with_it: Any) -> bool:
        """Whether whoever asked has neither left nor said anything more."""
        try:
            with_it.recv(1, self._sockets.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False


def _line(with_it: Any) -> bytes:
    """What somebody says, if that is a line and comes soon."""
    until = time.monotonic() + TO_SPEAK
    said = b""
    while not said.endswith(b"\n"):
        left = until - time.monotonic()
        if left <= 0 or len(said) >= LONGEST_QUESTION:
            raise ValueError("that is no question")
        with_it.settimeout(left)
        piece = with_it.recv(LONGEST_QUESTION - len(said))
        if not piece:
            raise ValueError("that is no question")
        said += piece
    return said


def _is_at(handle: int, path: str) -> bool:
    """Whether the file that is open still has its name."""
    try:
        now = os.stat(path)
    except OSError:
        return False
    known = os.fstat(handle)
    return (known.st_dev, known.st_ino) == (now.st_dev, now.st_ino)
