"""What ops say of a node: against plain sums, and the laws of belief and standing."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.believing import belief
from ccos_core.query.remembered import assertions_of, remembered_until
from ccos_core.replay.timeline import Timeline
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

NODES = ("memo:0123456789abcdef", "memo:fedcba9876543210", "claim:rates are floats", "file:a.py")
MEMO, OTHER_MEMO, CLAIM, FILE = NODES
node = st.sampled_from(NODES)
WAYS = ("explicit", "inline", "test", "outcome", "import")
weight = st.integers(0, 3_000)
evidence = st.builds(
    lambda kind, claim, weight, way: {"kind": kind, "claim": claim, "weight": weight, "way": way},
    st.sampled_from(["supported", "contradicted"]),
    node,
    weight,
    st.sampled_from(WAYS),
)
others = st.one_of(
    evidence,
    st.builds(lambda claim: {"kind": "retracted", "claim": claim}, node),
    st.builds(
        lambda claim, by, how: {"kind": "superseded", "claim": claim, "by": by, "how": how},
        node,
        node,
        st.sampled_from(["replace", "merge", "invert", "refine"]),
    ),
    st.builds(lambda nodes: {"kind": "expired", "nodes": nodes, "policy": "p", "now": 5}, st.lists(node, min_size=1)),
    st.builds(lambda nodes, to: {"kind": "weighed", "nodes": nodes, "weight": to}, st.lists(node, min_size=1), weight),
    st.builds(
        lambda nodes, more: {"kind": "labelled", "nodes": nodes, **more},
        st.lists(node, min_size=1),
        st.sampled_from([{"tags": ["a", "b"]}, {"untagged": ["a"]}, {"privacy": "high"}, {"pinned": True}]),
    ),
    st.builds(
        lambda nodes, kind: {"kind": kind, "nodes": nodes}, st.just([MEMO]), st.sampled_from(["paged_in", "paged_out"])
    ),
)
remembered = st.builds(
    lambda memo, cls, more: {"kind": "remembered", "memo": memo, "class": cls, **more},
    st.sampled_from([MEMO, OTHER_MEMO]),
    st.sampled_from(["preference", "todo"]),
    st.sampled_from([{}, {"inferred": True}, {"scope": "user", "tags": ["b"]}]),
)


def told(ops: list[dict[str, Any]]) -> Timeline:
    """The timeline of ops; a remembered one says "Use tabs."."""
    tale = Tale()
    for op in ops:
        tale.tell({**op, "words": tale.facts.keep("Use tabs.")} if op["kind"] == "remembered" else op)
    return timeline_of(tale)


@settings(max_examples=40)
@given(st.lists(others | remembered, max_size=12), st.integers(1, 13))
def test_what_stands_at_a_step_depends_on_no_later_op(ops: list[dict[str, Any]], at: int) -> None:
    at = min(at, len(ops) + 1)
    whole, part = told(ops), told(ops[: at - 1])
    for each in NODES:
        assert assertions_of(whole, each, at) == assertions_of(part, each, at)
    assert remembered_until(whole, at) == remembered_until(part, at)
    wanted = [op["memo"] for op in ops[: at - 1] if op["kind"] == "remembered"]
    assert list(remembered_until(whole, at)) == list(dict.fromkeys(wanted))


@given(st.lists(others | remembered, max_size=12))
def test_nothing_comes_back_but_by_an_explicit_op(ops: list[dict[str, Any]]) -> None:
    timeline = told(ops)
    for each in NODES:
        stood = [assertions_of(timeline, each, at).standing for at in range(1, timeline.head + 1)]
        for op, before, after in zip(ops, stood[:-1], stood[1:], strict=True):
            if before != "live" and after == "live":
                is_claim = op.get("claim") == each == CLAIM and op.get("way") == "explicit"
                assert is_claim or (op.get("memo") == each and not op.get("inferred"))
            if after != before and after != "live":
                assert op["kind"] == after


@given(st.lists(st.tuples(others | remembered, st.sampled_from(["user", "agent", "tool"])), max_size=10))
def test_only_a_person_changes_how_a_statement_of_the_user_stands(said: list[tuple[dict[str, Any], str]]) -> None:
    first = {"kind": "remembered", "memo": MEMO, "class": "preference", "actor": "user"}
    ops = [first, *({**op, "actor": actor} for op, actor in said)]
    found = assertions_of(told(ops), MEMO, len(ops) + 1)
    own = assertions_of(told([op for op in ops if op["actor"] == "user"]), MEMO, len(ops) + 1)
    for name in ("standing", "by", "how", "paged", "weight", "cls", "scope", "author", "text"):
        assert getattr(found, name) == getattr(own, name)
    assert own.objection is None
    if found.objection is not None:
        objecting = ops[found.objection.step - 2]
        assert (objecting["kind"], objecting["actor"]) == (found.objection.kind, found.objection.actor)
        assert objecting["actor"] != "user"


@given(st.lists(evidence, max_size=8), st.randoms())
def test_belief_is_symmetric_in_the_order_of_evidence(ops: list[dict[str, Any]], chance: Any) -> None:
    shuffled = list(ops)
    chance.shuffle(shuffled)
    one, other = told(ops), told(shuffled)
    for each in NODES:
        first, second = belief(one, one.head, each), belief(other, other.head, each)
        assert (first is None) == (second is None)
        if first is not None and second is not None:
            assert (first.belief, first.tension) == (second.belief, second.tension)


@given(st.lists(evidence, min_size=1, max_size=8))
def test_with_one_side_there_is_no_tension(ops: list[dict[str, Any]]) -> None:
    timeline = told([{**op, "kind": ops[0]["kind"]} for op in ops])
    for each in NODES:
        found = belief(timeline, timeline.head, each)
        assert found is None or found.tension == 0


@given(st.lists(others | remembered, max_size=10), node, weight, st.sampled_from(WAYS))
def test_one_more_helpful_never_lowers(ops: list[dict[str, Any]], of: str, weight: int, way: str) -> None:
    timeline = told([*ops, {"kind": "supported", "claim": of, "weight": weight, "way": way}])
    before, after = (belief(timeline, at, of) for at in (timeline.head - 1, timeline.head))
    assert after is not None
    assert after.belief >= (before.belief if before is not None else 0)
    sides = [assertions_of(timeline, of, at) for at in (timeline.head - 1, timeline.head)]
    assert sides[1].confirmed >= sides[0].confirmed
    assert len(sides[1].evidence) == len(sides[0].evidence) + 1


def test_it_tells_how_a_node_is_filed_and_by_what_it_was_replaced() -> None:
    timeline = told(
        [
            {"kind": "remembered", "memo": MEMO, "class": "note", "inferred": True, "tags": ["style"]},
            {"kind": "remembered", "memo": MEMO, "class": "preference", "scope": "user", "lifetime": 60_000},
            {"kind": "labelled", "nodes": [MEMO], "tags": ["new"], "untagged": ["style"], "privacy": "high"},
            {"kind": "supported", "claim": MEMO, "weight": 1_000, "by": [FILE], "actor": "user"},
            {"kind": "superseded", "claim": MEMO, "by": OTHER_MEMO, "how": "refine"},
        ]
    )
    guess, found = assertions_of(timeline, MEMO, 2), assertions_of(timeline, MEMO, 5)
    assert (guess.cls, guess.inferred, guess.confirmed, guess.tags) == ("note", True, 0, ("style",))
    assert (found.text, found.cls, found.inferred, found.scope) == ("Use tabs.", "preference", False, "user")
    assert (found.tags, found.privacy, found.lifetime, found.confirmed) == (("new",), "high", 60_000, 2)
    assert [(each.step, each.supports, each.by, each.way) for each in found.evidence] == [
        (5, True, (FILE,), "explicit")
    ]
    assert found.standing == "live"
    taken = assertions_of(timeline, MEMO, 6)
    assert (taken.standing, taken.since, taken.by, taken.how) == ("superseded", 6, OTHER_MEMO, "refine")


def test_weak_evidence_brings_no_claim_back() -> None:
    weak = {"kind": "supported", "claim": CLAIM, "weight": 1_000, "way": "test"}
    timeline = told([{**weak, "way": "explicit"}, {"kind": "retracted", "claim": CLAIM}, weak])
    found = belief(timeline, timeline.head, CLAIM)
    assert found is not None
    assert found.standing == "retracted"
