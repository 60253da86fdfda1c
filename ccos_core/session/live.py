"""A workspace as long as a server has it open: what is recorded through it, and what is known of it at any moment.

One object for each server. What others record, a hook or another command, is read at the next question. Questions
come to the same desk as everywhere else. What a look through the project finds meanwhile is known as far as those who
look have understood it; that the rest is missing is said.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from ccos_core.errors import CcosError, Refused, Unavailable
from ccos_core.replay.journal import Journal
from ccos_core.replay.searching import learn
from ccos_core.session.asking import Asked, Desk
from ccos_core.session.collecting import uncollected
from ccos_core.session.ingest import ingest
from ccos_core.session.journaling import Journaling, Progress, unheard
from ccos_core.session.live_scan import Scan, make
from ccos_core.session.scan import Found, Listed, read
from ccos_core.session.session import ELSEWHERE, Session, open_session
from ccos_core.session.settings import recording_allowed, switched_off
from ccos_core.session.trouble_log import note_trouble
from ccos_core.state.spread import WHOLE, spread
from ccos_core.storage.cache import cache_path
from ccos_core.storage.column_files import ColumnFiles
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.text.withheld import withheld
from ccos_core.values.canon import digest
from ccos_core.values.paths import inside

if TYPE_CHECKING:
    from ccos_core.query.tool import Entry
    from ccos_core.session.admit import Admitted, Observation
    from ccos_core.session.working_memory import RecordMemory
    from ccos_core.state.failures import Key
    from ccos_core.state.failures import Live as Failing
    from ccos_core.state.world import World

WAIT = 0.1
"""Seconds a question waits for a look through the project to end."""
FEW = 25
"""Steps that are folded without much ado while others are at it, ..."""
SHORT = 300
"""... where the state they go on from is at hand, or a record has no more than so many."""
LOOKED_BACK = 2_000
"""Ops of which it is looked up what they were about: a look through a large project adds many more at once."""
KEEPS_EVERY = 64
"""Steps after which the journal is kept without a pause: to wait for a disk takes longer than to answer."""

MOMENT = 0.03
"""Seconds of silence that are used to learn words in: a question waits that long, and for the next few files."""

Hearing = Callable[[str], object]
"""Takes in what was heard and isn't recorded yet, of the workspace at a path."""


class Following(Desk):
    """A desk whose timeline goes on with its record."""

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self._columns = ColumnFiles(os.path.dirname(cache_path(record.path)))
        self.journaling = self._journaling()
        self._tell()

    def come_up(self, progress: Progress = unheard) -> None:
        """Read what was recorded since; what was folded until a stop is kept."""
        self.__dict__.pop("marks", None)
        before = self.journaling.journal.head
        anew = True
        try:
            anew = self.journaling.catch_up(progress)
        finally:
            if anew or self.journaling.journal.head != before:
                self._tell()
                self.release()

    def take_up(self) -> None:
        """Read what another process has folded meanwhile, and fold nothing."""
        if self.record.head()[0] > self.whole.head:
            kept = self._journaling()
            if kept.journal.head > self.whole.head:
                self.journaling = kept
                self._tell()

    def world(self, progress: Progress = unheard) -> World:
        """The state at the record's head."""
        try:
            return self.journaling.world(progress)
        finally:
            self._tell()

    def release(self) -> None:
        """Give back the memory of what was looked up in the journal."""
        self._columns.release()

    def _journaling(self) -> Journaling:
        new = partial(Journal, self._columns.allocate)
        return Journaling(self.record, at_once=False, keeps_every=KEEPS_EVERY, new=new)

    def _tell(self) -> None:
        self.take(self.journaling.timeline())


class Live:
    """One workspace, open to be recorded in and to be asked."""

    def __init__(self, path: str, root: str, scan: Scan | None = None, hearing: Hearing | None = None) -> None:
        make(path, root)
        self.scan = scan
        self.hearing = hearing
        self.session = _opened(path)
        try:
            self.desk = Following(self.session.recorded)
            self.desk.recorder = self.tell
            self.desk.actor = "agent"
            self._is_here = self.session.recorded.local(ELSEWHERE) is None and os.path.isdir(self.session.root)
        except BaseException:
            self.session.close()
            raise
        self.is_scanned = scan is None
        """Whether the look through the project has ended, and what it has found is known."""
        self._noted = ""
        """The last trouble that was noted."""
        self._learnt = -1
        """The step whose words are known."""
        self._looked: dict[str, tuple[int, int] | None] = {}
        """Path → its size and when it was changed, as of when its content was the one that is recorded."""

    def close(self) -> None:
        """Leave."""
        if self.scan is not None:
            self.scan.stop()
        if "memory" in self.__dict__:
            self.memory.close()
        with contextlib.suppress(CcosError):
            if not self.is_elsewhere():
                self.keep()
        self.session.close()

    @cached_property
    def memory(self) -> RecordMemory:
        """What the working memory derives from the record, to be searched."""
        from ccos_core.session.working_memory import RecordMemory  # for the few who ask for it

        return RecordMemory(self.session.recorded.path)

    def keep(self) -> None:
        """Write all that was understood to the disk, where other processes read it."""
        self.desk.journaling.keep()

    def is_elsewhere(self) -> bool:
        """Whether another program has moved the file away, removed it or put another in its place: what is recorded
        here from now on would be lost."""
        record = self.session.recorded
        try:
            found = os.stat(record.path)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return (found.st_dev, found.st_ino) != record.held

    @property
    def head(self) -> int:
        """The last step there is, known or not."""
        return self.session.recorded.head()[0]

    @property
    def step(self) -> int:
        """The last step that answers know of."""
        return self.desk.whole.head

    @property
    def behind(self) -> int:
        """Steps that were recorded and that answers don't know of yet."""
        return max(0, self.head - self.step)

    def get_ready(self) -> bool:
        """Do a piece of what the next question or the next op would have to wait for, while none comes; gives
        whether there is another one at hand."""
        is_looked_through = self.is_scanned or self.scan is None or self.scan.ended()
        if not is_looked_through:
            self.desk.take_up()
            if self.behind:  # who looks through the project folds what it finds
                return False
        elif self.behind or not self.is_scanned:
            self.keep_up()
            return not self.behind
        if not self.desk.journaling.goes_on:
            self.desk.world()
            return True
        if is_looked_through:
            self.keep()
        return self._learn()

    @property
    def is_ready(self) -> bool:
        """Whether `get_ready` has nothing more to do until something is recorded."""
        if self.desk.broken is not None:
            return self.is_scanned
        return self.is_scanned and not self.behind and self.desk.journaling.goes_on and self._learnt == self.step

    def touched(self, since: int, most: int) -> list[str]:
        """Files that ops said something of after a step, up to so many: those spoken of last, in that order."""
        rows = self.session.recorded.rows(max(since, self.head - LOOKED_BACK) + 1)
        paths = [path for _, _, body in rows if (path := _path(body))]
        return [*dict.fromkeys(reversed(paths))][:most][::-1]

    def keep_up(self, progress: Progress = unheard, *, whole: bool = False) -> None:
        """Read what was recorded. While another process looks through the project, that is as much as they have
        understood, unless it has to be the `whole`."""
        if self.hearing is not None:
            self.hearing(self.session.recorded.path)
        if not (whole or self._has_looked()):
            self.desk.take_up()
            if self.behind > FEW or not (self.desk.journaling.goes_on or self.head <= SHORT):
                return
        self.desk.come_up(progress)

    def ask(self, entry: Entry, said: dict[str, str], at: int | None = None, progress: Progress = unheard) -> Asked:
        """Ask a question of what is known."""
        self.desk.asking = progress
        try:
            asked = self.desk.ask(entry, said, at)
            if asked.recorded:
                self.keep_up(progress, whole=True)
            return asked
        finally:
            self.desk.asking = unheard
            self.desk.release()

    def tell(self, observations: Sequence[Observation]) -> list[int]:
        """Record what an agent says; return the steps. Nothing is known of it before `keep_up`."""
        return self.append([self.admit(each) for each in observations])

    def admit(self, observation: Observation) -> Admitted:
        """Let an observation through the gate."""
        return self.session.admit(observation)

    def append(self, admitted: list[Admitted]) -> list[int]:
        """Record what the gate has let through."""
        recording_allowed()
        return self.session.append(admitted)

    def failures(self) -> Mapping[Key, Failing]:
        """What fails, as far as anything is known."""
        return self.desk.whole.at(self.step).failures.live

    def pressing(self, node: str, progress: Progress = unheard) -> Mapping[str, int]:
        """Node → how strongly a failure at `node` would be felt there, in thousandths, the strongest first."""
        world = self.desk.world(progress)
        there = world.graph.find(node)
        felt = spread(world.graph, world.rules, [((there.path, there.symbol), WHOLE)]) if there is not None else {}
        return {each: strength * 1_000 // WHOLE for each, strength in felt.items()}

    def look_again(self, paths: Iterable[str]) -> bool:
        """Look whether these lie on the disk as they are known, and record what doesn't; gives whether anything was
        different. A file that changed since this server knew it counts as edited: some hosts have no hook for an edit.
        Any other is recorded without heat. A paused workspace is left as it is."""
        if not self._is_here or switched_off():
            return False
        before = self.session.added
        try:  # a window of what is recorded is better than none
            self.session.known.catch_up(self.head)
            marks = {path: mark for path in paths if inside(path) and (mark := self._mark(path)) != self._seen(path)}
            changed = [path for path, mark in marks.items() if self._differs(path, mark)]
            there = [path for path in changed if marks[path] is not None]
            edited = [path for path in there if self._knew(path) and not self._is_unplaced(path)]
            if edited:
                ingest(self.session, map(self._full, edited), how="edit")
            if others := [path for path in there if path not in edited]:
                ingest(self.session, map(self._full, others))
            if gone := [_gone(path) for path in changed if marks[path] is None]:
                self.tell(gone)
            self._looked.update(marks)
        except Refused:  # it is paused
            pass
        except (CcosError, OSError) as error:
            self._note(f"files of {self.session.root} couldn't be looked at again: {error}")
        return self.session.added > before

    # -- helpers --------------------------------------------------------------------------------------------------

    def _learn(self) -> bool:
        """Learn some of the words that a window by text goes by: of thousands of files that takes seconds. Gives
        whether there are more to learn."""
        until = monotonic() + MOMENT

        def heard(done: int, total: int) -> None:
            if done and monotonic() > until:
                raise _Enough

        if self._learnt != self.step:
            try:
                with uncollected():
                    learn(self.desk.whole.at(self.step), heard)
            except _Enough:
                return True
            except CcosError as error:
                self._note(f"words couldn't be learnt: {error}")
            self._learnt = self.step
        return False

    def _has_looked(self) -> bool:
        """Whether the look through the project has ended, for which a question waits a moment."""
        if not self.is_scanned and (self.scan is None or self.scan.ended(WAIT)):
            self.is_scanned = True
            self.desk.take_up()
        return self.is_scanned

    def _note(self, trouble: str) -> None:
        """Where `doctor` reads it, once: the next window may come to the same."""
        if trouble != self._noted:
            self._noted = trouble
            note_trouble(f"mcp: {trouble}")

    def _full(self, path: str) -> str:
        return os.path.join(self.session.root, path)

    def _knew(self, path: str) -> bool:
        """Whether this server has known what a file holds: it was looked at, or the look through the project ended."""
        was_there = self._looked.get(path) is not None or (self.scan is not None and self.is_scanned)
        return was_there and path in self.session.known.paths

    def _seen(self, path: str) -> tuple[int, int] | str | None:
        return "never" if self._is_unplaced(path) else self._looked.get(path, "never")

    def _is_unplaced(self, path: str) -> bool:
        """Whether a host told of an edit without the text: it may be one that this server recorded before."""
        from ccos_core.intake.calls.files import UNPLACED

        return self.session.known.paths.get(path) == UNPLACED

    def _mark(self, path: str) -> tuple[int, int] | None:
        """By what a file is taken for the one it was; None where there is none."""
        try:
            found = os.lstat(self._full(path))
        except OSError:
            return None
        return found.st_size, found.st_mtime_ns

    def _differs(self, path: str, mark: tuple[int, int] | None) -> bool:
        known = self.session.known
        if mark is None:  # what was only ever reported need not have been here
            return path in known.paths and (path not in known.reported or self._looked.get(path) is not None)
        content = read(self.session.root, Listed(path, withheld(path)))
        if not isinstance(content, Found) or content.data is None:
            return False
        return digest(content.data).hex() != known.paths.get(path)


class _Enough(Exception):
    """The moment is over."""


def _opened(path: str) -> Session:
    """To be recorded in, or where that can't be, to be asked."""
    try:
        return open_session(path)
    except Unavailable:
        return Session(open_record(path))


def _path(body: bytes) -> str:
    """The file an op is about, if it is about one."""
    return str(json.loads(body).get("path", "")) if b'"path":' in body else ""


def _gone(path: str) -> dict[str, Any]:
    return {"kind": "gone", "path": "./" + path, "actor": "user"}
