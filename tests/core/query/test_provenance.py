"""`provenance` against a replay's own versions, and against the ops read one by one."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.replay.timeline import Timeline
from ccos_core.state.failures import WHOLE_BITS
from ccos_core.values.sheet import DELIVERED
from tests.core.query.asked import ask
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale, versions_of
from tests.laws.test_folding import NODES, PATHS, stories, told_tale


@settings(deadline=None, max_examples=100)
@given(stories)
def test_each_line_is_known_as_the_fold_knows_it(story: list[tuple[Any, ...]]) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    for path in PATHS:
        told = timeline.sources.versions(path)
        known = versions_of(tale, path)
        assert [version.content for version in told] == [version.content for version in known]
        for mine, theirs in zip(told, known, strict=True):
            sheet = timeline.sources.sheet(path, mine)
            if sheet is None:
                assert not theirs.runs
            else:
                assert sheet.runs == (theirs.runs or ((1, len(sheet.lines), DELIVERED),))


@settings(deadline=None, max_examples=100)
@given(stories, st.integers(0, 40), st.sampled_from(NODES))
def test_it_is_what_the_ops_say(story: list[tuple[Any, ...]], step: int, node: str) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    last = timeline.at(step).last
    world = as_of(tale, last).world
    answer = ask(timeline, "provenance", step, node=node, limit=0)
    assert answer.there == world.is_there(node)
    assert {(each.runner, each.percent, each.said.step) for each in answer.failing} == {
        (key[0], 100 * live.strengths[node] >> WHOLE_BITS, live.step)
        for key, live in world.failures.live.items()
        if node in live.strengths
    }
    noted = [at for at in range(last, 0, -1) if tale.ops[at - 1].get("node") == node]
    if not any(op["kind"] == "renamed" for op in tale.ops[:last]):
        assert [each.step for each in answer.notes] == noted
        assert_seen(tale, timeline, answer, node, last)


def assert_seen(tale: Tale, timeline: Timeline, answer: Any, node: str, last: int) -> None:
    path = node.partition(":")[2].partition("#")[0]
    came = [at for at in range(1, last + 1) if as_of(tale, timeline.at(at).last).world.is_there(node)]
    assert (answer.first is None) == (not came)
    if came:
        assert timeline.at(answer.first.step).last == timeline.at(came[0]).last
    shown = []
    for at in range(last, 0, -1):
        op = tale.ops[at - 1]
        if op["kind"] == "seen" and op["path"] == path:
            slow = as_of(tale, at)
            target = slow.world.graph.find(node)
            if target is not None:
                first, end = slow.source(path).span(target.symbol) if "#" in node else (1, 1 << 40)
                begin, until = op.get("slice", (1, 1 << 40))
                if begin <= end and first <= until:
                    shown.append(at)
    assert [each.op.step for each in answer.sightings] == shown
    versions = versions_of(tale, path, last)
    if "#" not in node:
        assert [each.content for each in answer.editions] == [version.content for version in reversed(versions)]
    else:
        assert len(answer.editions) <= len(versions)
        assert all(each.content in {version.content for version in versions} for each in answer.editions)


def test_a_symbol_has_the_versions_in_which_it_is_another() -> None:
    text = INVOICES["store.py"]
    tale = Tale(INVOICES).edit("store.py", text.replace("return row", "return [row]"))
    tale.edit("store.py", text.replace("return row", "return [row]").replace("due(request)", "due(request, 2)"))
    answer = ask(timeline_of(tale), "provenance", 8, node="sym:store.py#save")
    assert [(each.op.step, [(one.kind, one.count) for one in each.lines]) for each in answer.editions] == [
        (7, [("delivered", 1), ("patched", 1)]),
        (4, [("delivered", 2)]),
    ]
    assert answer.editions_more == 1
    assert answer.first.step == 4


def test_names_notes_and_failures() -> None:
    tale = Tale(INVOICES).tell({"kind": "annotation", "node": "file:dates.py", "note": Tale().facts.keep("odd")})
    tale.facts.keep("odd")
    tale.tell({"kind": "renamed", "path": "dates.py", "to": "days.py"}).fail("sym:days.py#due", test="t")
    answer = ask(timeline_of(tale), "provenance", 9, node="file:days.py")
    assert answer.was == ("file:dates.py",)
    assert [each.step for each in answer.notes] == [7]
    assert [(each.op.step, each.node) for each in answer.editions] == [(8, "file:days.py"), (5, "file:dates.py")]
    failing = ask(timeline_of(tale), "provenance", 9, node="sym:days.py#due").failing
    assert [(each.test, each.felt, each.percent, each.said.step) for each in failing] == [("t", True, 100, 9)]


def test_what_was_withheld_says_so() -> None:
    tale = Tale().tell({"kind": "seen", "how": "read", "path": ".env", "withheld": "secret-path"})
    answer = ask(timeline_of(tale), "provenance", 2, node="file:.env")
    assert [(each.missing, each.lines) for each in answer.editions] == [("secret-path", ())]


def test_each_read_says_why_it_was_needed() -> None:
    """What the window of the reader held just before, and since when."""
    whose = {"host": "h", "session": "s", "call": "c"}
    tale = Tale({"api.py": INVOICES["api.py"]})

    def read(**more: Any) -> int:
        tale.read("api.py", INVOICES["api.py"], **{**whose, **more})
        return len(tale.ops)

    first, again = read(), read()
    tale.edit("api.py", INVOICES["api.py"] + "# by hand\n")
    changed, stale = len(tale.ops), read()
    scouted = read(context="scout")
    tale.tell({"kind": "cleared", "host": "h", "session": "s"})
    lost, out = len(tale.ops), read()
    found = ask(timeline_of(tale), "provenance", len(tale.ops), node="file:api.py", limit=0).sightings
    assert {each.op.step: (each.state, each.since, each.context) for each in found if each.state} == {
        first: ("unborn", 0, ""), again: ("in", first, ""), stale: ("stale", changed, ""),
        scouted: ("unborn", 0, "scout"), out: ("out", lost, ""),
    }  # fmt: skip
