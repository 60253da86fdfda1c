"""A workspace open for recording: observations in, steps out.

The one writer of ops. Each call of `record` is one durable transaction: when it returns, what it took is on disk and
stays there; an event that was delivered before gives the step it already has. On the hook's path, as long as nothing
is ingested.
"""

from __future__ import annotations

import os
import time

from ccos_core.errors import Refused
from ccos_core.session.admit import Admitted, admit
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.feed import announce
from ccos_core.storage.opening import PATIENCE, open_record
from ccos_core.values.paths import Place, home_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ccos_core.session.admit import Observation
    from ccos_core.session.known import Known
    from ccos_core.storage.record import Record, Writing

ELSEWHERE = "elsewhere"
"""What a record calls the root of a project that is only known by how another machine spells it; empty for none."""


class Session:
    """Open for recording until it is closed; usable in a `with` block."""

    def __init__(self, record: Record, *, clock: Callable[[], int] | None = None) -> None:
        self.recorded = record
        self.root = root_of(record)
        self.place = place_of(self.root) if record.local(ELSEWHERE) is None else place_elsewhere(self.root)
        self.ignored = CcosIgnore(self.root)
        self.clock = clock or wall_clock
        self.added = 0
        """Ops this session has put on disk."""
        self._known: Known | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._known is not None:
            self._known.save()
        self.recorded.close()

    @property
    def known(self) -> Known:
        """What the record says of each path; read when it is first asked for."""
        if self._known is None:
            from ccos_core.session.known import Known

            self._known = Known(self.recorded)
        return self._known

    def admit(self, observation: Observation) -> Admitted:
        """Let an observation through the gate, at this moment unless it knows its own."""
        if observation.get("at") is None:
            observation = {**observation, "at": self.clock()}
        return admit(observation, self.place, self.ignored)

    def record(self, observations: Iterable[Observation]) -> list[int]:
        """The step of each observation, all of them durable."""
        return self.append([self.admit(each) for each in observations])

    def append(self, admitted: list[Admitted], also: Callable[[Writing, list[int]], None] | None = None) -> list[int]:
        """The same for what the gate has let through already. `also` writes what belongs with it."""
        try:
            with self.recorded.write() as writing:
                if self.recorded.local("paused"):
                    raise Refused(
                        "recording is paused",
                        place=self.recorded.path,
                        hint=f"Resume with: ccos-tui resume {self.recorded.path}",
                    )
                if self._known is not None:
                    self._known.catch_up(writing.step)
                before = writing.step
                steps = [self._append_one(writing, each) for each in admitted]
                if also is not None:
                    also(writing, steps)
            self.added += writing.step - before
            announce(self.recorded.path)
            return steps
        except BaseException:
            self._known = None  # it may have learnt what was then rolled back
            raise

    def _append_one(self, writing: Writing, admitted: Admitted) -> int:
        key = admitted.key
        if key is not None and (step := self.recorded.delivered(key)) is not None:
            return step
        if self._adds_nothing(admitted, writing):
            if key is not None:
                writing.deliver(key, writing.step)
            return writing.step
        for blob, content in admitted.blobs:
            writing.keep(blob, content)
        for blob, size, packed in admitted.packed:
            writing.keep_packed(blob, size, packed)
        step = writing.append(admitted.body, key)
        if self._known is not None:
            self._known.learn(step, admitted.op)
        return step

    def _adds_nothing(self, admitted: Admitted, writing: Writing) -> bool:
        """Return whether only we looked at a file, and it is as it was."""
        op = admitted.op
        if op["kind"] != "seen" or op["how"] != "ingest" or "slice" in op:
            return False
        from ccos_core.session.known import content_of

        self.known.catch_up(writing.step)
        return self.known.paths.get(op["path"]) == content_of(op)


def open_session(
    path: str, *, stay: bool = True, patience: float = PATIENCE, clock: Callable[[], int] | None = None
) -> Session:
    """The workspace at `path`, open for recording. `stay` to record more than once."""
    record = open_record(path, write=True, stay=stay, patience=patience)
    try:
        return Session(record, clock=clock)
    except BaseException:
        record.close()
        raise


def wall_clock() -> int:
    """Milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def root_of(record: Record) -> str:
    """The project a workspace is about: on this machine, or as the one spells it where its session was recorded."""
    elsewhere = record.local(ELSEWHERE)
    if elsewhere is not None:
        return str(elsewhere)
    folder = os.path.dirname(os.path.realpath(record.path))
    return os.path.normpath(os.path.join(folder, str(record.local("root") or ".")))


def place_elsewhere(*roots: str) -> Place:
    """A project of which there is only what its paths say, in each spelling that was used."""
    return Place(roots, next(filter(None, map(home_of, roots)), ""))


def place_of(root: str) -> Place:
    return Place(tuple(dict.fromkeys((root, os.path.realpath(root)))), os.path.expanduser("~"))
