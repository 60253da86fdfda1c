"""Import sessions from their transcripts into a workspace, once or as long as they go on.

Observations go through the gate in batches, and each batch is one durable transaction: an interrupted import loses
nothing, and the next one resumes where it stopped. An observation that was delivered before is recognised by its key
before the gate sees it, so importing a transcript again costs little more than reading it. Where there is enough work,
other processes run the gate, with the same result to the byte; the amount under way is bounded.

The same transcript gives the same chain on every machine and at any time: no clock is read, and paths are mapped by
their spelling. A workspace that does not exist is made when there is something to put into it.
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from ccos_core.errors import NotFound, Refused, Unavailable
from ccos_core.ops.plain import NotAnOp, delivery_key, unseal
from ccos_core.session.admit import Admitted, admit
from ccos_core.session.ccosignore import CcosIgnore
from ccos_core.session.heard_before import HeardBefore
from ccos_core.session.hearing import is_heard
from ccos_core.session.imported import Imported, UnderWay
from ccos_core.session.lifecycle import init_elsewhere
from ccos_core.session.session import ELSEWHERE, Session, open_session, place_elsewhere
from ccos_core.session.transcripts import Heard, Story, is_folder, unheard
from ccos_core.session.workers import AHEAD, Crew, processors
from ccos_core.values.canon import NotCanonical, digest
from ccos_core.values.paths import Place

if TYPE_CHECKING:
    from ccos_core.intake.importers.record import Observation
    from ccos_core.storage.record import Record

THOUGHTS_SINCE = 3
"""The vocabulary that has thoughts."""

LOOKED_AT = 20
"""Observations that were delivered before and are compared."""
ANOTHER = "another recording of this session differs; entries that share an id were left out"


def recorded_as(record: Record, said: Observation) -> int | None:
    """The step at which this, or something of the same name, was recorded. The gate has the last word: it may call
    the same thing otherwise."""
    try:
        key = delivery_key(said)
    except NotCanonical:
        return None
    return record.delivered(key) if key is not None else None


def is_another(record: Record, said: Iterable[Observation]) -> bool:
    """Whether these are of another session than what is recorded under their names. What a subagent does may be told
    twice, at two times, so only the main conversation tells. A session that hooks told of has its name from its host,
    and what they told has times of its own."""
    heard: dict[tuple[str, str], bool] = {}

    def by_hooks(each: Observation) -> bool:
        name = str(each.get("host", "")), str(each.get("session", ""))
        if name not in heard:
            heard[name] = is_heard(record, *name)
        return heard[name]

    ours = (each for each in said if not each.get("context") and not by_hooks(each))
    known = ((each, step) for each in ours if (step := recorded_as(record, each)) is not None)
    return any(not _is_same(record, each, step) for each, step in islice(known, LOOKED_AT))


def name_apart(name: str, said: Sequence[Observation]) -> str:
    """Return a name that no other session has, made of how it begins."""
    begins = json.dumps(said[0], sort_keys=True, default=str).encode()
    return f"{name}~{digest(begins).hex()[:8]}"


def _is_same(record: Record, said: Observation, step: int) -> bool:
    op = unseal(record.op(step)[2])
    if said["kind"] != op["kind"]:
        return False
    at, before = said.get("at"), op.get("at")
    if at is not None or before is not None:
        return at == before
    try:
        return bool(admit(said).op.get("said") == op.get("said"))
    except NotAnOp:
        return True


WORTH_A_CREW = 1_000_000
"""Characters from which other processes pay for being started."""
MOST_REMEMBERED = 10_000
"""Contents of which a process remembers that it has packed them."""

LetIn: TypeAlias = "list[Admitted | str]"
"""What became of each observation; a text says why it was refused."""


@dataclass(frozen=True, slots=True)
class Lot:
    """Observations that go through together."""

    said: Sequence[Observation]
    place: Place
    root: str
    """Where the ignore files of the project are."""


class Admitting:
    """Lots under way; take out what is done before there are too many."""

    def __init__(self) -> None:
        self._crew: Crew | None = None
        self._under_way: deque[Callable[[], LetIn]] = deque()

    def hand(self, lot: Lot, size: int) -> None:
        """Have a lot let in. `size` is how many characters are to be expected with it and after it."""
        if self._crew is None and size >= WORTH_A_CREW and processors() > 1:
            self._crew = Crew()
        if self._crew is None:
            done = let_in(lot)
            self._under_way.append(lambda: done)
        else:
            self._under_way.append(self._crew.hand(let_in_packed, lot))

    def done(self, *, all_of_it: bool) -> Iterator[Admitted | str]:
        """What has gone through, as far as it isn't left under way for the time being."""
        while self._under_way and (all_of_it or self._crew is None or len(self._under_way) > processors() * AHEAD):
            yield from self._under_way.popleft()()

    def leave(self) -> None:
        """Nothing more is to be let in."""
        self._under_way.clear()
        if self._crew is not None:
            self._crew.leave()
            self._crew = None


def let_in(lot: Lot) -> LetIn:
    """Each of these through the gate."""
    ignored = CcosIgnore(lot.root)
    return [_let_in(said, lot.place, ignored) for said in lot.said]


def let_in_packed(lot: Lot) -> LetIn:
    """The same with contents packed, so that the writer needn't."""
    done = let_in(lot)
    for each in done:
        if isinstance(each, Admitted) and any(blob not in _packed for blob, _ in each.blobs):
            _packed.update(dict.fromkeys(blob for blob, _ in each.blobs))
            each.pack()
    if len(_packed) > MOST_REMEMBERED:
        _packed.clear()
    return done


_packed: dict[bytes, None] = {}
"""What this process has packed before. It is on disk by now, or will be; given again as it is, it costs nothing."""


def _let_in(said: Observation, place: Place, ignored: CcosIgnore) -> Admitted | str:
    try:
        return admit(said, place, ignored)
    except NotAnOp as error:  # it keeps nothing else out
        return str(error)


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
        """Return the first moment that is named in what waits."""
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

    def lacks_places(self) -> bool:
        """Whether the workspace was begun before thoughts were recorded: they come in at its end then."""
        if self._session is None:
            return False
        first = next((body for _, _, body in self._session.recorded.rows(1, 1)), None)
        return first is not None and unseal(first).get("vocabulary", THOUGHTS_SINCE) < THOUGHTS_SINCE

    def take(self, story: Story, heard: Heard = unheard) -> Imported:
        """Import a session to its end; what was read of it is on disk when this returns."""
        under_way = UnderWay(story)
        self.go_on(under_way, heard)
        self.end(under_way)
        return under_way.told()

    def go_on(self, under_way: UnderWay, heard: Heard = unheard) -> None:
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
        if under_way.heard is not None:
            new = list(under_way.heard.new(new, _place(session, cwd)))
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
    under_way.heard = _heard_before(session.recorded, said)
    if not is_another(session.recorded, said):
        return
    main = under_way.story.main
    if main.called == main.origin.session:
        under_way.names[main.called] = name_apart(main.called, said)
    else:
        under_way.refused.note(ANOTHER, 0)


def _heard_before(record: Record, said: list[Observation]) -> HeardBefore | None:
    """Return what hooks told of this session without names; None if they didn't."""
    first = next((each for each in said if each.get("session")), None)
    if first is None or not is_heard(record, str(first.get("host")), first["session"]):
        return None
    heard = HeardBefore(record, str(first.get("host")), first["session"])
    return heard if heard.any else None


def _size(said: Observation) -> int:
    return sum(len(value) for value in said.values() if isinstance(value, str))


LOOK_AFTER = 0.2
"""Seconds between two looks."""


def follow(
    importing: Importing,
    sessions: Sequence[UnderWay],
    told: Callable[[], None],
    *,
    idle: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Import what sessions write from now on, until it is interrupted or nothing was written for `idle` seconds.
    `told` is called when a look has added something."""
    quiet = clock()
    while idle is None or clock() - quiet < idle:
        before = importing.added
        for each in sessions:
            _look(importing, each)
        if importing.added > before:
            told()
            quiet = clock()
        sleep(LOOK_AFTER)


def _look(importing: Importing, session: UnderWay) -> None:
    try:
        importing.go_on(session)
    except (NotFound, Unavailable) as error:
        if error.place not in session.story.paths:
            raise
        # a transcript that is away for a moment may be in the middle of being replaced
