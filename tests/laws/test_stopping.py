"""A fold that is stopped anywhere, any number of times, and gone on with writes the same journal as one at once."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ccos_core.ops.plain import unseal
from ccos_core.serve.cli.demo import build
from ccos_core.session import journaling
from ccos_core.session.journaling import Journaling, timeline_of
from ccos_core.state.fold import is_looking
from ccos_core.storage import cache, journals
from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from tests.core.replay.told import written
from tests.story import new_session, told

LOOKS = """
    write src/db.py "def load(x):\\n    return x\\n"
    write src/api.py "from src.db import load\\n\\n\\ndef handle(x):\\n    return load(x)\\n"
    fail test_x at src/api.py:5
    ingest
    edit src/db.py "return x" -> "return x + 1"
    pass test_x
    see src/api.py
    ingest
"""
"""Looks of several steps that are one moment: what is written in the middle of one is taken back."""


Folded = tuple[str, list[tuple[str, bytes]]]
"""Where a record lies, and all that its journal says when it is folded at once."""


class Enough(BaseException):
    """Somebody doesn't want to wait."""


def demo(folder: Path) -> str:
    path = str(folder / "demo.ccos")
    build(path)
    return path


def looks(folder: Path) -> str:
    with new_session(folder) as session:
        story = told(session, LOOKS)
        story.put("src/late.py", "from src.db import load\n\n\nlate = load(1)\n")
        story.put("src/later.py", "from src.late import late\n")
        story.tell('ingest\nprompt "go on"\nsee src/late.py')
        return session.recorded.path


@pytest.fixture(scope="module", params=[demo, looks])
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Folded:
    path = request.param(tmp_path_factory.mktemp("stopped"))
    with open_record(path) as opened:
        return path, written(timeline_of(opened))


def stopping(at: int) -> Callable[[int, int], None]:
    """Stops a fold after so many steps."""
    heard: list[int] = []

    def progress(done: int, total: int) -> None:
        if len(heard) == at:
            raise Enough
        heard.append(done)

    return progress


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 30), max_size=6), st.sampled_from([1, 3, 5_000]))
@example([0, 1, 1, 1, 1, 1], 1)
@example([2] * 40, 5_000)
def test_stopped_anywhere_it_is_the_same(record: Folded, stops: list[int], every: int) -> None:
    path, once = record
    cache.drop(path)
    with pytest.MonkeyPatch.context() as patch, open_record(path) as opened:
        patch.setattr(journaling, "OFTEN", 1)
        patch.setattr(journaling, "STATE_EVERY", every)
        for at in stops:
            with suppress(Enough):
                timeline_of(opened, stopping(at))
        assert written(timeline_of(opened)) == once
    with open_record(path) as opened:
        assert written(timeline_of(opened)) == once, "as it was kept"


def test_what_was_folded_is_kept_each_time(record: Folded, monkeypatch: pytest.MonkeyPatch) -> None:
    path, once = record
    monkeypatch.setattr(journaling, "OFTEN", 1)
    cache.drop(path)
    with open_record(path) as opened:
        head = opened.head()[0]
        for step in range(2, head + 1):
            with pytest.raises(Enough):
                timeline_of(opened, until(step))
            assert kept(path) == closed(opened, step)
        assert written(timeline_of(opened)) == once


def test_who_stopped_may_go_on_with_the_same(record: Folded, monkeypatch: pytest.MonkeyPatch) -> None:
    path, once = record
    monkeypatch.setattr(journaling, "OFTEN", 1)
    cache.drop(path)
    with open_record(path) as opened:
        with pytest.raises(Enough):
            Journaling(opened, until(3))
        live = Journaling(opened)
        assert written(live.timeline()) == once


def until(step: int) -> Callable[[int, int], None]:
    """Stops a fold before a step."""

    def progress(done: int, total: int) -> None:
        if done == step:
            raise Enough

    return progress


def closed(record: Record, step: int) -> int:
    """The last step before one that ends no look which may go on: what that changes is known when it is over."""
    before = step - 1
    while before and is_looking(unseal(record.op(before)[2])):
        before -= 1
    return before


def kept(path: str) -> int:
    """The step up to which the journal is kept."""
    with open_record(path) as opened:
        found = journals.load(opened, journaling.FOLD, journaling.Journal, journaling.Journal)
        return found.step if found is not None else 0
