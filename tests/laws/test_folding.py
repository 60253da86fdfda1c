"""What holds of every story that is folded, searched for one that breaks it.

The stories play in a tree of five small files that import each other in a chain; each op is one anybody could record.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.session.worlds import new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.digest import digest_of, told
from ccos_core.values.canon import canonical, parse
from ccos_core.window.annotated import Annotated
from ccos_core.window.lenses import window_of
from tests.core.state.small import INVOICES, Tale, replayed

PATHS = sorted(INVOICES)
NODES = ["file:api.py", "sym:api.py#handle", "sym:service.py#invoice", "sym:store.py#load", "sym:dates.py#due"]
LENSES = ["working-set", "around:api.py", "around:service.py", "around:sym:api.py#handle"]
TEXTS = [
    *INVOICES.values(),
    "",
    "def due(request):\n    return 0\n\n\nclass Row:\n    def total(self):\n        return load(self)\n",
    "from service import *\nfrom dates import DAYS\n\n\ndef late():\n    return invoice(DAYS)\n",
]
OUTPUTS = [
    'Traceback (most recent call last):\n  File "api.py", line 5, in handle\n    invoice(request)\nKeyError: 1\n',
    'Traceback (most recent call last):\n  File "store.py", line 5, in load\n    due(request)\nKeyError: 2\n',
    "nothing of note\n",
    "====== 3 passed in 0.01s ======\n",
]

paths, nodes = st.sampled_from(PATHS), st.sampled_from(NODES)
spans = st.tuples(st.integers(1, 9), st.integers(0, 5)).map(lambda span: [span[0], span[0] + span[1]])
contexts = st.sampled_from([{}, {"host": "h", "session": "a"}, {"host": "h", "session": "a", "context": "sub"}])
texts = st.sampled_from(TEXTS)

work = st.one_of(
    st.tuples(st.just("read"), paths, texts, spans, contexts),
    st.tuples(st.just("read"), paths, texts, st.none(), contexts),
    st.tuples(st.just("edit"), paths, texts, st.none(), contexts),
    st.tuples(st.just("edit"), paths, texts, spans, contexts),
    st.tuples(st.just("fail"), nodes),
    st.tuples(st.just("pass"), nodes),
    st.tuples(st.just("pass")),
    st.tuples(st.just("run"), st.sampled_from(OUTPUTS)),
    st.tuples(st.just("prompt")),
)
looks = st.one_of(
    st.tuples(st.just("look"), paths, texts),
    st.tuples(st.just("gone"), paths),
    st.tuples(st.just("rename"), paths, paths),
)
notes = st.one_of(
    st.tuples(st.just("usage"), st.integers(0, 9)),
    st.tuples(st.just("note"), nodes),
    st.tuples(st.just("recall"), nodes),
)
pointing = st.tuples(st.sampled_from(["paged_in", "paged_out", "attention"]), nodes)
stories = st.lists(st.one_of(work, looks, notes, pointing), max_size=25)


def tell(tale: Tale, event: tuple[Any, ...]) -> None:
    kind, about = event[0], event[1:]
    if kind in ("read", "edit"):
        path, text, span, context = about
        part = {"slice": span} if span else {}
        tale.tell({"kind": "seen", "how": kind, "path": path, "content": tale.facts.keep(text), **part, **context})
    elif kind == "look":
        tale.look(*about)
    elif kind == "gone":
        tale.tell({"kind": "gone", "path": about[0]})
    elif kind == "rename":
        tale.tell({"kind": "renamed", "path": about[0], "to": about[1]})
    elif kind == "fail":
        tale.fail(*about)
    elif kind == "pass":
        tale.works(*about)
    elif kind == "run":
        tale.run(*about)
    elif kind == "prompt":
        tale.prompt()
    elif kind == "usage":
        tale.tell({"kind": "usage", "window": about[0]})
    elif kind == "note":
        tale.tell({"kind": "annotation", "node": about[0], "note": tale.facts.keep("odd")})
    elif kind == "recall":
        told_window = {"budget": 9, "computed_at": 1, "parameters": {}, "items": [], "window": "0" * 64}
        tale.tell({"kind": "recall", "lens": "working-set", **told_window})
    else:
        tale.tell({"kind": kind, "nodes": list(about)})


def told_tale(story: list[tuple[Any, ...]]) -> Tale:
    tale = Tale(INVOICES)
    for event in story:
        tell(tale, event)
    return tale


def windows(tale: Tale, budget: int = 300) -> list[str]:
    return [tale.window(lens, budget).text for lens in LENSES if is_there(tale, lens)]


def is_there(tale: Tale, lens: str) -> bool:
    about = lens.partition(":")[2]
    return not about or about in tale.world.graph.files or tale.world.is_there(about)


@settings(deadline=None)
@given(stories, st.lists(st.integers(0, 25)))
def test_replay_is_live_whenever_anybody_looks(story: list[tuple[Any, ...]], asked: list[int]) -> None:
    live = Tale(INVOICES)
    for at, event in enumerate(story):
        tell(live, event)
        if at in asked:
            digest_of(live.world)
            windows(live)
    assert told(replayed(live)) == told(live.world)


@settings(deadline=None)
@given(stories, st.lists(notes, min_size=1, max_size=5))
def test_notes_change_no_window_and_no_heat(story: list[tuple[Any, ...]], more: list[tuple[Any, ...]]) -> None:
    tale = told_tale(story)
    before, heats, clock = windows(tale), {n: tale.world.heat_of(n) for n in tale.world.warm()}, tale.world.clock
    for event in more:
        tell(tale, event)
    assert (windows(tale), {n: tale.world.heat_of(n) for n in tale.world.warm()}) == (before, heats)
    assert tale.world.clock == clock


@settings(deadline=None)
@given(stories)
def test_looking_at_an_unchanged_tree_changes_no_window(story: list[tuple[Any, ...]]) -> None:
    tale = told_tale(story)
    before = windows(tale)
    for path in sorted(tale.world.graph.files):
        if path not in tale.world.sheets:
            tale.look(path, tale.source(path).text)
    assert windows(tale) == before


@settings(deadline=None)
@given(stories, nodes)
def test_a_pass_gives_back_exactly_what_its_failure_gave(story: list[tuple[Any, ...]], node: str) -> None:
    tale = told_tale(story)
    tale.world.graph.settle()
    before = {each: tale.world.failures.pressure(each) for each in tale.world.failures.on}
    live = dict(tale.world.failures.live)
    tale.fail(node, runner="once", test="a test of its own")
    tale.tell({"kind": "passed", "runner": "once", "scope": "tests", "tests": ["a test of its own"]})
    assert {each: tale.world.failures.pressure(each) for each in tale.world.failures.on} == before
    assert tale.world.failures.live == live


@settings(deadline=None)
@given(stories, st.sampled_from(LENSES), st.integers(20, 400), st.integers(0, 400))
def test_a_larger_budget_never_loses_a_member(story: list[tuple[Any, ...]], lens: str, budget: int, more: int) -> None:
    tale = told_tale(story)
    if is_there(tale, lens):
        small, large = tale.window(lens, budget), tale.window(lens, budget + more)
        assert small.tokens <= budget
        assert {item.uri for item in small.items} <= {item.uri for item in large.items}


@settings(deadline=None)
@given(stories, st.sampled_from(LENSES), st.integers(20, 400), st.integers(0, 400))
def test_notes_in_a_window_count_and_lose_nobody(
    story: list[tuple[Any, ...]], lens: str, budget: int, more: int
) -> None:
    tale = told_tale(story)
    if is_there(tale, lens):
        tale.world.graph.settle()
        small, large = (window_of(lens, size, Annotated(tale), tale.world) for size in (budget, budget + more))
        assert small.tokens <= budget
        assert {item.uri for item in small.items} <= {item.uri for item in large.items}
        assert small.text.count("\n#   ") == len(small.items)


@settings(deadline=None)
@given(stories)
def test_order_only_changes_where_something_was_touched(story: list[tuple[Any, ...]]) -> None:
    """Time alone lets no two nodes swap places."""
    tale = told_tale(story)
    before = tale.ranked()
    scores = {node: tale.world.score(node) for node in before}
    for _ in range(50):
        tale.prompt()
    assert tale.ranked() == before
    assert {node: tale.world.score(node) for node in before} == scores


@settings(deadline=None)
@given(stories, paths, texts)
def test_an_edge_touches_its_two_ends_at_most(story: list[tuple[Any, ...]], path: str, text: str) -> None:
    tale = told_tale(story)
    tale.world.graph.settle()
    before = {node: tale.world.prior(node) for node in tale.world.warm() if tale.world.is_there(node)}
    edges = {edge for of in tale.world.graph.edges.values() for edge in of}
    tale.look(path, text)
    tale.world.graph.settle()
    after = {edge for of in tale.world.graph.edges.values() for edge in of}
    ends = {node for edge in edges ^ after for node in edge[:2]}
    for node, prior in before.items():
        if tale.world.is_there(node) and f"{path}#" not in node and node != f"file:{path}":
            assert tale.world.prior(node) == prior or node in ends


@settings(deadline=None)
@given(stories, st.integers(0, 25))
def test_going_on_from_a_baseline_ends_in_the_same_state(story: list[tuple[Any, ...]], at: int) -> None:
    whole = told_tale(story)
    head = told_tale(story[:at])
    body = canonical(saved(head.world))
    went_on = Tale()
    went_on.facts, went_on.ops, went_on.world = whole.facts, list(head.ops), new_world()
    restore(went_on.world, parse(body), head.facts)
    assert canonical(saved(went_on.world)) == body
    assert told(went_on.world) == told(head.world)
    for event in story[at:]:
        tell(went_on, event)
    assert told(went_on.world) == told(whole.world)
    assert windows(went_on) == windows(whole)
