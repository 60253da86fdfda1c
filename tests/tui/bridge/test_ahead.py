"""What may be asked next is found out while nobody asks: that answers nothing, changes no answer, and saves reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

import pytest

from ccos_core.errors import Unavailable
from ccos_core.query.catalogue import entry_of
from ccos_core.replay.moment import AT_A_TIME
from ccos_core.replay.sources import Sources
from ccos_core.session.asking import Desk
from ccos_core.storage.opening import open_record
from ccos_tui.bridge.ask import Ask, ask
from ccos_tui.bridge.engine import Engine, ahead
from ccos_tui.bridge.queue import Queue, Request
from ccos_tui.messages import FromEngine, Refused

STEP = 45


@contextmanager
def desk_of(path: str) -> Iterator[Desk]:
    with open_record(path) as record, Desk(record) as desk:
        yield desk


def recall(desk: Desk, budget: int) -> Any:
    entry = entry_of("recall")
    assert entry is not None
    return desk.ask(entry, {"budget": str(budget)}, STEP).answer


def window(budget: int, lens: str = "working-set") -> Ask:
    return ask("recall", STEP, budget=budget, lens=lens)


def test_a_larger_window_is_the_same_and_finds_its_files_at_hand(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = Sources._made

    def counted(self: Sources, path: str, version: Any) -> Any:
        made.append(path)
        return make(self, path, version)

    monkeypatch.setattr(Sources, "_made", counted)
    with desk_of(demo) as alone:
        recall(alone, 60)
        before = len(made)
        expected = recall(alone, 240)
        assert len(made) > before, "a larger window is to hold further files"
    with desk_of(demo) as desk:
        recall(desk, 60)
        assert list(ahead(desk.timeline, window(60))), "nobody is asked before whoever was answered has had their rest"
        made.clear()
        assert recall(desk, 240) == expected
        assert made == []


def test_whoever_asks_meanwhile_waits_for_a_few_files_only(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    monkeypatch.setattr(Sources, "have_ready", lambda _, versions: read.append(len(versions)))
    with desk_of(demo) as desk:
        list(ahead(desk.timeline, window(60)))
    assert sum(read) > AT_A_TIME, "there are more files than are read at a time"
    assert max(read) <= AT_A_TIME


@pytest.mark.parametrize("looked", [None, window(60, "host"), window(60, "both"), window(1 << 20)])
def test_there_is_nothing_to_find_out_behind_other_windows(demo: str, looked: Ask | None) -> None:
    with desk_of(demo) as desk:
        assert list(ahead(desk.timeline, looked)) == []


def test_what_fails_is_left_to_whoever_asks(demo: str) -> None:
    with desk_of(demo) as desk:
        assert len(list(ahead(desk.timeline, ask("recall", 10**6, budget=60, lens="working-set")))) <= 1


def test_while_keys_are_pressed_nobody_looks_ahead(demo: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def endless(*_: object) -> Iterator[None]:
        while True:
            looks.append(len(looks))
            yield

    monkeypatch.setattr("ccos_tui.bridge.engine.ahead", endless)
    monkeypatch.setattr("ccos_tui.bridge.engine.AT_KEYS", 60.0)
    engine = Engine(demo, lambda _: None)
    asker = Timer(0.05, engine.ask, ("window", window(60)))
    with desk_of(demo) as desk:
        engine.touched()
        asker.start()
        request = engine._next(desk)
        asker.join()
    assert request is not None
    assert request.ask == window(60)
    assert looks == [0], "what was begun before is all that was looked at"


def test_a_refusal_is_told_though_nobody_can_look_how_far_the_record_goes(
    demo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy() -> None:
        raise Unavailable("somebody writes")

    said: list[FromEngine] = []
    engine = Engine(demo, said.append)
    with desk_of(demo) as desk:
        assert desk.timeline.head
        monkeypatch.setattr(desk.record, "head", busy)
        engine._answer(desk, Request("window", ask("recall", 10**6, budget=60)))
    (refused,) = said
    assert isinstance(refused, Refused)
    assert "there is no step 1,000,000" in refused.fact


def test_who_waits_for_a_while_gets_nothing_and_counts_as_idle() -> None:
    queue = Queue()
    assert queue.take(0.01) is None
    assert queue.is_idle
    put = queue.put("window", window(60))
    assert not queue.is_idle
    assert queue.take(0.01) == put
    assert not queue.is_idle
    assert queue.take(0.01) is None
    assert queue.is_idle
    queue.close()
    assert queue.take(0.01) is None
