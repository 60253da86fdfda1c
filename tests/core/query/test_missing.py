"""`missing` and `watch`: each time a node left and came back is told, with who took its place, as a replay has it."""

from typing import Any

import click
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ccos_core.query.leaving import Eviction
from ccos_core.query.missing import Missing, SuggestedMissing, missing
from ccos_core.query.turning import turned
from ccos_core.query.watch import watch
from ccos_core.replay.renames import life, name_at
from ccos_core.replay.residency import lens, runs
from ccos_core.replay.residency.entries import needs
from ccos_core.replay.timeline import Timeline
from ccos_core.serve.printing import as_lines
from ccos_core.values.marks import Mark
from ccos_core.values.tokens import UNIT
from tests.core.replay.residencies import Slow
from tests.core.replay.told import timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import NODES, stories, told_tale

WITHIN = ("in", "partial")
LENS = "working-set"


def asked(
    timeline: Timeline, node: str, budget: int, at: int | None = None, lens: str = LENS, limit: int = 0
) -> SuggestedMissing:
    side = whole(timeline, node, budget, at, lens, limit).suggested
    assert side is not None
    return side


def whole(
    timeline: Timeline, node: str, budget: int, at: int | None = None, lens: str = LENS, limit: int = 0
) -> Missing:
    at = timeline.head if at is None else at
    return missing(timeline, at, node=node, budget=budget, lens=lens, limit=limit, progress=lambda done, total: None)


def room(budget: int) -> int:
    """What decides who is in: three parts in five."""
    return budget * UNIT * 3 // 5


@settings(deadline=None, max_examples=80)
@given(stories, st.sampled_from(NODES), st.integers(20, 150))
def test_all_is_told_as_a_replay_has_it(story: list[tuple[Any, ...]], node: str, budget: int) -> None:
    tale = told_tale(story)
    timeline = timeline_of(tale)
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    answer, slow = asked(timeline, node, budget), Slow(tale, timeline)
    names = life(timeline, node, timeline.head)
    states = slow.states(names, LENS, budget)
    assert [run.state for run in answer.runs for _ in range(run.first, run.last + 1)] == states
    assert [run.state for run in answer.runs[1:]] != [run.state for run in answer.runs[:-1]] or len(answer.runs) == 1
    turns = [step for step in range(1, len(states)) if (states[step] in WITHIN) != (states[step - 1] in WITHIN)]
    left, came = ([step for step in turns if (states[step] in WITHIN) == to] for to in (False, True))
    assert [each.step for each in answer.evictions] == left
    assert [each.step for each in answer.entrances] == came
    assert (answer.evicted, answer.entered) == (len(left), len(came))
    assert [each.until for each in answer.evictions] == [next((s for s in came if s > at), None) for at in left]
    for each in answer.evictions:
        told_rightly(slow, each, budget, name_at(names, each.step), name_at(names, each.step - 1))
    for each in answer.entrances:
        at = slow.standing(each.step, name_at(names, each.step))
        assert at is not None
        assert each.rank == at + 1
        assert each.node == slow.candidates(each.step)[at][0]


def told_rightly(slow: Slow, each: Eviction, budget: int, node: str, was: str) -> None:
    """Where it stood then, what it lacked, who is above it that wasn't, and what was kept."""
    now, before = slow.candidates(each.step), slow.candidates(each.step - 1)
    at, stood = slow.standing(each.step, node), slow.standing(each.step - 1, was)
    kept = [need for _, need in now if need <= room(budget)]
    assert each.kept == len(slow.members(each.step, LENS, budget)) == len(kept)
    assert each.kept_tokens == -(-max(kept, default=0) // UNIT)
    assert stood is not None
    if at is None:
        assert (each.rank, each.entry, each.short, each.takers) == (None, None, None, ())
        return
    assert each.rank == at + 1
    assert each.entry == next(tokens for tokens in range(9_999) if room(tokens) >= now[at][1])
    assert each.short == each.entry - budget > 0
    above = [name for name, _ in before[:stood]]
    takers = [(name, rank) for rank, (name, _) in enumerate(now[:at], 1) if name not in above]
    assert [(taker.node, taker.rank) for taker in each.takers] == takers[:5]
    assert each.more_takers == max(len(takers) - 5, 0)


@settings(deadline=None, max_examples=40)
@given(stories, st.sampled_from(NODES), st.integers(20, 150), st.integers(0, 30))
def test_figures_are_those_of_the_strip(story: list[tuple[Any, ...]], node: str, budget: int, at: int) -> None:
    timeline = timeline_of(told_tale(story))
    assume(timeline.journal.id(node) in timeline.journal.there["node"])
    at = min(at, timeline.head)
    answer = watch(timeline, at, node=node, budget=budget, lens=LENS, progress=lambda done, total: None).suggested
    assert answer is not None
    steps = [run.state for run in answer.runs for _ in range(run.first, run.last + 1)]
    assert len(steps) == timeline.head + 1
    assert {share.state: share.steps for share in answer.shares} == {state: steps.count(state) for state in {*steps}}
    assert answer.state == steps[at] == asked(timeline, node, budget, at).state
    away = "".join("-" if state in WITHIN else "x" for state in steps).lstrip("x").split("-")
    longest = max(map(len, away), default=0)
    assert (answer.longest.last - answer.longest.first + 1 if answer.longest else 0) == longest


def what(tale: Tale, node: str, budget: int) -> list[str]:
    """Why it left, each time."""
    return [each.what for each in asked(timeline_of(tale), node, budget).evictions]


def test_why_it_left() -> None:
    start = lambda: Tale(INVOICES).read("api.py", INVOICES["api.py"])  # noqa: E731
    assert what(start().read("store.py", INVOICES["store.py"]), "file:api.py", 40) == ["crowded out"]
    assert what(start().tell({"kind": "gone", "path": "api.py"}), "file:api.py", 40) == ["gone"]
    assert what(start().tell({"kind": "paged_out", "nodes": ["file:api.py"]}), "file:api.py", 40) == ["sent away"]
    longer = "from service import invoice, late, later, latest, lately, belated, belatedly\n" + INVOICES["api.py"]
    assert what(start().look("api.py", longer * 4), "file:api.py", 36) == ["grew"]
    cold = start()
    for _ in range(400):
        cold.prompt()
    assert what(cold.read("dates.py", INVOICES["dates.py"]), "file:api.py", 400) == ["cooled"]
    failing = start().fail("sym:store.py#load").works()
    assert what(failing, "sym:store.py#load", 40) == ["fell"]
    above = Tale(INVOICES).edit("store.py", INVOICES["store.py"] + "\n")
    for _ in range(6):
        above.read("api.py", INVOICES["api.py"])
    assert what(above.tell({"kind": "retune", "weights": {"edit": 900}, "reason": ""}), "file:api.py", 40) == [
        "reweighed"
    ]
    below = start().read("store.py", INVOICES["store.py"])
    assert what(below.look("store.py", longer * 4), "file:api.py", 56) == ["squeezed"]


def test_it_is_followed_through_its_names() -> None:
    tale = Tale(INVOICES).read("api.py", INVOICES["api.py"])
    tale.tell({"kind": "renamed", "path": "api.py", "to": "web.py"}).prompt()
    timeline = timeline_of(tale)
    for node in ("file:api.py", "file:web.py"):
        every = whole(timeline, node, 100)
        answer = every.suggested
        assert answer is not None
        assert [(name.node, name.first) for name in every.names] == [("file:api.py", 0), ("file:web.py", 8)]
        assert [(run.state, run.first) for run in answer.runs] == [("unborn", 0), ("out", 2), ("in", 7)]
        assert every.node == "file:web.py"
        assert answer.born is not None
        assert answer.born.says == "api.py"
    assert whole(timeline, "file:web.py", 100, at=7).node == "file:api.py"


def test_it_is_out_no_longer_than_it_is_in_the_graph() -> None:
    """A look at several files is one moment, in which the last one begins where the look does."""
    timeline = timeline_of(Tale(INVOICES).prompt())
    said = [asked(timeline, f"file:{path}", 100) for path in INVOICES]
    assert all(each.born is not None and each.since == each.born.step for each in said)
    assert len({each.since for each in said}) == len(INVOICES)
    assert asked(timeline, "file:dates.py", 100, at=0).since == 0


def test_only_the_last_are_told_in_full() -> None:
    tale = Tale(INVOICES)
    for _ in range(6):
        tale.read("api.py", INVOICES["api.py"]).read("store.py", INVOICES["store.py"])
        tale.read("store.py", INVOICES["store.py"])
    timeline = timeline_of(tale)
    every, some = asked(timeline, "file:api.py", 40), asked(timeline, "file:api.py", 40, limit=1)
    assert every.evicted == some.evicted == len(every.evictions) > 1
    assert some.evictions == every.evictions[-1:]
    assert some.entrances == every.entrances[-1:]
    assert some.runs == every.runs


@pytest.mark.parametrize("lens", ["around:api.py", "task:invoice total", "hybrid:invoice total"])
def test_other_lenses_tell_by_which_op(lens: str) -> None:
    tale = Tale(INVOICES).tell({"kind": "gone", "path": "service.py"})
    tale.prompt().look("service.py", INVOICES["service.py"])
    answer = asked(timeline_of(tale), "sym:service.py#invoice", 300, lens=lens)
    assert [each.what for each in answer.entrances] == ["came"]
    tale.prompt().tell({"kind": "gone", "path": "service.py"})
    answer = asked(timeline_of(tale), "sym:service.py#invoice", 300, lens=lens)
    assert [(each.what, each.op.kind, each.state) for each in answer.evictions] == [("gone", "gone", "gone")]


@pytest.mark.parametrize("node", ["file:api.py", "sym:api.py#handle"])
def test_who_watches_a_node_looks_through_other_budgets_at_once(node: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out: list[int] = []

    def counted(*asked: Any) -> Any:
        worked_out.append(1)
        return needs(*asked)

    monkeypatch.setattr(runs, "needs", counted)
    timeline = timeline_of(Tale(INVOICES))

    def watched(budget: int) -> Any:
        return watch(timeline, 1, node=node, lens=LENS, budget=budget, progress=lambda done, total: None).suggested

    watched(300)
    assert worked_out
    worked_out.clear()
    assert [watched(budget).budget for budget in (40, 12_000)] == [40, 12_000]
    assert not worked_out
    watched(30_000)
    unusual = len(worked_out)
    timeline = timeline_of(Tale(INVOICES))
    worked_out.clear()
    watched(30_000)
    assert len(worked_out) == unusual > 0, "nothing was worked out for usual budgets as well"


@pytest.mark.parametrize("lens", ["task:load", "hybrid:load"])
def test_in_a_record_whose_sources_say_nothing_nobody_is_in(lens: str) -> None:
    timeline = timeline_of(Tale({}).edit("api.py", "").edit("store.py", "\n"))
    answer = asked(timeline, "file:api.py", 300, lens=lens)
    assert {run.state for run in answer.runs} == {"unborn", "out"}


QUIET = "def tally(numbers):\n    return sum(numbers)\n"
LOUD = "def settle_invoice(invoice):\n    # settle the invoice of a customer\n    return settle(invoice, invoice)\n"
OWN = "def settle(invoice):\n    return invoice\n"


def crowded(edits: int, loud: range) -> Timeline:
    """`pay.py` stays as it is, while `bank.py` is edited again and again; in some of the edits it is what the text is
    about. Step 2 + n is edit n."""
    tale = Tale({}).edit("pay.py", OWN)
    for edit in range(1, edits + 1):
        tale.edit("bank.py", f"{LOUD if edit in loud else QUIET}EDIT = {edit}\n")
    return timeline_of(tale)


def of_pay(timeline: Timeline, budget: int = 36) -> Missing:
    return asked(timeline, "sym:pay.py#settle", budget, lens="task:settle the invoice")


def test_of_many_moments_those_are_looked_at_at_which_the_window_changes() -> None:
    answer = of_pay(crowded(400, range(250, 999)))
    assert [(each.step, each.after, each.op.step) for each in answer.evictions] == [(252, None, 252)]
    assert answer.looked is not None
    assert answer.looked.of > 400
    assert answer.looked.moments < 20, "two neighbours that are the same were looked between"
    assert {run.state for run in answer.runs} == {"unborn", "in", "out", "not looked at"}
    assert "of 401 moments" in "\n".join(in_words(answer))
    exact = of_pay(crowded(40, range(25, 999)))
    assert exact.looked is not None
    assert exact.looked.moments == exact.looked.of == 41
    assert "looked at all 41 moments" in "\n".join(in_words(exact))
    assert "not looked at" not in {run.state for run in exact.runs}


def test_what_was_marked_is_looked_at() -> None:
    timeline = crowded(400, range(200, 203))
    assert of_pay(timeline).evicted == 0
    assert "as far as was looked" in "\n".join(in_words(of_pay(timeline)))
    marked = missing(
        timeline,
        timeline.head,
        node="sym:pay.py#settle",
        budget=36,
        lens="task:settle the invoice",
        limit=0,
        progress=lambda done, total: None,
        marks=(Mark(203, "here", ""),),
    ).suggested
    assert marked is not None
    assert [(each.step, each.until) for each in marked.evictions] == [(202, 205)]


def test_where_the_looks_are_used_up_it_is_said_between_which_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lens, "MOST_LOOKS", 6)
    monkeypatch.setattr(lens, "LOOKS_AT_FIRST", 3)
    (left,) = of_pay(timeline := crowded(400, range(250, 999))).evictions
    assert left.after is not None
    assert left.after < 252 <= left.step
    assert f"or earlier, after step {left.after}" in "\n".join(in_words(of_pay(timeline)))
    before = turned(
        timeline, timeline.head, "sym:pay.py#settle", forward=False, lens="task:settle the invoice", budget=36
    )
    assert before.suggested is not None
    assert before.suggested.eviction is not None
    assert before.suggested.looked is not None
    assert before.suggested.looked.moments <= 6


def in_words(side: SuggestedMissing) -> list[str]:
    answer = Missing("sym:pay.py#settle", 0, 0, (), 0, side, None, None)
    return [*map(click.unstyle, as_lines(answer, 100)), *as_lines(answer, None, aloud=True)]
