"""What a reader writes: names of steps and notes, given as what to keep and what to forget."""

from typing import Any

import pytest

from ccos_core.errors import CcosError
from ccos_core.query.marks import Marks, mark, note
from ccos_core.replay.timeline import Timeline
from ccos_core.values.marks import Mark
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

TIMELINE: Timeline = timeline_of(Tale().prompt().prompt())
HERE, NOTE = Mark(2, "here", ""), Mark(1, "", "odd")


def marked(at: int, name: str | None, text: str = "", drop: bool = False) -> Marks:
    return mark(TIMELINE, at, marks=(NOTE, HERE), name=name, text=text, drop=drop)


def noted(at: int, text: str | None, drop: bool = False, marks: tuple[Mark, ...] = (NOTE, HERE)) -> Marks:
    return note(TIMELINE, at, marks=marks, text=text, drop=drop)


def test_a_name_is_kept_and_stands_at_one_step() -> None:
    assert marked(3, "there", "why") == Marks(Mark(3, "there", "why"), None, (NOTE, HERE, Mark(3, "there", "why")))
    assert marked(0, "here") == Marks(Mark(0, "here", ""), HERE, (Mark(0, "here", ""), NOTE))
    assert marked(2, "here") == Marks(HERE, HERE, (NOTE, HERE))


def test_a_name_is_forgotten() -> None:
    assert marked(3, "here", drop=True) == Marks(None, HERE, (NOTE,))


def test_without_a_name_all_are_told() -> None:
    assert marked(3, None) == Marks(None, None, (NOTE, HERE))


@pytest.mark.parametrize(
    ("said", "hint"),
    [({"name": "12"}, "mark here-it-broke"), ({"name": "ther", "drop": True}, "Did you mean here?"),
     ({"name": "end"}, "mark here-it-broke"), ({"name": "a", "text": "x" * 4_001}, "")],
)  # fmt: skip
def test_what_is_no_name_is_refused(said: dict[str, Any], hint: str) -> None:
    with pytest.raises(CcosError) as refused:
        marked(3, **said)
    assert hint in refused.value.hint


def test_a_note_is_kept_once() -> None:
    assert noted(2, "so") == Marks(Mark(2, "", "so"), None, (NOTE, HERE, Mark(2, "", "so")))
    assert noted(1, "odd") == Marks(NOTE, None, (NOTE, HERE))
    assert noted(1, None) == Marks(None, None, (NOTE,))


@pytest.mark.parametrize("text", ["odd", "od", None])
def test_a_note_is_forgotten_by_how_it_begins(text: str | None) -> None:
    assert noted(1, text, drop=True) == Marks(None, NOTE, (HERE,))


def test_of_several_notes_the_one_that_says_just_that_is_forgotten() -> None:
    more = Mark(1, "", "odd and long")
    assert noted(1, "odd", drop=True, marks=(NOTE, more)).dropped == NOTE
    with pytest.raises(CcosError, match="is the start of several notes"):
        noted(1, "od", drop=True, marks=(NOTE, more))


@pytest.mark.parametrize(("at", "text"), [(1, "other"), (2, "odd"), (2, None)])
def test_what_was_not_noted_there_is_not_forgotten(at: int, text: str | None) -> None:
    with pytest.raises(CcosError, match="no such note"):
        noted(at, text, drop=True)
