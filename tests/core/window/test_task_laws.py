"""The laws of `task:` and `hybrid:`, searched by machine."""

import random
from collections import Counter

from hypothesis import event, given, settings
from hypothesis import strategies as st

from ccos_core.text.syntax.resolution import Target
from ccos_core.values.tokens import estimate
from ccos_core.window.layout import entry
from ccos_core.window.lexicon import Lexicon
from ccos_core.window.linearize import Window
from ccos_core.window.ranking import ranked
from ccos_core.window.source import SIGNATURE
from ccos_core.window.task import EVIDENCE, for_hybrid, hybrid, task
from tests.core.window.trees import Tree

WORDS = ["parcel", "depot", "send", "stamp", "weight", "tag"]
PATHS = ["a.py", "depot/post.py", "depot/road.py", "tests/test_post.py", "docs/x.py", "b.md"]
BUDGETS = st.integers(0, 120) | st.integers(120, 3_000)
FOUND = settings(max_examples=60, deadline=None)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A small source: constants, functions, classes with methods, uses of one another."""
    lines = [f"from {draw(st.sampled_from(['a', 'depot.post', 'depot.road']))} import *\n"]
    for _ in range(draw(st.integers(0, 4))):
        one, two, three = (draw(st.sampled_from(WORDS)) for _ in range(3))
        lines.append(
            draw(
                st.sampled_from(
                    [
                        f"{one.upper()} = 1\n",
                        f"def {one}_{two}({three}):\n    return {three}.{one}({two})\n",
                        f"class {one.title()}:\n    def {two}(self):\n        return {three}_{one}()\n",
                        f"{one}({two})\n",
                        "",
                    ]
                )
            )
        )
    return "\n".join(lines)


TREES = st.dictionaries(st.sampled_from(PATHS), texts(), max_size=5)
PIECES = [
    *WORDS,
    "Parcel.send",
    "`send_tag`",
    "depot/post.py:3",
    'File "depot/road.py", line 2, in tag',
    "\n",
    "()",
    "é",
]
REPORTS = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join) | st.text(max_size=60)
LIVE = st.lists(
    st.tuples(st.builds(Target, st.sampled_from([*PATHS, "gone.py"]), st.integers(-1, 5)), st.integers(1, 4)),
    max_size=3,
)


@FOUND
@given(TREES, REPORTS, LIVE, BUDGETS, BUDGETS)
def test_a_larger_budget_never_loses_a_member(
    files: dict[str, str], text: str, live: list[tuple[Target, int]], one: int, other: int
) -> None:
    lexicon = Lexicon(Tree(files))
    for lens in (task, hybrid):
        small, large = (lens(text, lexicon, budget, live) for budget in sorted((one, other)))
        assert {item.uri for item in small.items} <= {item.uri for item in large.items}


@FOUND
@given(TREES, REPORTS, LIVE, BUDGETS)
def test_the_text_never_exceeds_the_budget_and_says_each_member_once(
    files: dict[str, str], text: str, live: list[tuple[Target, int]], budget: int
) -> None:
    for window in windows(Lexicon(Tree(files)), text, budget, live):
        assert window.tokens == (estimate(window.text) if window.text else 0) <= budget
        assert len({item.uri for item in window.items}) == len(window.items)
        assert all(item.reason for item in window.items)


@FOUND
@given(TREES, REPORTS, LIVE, BUDGETS, st.randoms(use_true_random=False))
def test_the_order_of_arrival_leaves_no_trace(
    files: dict[str, str], text: str, live: list[tuple[Target, int]], budget: int, shuffle: random.Random
) -> None:
    paths, shuffled = list(files), live[:]
    shuffle.shuffle(paths)
    shuffle.shuffle(shuffled)
    again = Lexicon(Tree({path: files[path] for path in paths}))
    assert windows(Lexicon(Tree(files)), text, budget, live) == windows(again, text, budget, shuffled)


@FOUND
@given(TREES, TREES, st.sets(st.sampled_from(PATHS)), REPORTS)
def test_a_changed_lexicon_is_a_fresh_one(
    before: dict[str, str], after: dict[str, str], removed: set[str], text: str
) -> None:
    tree = Tree(before)
    lexicon = Lexicon(tree)
    windows(lexicon, text, 500, ())
    for path in sorted(removed & set(before)):
        tree.remove(path)
        lexicon.drop(path)
    for path, source in after.items():
        tree.write(path, source)
        lexicon.put(path)
    left = {path: source for path, source in before.items() if path not in removed}
    assert windows(lexicon, text, 500, ()) == windows(Lexicon(Tree({**left, **after})), text, 500, ())


@FOUND
@given(TREES, REPORTS, LIVE)
def test_the_order_is_total_and_stops_by_the_best_alone(
    files: dict[str, str], text: str, live: list[tuple[Target, int]]
) -> None:
    view = Lexicon(Tree(files)).view()
    ranking = ranked(text, view, live)
    order = ranking.order()
    keys = [(-int(ranking.scores[at]), view.targets[at]) for at in order]
    assert keys == sorted(keys)
    assert len(set(order)) == len(order)
    best = max(map(int, ranking.scores), default=0)
    worth = {at for at, score in enumerate(map(int, ranking.scores)) if score and score * 256 >= best}
    assert worth == set(order)


def windows(lexicon: Lexicon, text: str, budget: int, live: object) -> list[Window]:
    return [lens(text, lexicon, budget, live) for lens in (task, hybrid)]  # type: ignore[arg-type]


@FOUND
@given(TREES, REPORTS)
def test_no_file_has_more_than_half_while_another_has_evidence(files: dict[str, str], text: str) -> None:
    """Whoever comes while its file has more than half does so because nobody else with evidence is left."""
    view = Lexicon(Tree(files)).view()
    ordered = list(for_hybrid(view, ranked(text, view)))
    best = max((each.score for each in ordered), default=0)
    ranking = ranked(text, view)
    assert sorted(each.score for each in ordered) == sorted(int(ranking.scores[at]) for at in ranking.order())
    taken: Counter[str] = Counter()
    for at, each in enumerate(ordered):
        path = each.source.path
        if each.score >= best // EVIDENCE and 2 * taken[path] > sum(taken.values()):
            assert {other.source.path for other in ordered[at:] if other.score >= best // EVIDENCE} == {path}
            event("a file waited to the end")
        taken[path] += entry(each.source, each.source.shown(each.symbol, SIGNATURE))


def test_one_large_file_leaves_room_for_another_that_is_named() -> None:
    """Most of one file fits the text; what another one has is shown all the same, and with its body."""
    road = "\n".join(f"def send_by_road_{at}(parcel):\n    return road.send(parcel, road, {at})\n" for at in range(30))
    stamp = "def stamp(parcel):\n    # put on a stamp\n    return parcel.price * parcel.weight\n"
    other = "\n".join(f"def other_{at}(thing):\n    return thing + {at}\n" for at in range(200))
    files = {"road.py": road, "stamp.py": stamp, "other.py": other}
    window = hybrid("Send it by road\n\nroad send road send, and put on a stamp", Lexicon(Tree(files)), 600)
    assert {item.path for item in window.items} == {"road.py", "stamp.py"}
    assert "return parcel.price * parcel.weight" in window.text
