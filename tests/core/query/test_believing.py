"""Belief against a sum over all ops at each step, in fractions; and that each op is read once."""

import tempfile
from fractions import Fraction
from math import floor, isqrt, trunc
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.ops.plain import unseal
from ccos_core.query.believing import KINDS, belief, claims
from ccos_core.replay.timeline import Timeline
from ccos_core.session.lifecycle import init
from ccos_core.session.live import Live
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

CLAIMS = ("claim:rates are floats", "claim:the cart is empty", "claim:a")
SAID = st.one_of(
    st.builds(
        lambda kind, claim, weight, by: {"kind": kind, "claim": claim, "weight": weight, **({"by": by} if by else {})},
        st.sampled_from(["supported", "contradicted"]),
        st.sampled_from(CLAIMS),
        st.integers(0, 5_000) | st.just(1_000),
        st.lists(st.sampled_from(["file:a.py", "claim:a"]), max_size=2, unique=True),
    ),
    st.builds(lambda claim: {"kind": "retracted", "claim": claim}, st.sampled_from(CLAIMS)),
    st.builds(lambda claim, by: {"kind": "superseded", "claim": claim, "by": by}, *[st.sampled_from(CLAIMS)] * 2),
)
OTHER = st.sampled_from(
    [
        {"kind": "usage", "window": 1},
        {"kind": "seen", "path": "a.py", "how": "ingest", "content": "x = 1\n"},
        {"kind": "seen", "path": "b.py", "how": "ingest", "content": "y = 1\n"},
    ]
)


def slowly(ops: list[dict[str, Any]], claim: str) -> list[tuple[int, str, tuple[str, ...], int, int, int]]:
    """What was said of a claim, and after each the sum of all that was said since it was last taken back."""
    found = []
    for step, op in enumerate(ops, 1):
        if op["kind"] not in KINDS or op["claim"] != claim:
            continue
        speaks, against = 0, 0
        for each in ops[:step]:
            if each.get("claim") == claim and each["kind"] in ("retracted", "superseded"):
                speaks, against = 0, 0
            elif each.get("claim") == claim and each["kind"] == "supported":
                speaks += each["weight"]
            elif each.get("claim") == claim and each["kind"] == "contradicted":
                against += each["weight"]
        whole = speaks + against + 1_000
        by = op.get("by", ())
        told = (by,) if isinstance(by, str) else tuple(by)
        sure = trunc(Fraction(speaks - against, whole) * 1_000)
        torn = floor(Fraction(2 * isqrt(speaks * against), whole) * 1_000)
        found.append((step, op["kind"], told, op.get("weight", 0), sure, torn))
    return found


def same(timeline: Any, ops: list[dict[str, Any]], at: int) -> None:
    """That it answers as the sum does."""
    came_up = list(dict.fromkeys(op["claim"] for op in ops[:at] if op["kind"] in KINDS))
    assert claims(timeline, at) == came_up
    for claim in CLAIMS:
        found, expected = belief(timeline, at, claim), slowly(ops[:at], claim)
        if not expected:
            assert found is None
            continue
        assert found is not None
        said = [(each.step, each.kind, each.by, each.weight, each.belief, each.tension) for each in found.trajectory]
        assert said == expected
        assert (found.belief, found.tension) == expected[-1][4:]
        last = expected[-1][1]
        assert found.standing == (last if last in ("retracted", "superseded") else "asserted")
        assert -1_000 < found.belief < 1_000
        assert 0 <= found.tension < 1_000


@given(st.lists(SAID, max_size=12), st.lists(st.integers(0, 14), min_size=1, max_size=4))
def test_it_is_the_sum_of_what_was_said_until_then(said: list[dict[str, Any]], asked: list[int]) -> None:
    tale = Tale()
    for op in said:
        tale.tell(op)
    timeline = timeline_of(tale)
    for at in asked:
        same(timeline, tale.ops, min(at, timeline.head))


@settings(max_examples=30, deadline=None)
@given(st.lists(SAID | OTHER, min_size=1, max_size=10))
def test_what_was_read_isnt_read_again(said: list[dict[str, Any]]) -> None:
    """While the record goes on, in the middle of a look too, of which some is taken back."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "work.ccos")
        init(path)
        live = Live(path, folder)
        for each in said:
            live.tell([each])
            live.keep_up()
            ops = [unseal(body) for _, _, body in live.session.recorded.rows()]
            with patch.object(Timeline, "op", autospec=True, side_effect=Timeline.op) as read:
                same(live.desk.timeline, ops, live.head)
            assert [call.args[1] for call in read.call_args_list] == ([live.head] if each["kind"] in KINDS else [])
        live.close()


@given(st.lists(SAID, min_size=1, max_size=8), st.integers(1, 9))
def test_what_a_look_takes_back_is_read_anew(said: list[dict[str, Any]], left: int) -> None:
    tale = Tale()
    for op in said:
        tale.tell(op)
    timeline = timeline_of(tale)
    same(timeline, tale.ops, timeline.head)
    timeline.journal.growing("assertions", list).cut({"steps": left})
    same(timeline, tale.ops, timeline.head)


def test_nobody_reads_further_than_they_ask() -> None:
    tale = Tale()
    for claim in CLAIMS:
        tale.tell({"kind": "supported", "claim": claim, "weight": 1_000})
    timeline = timeline_of(tale)
    for at, known in ((2, 1), (1, 0), (4, 3), (3, 2)):
        with patch.object(Timeline, "op", autospec=True, side_effect=Timeline.op) as read:
            assert claims(timeline, at) == list(CLAIMS[:known])
            assert belief(timeline, 2, CLAIMS[1]) is None
        assert [call.args[1] for call in read.call_args_list] == {2: [2], 4: [3, 4]}.get(at, [])
