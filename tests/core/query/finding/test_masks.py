"""What a query finds is what looking at every op by itself finds."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.errors import Erased
from ccos_core.ops import epoch
from ccos_core.query.finding import atoms
from ccos_core.query.finding.columns import flagged
from ccos_core.query.finding.found import Found, find
from ccos_core.query.finding.masks import Masks
from ccos_core.query.finding.tree import (
    RELATIVES,
    Compared,
    Flag,
    Pipe,
    Query,
    Relative,
    Span,
    Text,
    Times,
    Tree,
    spelled,
)
from ccos_core.query.telling import told as query_told
from ccos_core.text.boolean import Every, Some, Without
from tests.core.query.finding.slow import holds, known
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import OUTPUTS, PATHS, contexts, stories, tell

TOOLS = ["Bash", "Read", "mcp__db"]
GIVEN = ['{"command":"pytest -q"}', '{"command":"say \\"go\\"","times":[3,null,true]}', "{}"]
START = 1_771_000_000_000
times = st.none() | st.integers(0, 7_200_000).map(lambda millis: START + millis)
calls = st.tuples(st.just("tool"), st.sampled_from(TOOLS), st.sampled_from(["ok", "error", "unknown"]),
                  st.none() | st.sampled_from(GIVEN), st.none() | st.sampled_from(OUTPUTS), contexts)  # fmt: skip
cuts = st.tuples(st.just("cut"), st.sampled_from(["compaction", "cleared"]), contexts)
counts = st.tuples(st.just("usage"), st.integers(0, 9), contexts)
epochs = st.tuples(st.just("epoch"))
more = st.lists(st.tuples(st.integers(0, 25), st.one_of(calls, cuts, counts, epochs), times), max_size=8)


def put(tale: Tale, event: tuple[Any, ...], at: int | None) -> None:
    kind, *about = event
    if kind == "epoch":
        tale.tell({**epoch.current(), **({} if at is None else {"at": at})})
        return
    op: dict[str, Any] = {"kind": kind, **about[-1], **({} if at is None else {"at": at})}
    if kind == "tool":
        name, outcome, given_, result, _ = about
        op |= {"name": name, "outcome": outcome}
        op |= {"arguments": tale.facts.keep(given_)} if given_ else {}
        op |= {"result": tale.facts.keep(result)} if result else {}
    elif kind == "usage":
        op["window"] = about[0]
    elif about[0] == "cleared":
        op["kind"] = "cleared"
    else:
        op |= {"kind": "compaction", "trigger": "auto", "exact": False, "before": 7, "summary": tale.facts.keep("Due")}
    tale.tell(op)


def told(story: list[tuple[Any, ...]], further: list[tuple[int, tuple[Any, ...], int | None]]) -> Tale:
    tale = Tale(INVOICES)
    for at, event in enumerate(story):
        for _, extra, when in [each for each in further if each[0] == at]:
            put(tale, extra, when)
        tell(tale, event)
    for _, extra, when in [each for each in further if each[0] >= len(story)]:
        put(tale, extra, when)
    return tale


names = {
    "kind": st.sampled_from(atoms.KIND_WORDS),
    "tool": st.sampled_from([*TOOLS, "bash", "READ", "none"]),
    "path": st.sampled_from([*PATHS, "py", "none.py"]),
    "outcome": st.sampled_from(atoms.CLOSED["outcome"]),
}
globs = {"tool": st.sampled_from(["m*", "?ash", "B*"]), "path": st.sampled_from(["*.py", "s*", "?ates.py", "/api.*"])}
compared = st.one_of(
    *(
        st.builds(
            Compared, st.just(name), st.sampled_from(["=", "!="]), st.lists(of, min_size=1, max_size=2).map(tuple)
        )
        for name, of in names.items()
    ),
    *(st.builds(Compared, st.just(name), st.just("~"), of.map(lambda one: (one,))) for name, of in globs.items()),
    st.builds(Compared, st.sampled_from(["tokens", "bytes", "epoch", "step"]), st.sampled_from(atoms.ORDERED),
              st.integers(0, 60).map(lambda number: (str(number),))),
)  # fmt: skip
texts = st.builds(
    Text, st.sampled_from(["due", "Due", "KeyError", 'say "go"', "3", "pytest", "handle", "zz"]), st.just(False)
)
patterns = st.builds(Text, st.sampled_from([r"\bdue\b", "^def", "Key|3 passed", r"line \d+$", "go.$"]), st.just(True))
offsets = st.none() | st.sampled_from(["5m", "30m", "1h", "2026-02-13", "2026-02-13T17", "2026-02-13T17:20"])
atom: st.SearchStrategy[Tree] = st.one_of(
    st.sampled_from(list(atoms.FLAGS)).map(Flag),
    compared,
    texts,
    patterns,
    st.tuples(offsets, offsets).filter(any).map(lambda pair: Times(*pair)),
    st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda pair: Span(*pair)),
)
trees: st.SearchStrategy[Tree] = st.recursive(atom, lambda inner: st.one_of(
    st.lists(inner, min_size=2, max_size=3).map(lambda parts: Every(tuple(parts))),
    st.lists(inner, min_size=2, max_size=3).map(lambda parts: Some(tuple(parts))),
    st.builds(Without, inner),
    st.builds(Relative, st.sampled_from(RELATIVES), inner),
), max_leaves=5)  # fmt: skip


def nobody(*_: object) -> Any:
    raise AssertionError("nobody asks for a node here")


@settings(deadline=None)
@given(stories, more, trees, st.integers(0, 40))
def test_it_holds_where_it_holds_for_an_op_by_itself(
    story: list[tuple[Any, ...]], further: list[Any], tree: Tree, at: int
) -> None:
    tale = told(story, further)
    timeline = timeline_of(tale)
    at = min(at, timeline.head)
    fast = Masks(timeline, at, 300, lambda done, total: None).of(tree)
    assert fast.tolist() == holds(tree, known(tale, at, 300, nobody, nobody))


@settings(deadline=None, max_examples=50)
@given(stories, more, trees, st.sampled_from(atoms.GROUPS), st.integers(0, 30))
def test_counts_are_of_the_rows(
    story: list[tuple[Any, ...]], further: list[Any], tree: Tree, by: str, limit: int
) -> None:
    timeline = timeline_of(told(story, further))

    def ask(*pipes: Pipe, limit: int = 0) -> Found:
        expr = spelled(Query(tree, pipes))
        return find(timeline, 3, expr=expr, budget=300, limit=limit, progress=lambda done, total: None)

    rows, count, groups = ask(), ask(Pipe("count")), ask(Pipe("by", by))
    steps = [row.step for row in rows.rows]
    assert steps == sorted(steps)
    assert count.steps == rows.steps == len(steps)
    grouped = sum(group.steps for group in groups.groups)
    assert grouped >= len(steps) if by == "path" else grouped == len(steps)  # a call may be about several files
    assert {group.first for group in groups.groups} <= set(steps)
    assert len({group.name for group in groups.groups}) == len(groups.groups)
    some = ask(limit=limit)
    assert [row.step for row in some.rows] == steps[: limit or None]
    assert some.left_out + len(some.rows) == rows.steps
    assert [row.step for row in ask(Pipe("last", "2")).rows] == steps[-2:]
    assert ask(Pipe("first")).step == (steps[0] if steps else None)
    biggest = [brought(timeline.op(row.step)) for row in ask(Pipe("biggest")).rows]
    assert biggest == sorted((brought(timeline.op(step)) for step in steps), reverse=True)


def test_texts_are_only_looked_at_where_something_is_open() -> None:
    tale = Tale(INVOICES)
    for text in ("a", "b", "c"):
        tale.read("api.py", text)
    timeline = timeline_of(tale)
    asked: list[str] = []
    real = timeline.content
    timeline.content = lambda blob: (asked.append(blob), real(blob))[1]  # type: ignore[method-assign]
    masks = Masks(timeline, 0, 300, lambda done, total: None)
    last = timeline.head
    found = masks.of(Every((Text("c", False), Span(last - 1, last), Some((Span(0, 0), Text("c", False))))))
    assert (np.nonzero(found)[0] + 1).tolist() == [last]
    assert len(asked) == 3  # two for the first look, one for what that left


def brought(op: dict[str, Any]) -> int:
    """What a step put before the agent."""
    if op["kind"] == "seen":
        return 0
    fields = ["result"] if op["kind"] == "tool" else list(op)
    return sum(op[name]["bytes"] for name in fields if isinstance(op.get(name), dict) and "blob" in op[name])


def found_in(tale: Tale, expr: str) -> Found:
    timeline = timeline_of(tale)
    return find(timeline, timeline.head, expr=expr, budget=300, limit=0, progress=lambda done, total: None)


def test_calls_that_read_are_counted_by_what_they_read() -> None:
    tale, who = Tale(), {"host": "h", "session": "s"}
    for call, paths in (("c1", ["a.py", "b.py"]), ("c2", ["a.py"]), ("c3", [])):
        result = tale.facts.keep("x" * 10)
        tale.tell({"kind": "tool", "name": "Read", "outcome": "ok", "result": result, "call": call, **who})
        for path in paths:
            tale.read(path, "x = 1\n", call=call, **who)
    groups = found_in(tale, "tool=Read | by path").groups
    assert {each.name: each.steps for each in groups} == {"a.py": 2, "b.py": 1, "": 1}


def test_the_biggest_are_results_and_not_what_an_edit_wrote() -> None:
    tale = Tale()
    arguments, small, large = (tale.facts.keep("x" * size) for size in (5_000, 10, 900))
    tale.tell({"kind": "tool", "name": "Write", "outcome": "ok", "arguments": arguments, "result": small})
    tale.edit("a.py", "y = 1\n" * 1_000)
    tale.tell({"kind": "tool", "name": "Bash", "outcome": "ok", "result": large})
    rows = found_in(tale, "bytes>0 | biggest").rows
    assert [each.kind for each in rows][:2] == ["tool", "tool"]
    assert rows[0].says.startswith("Bash")


def test_a_prompt_is_what_somebody_typed() -> None:
    tale, who = Tale(), {"host": "h", "session": "s"}
    said = tale.facts.keep("words")
    for source, phase in (("user", ""), ("agent", ""), ("host", ""), ("host", "skill"), ("host", "output")):
        more = {"phase": phase} if phase else {}
        tale.tell({"kind": "prompt", "said": said, "source": source, **more, **who})
    kinds = {
        each: found_in(tale, f"kind={each} | count").steps for each in ("prompt", "task", "notice", "skill", "output")
    }
    assert set(kinds.values()) == {1}
    assert {each.name for each in found_in(tale, "step>1 | by kind").groups} == set(kinds)
    timeline = timeline_of(tale)
    assert [query_told(timeline, step).kind for step in range(2, 7)] == list(kinds)


def test_what_the_user_refused_is_found_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    tale = Tale()
    for result, outcome in (
        ("The user doesn't want to proceed with this tool use. The tool use was rejected.", "error"),
        ("The user doesn't want to proceed with this tool use.", "ok"),
        ("permission denied", "error"),
    ):
        tale.tell({"kind": "tool", "name": "Edit", "outcome": outcome, "result": tale.facts.keep(result)})
    said = tale.facts.keep("not in this file")
    tale.tell({"kind": "prompt", "said": said, "source": "user", "channel": "refusal"})
    tale.tell({"kind": "prompt", "said": said, "source": "user", "channel": "queued"})
    assert [each.step for each in found_in(tale, "refused").rows] == [2, 5]
    timeline = timeline_of(tale)
    read, erased = timeline.content, tale.facts.keep("permission denied")["blob"]

    def content(blob: str) -> bytes:
        if blob == erased:
            raise Erased("erased")
        return read(blob)

    monkeypatch.setattr(timeline, "content", content)
    assert np.flatnonzero(flagged(timeline, Flag("refused"))).tolist() == [1, 4]
