"""What a command may have changed is uncertain until it is seen: in the fold, in the agent's window, in an autopsy."""

from __future__ import annotations

import pytest

from ccos_core.query.autopsy.deeds import Deeds
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

TEXT = "def due(day):\n    return day + 30\n"
OTHER = "def due(day):\n    return day + 31\n"
HOST = {"host": "h", "session": "s", "actor": "agent"}
AT = ("h", "s", "")


def tale() -> Tale:
    found = Tale()
    found.read("a.py", TEXT, **HOST)
    return found


def doubt(tale: Tale, path: str = "a.py") -> Tale:
    return tale.tell({"kind": "seen", "how": "edit", "path": path, "withheld": "uncertain", "inferred": True, **HOST})


def state(tale: Tale, node: str = "file:a.py") -> str:
    return tale.world.hosts.contexts[AT].state(node).state


def test_what_is_held_of_it_is_uncertain_until_it_is_seen_again() -> None:
    story = tale()
    assert state(story) == "in"
    doubt(story)
    assert state(story) == "uncertain"
    assert "sym:a.py#due" in story.world.graph.files["a.py"].nodes, "what was known of it still counts"
    story.read("a.py", TEXT, **HOST)
    assert state(story) == "in"


def test_a_part_that_is_seen_again_is_certain_and_the_rest_is_not() -> None:
    story = doubt(tale())
    story.read("a.py", "def due(day):\n", 1, 1, **HOST)
    assert state(story, "sym:a.py#due") == "uncertain"
    story.read("a.py", "    return day + 30\n", 2, 2, **HOST)
    assert state(story, "sym:a.py#due") in ("in", "partial"), "its end may have moved"


def test_what_nobody_knows_cannot_become_uncertain() -> None:
    story = doubt(tale(), "b.py")
    assert "b.py" not in story.world.graph.files


def test_a_file_shown_among_others_is_held() -> None:
    story = tale()
    story.tell({"kind": "seen", "how": "read", "path": "a.py", "withheld": "mixed", "inferred": True, **HOST})
    assert state(story) == "in"
    assert len(story.world.versions["a.py"]) == 1


@pytest.mark.parametrize(("after", "certain"), [(OTHER, True), (TEXT, False), (None, False)])
def test_an_uncertain_edit_counts_once_the_file_was_seen_to_be_another(after: str | None, certain: bool) -> None:
    story = doubt(tale())
    if after is not None:
        story.read("a.py", after, **HOST)
    timeline = timeline_of(story)
    deeds = Deeds(timeline, timeline.head)
    [edit] = deeds.edits
    assert deeds.is_certain(edit.file, edit.step) is certain
    assert [change.step for change in deeds.changes.get(edit.file, [])] == ([edit.step] if certain else [])
