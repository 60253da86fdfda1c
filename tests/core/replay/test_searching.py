"""A search learns what all files of a moment say; nobody holds them for that."""

import gc
import weakref

import pytest

from ccos_core.replay import sources
from ccos_core.replay.searching import learn
from ccos_core.window.source import Source
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale


def test_a_moment_holds_no_more_files_than_are_kept_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[weakref.ref[Source]] = []
    make = sources.Sources._made

    def watched(*asked: object) -> Source:
        found = make(*asked)  # type: ignore[arg-type]
        made.append(weakref.ref(found))
        return found

    monkeypatch.setattr(sources, "KEPT", 2)
    monkeypatch.setattr(sources.Sources, "_made", watched)
    timeline = timeline_of(Tale(INVOICES))
    learn(timeline.at(timeline.head))
    gc.collect()
    assert len(made) >= len(INVOICES)
    assert sum(each() is not None for each in made) <= 2
