"""What each context holds, searched for a story in which it is another than what a slow and obvious way finds.

The stories play in two files of a few short functions, which come, go, change places and read alike, so that little
changes meet each other; three contexts are told of them in slices, and forget.
"""

from itertools import count
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.session.worlds import new_world
from ccos_core.state.baseline import restore, saved
from ccos_core.state.digest import told
from ccos_core.state.holding import IN, OUT, PATCHED, STALE
from ccos_core.state.page import Page, alike, page_of
from ccos_core.text.syntax import parse
from ccos_core.text.syntax.languages import language_of
from ccos_core.values.canon import canonical
from ccos_core.values.canon import parse as parsed
from ccos_core.values.nesting import Nesting
from ccos_core.values.tokens import by_size
from tests.core.state.contexts import Context, Reference
from tests.core.state.small import Op, Tale, replayed

PATHS = ["a.py", "b.py"]
BLOCKS = [
    "def f(x):\n    y = x\n    return y",
    "def f(x):\n    y = x\n    z = y\n    return z",
    "def f(x):\n    return x",
    "def g(x):\n    return x",
    "def g(x):\n    y = x\n    return y",
    "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 1",
    "class A:\n    def g(self):\n        return 1\n    def f(self):\n        return 2",
    "B = 1",
    "B = 2\nC = 3",
    "import os",
    "",
    "}",
]
CALLS = ["c1", "c2", "c3"]
CONTEXTS: list[Context] = [("claude-code", "s", ""), ("claude-code", "s", "sub"), ("", "", "")]
OFTEN = [*CONTEXTS, CONTEXTS[0], CONTEXTS[0]]
FILES = {"a.py": "\n\n".join([BLOCKS[0], BLOCKS[7], BLOCKS[3]]) + "\n", "b.py": BLOCKS[5] + "\n"}

paths = st.sampled_from(PATHS)
sources = (
    st.lists(st.sampled_from(BLOCKS), max_size=5)
    .map("\n".join)
    .flatmap(lambda text: st.sampled_from([text, text + "\n"]))
)
nodes = st.sampled_from(["file:a.py", "sym:a.py#f", "sym:b.py#A", "sym:b.py#A.g", "file:b.py", "sym:a.py#B", "claim:x"])
headers = st.fixed_dictionaries({}, optional={"call": st.sampled_from(CALLS)}).flatmap(
    lambda header: st.sampled_from(OFTEN).map(
        lambda context: {
            **header,
            **{name: said for name, said in zip(("host", "session", "context"), context, strict=True) if said},
        }
    )
)
spans = st.tuples(st.integers(1, 14), st.integers(0, 8)).map(lambda span: (span[0], span[0] + span[1]))

deliveries = st.one_of(
    st.tuples(st.sampled_from(["read", "edit", "write"]), paths, sources, headers),
    st.tuples(st.just("look at"), paths, spans, headers),
    st.tuples(st.just("look at all of"), paths, headers),
    st.tuples(st.sampled_from(["read", "edit"]), paths, sources, spans, headers),
    st.tuples(st.just("withheld"), paths, st.sampled_from(["read", "edit", "write"]), headers),
)
changes = st.one_of(
    st.tuples(st.just("ingest"), paths, sources, st.just({})),
    st.tuples(st.just("gone"), paths),
    st.tuples(st.just("renamed"), paths, paths),
)
losses = st.one_of(
    st.tuples(st.just("compaction"), st.lists(st.sampled_from(CALLS), max_size=2), st.booleans(), headers),
    st.tuples(st.just("elided"), st.lists(st.sampled_from(CALLS), max_size=2), headers),
    st.tuples(st.just("cleared"), headers),
    st.tuples(st.just("usage"), st.lists(st.sampled_from([0, 79, 80, 89, 90, 100]), min_size=1, max_size=3), headers),
    st.tuples(st.just("usage"), st.just([100, 10]), headers),
)
words = st.one_of(
    st.tuples(st.sampled_from(["prompt", "answer", "tool", "turn", "thought"]), headers),
    st.tuples(st.sampled_from(["sealed", "weighed"]), headers),
    st.tuples(st.just("counted"), st.sampled_from([0, 1, 7, 100]), st.booleans(), headers),
    st.tuples(
        st.just("recall"),
        st.lists(st.tuples(nodes, st.sampled_from(["name", "signature", "skeleton", "body"])), max_size=3),
        st.integers(0, 2),
        headers,
    ),
)
wide = st.lists(st.one_of(deliveries, deliveries, changes, losses, words), max_size=16)
main = st.sampled_from([{"host": "claude-code", "session": "s", "call": call} for call in CALLS])
short = st.tuples(st.integers(1, 14), st.integers(0, 3)).map(lambda span: (span[0], span[0] + span[1]))
looks = st.tuples(st.just("look at"), st.just("a.py"), short, main)
close = st.lists(
    st.one_of(
        looks,
        looks,
        st.tuples(st.just("ingest"), st.just("a.py"), sources, st.just({})),
        st.tuples(st.just("look at all of"), st.just("a.py"), main),
        st.tuples(st.just("edit"), st.just("a.py"), sources, main),
        st.tuples(st.just("compaction"), st.lists(st.sampled_from(CALLS), min_size=1, max_size=2), st.just(True), main),
    ),
    max_size=12,
)
stories = st.one_of(wide, close)
"""Of all that may happen; and of one file that one context looks at again and again while others change it."""
MAIN = {"host": "claude-code", "session": "s"}
ITS_END_WAS_SEEN: list[tuple[Any, ...]] = [
    ("withheld", "a.py", "read", MAIN),
    ("look at", "a.py", (1, 1), MAIN),
    ("renamed", "b.py", "a.py"),
]
"""Of a file nobody knows, an empty line is shown that may be its end; then there is more before that."""
WRITTEN_AGAIN: list[tuple[Any, ...]] = [
    ("ingest", "a.py", BLOCKS[3], {}),
    ("edit", "a.py", f"{BLOCKS[0]}\n{BLOCKS[3]}", (1, 1), MAIN),
]
"""An edit puts something before what it leaves as it was, and shows both."""
BETWEEN: list[tuple[Any, ...]] = [
    ("ingest", "a.py", "x = 1\nB = 1\ny = 1", {}),
    ("edit", "a.py", "x = 2\nB = 1\ny = 2", (1, 3), MAIN),
]
"""An edit shows what it left as it was between two lines it changed."""
AGAIN = f"{BLOCKS[0]}\n" * 4
EDITED_TO_NO_EFFECT: list[tuple[Any, ...]] = [
    ("ingest", "a.py", "", {}),
    ("look at", "a.py", (1, 1), MAIN),
    ("ingest", "a.py", AGAIN, {}),
    ("edit", "a.py", AGAIN, MAIN),
    ("ingest", "a.py", "", {}),
]
"""An edit that changes nothing tells nothing: what was told before that counts when the file is that again."""
ITS_END_WAS_FOUND: list[tuple[Any, ...]] = [
    ("ingest", "a.py", "", {}),
    ("edit", "a.py", BLOCKS[0], (1, 1), MAIN),
    ("ingest", "a.py", BLOCKS[0], {}),
    ("ingest", "a.py", AGAIN, {}),
]
"""What a context knows by parts turns out to be all of the file, without a word to it; then there is more behind it."""
TWO_PLACES_AT_ONCE: list[tuple[Any, ...]] = [
    ("ingest", "a.py", AGAIN, {}),
    ("edit", "a.py", BLOCKS[0], (3, 3), MAIN),
    ("ingest", "a.py", AGAIN, {}),
    ("look at", "a.py", (1, 3), MAIN),
]
"""The same lines are missed at two places: to see what stands at the one says nothing of the other."""
OPS = {"answer": "prompt", "elided": "compaction", "sealed": "thought", "weighed": "thought"}
"""Events that are ops of another name."""
in_whole = st.lists(
    st.one_of(
        st.tuples(st.just("read"), paths, sources, headers),
        st.tuples(st.just("look at all of"), paths, headers),
        changes,
    ),
    max_size=12,
)


def ops_of(tale: Tale, event: tuple[Any, ...]) -> list[Op]:
    """The ops an event is."""
    kind, header = event[0], event[-1] if isinstance(event[-1], dict) else {}
    if kind in ("read", "edit", "write", "ingest"):
        part = {"slice": list(event[3])} if len(event) == 5 else {}
        content = tale.facts.keep(event[2])
        return [{"kind": "seen", "how": kind, "path": event[1], "content": content, **part, **header}]
    if kind.startswith("look at"):
        return look(tale, event[1], event[2] if kind == "look at" else (1, 2**62), header)
    if kind == "withheld":
        return [{"kind": "seen", "how": event[2], "path": event[1], "withheld": "ccosignore", **header}]
    if kind == "usage":
        return [{"kind": kind, "window": window, **header} for window in event[1]]
    if kind == "counted":
        model = "claude-sonnet-4-5" if event[2] else "claude-opus-4-5"
        return [{"kind": "usage", "window": 100, "thinking": event[1], "model": model, **header}]
    return [{"kind": OPS.get(kind, kind), **fields(tale, event), **header}]


def fields(tale: Tale, event: tuple[Any, ...]) -> Op:
    kind, about = event[0], event[1:]
    if kind == "renamed":
        return {"path": about[0], "to": about[1]}
    if kind == "gone":
        return {"path": about[0]}
    if kind == "compaction":
        return {"trigger": "auto", "kept": about[0], "exact": about[1], "summary": tale.facts.keep("what was done")}
    if kind == "elided":
        return {"trigger": "auto", "kept": about[0], "exact": True}
    if kind == "recall":
        items = [[node, level, 9] for node, level in about[0]]
        return {"items": items, "computed_at": max(0, len(tale.ops) - about[1])}
    if kind in ("prompt", "answer"):
        channel = {"channel": kind} if kind == "answer" else {}
        return {"said": tale.facts.keep("go on"), "source": "user", **channel}
    if kind in ("turn", "thought"):
        return {"said": tale.facts.keep("I look into the words of the invoice.")}
    if kind == "tool":
        arguments = tale.facts.keep('{"path":"a.py"}')
        return {"name": "read", "outcome": "ok", "arguments": arguments, "result": tale.facts.keep("nothing")}
    return {"sealed": {"sealed": True}, "weighed": {"sealed": True, "tokens": 40}}.get(kind, {})


def look(tale: Tale, path: str, span: tuple[int, int], header: Op) -> list[Op]:
    """Some lines of a file as it is are read."""
    if path not in tale.world.graph.files:
        return []
    lines = tale.source(path).text.split("\n")
    first, last = min(span[0], len(lines)), min(span[1], len(lines))
    content = tale.facts.keep("\n".join(lines[first - 1 : last]))
    return [{"kind": "seen", "how": "read", "path": path, "content": content, "slice": [first, last], **header}]


def tell(tale: Tale, reference: Reference, story: list[tuple[Any, ...]]) -> None:
    for event in story:
        for op in ops_of(tale, event):
            reference.tell(tale, op)


def items(tale: Tale) -> list[str]:
    """Everything that may be held: what is there, what is held, and some that isn't."""
    there = [node for nesting in tale.world.graph.files.values() for node in nesting.places]
    held = [item for context in CONTEXTS for item in tale.world.hosts.held(context).items()]
    return list(dict.fromkeys([*there, *held, "sym:a.py#f", "sym:b.py#A.g", "file:c.py", "result:1", "memory:a.py"]))


def standings(tale: Tale) -> dict[tuple[Context, str], Any]:
    return {(context, item): tale.world.hosts.held(context).state(item) for context in CONTEXTS for item in items(tale)}


@settings(deadline=None)
@example(ITS_END_WAS_SEEN)
@example(WRITTEN_AGAIN)
@example(BETWEEN)
@example(EDITED_TO_NO_EFFECT)
@example(ITS_END_WAS_FOUND)
@example(TWO_PLACES_AT_ONCE)
@given(stories)
def test_every_item_stands_as_it_does_when_worked_out_anew(story: list[tuple[Any, ...]]) -> None:
    tale, reference = Tale(FILES), Reference()
    for at, event in zip(count(), story):
        tell(tale, reference, [event])
        for (context, item), standing in standings(tale).items():
            assert standing == reference.state(tale, context, item), (at, event, context, item)


@settings(deadline=None)
@given(stories)
def test_whatever_stands_otherwise_was_said_to_have_moved(story: list[tuple[Any, ...]]) -> None:
    tale, reference = Tale(FILES), Reference()
    for event in story:
        before = standings(tale)
        tale.world.hosts.moved.clear()
        tell(tale, reference, [event])
        after = standings(tale)
        nothing = (OUT, 0, 0)
        differ = [key for key in {**before, **after} if before.get(key, nothing) != after.get(key, nothing)]
        moved = tale.world.hosts.moved
        assert [key for key in differ if key[1] not in moved.get(key[0], ())] == [], event


@settings(deadline=None)
@example(ITS_END_WAS_FOUND, 3)
@given(stories, st.integers(0, 16))
def test_replayed_and_gone_on_from_a_baseline_it_is_the_same(story: list[tuple[Any, ...]], at: int) -> None:
    whole, head = Tale(FILES), Tale(FILES)
    tell(whole, Reference(), story)
    tell(head, Reference(), story[:at])
    body = canonical(saved(head.world))
    other = Tale()
    other.facts, other.ops, other.world = whole.facts, list(head.ops), new_world()
    restore(other.world, parsed(body), whole.facts)
    assert canonical(saved(other.world)) == body
    assert standings(other) == standings(head)
    tell(other, Reference(), story[at:])
    assert standings(other) == standings(whole)
    assert told(other.world) == told(whole.world) == told(replayed(whole))


@settings(deadline=None)
@given(in_whole)
def test_what_was_read_in_whole_is_in_or_stale_by_its_own_text(story: list[tuple[Any, ...]]) -> None:
    """Told otherwise than by lines: a node is in as long as it reads as it did, and else it is stale."""
    tale, known = Tale(FILES), dict[tuple[Context, str], dict[str, str]]()
    for op in (op for event in story for op in ops_of(tale, event)):
        there = op.get("path") in tale.world.graph.files
        tale.tell(op)
        if op["kind"] == "renamed" and there and op["path"] != op["to"]:
            for context in CONTEXTS:
                if (texts := known.pop((context, op["path"]), None)) is not None:
                    known[context, op["to"]] = {
                        node.replace(op["path"], op["to"]): text for node, text in texts.items()
                    }
        elif op.get("how") == "read":
            context = op.get("host", ""), op.get("session", ""), op.get("context", "")
            known[context, op["path"]] = texts_of(tale, op["path"])
        for (context, path), texts in known.items():
            now = texts_of(tale, path)
            for node, text in texts.items():
                state = tale.world.hosts.held(context).state(node)
                assert state.state == (IN if now.get(node) == text else STALE), (node, path)
                assert state.state == STALE or state.tokens == by_size(len(text.encode()) + 1)


def texts_of(tale: Tale, path: str) -> dict[str, str]:
    """Node → what it reads now."""
    if path not in tale.world.graph.files:
        return {}
    source, nesting = tale.source(path), tale.world.graph.files[path]
    spans = {node: source.span(symbol) for node, symbol in nesting.places.items()}
    return {node: "\n".join(source.lines[first - 1 : last]) for node, (first, last) in spans.items()}


@settings(deadline=None)
@given(stories, paths, st.sampled_from(CONTEXTS))
def test_whoever_reads_all_of_a_file_holds_all_of_it(story: list[tuple[Any, ...]], path: str, context: Context) -> None:
    tale = Tale(FILES)
    tell(tale, Reference(), story)
    tell(tale, Reference(), [("ingest", path, BLOCKS[5], {})])
    host, session, name = context
    tell(tale, Reference(), [("look at all of", path, {"host": host, "session": session, "context": name})])
    held = tale.world.hosts.held(context)
    assert {held.state(node).state for node in tale.world.graph.files[path].places} == {IN}


@settings(deadline=None)
@given(stories, st.sampled_from(CONTEXTS))
def test_nothing_is_in_that_was_never_delivered(story: list[tuple[Any, ...]], context: Context) -> None:
    """Every line of what is in was in something this context was told since it forgot all."""
    tale, seen = Tale(FILES), set[str]()
    for op in (op for event in story for op in ops_of(tale, event)):
        tale.tell(op)
        if (op.get("host", ""), op.get("session", ""), op.get("context", "")) == context:
            if op["kind"] == "cleared":
                seen.clear()
            elif op["kind"] == "seen" and "content" in op:
                seen.update(tale.facts.contents[op["content"]["blob"]].split("\n"), [""])
            elif op["kind"] == "recall":
                return
        for path in tale.world.graph.files:
            for node, text in texts_of(tale, path).items():
                state = tale.world.hosts.held(context).state(node).state
                assert state not in (IN, PATCHED) or set(text.split("\n")) <= seen | {""}, node


def page(path: str, text: str) -> Page:
    language = language_of(path)
    outline = parse.outline(language, text.encode()) if language is not None else None
    assert outline is not None
    return page_of(Nesting(path, outline), text, text, False)


@settings(deadline=None)
@given(sources, sources)
def test_lines_that_are_alike_read_alike_and_no_line_is_two(after: str, before: str) -> None:
    now, then = page("a.py", after), page("a.py", before)
    blocks = alike(now, then)
    pairs = [(first + at, begins + at) for first, begins, size in blocks for at in range(size)]
    assert all(now.lines[line - 1] == then.lines[was - 1] for line, was in pairs)
    assert [line for line, _ in pairs] == sorted({line for line, _ in pairs})
    assert len({was for _, was in pairs}) == len(pairs)
    if after == before:
        assert pairs == [(line, line) for line in range(1, now.size + 1)]
    known = dict(pairs)
    for node, (first, last) in now.nodes.items():
        begins, ends = then.nodes.get(node, (1, 0))
        if now.lines[first - 1 : last] == then.lines[begins - 1 : ends]:
            assert [known.get(line) for line in range(first, last + 1)] == list(range(begins, ends + 1)), node


@settings(deadline=None)
@given(st.lists(st.sampled_from(["a", "ab", "", "é", "b "])).map("\n".join), st.integers(-1, 9), st.data())
def test_a_page_has_the_lines_that_stand_on_it(text: str, first: int, data: st.DataObject) -> None:
    lines = text.split("\n")
    size = data.draw(st.integers(1, 4))
    there = "\n".join(lines[max(0, first - 1) : first - 1 + size])
    said = data.draw(st.one_of(st.just(there), st.sampled_from(["a", "a\nb", "", "\n", "ab"])))
    here = lines[first - 1 : first - 1 + said.count("\n") + 1] if first >= 1 else []
    assert page("a.py", text).has(first, said) == (here == said.split("\n"))
