"""`failures` against a tale told step by step: what lives, what ended when, and how often it was told again."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.query.asked import ask
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories, told_tale


@settings(deadline=None, max_examples=100)
@given(stories, st.integers(0, 40))
def test_failures_are_those_of_every_step(story: list[tuple[Any, ...]], step: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    step = min(step, timeline.head)
    last = timeline.at(step).last
    answer = ask(timeline, "failures", step, all=True)
    world = as_of(tale, last).world
    live = [(each.runner, each.since.step, each.last.step, each.anchor, each.reaches) for each in answer.live]
    assert sorted(live) == sorted(
        (key[0], each.since, each.step, (*each.anchors, "")[0], len(each.strengths))
        for key, each in world.failures.live.items()
    )
    if not any(op["kind"] == "renamed" for op in tale.ops[:last]):
        known = {(each.since.step, each.anchor): each for each in (*answer.live, *answer.ended)}
        ends = {name: (each.renewed, each.ended.step if each.ended else 0) for name, each in known.items()}
        assert ends == slowly(tale, last)


def slowly(tale: Tale, last: int) -> dict[tuple[int, str], tuple[int, int]]:
    """(first step, anchor) → (how often it was told again, when it ended)."""
    found: dict[tuple[int, str], tuple[int, int]] = {}
    known: dict[Any, Any] = {}
    for step in range(1, last + 1):
        live = dict(as_of(tale, step).world.failures.live)
        for key, each in live.items():
            name = each.since, each.anchors[0] if each.anchors else ""
            before = known.get(key)
            if before is None or before.since != each.since:
                found[name] = 0, 0
            elif before.step != each.step:
                found[name] = found[name][0] + 1, 0
        for key, each in known.items():
            name = each.since, each.anchors[0] if each.anchors else ""
            if key not in live or live[key].since != each.since:
                found[name] = found[name][0], step
        known = live
    return found


def test_live_ones_come_first_and_ended_ones_say_by_what() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle", test="one").fail("sym:store.py#load", test="two")
    tale.fail("sym:api.py#handle", test="one")
    tale.tell({"kind": "passed", "runner": "user", "scope": "tests", "tests": ["two"]})
    answer = ask(timeline_of(tale), "failures", 10)
    (live,), (ended,) = answer.live, answer.ended
    assert (live.test, live.since.step, live.last.step, live.renewed, live.ended) == ("one", 7, 9, 1, None)
    assert (ended.test, ended.since.step, ended.ended.step, ended.ended.kind) == ("two", 8, 10, "passed")


def test_a_renamed_failure_stays_one() -> None:
    tale = Tale(INVOICES).fail("sym:dates.py#due").tell({"kind": "renamed", "path": "dates.py", "to": "days.py"})
    tale.prompt().tell({"kind": "renamed", "path": "days.py", "to": "dates2.py"}).fail("sym:dates2.py#due").works()
    for step, live in ((8, 1), (10, 1), (11, 1), (12, 0)):
        answer = ask(timeline_of(tale), "failures", step)
        assert (len(answer.live), len(answer.ended)) == (live, 1 - live)
    (ended,) = answer.ended
    assert (ended.since.step, ended.last.step, ended.renewed, ended.ended.step) == (7, 11, 1, 12)


def test_failing_again_after_a_pass_is_another_failure() -> None:
    tale = Tale(INVOICES).fail("sym:api.py#handle", test="one").works().fail("sym:api.py#handle", test="one")
    answer = ask(timeline_of(tale), "failures", 9)
    assert [(each.since.step, each.ended and each.ended.step) for each in (*answer.live, *answer.ended)] == [
        (9, None),
        (7, 8),
    ]


def test_few_of_what_ended_unless_all_is_asked() -> None:
    tale = Tale(INVOICES)
    for each in range(12):
        tale.fail("sym:api.py#handle", test=f"test {each}")
    timeline = timeline_of(tale.works())
    assert (len(ask(timeline, "failures", 19).ended), ask(timeline, "failures", 19).ended_more) == (8, 4)
    assert len(ask(timeline, "failures", 19, all=True).ended) == 12
