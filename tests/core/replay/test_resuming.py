"""`resume` at a step: what was read or changed by then, followed to where it stands."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.contexts import contexts_of
from ccos_core.replay.resuming import regions, resumed
from ccos_core.replay.timeline import Timeline
from ccos_core.window.resume import Region
from tests.core.query.asked import ask
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories, told_tale

LONG = "".join(f"def number_{at}():\n    return {at}\n\n\n" for at in range(200))


def every(timeline: Timeline) -> list[int]:
    return list(contexts_of(timeline))


def all_of(tale: Tale) -> list[Region]:
    timeline = timeline_of(tale)
    return list(regions(timeline, timeline.at(timeline.head), every(timeline)))


def found(tale: Tale) -> list[Region]:
    """What was in hands, without what is around it."""
    return [region for region in all_of(tale) if region.how != "around"]


def test_a_reading_is_where_it_stands_now() -> None:
    tale = Tale({"long.py": LONG}).read("long.py", "\n".join(LONG.split("\n")[40:60]), 41, 60)
    tale.edit("long.py", "import os\n\n\n" + LONG)
    edited, read = found(tale)
    assert (read.path, read.lines[0], read.lines[-1]) == ("long.py", 44, 63)
    assert edited.lines[:3] == (1, 2, 3)
    assert (read.reason, edited.reason) == ("read at step 3", "edited at step 4")
    assert (read.how, edited.how) == ("read", "edit")


def test_each_place_an_edit_changed_is_a_region() -> None:
    changed = LONG.replace("return 20\n", "return -20\n").replace("return 150\n", "return -150\n")
    tale = Tale({"long.py": LONG}).edit("long.py", changed)
    assert [(each.lines[0], each.lines[-1]) for each in found(tale)] == [(74, 90), (594, 610)]


def test_places_hardly_apart_are_one() -> None:
    tale = Tale({"long.py": LONG}).edit(
        "long.py", LONG.replace("def number_20()", "def twenty()").replace("def number_21()", "def next()")
    )
    assert [(each.lines[0], each.lines[-1]) for each in found(tale)] == [(73, 93)]


def test_what_is_around_comes_behind_all_of_it() -> None:
    tale = Tale({"long.py": LONG, **INVOICES}).read("long.py", "\n".join(LONG.split("\n")[40:60]), 41, 60)
    tale.read("api.py", INVOICES["api.py"])
    hows = [(each.path, each.how) for each in all_of(tale)]
    assert hows == [("api.py", "read"), ("long.py", "read"), ("api.py", "around"), ("long.py", "around")]
    assert all_of(tale)[3].lines == (*range(33, 41), *range(61, 69))
    assert all_of(tale)[3].reason == "around what was read at step 8"


def test_what_isnt_there_any_more_is_left_out() -> None:
    tale = Tale({"long.py": LONG}).read("long.py", "\n".join(LONG.split("\n")[40:60]), 41, 60)
    tale.edit("long.py", LONG[: LONG.index("def number_10()")])
    assert [each.reason for each in found(tale)] == ["edited at step 4"]


def test_a_renamed_file_is_found_under_its_name() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    tale.tell({"kind": "renamed", "path": "api.py", "to": "new.py"})
    assert [each.path for each in found(tale)] == ["new.py"]


def test_a_line_found_by_a_search_is_nothing_in_hands() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"].split("\n")[0], 1, 1)
    assert found(tale) == []


def test_of_a_call_that_showed_several_places_only_long_ones_are_in_hands() -> None:
    def looked(*spans: tuple[int, int]) -> list[int]:
        tale = Tale({"long.py": LONG})
        for first, last in spans:
            tale.read("long.py", "\n".join(LONG.split("\n")[first - 1 : last]), first, last, call="looking")
        return [region.lines[0] for region in found(tale)]

    assert looked((41, 50)) == [41]
    assert looked((41, 50), (81, 90)) == []
    assert looked((41, 50), (81, 110)) == [81]


@settings(deadline=None, max_examples=60)
@given(stories, st.integers(1, 40), st.integers(50, 3_000))
def test_lines_are_those_of_the_files_as_they_are(story: list[tuple[Any, ...]], step: int, budget: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    world = as_of(tale, timeline.at(step).last).world
    window = resumed(timeline, step, budget, every(timeline))
    assert window.tokens <= budget
    assert {item.path for item in window.items} <= set(world.graph.files)
    again = timeline_of(tale)
    assert resumed(again, step, budget, every(again)) == window


def test_a_subagents_hands_are_its_own() -> None:
    tale = Tale(INVOICES)
    for context, path in (("", "api.py"), ("scout", "store.py")):
        told = {"kind": "seen", "how": "read", "path": path, "content": tale.facts.keep(INVOICES[path])}
        tale.tell({**told, "host": "h", "session": "s", **({"context": context} if context else {})})
    timeline = timeline_of(tale)

    def shown(**said: str) -> list[str]:
        return [item.path for item in ask(timeline, "recall", timeline.head, lens="resume", budget=500, **said).items]

    assert shown() == ["api.py"]
    assert shown(context="scout") == ["store.py"]
    assert shown(session="s", context="main") == ["api.py"]


@pytest.mark.parametrize("how", ["read", "edit"])
def test_a_slice_that_says_more_than_there_is_ends_with_the_text(how: str) -> None:
    tale = Tale()
    part = {"content": tale.facts.keep("x = 1\ny = 2\nz = 3"), "slice": [1, 10**12]}
    tale.tell({"kind": "seen", "how": how, "path": "a.py", **part})
    assert [each.lines for each in found(tale)] == [(1, 2, 3)]
