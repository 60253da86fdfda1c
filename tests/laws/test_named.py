"""What a text names outright is told of any row of moments as whoever looks at each of them afresh would tell it."""

from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import event, given, settings
from hypothesis import strategies as st

from ccos_core.replay.columns import Numbers
from ccos_core.replay.residency.called import Called
from ccos_core.replay.residency.lens import unheard
from ccos_core.replay.residency.naming import Naming
from ccos_core.replay.residency.stretches import Stretch, stretches_of
from ccos_core.replay.residency.wordings import Wordings, wordings_of
from ccos_core.replay.timeline import Timeline
from ccos_core.text.retrieval.mentions import Mentions, mentions
from ccos_core.text.syntax.resolution import Target
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.ranking import outright
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale
from tests.laws.test_folding import tell

PATHS = ["store.py", "lib/store.py", "app/api.py", "api.py"]
SYMBOLS = ["load", "save", "parse"]
TEXTS = [
    "`load` fails, and so does `save`",
    'File "store.py", line 3, in load',
    "store.py:2 and lib/store.py:5, then app/api.py:7",
    "see store.py and api.load, or `parse`",
]
Truth = list[dict[int, int]]
"""Place → wordings that are documents then, and what each has in a list."""


def source(names: list[str]) -> str:
    return "".join(f"def {name}():\n    return {name!r}\n\n" if name else "# more\n\n" for name in names)


sources = st.lists(st.sampled_from([*SYMBOLS, ""]), max_size=5).map(source)
changes = st.one_of(
    *[st.tuples(st.just("edit"), st.sampled_from(PATHS), sources, st.none(), st.just({}))] * 4,
    st.tuples(st.just("look"), st.sampled_from(PATHS), sources),
    st.tuples(st.just("gone"), st.sampled_from(PATHS)),
)
stories = st.integers(0, 20).flatmap(lambda size: st.lists(changes, min_size=size, max_size=20))


@settings(deadline=None, max_examples=100)
@given(stories, st.sampled_from(TEXTS), st.data())
def test_what_is_named(story: list[tuple[Any, ...]], text: str, data: st.DataObject) -> None:
    timeline, told = timeline_of(told_tale(story)), mentions(text)
    wordings = wordings_of(timeline, unheard)
    every = stretches_of(wordings, timeline.journal)
    files = timeline.journal.versions["path"]
    naming = Naming(Called(timeline, wordings, told), files, told, every, unheard)
    truth = truth_of(timeline, told)
    first = data.draw(st.integers(0, len(every.marks) - 1))
    stretch = Stretch(first, data.draw(st.integers(first + 1, len(every.marks))))
    within = naming.within(stretch)
    assert list(within) == list(truth)
    for name, (listed, (low, high)) in within.items():
        found: dict[int, set[int]] = defaultdict(set)
        for scores in truth[name][stretch.first : stretch.end]:
            for wording, score in scores.items():
                found[wording].add(score)
        wanted = {wording: (min(each), max(each)) for wording, each in found.items() if any(each)}
        event(f"something is named otherwise within a stretch: {any(low != high for low, high in wanted.values())}")
        assert dict(zip(listed.tolist(), zip(low.tolist(), high.tolist(), strict=True), strict=True)) == wanted
        assert np.isin(listed, naming.wordings()).all()
    for spans in naming._spans.values():
        goes_on(list(zip(*(column.tolist() for column in spans), strict=True)))


def told_tale(story: list[tuple[Any, ...]]) -> Tale:
    """A project that begins with nothing."""
    tale = Tale({})
    for each in story:
        tell(tale, each)
    return tale


def goes_on(spans: list[tuple[int, int, int, int]]) -> None:
    """What is named as before isn't put down again, however often another document is named otherwise."""
    for (one, had, _, end), (other, has, first, _) in pairwise(sorted(spans, key=lambda span: (span[0], span[2]))):
        assert one != other or end < first or (end == first and had != has)


def truth_of(timeline: Timeline, told: Mentions) -> dict[str, Truth]:
    """List → what it gives at each place."""
    wordings = wordings_of(timeline, unheard)
    found: dict[str, Truth] = defaultdict(list)
    for mark in stretches_of(wordings, timeline.journal).marks.tolist():
        step = int(timeline.journal.versions["step"][mark - 1]) if mark else 0
        alive = np.flatnonzero((wordings.born < mark) & (wordings.died >= mark))
        view = Lexicon(timeline.at(step)).view()
        assert documents(wordings, alive) == list(view.targets)
        for name, look in outright(view, told).items():
            found[name].append(dict(zip(alive.tolist(), look.tolist(), strict=True)))
    return found


def documents(wordings: Wordings, some: Numbers) -> list[Target]:
    """Which document each of some wordings is."""
    paths = [wordings.paths[at] for at in wordings.file[some].tolist()]
    found = [Target(path, symbol) for path, symbol in zip(paths, wordings.symbol[some].tolist(), strict=True)]
    assert all(at in wordings.of(target) for at, target in zip(some.tolist(), found, strict=True))
    return found
