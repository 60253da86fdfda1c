"""Sessions going from their transcripts into a workspace.

What a transcript says goes through the gate in batches, each one durable transaction: whoever interrupts it has lost
nothing, and the next import goes on where this one stopped. What was delivered before is known by its key before the
gate has any work with it, so to import a transcript again that has grown costs little more than to read it.

The same transcript gives the same chain, whoever imports it and when: no clock is asked, and paths are mapped by how
they are spelled. A workspace that isn't there is made when there is something to put into it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ccos_core.errors import NotFound, Refused, Unavailable
from ccos_core.session.admit import Admitted
from ccos_core.session.admitting import Admitting, Lot
from ccos_core.session.imported import Imported, UnderWay
from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.namesakes import ANOTHER, is_another, name_apart, recorded_as
from ccos_core.session.session import ELSEWHERE, Session, open_session, place_elsewhere
from ccos_core.session.transcripts import Heard, Story, is_folder, nobody
from ccos_core.values.paths import Place

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation

BATCH, BATCH_CHARACTERS = 2_000, 4_000_000
"""A batch is full at either: many small observations for speed, few large ones for memory."""
LOT, LOT_CHARACTERS = 400, 400_000
"""The same for what goes through the gate at a time: smaller, so that no processor waits for others to fill one."""

Before = Callable[[Session, int | None], None]
"""Puts something into a workspace ahead of the first session; is told when that begins."""


class Importing:
    """Sessions on their way into one workspace; usable in a `with` block."""

    def __init__(self, ws: str, before: Before | None = None) -> None:
        self.ws = ws
        self._before = before
        self._session: Session | None = None
        self._waiting: list[Observation] = []
        """What was read and hasn't gone to the gate."""
        self._size = 0
        self._begun: int | None = None
        """The first moment somebody named in what waits."""
        self._gate = Admitting()
        self._let_in: list[Admitted] = []
        """What isn't on disk yet."""
        self._let_in_size = 0

    def __enter__(self) -> Importing:
        return self

    def __exit__(self, *_: object) -> None:
        self._gate.leave()
        if self._session is not None:
            self._session.close()

    @property
    def added(self) -> int:
        """Steps this run has put on disk."""
        return self._session.added if self._session is not None else 0

    def head(self) -> tuple[int, str]:
        """(step, hash) of the workspace; nothing where there is none."""
        if self._session is None:
            return 0, ""
        step, hash_ = self._session.recorded.head()
        return step, hash_.hex()

    def take(self, story: Story, heard: Heard = nobody) -> Imported:
        """Import a session to its end; what was read of it is on disk when this returns."""
        under_way = UnderWay(story)
        self.go_on(under_way, heard)
        self.end(under_way)
        return under_way.told()

    def go_on(self, under_way: UnderWay, heard: Heard = nobody) -> None:
        """Import what there is by now of a session that may go on."""
        self._put(under_way, under_way.story.read(heard))

    def end(self, under_way: UnderWay) -> None:
        """Import what becomes certain because nothing follows."""
        self._put(under_way, under_way.story.finish())

    # -- helpers --------------------------------------------------------------------------------------------------

    def _put(self, under_way: UnderWay, said: Iterable[Observation]) -> None:
        before = self.added
        try:
            for each in under_way.counting.heard(said):
                self._waiting.append(each)
                self._size += _size(each)
                self._begun = each.get("at") if self._begun is None else self._begun
                if self._is_due(under_way):
                    self._pass_on(under_way)
            self._flush(under_way)
        except (NotFound, Unavailable):  # what was read until then isn't the next session's
            self._flush(under_way)
            raise
        finally:
            under_way.added += self.added - before

    def _is_due(self, under_way: UnderWay) -> bool:
        """Whether what waits goes to the gate. The first lot waits longer, for who says where and when it all began."""
        if len(self._waiting) < LOT and self._size < LOT_CHARACTERS:
            return False
        known = self._begun is not None and is_folder(under_way.story.main.origin.cwd)
        return known or len(self._waiting) >= BATCH or self._size >= BATCH_CHARACTERS

    def _pass_on(self, under_way: UnderWay) -> None:
        """Send what waits through the gate, as far as it is new, and put on disk what has come out."""
        waiting, size, begun = self._waiting, self._size, self._begun
        self._waiting, self._size, self._begun = [], 0, None
        cwd = under_way.story.cwd
        session = self._session or self._open(cwd, begun)
        if not under_way.met:
            _meet(session, under_way, waiting)
        said = list(map(under_way.named, waiting))
        new = [each for each in said if recorded_as(session.recorded, each) is None]
        if new:
            self._gate.hand(Lot(new, _place(session, cwd), session.root), max(size, under_way.story.size))
        self._take(under_way, all_of_it=False)

    def _flush(self, under_way: UnderWay) -> None:
        """Put on disk all that was read."""
        if self._waiting:
            self._pass_on(under_way)
        self._take(under_way, all_of_it=True)

    def _take(self, under_way: UnderWay, *, all_of_it: bool) -> None:
        for each in self._gate.done(all_of_it=all_of_it):
            if isinstance(each, str):
                under_way.refused.note(f"refused: {each}", 0)
                continue
            self._let_in.append(each)
            self._let_in_size += each.size
            if len(self._let_in) >= BATCH or self._let_in_size >= BATCH_CHARACTERS:
                self._write()
        if all_of_it:
            self._write()

    def _write(self) -> None:
        let_in, self._let_in, self._let_in_size = self._let_in, [], 0
        if let_in and self._session is not None:
            self._session.append(let_in)

    def _open(self, cwd: str, begun: int | None) -> Session:
        if not os.path.lexists(self.ws):
            try:
                init_elsewhere(self.ws, cwd, begun)
            except Refused:
                if not os.path.lexists(self.ws):
                    raise
                # another import has made it in the meantime: it goes on there
        self._session = open_session(self.ws)
        if self._before is not None:
            self._before(self._session, begun)
        return self._session


def _place(session: Session, cwd: str) -> Place:
    """How paths are mapped: a folder of the same name elsewhere is the same project on another machine."""
    root = session.root
    if cwd and cwd != root and (not root or _name(cwd) == _name(root)):
        if session.recorded.local(ELSEWHERE) is not None:
            return place_elsewhere(*filter(None, (root, cwd)))
        return Place((*session.place.roots, cwd), session.place.home)
    return session.place


def _name(folder: str) -> str:
    return folder.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _meet(session: Session, under_way: UnderWay, said: list[Observation]) -> None:
    """Tell a session apart from another of its name, where a file gave it that name; else say that it can't be."""
    under_way.met = True
    if not is_another(session.recorded, said):
        return
    main = under_way.story.main
    if main.called == main.origin.session:
        under_way.names[main.called] = name_apart(main.called, said)
    else:
        under_way.refused.note(ANOTHER, 0)


def _size(said: Observation) -> int:
    return sum(len(value) for value in said.values() if isinstance(value, str))
