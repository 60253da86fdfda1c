"""The steps of a reflection, each alone: limits hold whatever a reflector returns, and nothing unborne is accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.learn.reflecting import (
    ACCEPT,
    ACCEPT_WITH_CAUTION,
    ADD,
    CAUTION_TAG,
    DAY_MILLIS,
    DEPRECATE,
    HARMFUL,
    HELPFUL,
    KINDS_OF_DELTAS,
    MERGE,
    MOST_DELTAS,
    MOST_ROUNDS,
    REJECT,
    REPLACE,
    Delta,
    KnownRule,
    Source,
    curate,
    find_unprocessed,
    reflect,
    validate,
)

NOW = 100 * DAY_MILLIS
OLD, NEW = "memo:0000000000000001", "memo:0000000000000002"
KNOWN = {OLD: KnownRule("live", frozenset({"s1"}))}
DELTAS = st.builds(
    Delta,
    kind=st.sampled_from((*KINDS_OF_DELTAS, "rewrite")),
    memo=st.sampled_from((OLD, NEW)),
    words=st.sampled_from(("", "Run make.", "x" * 700)),
    cls=st.sampled_from(("rule", "anti-pattern", "law")),
    targets=st.lists(st.sampled_from((OLD, "memo:none")), max_size=2).map(tuple),
    sessions=st.lists(st.sampled_from(("s1", "s2", "s3")), max_size=3).map(tuple),
    steps=st.integers(0, 2),
    established=st.booleans(),
)


def source(session: str, last: int = 10, ended: int | None = NOW, host: str = "codex") -> Source:
    return Source(host, session, f"/{session}", last, ended)


def test_a_session_is_read_once_and_again_when_it_has_grown() -> None:
    cursors = {("codex", "a"): 10, ("codex", "b"): 9}
    chosen, left = find_unprocessed([source("a"), source("b"), source("c")], cursors, NOW)
    assert [each.session for each in chosen] == ["b", "c"]
    assert [(each.session, why) for each, why in left] == [("a", "read before")]


def test_old_sessions_other_agents_and_those_beyond_the_cap_are_left_out_with_a_reason() -> None:
    some = [source("old", ended=NOW - 8 * DAY_MILLIS), source("other", host="x"), source("one"), source("two")]
    chosen, left = find_unprocessed([*some, source("untimed", ended=None)], {}, NOW, limit=2, agents={"codex"})
    assert [each.session for each in chosen] == ["one", "two"]
    reasons = {each.session: why for each, why in left}
    assert reasons == {
        "old": "older than 7 days", "other": "its agent isn't allowed", "untimed": "beyond the first 2"
    }  # fmt: skip
    assert len(find_unprocessed(some, {}, NOW, days=9)[0]) == 4


def test_a_reflector_that_never_stops_is_cut_off() -> None:
    calls = []

    def endless(_: Sequence[Delta]) -> Iterator[Delta]:
        calls.append(1)
        return (Delta(ADD, f"memo:{number}") for number in count())

    assert len(reflect(endless)) == MOST_DELTAS
    assert len(calls) == 1


def test_a_reflector_that_repeats_itself_is_cut_off() -> None:
    calls = []

    def same(_: Sequence[Delta]) -> Iterator[Delta]:
        calls.append(1)
        return (Delta(ADD, OLD) for _ in count())

    assert len(reflect(same)) == 1
    assert len(calls) == 2


def test_a_reflector_is_asked_three_times_at_most() -> None:
    calls = []

    def slow(so_far: Sequence[Delta]) -> list[Delta]:
        calls.append(1)
        return [Delta(ADD, f"memo:{len(so_far)}")]

    assert len(reflect(slow)) == MOST_ROUNDS == len(calls)


def test_deltas_that_do_the_same_are_one() -> None:
    assert Delta(MERGE, NEW, targets=("a", "b")).key == Delta(MERGE, OLD, targets=("b", "a")).key
    assert Delta(REPLACE, NEW, targets=("a",)).key != Delta(REPLACE, OLD, targets=("a",)).key
    assert Delta(HELPFUL, OLD, sessions=("s1",)).key != Delta(HELPFUL, OLD, sessions=("s2",)).key


@pytest.mark.parametrize(
    ("delta", "verdict"),
    [
        (Delta(ADD, NEW, "Run make.", sessions=("a", "b", "c"), steps=3), ACCEPT),
        (Delta(ADD, NEW, "Run make.", sessions=("a", "b"), steps=2), ACCEPT_WITH_CAUTION),
        (Delta(ADD, NEW, "Run make.", sessions=("a", "a"), steps=2), REJECT),
        (Delta(ADD, NEW, "Run make.", sessions=("a", "b")), REJECT),
        (Delta(ADD, NEW, "Run make.", established=True), ACCEPT),
        (Delta(ADD, OLD, "Run make.", sessions=("a", "b", "c"), steps=3), REJECT),
        (Delta(HELPFUL, OLD, sessions=("s2",), steps=1), ACCEPT),
        (Delta(HELPFUL, NEW, sessions=("s2",), steps=1), REJECT),
        (Delta(DEPRECATE, OLD, sessions=("s2",), steps=1), ACCEPT),
        (Delta(MERGE, NEW, "Run make.", sessions=("a", "b", "c"), steps=3), REJECT),
        (Delta("rewrite", NEW, "Run make.", sessions=("a", "b", "c"), steps=3), REJECT),
    ],
)
def test_the_evidence_decides(delta: Delta, verdict: str) -> None:
    found = validate(delta, KNOWN)
    assert found.verdict == verdict
    assert found.reason


def test_a_rule_that_was_taken_back_stays_so() -> None:
    known = {OLD: KnownRule("retracted", frozenset())}
    assert validate(Delta(HELPFUL, OLD, sessions=("s2",), steps=1), known).verdict == REJECT
    again = Delta(ADD, OLD, "Run make.", sessions=("a", "b", "c"), steps=3)
    assert validate(again, known).verdict == REJECT


@given(DELTAS)
def test_what_is_rejected_writes_nothing_and_what_is_accepted_is_borne_out(delta: Delta) -> None:
    verdict = validate(delta, KNOWN)
    ops = list(curate(verdict))
    assert bool(ops) == (verdict.verdict != REJECT)
    if ops:
        assert delta.established or delta.steps
        new = [op for op in ops if op["kind"] == "remembered"]
        assert len(new) == (delta.kind in (ADD, REPLACE, MERGE))
        assert all(op["inferred"] for op in new)
        assert all((CAUTION_TAG in op["tags"]) == (verdict.verdict == ACCEPT_WITH_CAUTION) for op in new)


def test_each_kind_of_delta_becomes_the_ops_of_the_vocabulary() -> None:
    born = {"words": "Run make.", "sessions": ("a", "b", "c"), "steps": 3}
    shown = ["supported"] * 3
    made = {
        ADD: ["remembered", *shown],
        REPLACE: ["remembered", "superseded", *shown],
        MERGE: ["remembered", "superseded", "superseded", *shown],
    }
    known = {**KNOWN, "memo:0000000000000003": KnownRule("live", frozenset())}
    targets = {ADD: (), REPLACE: (OLD,), MERGE: tuple(known)}
    for kind, kinds in made.items():
        delta = Delta(kind, NEW, targets=targets[kind], **born)  # type: ignore[arg-type]
        assert [op["kind"] for op in curate(validate(delta, known))] == kinds
    for kind, op in {HELPFUL: "supported", HARMFUL: "contradicted", DEPRECATE: "retracted"}.items():
        assert [each["kind"] for each in curate(validate(Delta(kind, OLD, sessions=("s2",), steps=1), known))] == [op]


@pytest.mark.parametrize("standing", ["superseded", "retracted"])
def test_a_part_of_a_rule_that_was_taken_back_is_rejected_with_its_name(standing: str) -> None:
    whole = "After changing `*.go` files, run `mise run fmt`, `mise run lint` and `mise run test`."
    part = "After changing `*.go` files, run `mise run lint` and `mise run test`."
    found = validate(
        Delta(ADD, NEW, part, sessions=("a", "b", "c"), steps=3), {OLD: KnownRule(standing, frozenset(), whole)}
    )
    assert (found.verdict, found.reason) == (REJECT, f"{OLD} says nearly the same and was {standing}")
    other = Delta(ADD, NEW, "Prefer tabs in Makefiles.", sessions=("a", "b", "c"), steps=3)
    assert validate(other, {OLD: KnownRule(standing, frozenset(), whole)}).verdict == ACCEPT
