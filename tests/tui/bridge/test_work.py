"""Long work on a thread: it tells how far it has come, can be given up, and never ends in a traceback."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ccos_core.errors import NotUnderstood
from ccos_core.session.listing import Sessions
from ccos_tui.bridge import opening, work
from ccos_tui.bridge.engine import CATCH_UP, FOLD, Engine
from ccos_tui.bridge.queue import URGENT, Queue
from ccos_tui.bridge.steps import Steps
from ccos_tui.bridge.work import GivenUp, Work
from ccos_tui.messages import Brought, Folded, FromEngine, Grown, Listed, Progressed, Proven, Stopped
from tests.tui.screens.homes import SAMPLES, broken, fill, move_home

LONGEST = 60


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return move_home(tmp_path / "home", monkeypatch)


def done(make: Callable[[Callable[[FromEngine], object]], Work]) -> list[FromEngine]:
    """All that some work says until it has ended."""
    heard: list[FromEngine] = []
    work = make(heard.append)
    work.start()
    work._thread.join(LONGEST)
    assert work.ended
    assert all(message.engine is work for message in heard)
    return heard


def test_it_says_how_far_it_has_come_and_what_came_of_it() -> None:
    def do(work: Work) -> Brought:
        work.heard(1, 2, 10)
        return Brought("w.ccos")

    first, last = done(lambda post: Work("importing", do, post))
    assert isinstance(first, Progressed)
    assert (first.work, first.done, first.total, first.kept) == ("importing", 1, 2, 10)
    assert isinstance(last, Brought)


def test_it_ends_where_nobody_waits() -> None:
    begun = threading.Event()

    def do(work: Work) -> None:
        begun.set()
        while True:
            work.wait(0.001)

    heard: list[FromEngine] = []
    work = Work("following", do, heard.append)
    work.start()
    assert begun.wait(LONGEST)
    work.end(LONGEST)
    assert work.ended
    (stopped,) = heard
    assert isinstance(stopped, Stopped)
    assert (stopped.fact, stopped.code) == ("", 0)


def test_what_goes_wrong_is_a_sentence_with_a_code() -> None:
    def do(work: Work) -> None:
        raise NotUnderstood("is no transcript", place="x", hint="Name another.")

    (stopped,) = done(lambda post: Work("importing", do, post))
    assert isinstance(stopped, Stopped)
    assert (stopped.sentence, stopped.code) == ("x: is no transcript. Name another.", 3)


def test_an_import_can_be_given_up_before_it_begins() -> None:
    heard: list[FromEngine] = []
    work = opening.bringing(str(SAMPLES / "drift/session.jsonl"), heard.append)
    work.give_up()
    work.start()
    work._thread.join(LONGEST)
    assert [type(each) for each in heard] == [Stopped]


def test_a_proof_counts_to_its_end(demo: str) -> None:
    *_, last = done(lambda post: opening.proving(demo, post))
    assert isinstance(last, Proven)
    assert (last.proof.valid, last.proof.proven, last.code) == (True, 61, 0)
    *_, last = done(lambda post: opening.proving(broken(demo, 20), post))
    assert isinstance(last, Proven)
    assert last.proof.first_break is not None
    assert (last.proof.first_break.step, last.code) == (20, 4)


def test_sessions_come_as_they_are_looked_at(home: Path) -> None:
    lies = fill(home)
    listed = [each for each in done(work.looking) if isinstance(each, Listed)]
    assert listed[0].sessions == Sessions(()), "nothing was known yet"
    assert [each.whole for each in listed] == [False] * (len(listed) - 1) + [True]
    assert {each.path for each in listed[-1].sessions.sessions} == {str(path) for path in lies.values()}
    again = [each for each in done(work.looking) if isinstance(each, Listed)]
    assert len(again[0].sessions.sessions) == 3, "at once, from what was kept"


def test_nothing_that_changes_the_record_is_done_inside_of_an_answer() -> None:
    """What an answer rests on stays as it is until the answer is given."""
    for slot in (*URGENT, "diff:further", "find", "whatever"):
        queue = Queue()
        queue.put(slot, CATCH_UP)
        request = queue.take()
        assert request is not None
        for change in (CATCH_UP, FOLD):
            queue.put(change.name, change)
        assert queue.take_before(request) is None, slot


def test_an_engine_takes_in_what_others_record(demo: str) -> None:
    heard: list[FromEngine] = []
    engine = Engine(demo, heard.append)
    engine.start()
    wait(lambda: any(isinstance(each, Folded) for each in heard))
    assert not engine.give_up(), "there is nothing to give up"
    from tests.tui.screens.test_growing import more

    for head in (62, 63):
        more(demo)
        engine.catch_up()
        wait(lambda head=head: any(isinstance(each, Grown) and each.head == head for each in heard))  # type: ignore[misc]
    engine.close(LONGEST)


def test_steps_that_are_no_ops_are_left_out(demo: str) -> None:
    steps = Steps(broken(demo, 20))
    assert steps.told(19) is not None
    assert steps.told(21) is not None
    steps.close()


def test_giving_up_is_no_failure() -> None:
    """No handler of exceptions in between may take it for one."""
    assert not issubclass(GivenUp, Exception)


def wait(until: Callable[[], bool]) -> None:
    event = threading.Event()
    for _ in range(LONGEST * 200):
        if until():
            return
        event.wait(0.005)
    raise AssertionError("it doesn't come")
