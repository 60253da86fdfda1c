"""What a window's files are made from is read in one sweep; whatever that finds, the window is what it is without."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from ccos_core.errors import Unavailable
from ccos_core.ops import epoch
from ccos_core.replay.moment import Moment
from ccos_core.replay.sources import Sources
from ccos_core.replay.timeline import Timeline
from ccos_core.text.syntax import languages
from ccos_core.values.code import Outline, Unread
from ccos_core.window.linearize import Window
from ccos_core.window.measure import Measured
from tests.core.replay.told import Rows, timeline_of
from tests.core.state.small import INVOICES, Tale

Key = tuple[bytes, str, int]
LOST: list[bytes | None] = [
    None,
    b"",
    b"{}",
    b"\xff",
    b'{"flaws":[],"imports":[],"references":[],"symbols":3}',
    b'{"flaws":[],"imports":[],"references":[],"symbols":[3]}',
    b'{"flaws":[],"imports":[],"references":[],"symbols":[["a"]]}',
    b'{"flaws":[],"imports":[],"references":[],"symbols":[]',
]


class Lossy(Rows):
    """A record whose facts say something else, or nothing."""

    says: bytes | None = None

    def facts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        return {} if self.says is None else dict.fromkeys(keys, self.says)


class Busy(Rows):
    """A record that nobody may look into."""

    def facts(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        raise Unavailable("somebody writes")


class Forgetful(Rows):
    """A record without its contents."""

    def contents(self, blobs: Iterable[bytes]) -> dict[bytes, bytes]:
        return {}


def tale() -> Tale:
    found = Tale().tell(epoch.current(interpreters=languages.interpreters()))
    for path, text in INVOICES.items():
        found.look(path, text)
    found.edit("store.py", INVOICES["store.py"] + "\n\nmore = 1\n")
    return found.read("api.py", INVOICES["api.py"]).fail("sym:service.py#invoice")


def window(rows: type[Rows], says: bytes | None = None) -> tuple[Window, list[object]]:
    """What is shown of a record that reads so, and of what kind the outlines in it are."""
    told = tale()
    known = timeline_of(told)
    kept = rows(told.ops, told.facts.contents)
    if isinstance(kept, Lossy):
        kept.says = says
    timeline = Timeline(kept, known.journal, told.facts, "tale")
    shown = timeline.at(timeline.head).window("working-set", 400)
    return shown, [type(each.outline) for each in timeline.sources._sources.values()]


def expected(monkeypatch: pytest.MonkeyPatch) -> Window:
    with monkeypatch.context() as patch:
        patch.setattr(Sources, "have_ready", lambda *_, **__: None)
        return window(Rows)[0]


def test_it_is_the_same_window(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, kinds = window(Rows)
    assert len(shown.items) > 3
    assert set(kinds) == {Unread}, "nobody reads all of an outline for a window"
    assert shown == expected(monkeypatch)


def test_a_text_is_read_for_who_shows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = timeline_of(tale())
    moment = timeline.at(timeline.head)
    assert moment.places(400).items
    measured = [each for each in timeline.sources._sources.values() if isinstance(each, Measured)]
    assert len(measured) > 3
    assert not any(each.is_open for each in measured), "where everybody is, and how fully, is known without"
    opened = Sources.have_ready

    def have_ready(self: Sources, *args: Any, **more: Any) -> None:
        opened(self, *args, **more)
        assert all(each.is_open for each in measured), "all of them in one sweep"

    monkeypatch.setattr(Sources, "have_ready", have_ready)
    assert moment.window("working-set", 400) == window(Rows)[0]


def test_who_reads_a_text_reads_no_outline_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = timeline_of(tale())
    assert timeline.at(timeline.head).places(400).items
    measured = [each for each in timeline.sources._sources.values() if isinstance(each, Measured)]
    read = timeline.facts.outline
    asked: list[str] = []

    def outline(content: str, path: str) -> Outline | None:
        asked.append(path)
        return read(content, path)

    monkeypatch.setattr(timeline.facts, "outline", outline)
    assert all(each.text.startswith(INVOICES[each.path]) for each in measured)
    assert not asked
    assert any(each.outline.references for each in measured)
    assert asked


@pytest.mark.parametrize("says", LOST)
def test_facts_that_are_none_count_as_none(monkeypatch: pytest.MonkeyPatch, says: bytes | None) -> None:
    shown, kinds = window(Lossy, says)
    assert Unread not in kinds
    assert shown == expected(monkeypatch)


@pytest.mark.parametrize("rows", [Busy, Forgetful])
def test_whoever_asks_for_one_is_told(monkeypatch: pytest.MonkeyPatch, rows: type[Rows]) -> None:
    assert window(rows)[0] == expected(monkeypatch)


@pytest.mark.parametrize("places", [1, 2, 3, 7, 1 << 17])
def test_what_held_is_known_from_the_last_place_on(monkeypatch: pytest.MonkeyPatch, places: int) -> None:
    monkeypatch.setattr("ccos_core.replay.journal.PLACES", places)
    timeline = timeline_of(tale(), [3, 5])
    for step in (*range(timeline.head, -1, -1), *range(timeline.head + 1)):
        moment = Moment(timeline.journal, timeline.sources, step)
        upto = timeline.journal.rows(moment.last)
        last = np.nonzero(timeline.journal.after[:upto] >= upto)[0].tolist()
        assert moment._latest.tolist() == timeline.journal.latest(moment.last).tolist() == last


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_ranked_some_at_a_time_it_is_the_same_order(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    timeline = timeline_of(tale())
    steps = range(timeline.head + 1)
    whole = [list(Moment(timeline.journal, timeline.sources, step).ranking()[1]) for step in steps]
    assert any(len(each) > 2 * at_once for each in whole)
    for name in ("AT_FIRST", "AT_ONCE"):
        monkeypatch.setattr(f"ccos_core.replay.moment.{name}", at_once)
    assert [list(Moment(timeline.journal, timeline.sources, step).ranking()[1]) for step in steps] == whole
    assert all(each == sorted(each, key=lambda ranked: (ranked[0], -ranked[1], ranked[2])) for each in whole)
