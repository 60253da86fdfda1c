"""The engine at work, on a thread of its own: one question after the other, the most urgent first.

A database connection belongs to the thread that opened it, so the record is opened, folded, asked and closed in here.
Results go out as messages; nothing in here touches a widget. Stopping long work loses nothing: the first fold keeps
what it has. While nothing is asked, files that a larger window will need are read ahead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from ccos_tui.bridge.ask import Ask, quoted
from ccos_tui.bridge.queue import Queue, Request
from ccos_tui.bridge.restoring import RESTORE, restored
from ccos_tui.bridge.work import GivenUp, Pace, explained
from ccos_tui.focus import BOTH, BUDGETS, DEFAULT_BUDGET, OURS, THEIRS
from ccos_tui.messages import Answered, Folded, FromEngine, Grown, Outlined, Progressed, Refused, Stopped

if TYPE_CHECKING:
    from ccos_core.errors import CcosError
    from ccos_core.replay.timeline import Timeline
    from ccos_core.session.asking import Asked, Desk
    from ccos_core.storage.record import Record

AT_REST = 0.02
"""Seconds in which whoever was answered is let alone: what was asked is being painted, ..."""
AT_KEYS = 0.05
"""... seconds behind a key in which more may come, and what it moved is being painted: both take turns, ..."""
AT_ONCE, BETWEEN = 0.002, 0.0005
"""... and seconds of work, and of rest behind it: nobody else who paints waits longer."""
FURTHER = 2
"""Budgets that are looked ahead at: as many presses of a key."""


def ahead(timeline: Timeline, looked: Ask | None) -> Iterator[None]:
    """What can be found out behind the last question for a window of ours, a little at a time."""
    end = 0.0
    for _ in _parts(timeline, looked):
        if monotonic() >= end:
            yield
            end = monotonic() + AT_ONCE


def _parts(timeline: Timeline, looked: Ask | None) -> Iterator[None]:
    said = dict(looked.said) if looked is not None else {}
    if looked is None or looked.at is None or said.get("lens") != OURS:
        return
    larger = [budget for budget in BUDGETS if budget > int(said.get("budget", DEFAULT_BUDGET))]
    with suppress(Exception):  # whoever asks for it will be told
        for step in (looked.at, looked.at - 1):  # the one before is what a step's diff is made with
            if larger and step >= 0:
                yield  # nothing is done before whoever was answered has had their rest
                yield from timeline.at(step).look_ahead(larger[:FURTHER][-1])


FOLDING, ASKING = "folding", "asking"
KEPT = 64
"""Answers that are remembered."""
FIRST = ("step", "window")
"""The slots of answers that are painted before others are worked out: both at once would take twice as long, ..."""
LONGEST_PAINT = 0.02
"""... and seconds after which nobody is waited for: it may be out of sight."""
NOT_FOLDED = "step {:,} isn't computed yet; ready up to step {:,}"
CATCH_UP, FOLD = Ask("catch-up"), Ask("fold")
"""No questions: take in what others recorded since; fold the rest. They change what answers rest on, so they are done
between answers and never inside of one: no pane that asks is less urgent."""


class Engine:
    """One record, asked from other threads."""

    def __init__(self, path: str, post: Callable[[FromEngine], object]) -> None:
        self.path = path
        self._post_to = post
        self._queue = Queue()
        self._request: Request | None = None
        self._given_up = threading.Event()
        self._at_work = ""
        """The long work that is being done."""
        self._known: dict[Ask, Asked] = {}
        """The last answers, the newest last."""
        self._looked: Ask | None = None
        """The question for a window that was answered last, as long as there is something to find out behind it."""
        self._painted = threading.Event()
        """Whether that answer can be seen."""
        self._pace = Pace()
        self._let_alone = 0.0
        """Until when nobody looks ahead."""
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)

    def start(self) -> None:
        """Begin; once is enough, however often somebody opens the same."""
        if self._thread.ident is None:
            self._thread.start()

    def ask(self, slot: str, question: Ask) -> None:
        """Ask; an answer or a refusal comes as a message."""
        self._queue.put(slot, question)

    def ask_all(self, questions: Iterable[tuple[str, Ask]]) -> None:
        """Ask several things at once; the most urgent is answered first."""
        self._queue.put_all(questions)

    def catch_up(self) -> None:
        """Take in what others recorded."""
        self._queue.put(CATCH_UP.name, CATCH_UP)

    def fold_on(self) -> None:
        """Fold the rest of what was given up."""
        self._queue.put(FOLD.name, FOLD)

    def give_up(self) -> bool:
        """Leave the long work that is being done; what is done of it is kept. Gives whether there was any."""
        if self._at_work:
            self._given_up.set()
        return bool(self._at_work)

    @property
    def is_idle(self) -> bool:
        """Whether all that was asked is answered; not before it has begun. Who drives the screens waits for that."""
        begun = self._thread.ident is not None
        return begun and (self._queue.is_idle or not self._thread.is_alive())

    def painted(self) -> None:
        """The window that was asked for is on the screen."""
        self._painted.set()

    def touched(self) -> None:
        """Somebody presses keys: what may be asked next is looked at when they rest."""
        self._let_alone = monotonic() + AT_KEYS

    def close(self, patience: float = 2.0) -> None:
        """Leave everything."""
        self._queue.close()
        self._given_up.set()
        self._painted.set()
        if patience and self._thread.is_alive():
            self._thread.join(patience)

    # -- on the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        from ccos_core.storage.opening import open_record

        try:
            with open_record(self.path) as record:
                whole = True
                while not self._queue.closed:
                    whole = self._serve(record, whole)
        except Exception as error:  # whatever it is, it is told, and the screens live on
            self._post(Stopped(FOLDING, *explained(error)))

    def _serve(self, record: Record, whole: bool) -> bool:
        """Answer all there is to answer; gives whether it is to be gone on with all of the record, or with what is
        folded of it."""
        from ccos_core.session.asking import Desk

        with Desk(record, self._folding) as desk:
            desk.asking = partial(self._asking, desk)
            self._known.clear()
            if not whole:
                desk.take_what_is_kept()
            elif not self._fold(desk):
                return False
            self._post(_folded(desk, whole))
            self._outline(desk)
            while (request := self._next(desk)) is not None:
                if request.ask == FOLD:
                    return True
                self._given_up.clear()
                self._answer(desk, request)
        return whole

    def _next(self, desk: Desk) -> Request | None:
        """What is to be answered. As long as nothing is, what may be asked next is looked at; None when all is over."""
        patience = AT_REST
        for _ in ahead(desk.timeline, self._looked):
            request = self._queue.take(patience)
            while request is None and not self._queue.closed and (left := self._let_alone - monotonic()) > 0:
                request = self._queue.take(left)
            if request is not None or self._queue.closed:
                return request
            patience = BETWEEN
        self._looked = None
        return self._queue.take()

    def _fold(self, desk: Desk) -> bool:
        """Fold the record, if nobody has; False where that was given up."""
        self._given_up.clear()
        self._at_work = FOLDING
        try:
            head = desk.timeline.head
            self._post(Progressed(FOLDING, head, head))
        except GivenUp:
            self._given_up.clear()
            return False
        finally:
            self._at_work = ""
        return True

    def _answer(self, desk: Desk, request: Request) -> None:
        self._request = request
        try:
            if request.ask == CATCH_UP:
                self._catch_up(desk)
            elif request.ask.name == RESTORE:
                done = restored(desk, request.ask)
                self._post(Answered(request.slot, request.ask, done, done.at, None, desk.timeline.partial))
            else:
                wanted = _completed(request.ask)
                if desk.drop_erased():
                    self._known.clear()
                asked = self._known.get(request.ask) or _asked(desk, wanted)
                self._remember(request, asked)
                self._painted.clear()
                self._post(Answered(request.slot, wanted, asked.answer, asked.at, asked.moved, asked.partial))
                if request.slot in FIRST:
                    self._looked = request.ask if request.slot == "window" else self._looked
                    self._painted.wait(LONGEST_PAINT)
        except GivenUp:
            if not self._queue.is_outdated(request):
                self._post(Refused(request.slot, request.ask, "stopped", "", ""))
        except Exception as error:
            fact, place, hint, _ = explained(error, request.ask.words())
            if _is_unfolded(desk, request.ask):
                fact, place, hint = NOT_FOLDED.format(request.ask.at, desk.timeline.head), "", ""
            self._post(Refused(request.slot, request.ask, fact, place, hint))
        finally:
            self._request, self._at_work = None, ""

    def _remember(self, request: Request, asked: Asked) -> None:
        """Keep what a pane was told: who steps back asks the same again. Where marks changed, all may be otherwise."""
        if request.ask.line or any(asked.question.keeps(asked.answer)):
            self._known.clear()
            return
        self._known.pop(request.ask, None)
        self._known[request.ask] = asked
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def _catch_up(self, desk: Desk) -> None:
        from ccos_core.session.hearing import take_in

        if take_in(self.path).added:
            return  # whoever looks at the steps finds them, shows them, and asks again
        try:
            grown = desk.catch_up()
        finally:  # the last that was said of it may have been 93 %
            self._post(Progressed(FOLDING, desk.timeline.head, desk.timeline.head))
        if grown:
            self._known.clear()
            self._post(Grown(desk.timeline.head))
            self._outline(desk)

    def _outline(self, desk: Desk) -> None:
        """Say which steps are one row."""
        from ccos_core.query.step_outline import outline_of

        self._post(Outlined(outline_of(desk.timeline)))

    def _folding(self, done: int, total: int) -> None:
        if self._queue.closed:
            raise GivenUp
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
        self._at_work = work
        if self._given_up.is_set():
            raise GivenUp
        if self._pace.is_due():
            self._post(Progressed(work, done, total))

    def _post(self, message: FromEngine) -> None:
        message.engine = self
        self._post_to(message)


def _is_unfolded(desk: Desk, asked: Ask) -> bool:
    """Whether it is about a step that is recorded, and that nobody has folded up to."""
    from ccos_core.errors import CcosError

    upto = desk.timeline.head
    with suppress(CcosError):  # what went wrong may keep everybody from the record
        return asked.at is not None and upto < asked.at <= desk.record.head()[0] and desk.broken is None
    return False


def _folded(desk: Desk, whole: bool) -> Folded:
    from ccos_core.serve.exits import code_of

    broken = desk.broken
    code = code_of(broken) if broken is not None else 0
    return Folded(desk.timeline.head, broken.fact if broken is not None else "", whole, code)


def _asked(desk: Desk, question: Ask) -> Asked:
    """Ask what a pane, or a typed line, wants to know."""
    from ccos_core.query.catalogue import entry_of
    from ccos_core.query.words import Line, assigned, line

    entry = entry_of(question.name)
    if entry is None:
        raise unknown(question.name)
    if not question.line:
        return desk.ask(entry, dict(question.said), question.at)
    words = line(question.line)
    said = assigned(entry.load(), entry.name, Line(words.text, words.words[1:]))
    return desk.ask(entry, said, question.at)


def _completed(question: Ask) -> Ask:
    """Add to a typed line the window on screen, where its question is about one and the line names none."""
    from ccos_core.query.catalogue import entry_of
    from ccos_core.query.words import Line, assigned, line

    entry = entry_of(question.name)
    if entry is None or not question.line or not question.said:
        return question
    asked, words = entry.load(), line(question.line)
    named = assigned(asked, entry.name, Line(words.text, words.words[1:]))
    takes = {each.name: each for each in asked.arguments}
    if "node" in takes and not (takes["node"].required or "node" in named):
        return question  # `next` without a node goes one step on
    window = dict(question.said)
    lens = takes.get("lens")
    if lens is None or lens.default is None or "lens" in named:
        window = {name: said for name, said in window.items() if name == "budget" and named.get("lens") != THEIRS}
    elif window.get("lens") == BOTH and BOTH not in lens.further:
        window = {**window, "lens": THEIRS}
        window.pop("budget", None)
    more = [f" --{name} {quoted(said)}" for name, said in window.items() if name in takes and name not in named]
    return replace(question, said=(), line=question.line + "".join(more))


def unknown(word: str) -> CcosError:
    """What is said of a word nobody knows."""
    from ccos_core.errors import Usage
    from ccos_core.query.catalogue import ALIASES, BY_NAME
    from ccos_core.query.words import nearest

    return Usage("isn't a command", place=word[:60], hint=nearest(word, [*BY_NAME, *ALIASES]) or "? lists the keys.")
