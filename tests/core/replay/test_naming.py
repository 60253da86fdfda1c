"""Names that people type, and the nodes they mean."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import NotFound, Usage
from ccos_core.replay.timeline import Timeline
from ccos_core.values.ids import path_of
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale
from tests.laws.test_folding import stories, told_tale

CODE = """class Row:
    def total(self):
        return 1

    def load(self):
        return 2


def load():
    return 3
"""


@pytest.fixture
def timeline() -> Timeline:
    tale = Tale({"src/a.py": CODE, "lib/a.py": "def only():\n    pass\n", "src/odd#name.py": "def odd():\n    pass\n"})
    tale.prompt().tell({"kind": "gone", "path": "lib/a.py"}).prompt()
    return timeline_of(tale)


@pytest.mark.parametrize(("said", "node"), [
    ("src/a.py", "file:src/a.py"),
    ("./src/a.py", "file:src/a.py"),
    ("a.py", "file:src/a.py"),  # the other one is gone
    ("lib/a.py", "file:lib/a.py"),  # ... and can be asked for
    ("file:src/a.py", "file:src/a.py"),
    ("sym:src/a.py#Row.load", "sym:src/a.py#Row.load"),
    ("src/a.py#load", "sym:src/a.py#load"),
    ("a.py::Row::load", "sym:src/a.py#Row.load"),
    ("load", "sym:src/a.py#load"),  # called just so, before what ends so
    ("total", "sym:src/a.py#Row.total"),
    ("Row.total", "sym:src/a.py#Row.total"),
    ("only", "sym:lib/a.py#only"),
    ("odd", "sym:src/odd%23name.py#odd"),
    ("file:src/odd%23name.py", "file:src/odd%23name.py"),
    ("src/odd#name.py", "file:src/odd%23name.py"),  # as every answer spells it
    ("odd#name.py", "file:src/odd%23name.py"),
    ("src/odd#name.py#odd", "sym:src/odd%23name.py#odd"),
])  # fmt: skip
def test_what_is_meant(timeline: Timeline, said: str, node: str) -> None:
    assert timeline.node(said) == node


def test_it_depends_on_the_step(timeline: Timeline) -> None:
    with pytest.raises(Usage, match="ambiguous"):
        timeline.node("a.py", 5)
    assert timeline.node("a.py") == "file:src/a.py"


@pytest.mark.parametrize("said", ["nowhere.py", "", "#", "src/a.py#nothing", "sym:x", "\0", "total.py"])
def test_what_nobody_is_called(timeline: Timeline, said: str) -> None:
    with pytest.raises(NotFound):
        timeline.node(said)


def test_the_nearest_is_told(timeline: Timeline) -> None:
    with pytest.raises(NotFound) as caught:
        timeline.node("totale")
    assert "Row.total" in caught.value.hint


@settings(deadline=None, max_examples=30)
@given(stories, st.integers(0, 40))
def test_every_node_is_found_by_its_name(story: list[tuple[object, ...]], step: int) -> None:
    timeline = timeline_of(told_tale(story))
    step = min(step, timeline.head)
    for node in timeline.names(step):
        assert timeline.node(node, step) == node
        if node.startswith("file:"):
            assert timeline.node(path_of(node) or "", step) == node
