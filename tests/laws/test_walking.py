"""Whoever goes from moment to moment tells of a node what a ranking of all tells at each: whatever was edited, linked,
failed and released in between, and however little of it was looked at."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ccos_core.replay.identity import life
from ccos_core.replay.residency import bounds, foremost
from ccos_core.replay.residency.about import HYBRID, About
from ccos_core.replay.residency.lens import unheard
from ccos_core.replay.residency.runs import IN, OUT, PARTIAL
from ccos_core.replay.residency.walks import InHybrid
from ccos_core.replay.timeline import Timeline
from ccos_core.values.ids import path_of
from ccos_core.window import ranking
from ccos_core.window.lenses import live
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.ranking import ranked
from ccos_core.window.task import admitted, for_hybrid
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale
from tests.laws.test_folding import tell

FILES = {"bill.py": "total", "dates.py": "due", "wheel.py": "spin", "wood.py": "burn", "wool.py": "knit"}
"""Files, and what stands in each besides `more`; the last three are about nothing anybody asks about."""
NODES = [
    "sym:bill.py#total",
    "sym:dates.py#more",
    "sym:wood.py#burn",
    "sym:wool.py#knit",
    "file:dates.py",
    "file:wood.py",
]
SAID = ["invoice", "request days", "open parcel", "nothing", "slow, slow, slow"]
TAKEN = ["", "one", "first_of_all, second_of_all, third_of_all, and_what_is_left"]
ASKED = ["invoice days of a request", "dates.py: the due days", "`total` of an invoice"]
Story = list[tuple[Any, ...]]


def source(path: str, said: str, taken: str, others: list[str]) -> str:
    """A file of two functions, which says these words and calls the first ones of others."""
    called = [other for other in others if other != path]
    imports = "".join(f"from {other.removesuffix('.py')} import {FILES[other]}\n" for other in called)
    calls = "".join(f"    {FILES[other]}()\n" for other in called)
    head = f"{imports}\n\ndef {FILES[path]}({taken}):\n    # {said}\n{calls}    return 0\n"
    return f"{head}\n\ndef more({taken}):\n    # {said}\n    return 1\n"


def edits(paths: list[str], said: list[str], others: list[str]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.builds(
        lambda path, *how: ("edit", path, source(path, *how), None, {}),
        st.sampled_from(paths),
        st.sampled_from(said),
        st.sampled_from(TAKEN),
        st.lists(st.sampled_from(others), max_size=2, unique=True),
    )


every, apart = edits([*FILES], SAID, [*FILES]), edits([*FILES][2:], SAID[2:], [*FILES][2:])
emptied = st.tuples(st.just("edit"), st.just("wool.py"), st.sampled_from(["", "# nothing\n"]), st.none(), st.just({}))
fails, passes = (st.tuples(st.just(kind), st.sampled_from([*NODES[:4], "file:wool.py"])) for kind in ("fail", "pass"))
stories = st.tuples(
    st.lists(fails, min_size=1, max_size=2),
    st.lists(st.one_of(every, apart, apart, apart, apart, emptied, fails, passes), min_size=8, max_size=30),
).map(lambda parts: parts[0] + parts[1])


@settings(deadline=None, max_examples=120)
@given(
    stories,
    st.sampled_from(ASKED),
    st.integers(60, 500),
    st.sampled_from([(20, 200), (2, 3), (1, 2)]),
    st.sampled_from([200, 1]),
    st.sampled_from([(15, 12), (3, 2)]),
)
def test_a_walk_tells_what_a_ranking_does(
    story: Story, text: str, budget: int, best: tuple[int, int], most: int, within: tuple[int, int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in zip(("ANCHORS", "AROUND_THEM"), best, strict=True):
            patch.setattr(ranking, name, value)
        patch.setattr(foremost, "MOST", most)
        for name, value in zip(("NEGLIGIBLE", "SLIGHT"), within, strict=True):
            patch.setattr(bounds, name, bounds.WHOLE >> value)
        timeline = timeline_of(told_tale(story))
        looks: Counter[str] = Counter()
        walks = {node: _walk(timeline, node, text, budget, looks) for node in NODES}
        about = About(timeline, life(timeline, NODES[0], timeline.head), HYBRID, text, unheard)
        for step in [0, *about._changed(0, timeline.head)]:
            members = _members(timeline, step, text, budget)
            for node, walk in walks.items():
                looks["moments"] += 1
                assert walk.state(step) == _state(node, members), (node, step)
        event(f"moments at which nobody looked: {10 * (looks['moments'] - looks['looks']) // looks['moments']} of ten")


@settings(deadline=None, max_examples=150)
@given(stories, st.sampled_from(ASKED), st.integers(60, 500), st.sampled_from(["task", HYBRID, HYBRID]), st.data())
def test_who_leaves_moments_out_tells_the_same_of_the_others(
    story: Story, text: str, budget: int, lens: str, data: st.DataObject
) -> None:
    """So others may go through those that are left out."""
    timeline = timeline_of(told_tale(story))
    for node in NODES:
        about = About(timeline, life(timeline, node, timeline.head), lens, text, unheard)
        steps = [0, *about._changed(0, timeline.head)]
        every, some = about.walk(budget), about.walk(budget)
        told = {step: every.state(step) for step in steps}
        few = sorted(data.draw(st.sets(st.sampled_from(steps), min_size=2, max_size=max(2, len(steps) // 2))))
        assert [some.state(step) for step in few] == [told[step] for step in few]


def told_tale(story: Story) -> Tale:
    tale = Tale({path: source(path, "request days" if at < 2 else "nothing", "", []) for at, path in enumerate(FILES)})
    for each in story:
        tell(tale, each)
    return tale


def _walk(timeline: Timeline, node: str, text: str, budget: int, looks: Counter[str]) -> InHybrid:
    walk = About(timeline, life(timeline, node, timeline.head), HYBRID, text, unheard).walk(budget)
    assert isinstance(walk, InHybrid)
    looked = walk._looked

    def counted(own: int, mine: np.ndarray[Any, Any], is_same: bool) -> Any:
        looks["looks"] += 1
        return looked(own, mine, is_same)

    walk._looked = counted  # type: ignore[method-assign]
    return walk


def _members(timeline: Timeline, step: int, text: str, budget: int) -> set[str]:
    """The nodes in the window of a step."""
    moment = timeline.at(step)
    view = Lexicon(moment).view()
    found = admitted(for_hybrid(view, ranked(text, view, live(moment))), budget).members
    return {member.candidate.source.node(member.candidate.symbol) for member in found}


def _state(node: str, members: set[str]) -> int:
    if node in members:
        return IN
    return PARTIAL if node.startswith("file:") and any(path_of(each) == path_of(node) for each in members) else OUT
