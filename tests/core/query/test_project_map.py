"""The map of a project: files by how many others use them, as counted here from the links of every file."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.project_map import users_of_files, window
from ccos_core.values.ids import file_node, spelled_path
from tests.core.query.test_depending import told
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories


def counted(tale: Tale) -> dict[str, int]:
    users: dict[str, set[str]] = {}
    for path in tale.world.graph.files:
        for link in tale.world.graph.links.get(path, ()):
            if link.target.path != path:
                users.setdefault(spelled_path(file_node(link.target.path)), set()).add(path)
    return {path: len(each) for path, each in users.items()}


@settings(max_examples=40)
@given(stories, st.integers(0, 40))
def test_users_are_counted_as_the_graph_has_them(story: list[tuple[Any, ...]], step: int) -> None:
    tale = told(story)
    timeline = timeline_of(tale)
    moment = timeline.at(min(step, timeline.head))
    assert users_of_files(timeline.journal, moment.last) == counted(as_of(tale, moment.last))


def looked_at() -> Tale:
    tale = Tale()
    for path, text in INVOICES.items():
        tale.look(path, text)
    return tale


def test_files_that_others_use_come_first_and_nothing_has_to_be_warm() -> None:
    timeline = timeline_of(looked_at())
    found = window(timeline, timeline.head, 2_048)
    paths = [item.path for item in found.items]
    assert sorted(paths) == sorted(INVOICES)
    assert set(paths[:3]) == {"dates.py", "service.py", "store.py"}
    assert "def due(request):" in found.text
    assert found.tokens <= 2_048


def test_a_smaller_map_is_the_beginning_of_a_larger_one() -> None:
    timeline = timeline_of(looked_at())
    larger = [item.path for item in window(timeline, timeline.head, 2_048).items]
    for budget in (64, 90, 150):
        some = window(timeline, timeline.head, budget)
        assert [item.path for item in some.items] == larger[: len(some.items)]
        assert some.tokens <= budget


def test_an_empty_project_has_an_empty_map() -> None:
    timeline = timeline_of(Tale())
    assert window(timeline, timeline.head, 500).items == ()
