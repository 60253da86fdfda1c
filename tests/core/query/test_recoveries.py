"""`recoveries`: each failure with the edits and runs up to the step that ended it, or that it fails still."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ccos_core.present.rows import View
from ccos_core.query.recoveries import LISTED_TRIES, Recoveries, Recovery, recoveries
from ccos_core.query.step_outline import outline_of
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.growth import lines_at_most

ONE, TWO = "file:api.py", "file:store.py"


def asked(tale: Tale, at: int | None = None, *, calls: bool = False) -> Recoveries:
    timeline = timeline_of(tale)
    answer: Recoveries = ask(timeline, "recoveries", timeline.head if at is None else at, calls=calls)
    return answer


def fail(tale: Tale, test: str, node: str = ONE) -> int:
    tale.fail(node, test=test)
    return len(tale.ops)


def edit(tale: Tale, path: str = "api.py") -> int:
    tale.edit(path, INVOICES[path] + f"# {len(tale.ops)}\n")
    return len(tale.ops)


def call(tale: Tale, command: str, outcome: str) -> None:
    said = tale.facts.keep(json.dumps({"command": command}))
    tale.tell({"kind": "tool", "name": "Bash", "outcome": outcome, "arguments": said})


def test_what_was_tried_stands_between_the_first_failing_run_and_the_end() -> None:
    tale = Tale(INVOICES)
    first = fail(tale, "test_due")
    tried = [edit(tale), edit(tale, "store.py")]
    again = fail(tale, "test_due")
    last = edit(tale)
    end = len(tale.works(ONE).ops)
    edit(tale)
    (told,) = asked(tale).failures
    assert (told.name, told.state, told.since, told.ended) == ("test_due", "ended", first, end)
    assert [(each.step, each.kind) for each in told.tries] == [
        (tried[0], "edit"), (tried[1], "edit"), (again, "run"), (last, "edit")
    ]  # fmt: skip
    assert asked(tale, first).failures[0].state == "failing"
    assert asked(tale, last).failures[0].state == "rerun due"
    assert asked(tale, again).failures[0].tries[-1].step == again


def test_the_last_edit_of_its_file_before_it_failed_is_named() -> None:
    tale = Tale(INVOICES)
    known = edit(tale)
    other = edit(tale, "store.py")
    fail(tale, "test_due", ONE)
    tale.tell({"kind": "failed", "runner": "user", "test": "test_else", "sites": [["gone.py", 3]]})
    edit(tale)
    found = {each.name: each.before for each in asked(tale).failures}
    assert found["test_due"] is not None
    assert found["test_due"].step == known
    assert found["test_else"] is not None
    assert found["test_else"].step == other
    shown = [row.text.split()[:3] for row in asked(tale).as_rows(View(100))]
    assert shown.index(["edited", "step", str(known)]) + 1 == shown.index(["failed", "step", str(other + 1)])


def test_an_edit_outside_the_project_is_no_attempt() -> None:
    tale = Tale(INVOICES)
    fail(tale, "test_due")
    tale.edit("~/.claude/plans/due.md", "# Plan\n")
    call(tale, "make deploy", "error")
    tale.edit("/tmp/notes.md", "first\n")
    call(tale, "make deploy", "ok")
    failure, deploy = asked(tale, calls=True).failures
    assert (failure.state, failure.tries) == ("failing", ())
    assert (deploy.state, deploy.tries) == ("ended", ())
    changed = edit(tale.prompt())
    failure, _ = asked(tale, calls=True).failures
    assert (failure.state, [each.step for each in failure.tries]) == ("rerun due", [changed])


def test_of_many_attempts_the_ends_are_kept() -> None:
    tale = Tale(INVOICES)
    fail(tale, "test_due")
    tried = [
        (fail(tale, "test_due"), "run") if turn % 3 == 1 else (edit(tale), "edit") for turn in range(3 * LISTED_TRIES)
    ]
    (told,) = asked(tale).failures
    half = LISTED_TRIES // 2
    assert [(each.step, each.kind) for each in told.tries] == [*tried[:half], *tried[-half:]]
    assert told.tries_more == len(tried) - LISTED_TRIES


def test_a_thousand_live_failures_do_not_each_walk_the_session() -> None:
    tale = Tale(INVOICES)
    for turn in range(300):
        fail(tale, f"test_{turn}")
        edit(tale)
    timeline = timeline_of(tale)
    outline_of(timeline)
    with lines_at_most(1_000 * timeline.head):
        found = recoveries(timeline, timeline.head, calls=False).failures
    assert len(found) == 300


def test_failures_that_begin_and_end_together_are_one_entry() -> None:
    tale = Tale(INVOICES)
    for name in ("test_a", "test_b", "test_c"):
        fail(tale, name)
    edit(tale)
    tale.works()
    fail(tale, "test_d", TWO)
    live, *over = asked(tale).failures
    assert (live.name, live.state) == ("test_d", "failing")
    assert sorted(name for each in over for name in (each.name, *each.others)) == ["test_a", "test_b", "test_c"]


def test_failures_of_one_run_are_counted_one_by_one() -> None:
    together = Recovery(
        "failure", "test_a", "pytest", ("test_b", "test_c"), "", "failing", 1, "", 1, None, "", None, (), 0
    )
    answer = Recoveries(9, (together, replace(together, name="test_d", others=())))
    said = [row.text for row in answer.as_rows(View(100))]
    assert said[0] == "at step 9: 4 failing now"
    assert said[2] == "failures (4), in 2 groups that began and ended together"


def test_a_call_that_failed_is_over_when_it_succeeds() -> None:
    tale = Tale(INVOICES)
    call(tale, "make deploy", "error")
    failed = len(tale.ops)
    tale.tell({"kind": "prompt", "said": tale.facts.keep("go on"), "source": "user"})
    changed = edit(tale)
    call(tale, "make deploy", "ok")
    call(tale, "rm x", "error")
    assert asked(tale).failures == ()
    waiting, over = asked(tale, calls=True).failures
    assert (over.kind, over.since, over.ended, over.state) == ("call", failed, changed + 1, "ended")
    assert [each.step for each in over.tries] == [changed]
    assert (waiting.state, waiting.ended) == ("not tried again", None)


def test_the_rows_name_the_steps() -> None:
    tale = Tale(INVOICES)
    first = fail(tale, "test_due")
    steps = [edit(tale) for _ in range(9)]
    answer = asked(tale)
    text = "\n".join(row.text for row in answer.as_rows(View(100)))
    assert "1 not run again since a change" in text
    assert "and 3 more attempts" in text
    assert f"not run again since step {first}" in text
    assert {row.leads.step for row in answer.as_rows(View(100, full=True)) if row.leads} == {first, *steps}


ACTS = st.lists(st.tuples(st.sampled_from(["fail", "edit", "pass"]), st.sampled_from(["a", "b"])), max_size=14)


@given(ACTS, st.integers(0, 18))
def test_it_agrees_with_failures(acts: list[tuple[str, str]], at: int) -> None:
    tale = Tale(INVOICES)
    for kind, name in acts:
        if kind == "fail":
            fail(tale, name, ONE if name == "a" else TWO)
        elif kind == "edit":
            edit(tale)
        else:
            tale.works(ONE if name == "a" else TWO)
    at = min(at, len(tale.ops))
    known: Any = ask(timeline_of(tale), "failures", at, all=True)
    told = asked(tale, at).failures
    listed = sorted((name, each.ended or 0) for each in told for name in (each.name, *each.others))
    expected = {(each.test, each.ended.step if each.ended else 0) for each in (*known.live, *known.ended)}
    assert set(listed) == expected
    for each in told:
        assert all(each.since < attempt.step < (each.ended or at + 1) for attempt in each.tries)
        assert (each.state == "ended") == (each.ended is not None)
