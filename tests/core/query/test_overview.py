"""`overview` against a count of the ops, step by step, and against worlds that are replayed up to each of them."""

from collections.abc import Callable
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ccos_core.present.rows import View
from ccos_core.query.overview import Overview
from ccos_core.replay.measure import Gauge, Reads
from ccos_core.replay.timeline import Timeline
from ccos_core.state.world import World
from ccos_core.values.marks import Mark
from tests.core.query.asked import ask
from tests.core.replay.told import as_of, timeline_of
from tests.core.state.small import INVOICES, Op, Tale
from tests.laws.test_journal import recorded
from tests.laws.test_wild_ops import Event, epoch, wild

MAIN = {"host": "h", "session": "s"}
OTHER = {"host": "h", "session": "t"}
SUB = {**MAIN, "context": "scout"}
CUTS = ("compaction", "cleared")


def every(answer: Overview) -> dict[str, tuple[int, ...]]:
    return {lane.name: lane.steps for lane in answer.lanes}


def ends(answer: Overview) -> list[tuple[int, int]]:
    """The first and the last step of each column."""
    return list(zip(answer.begins, [each - 1 for each in (*answer.begins[1:], answer.last + 1)], strict=True))


# ---- columns ----


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 50))
def test_columns_split_the_steps_evenly_and_leave_none_out(one: int, other: int, columns: int) -> None:
    tale = Tale()
    for _ in range(39):
        tale.tell({"kind": "usage", "window": 1})
    answer = ask(timeline_of(tale), "overview", 3, span=(one, other), columns=columns)
    assert (answer.first, answer.last, answer.head, answer.at) == (min(one, other), max(one, other), 40, 3)
    steps = [step for first, last in ends(answer) for step in range(first, last + 1)]
    assert steps == list(range(answer.first, answer.last + 1))
    sizes = [last - first + 1 for first, last in ends(answer)]
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == min(columns or len(steps), len(steps))
    assert len(answer.heat) == len(answer.held) == len(sizes)


def test_a_span_without_a_step_is_nothing() -> None:
    answer = ask(timeline_of(Tale(INVOICES)), "overview", 0, span=(0, 0))
    assert (answer.first, answer.last, answer.begins, answer.heat, answer.held) == (1, 0, (), (), ())
    assert (answer.hottest, answer.fullest, answer.cliffs) == (None, None, ())
    assert not any(every(answer).values())


# ---- heat ----


@settings(deadline=None, max_examples=60)
@given(wild, st.integers(1, 9))
def test_heat_is_the_best_score_in_reads_of_its_own_step(story: list[Event], columns: int) -> None:
    tale = recorded(story)
    timeline = timeline_of(tale)
    slowly = [hottest(tale, timeline, step) for step in range(1, timeline.head + 1)]
    answer = ask(timeline, "overview", 1, columns=columns)
    assert list(answer.heat) == [max(slowly[first - 1 : last]) for first, last in ends(answer)]
    assert answer.hottest == (slowly.index(max(slowly)) + 1 if any(slowly) else None)


def hottest(tale: Tale, timeline: Timeline, step: int) -> int:
    best, _ = as_of(tale, timeline.at(step).last).world.ranking()
    world: World = as_of(tale, step).world
    return Reads(world.rules.weights, world.unit()).of_score(best)


READ: Event = ("read", "api.py", INVOICES["api.py"], None, {})
PROMPT: Event = ("prompt",)
weighing = st.one_of(
    st.sampled_from([READ, PROMPT, ("fail", "sym:store.py#load")]),
    st.builds(lambda name, value: retune(name, value), st.sampled_from(["read", "half_life"]), st.integers(0, 80)),
    st.builds(lambda tick, half_life: ("op", epoch(tick, half_life)), st.integers(0, 80), st.integers(0, 80)),
)


def retune(name: str, value: int) -> Event:
    return "op", {"kind": "retune", "weights": {name: value}}


RUNS_WILD: list[Event] = [("op", epoch(2**62, 7)), READ, PROMPT, retune("half_life", 1), *[PROMPT] * 12, READ, PROMPT]
"""A clock on which impulses grow until they can't any more, from one that lies between two doublings."""


@settings(deadline=None, max_examples=150)
@given(st.lists(weighing, max_size=20))
@example(RUNS_WILD)
@example([READ, PROMPT, retune("read", 70), PROMPT, ("op", epoch(3, 5)), READ])
def test_a_column_of_scores_is_each_score(story: list[Event]) -> None:
    journal = timeline_of(recorded(story)).journal
    gauge = Gauge(journal)
    each = [gauge.at(step).of_score(best) for step, best in enumerate(journal.steps["best"].tolist(), 1)]
    assert gauge.best().tolist() == each


def test_it_says_what_why_says_of_the_best() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"]).edit("dates.py", "DAYS = 14\n").fail("sym:store.py#load")
    for _ in range(40):
        tale.prompt()
    timeline = timeline_of(tale)
    answer = ask(timeline, "overview", 1, columns=0)
    for step in range(9, timeline.head + 1):
        assert answer.heat[step - 1] == ask(timeline, "why", step, node="sym:store.py#load").suggested.standing.best


# ---- where what happened ----

plain_ops = st.one_of(
    st.builds(lambda window, who: {"kind": "usage", "window": window, **who},
              st.sampled_from([0, 70, 89, 90, 100]), st.sampled_from([MAIN, OTHER, SUB, {}])),
    st.builds(lambda who: {"kind": "cleared", **who}, st.sampled_from([MAIN, OTHER, SUB, {}])),
    st.builds(lambda who: {"kind": "compaction", "trigger": "auto", "before": 500, "exact": False, **who},
              st.sampled_from([MAIN, SUB])),
    st.builds(lambda outcome, who: {"kind": "tool", "name": "Bash", "outcome": outcome, **who},
              st.sampled_from(["ok", "error", "interrupted"]), st.sampled_from([MAIN, SUB])),
    st.builds(lambda test, who: {"kind": "failed", "runner": "user", "test": test, **who},
              st.sampled_from(["one", "two"]), st.sampled_from([MAIN, SUB])),
    st.just({"kind": "passed", "runner": "user", "scope": "all"}),
    st.builds(lambda how, who: {"kind": "seen", "how": how, "path": "a.txt", "withheld": "erased", **who},
              st.sampled_from(["read", "edit", "write", "ingest"]), st.sampled_from([MAIN, SUB])),
    st.just({"kind": "retune", "weights": {"read": 32}}),
)  # fmt: skip
whose = st.sampled_from([(None, None), ("s", None), ("t", None), (None, "main"), (None, "scout"), ("s", "scout")])


@settings(deadline=None, max_examples=150)
@given(st.lists(plain_ops, max_size=20), whose, st.integers(1, 25), st.integers(1, 25), st.integers(0, 30))
def test_lanes_and_the_window_are_a_count_of_the_ops(
    ops: list[Op], who: tuple[str | None, str | None], one: int, other: int, columns: int
) -> None:
    tale = Tale()
    for op in [{"kind": "prompt", "said": tale.facts.keep("go on"), "source": "user", **each}
               for each in (MAIN, OTHER, SUB)] + ops:  # fmt: skip
        tale.tell(op)
    span = tuple(min(step, len(tale.ops)) for step in (one, other))
    session, context = who
    marks = (Mark(0, "begin", ""), Mark(2, "", "noted"), Mark(2, "here", ""), Mark(4, "there", ""))
    said = {"span": span, "columns": columns, "session": session, "context": context}
    answer = ask(timeline_of(tale), "overview", 1, marks=marks, commits="no", **said)

    def steps(fits: Callable[[int, Op], bool], main: bool = False) -> tuple[int, ...]:
        return tuple(step for step, op in enumerate(tale.ops, 1)
                     if min(span) <= step <= max(span) and meant(op, who, main) and fits(step, op))  # fmt: skip

    falls = {fall for held in tale.world.hosts.contexts.values() for fall, _, _ in held.falls}
    assert every(answer) == {
        "failure": steps(lambda step, _: begins_to_fail(tale, step)),
        "again": steps(lambda step, _: fails_again(tale, step)),
        "error": steps(lambda _, op: op.get("outcome") == "error"),
        "prompt": steps(lambda _, op: op["kind"] == "prompt"),
        "compaction": steps(lambda _, op: op["kind"] in CUTS),
        "fall": steps(lambda step, _: step in falls),
        "edit": steps(lambda _, op: op.get("how") in ("edit", "write")),
        "epoch": steps(lambda _, op: op["kind"] in ("epoch", "retune")),
        "mark": tuple(step for step in (2, 4) if min(span) <= step <= max(span)),
    }
    assert answer.cliffs == steps(lambda step, op: op["kind"] in CUTS or step in falls, main=True)
    counted = {step: tale.ops[step - 1]["window"] for step in steps(lambda _, op: op.get("window", 0) > 0, main=True)}
    assert list(answer.held) == [
        max((counted[step] for step in range(first, last + 1) if step in counted), default=None)
        for first, last in ends(answer)
    ]
    assert answer.fullest == min(counted, key=lambda step: (-counted[step], step), default=None)


def meant(op: Op, who: tuple[str | None, str | None], main: bool) -> bool:
    """Whether an op belongs to what was asked about; `main`: to the windows of it that are told."""
    session, context = who
    if session is not None and op.get("session", "") != session:
        return False
    if context is None:
        return not main or not op.get("context")
    return (op.get("context") or "main") == context


def begins_to_fail(tale: Tale, step: int) -> bool:
    return any(each.since == step for each in as_of(tale, step).world.failures.live.values())


def fails_again(tale: Tale, step: int) -> bool:
    return any(each.since < step == each.step for each in as_of(tale, step).world.failures.live.values())


@settings(deadline=None, max_examples=40)
@given(wild)
def test_lanes_are_what_find_finds(story: list[Event]) -> None:
    timeline = timeline_of(recorded(story))
    lanes = every(ask(timeline, "overview", 1))
    for name, expr in (
        ("failure", "fail"), ("again", "refail"), ("error", "error"), ("prompt", "kind=prompt"),
        ("edit", "kind=edit or kind=write"),
        ("compaction", "kind=compaction or kind=cleared"), ("epoch", "kind=epoch or kind=retune"),
    ):  # fmt: skip
        assert lanes[name] == found(timeline, expr), name


def found(timeline: Timeline, expr: str) -> tuple[int, ...]:
    answer: Any = ask(timeline, "find", 1, expr=expr, limit=1_000)
    assert not answer.left_out
    return tuple(told.step for told in answer.rows)


def test_commits_have_a_lane_unless_they_are_not_wanted() -> None:
    tale = Tale(INVOICES).call("ls").call('{"command":"git commit -m due"}', "[main 1a2b3c4] due\n 1 file changed\n")
    timeline = timeline_of(tale)
    answer = ask(timeline, "overview", 1)
    assert every(answer)["commit"] == (len(tale.ops),)
    shown = [row.text for row in answer.as_rows(View(80))]
    assert any(line.split()[:1] == ["commit"] and "*" in line for line in shown)
    assert "commit" not in every(ask(timeline, "overview", 1, commits="no"))
