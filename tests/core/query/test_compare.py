"""Two records part where the first op says something else, and what came of it is told from both sides."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.present.rows import View
from ccos_core.query import compare as comparing
from ccos_core.query.compare import Compared, compare
from ccos_core.replay.timeline import Timeline
from ccos_core.values.canon import chained
from ccos_core.values.prices import listed_prices
from tests.core.replay.told import Rows, timeline_of
from tests.core.state.small import INVOICES, Tale
from tests.laws.test_folding import stories, tell, told_tale

Story = list[tuple[Any, ...]]


class Chained(Rows):
    """Ops with hashes that are made as a record makes them."""

    def op(self, step: int) -> tuple[int, bytes, bytes]:
        hash_ = bytes(32)
        for body in self.all[:step]:
            hash_ = chained(hash_, body)
        return step, hash_, self.all[step - 1]


def recorded(tale: Tale, name: str = "one") -> Timeline:
    timeline = timeline_of(tale)
    timeline.ops = Chained(tale.ops, tale.facts.contents)
    timeline.name = name
    return timeline


def compared(one: Tale, other: Tale, lens: str = "working-set", budget: int = 300) -> Compared:
    return asked(recorded(one), recorded(other, "other"), lens, budget)


def asked(one: Timeline, other: Timeline, lens: str = "working-set", budget: int = 300) -> Compared:
    known = {"progress": lambda *_: None, "prices": listed_prices()}
    return compare(one, 0, other=other, lens=lens, budget=budget, **known)


def later(tale: Tale, millis: int, session: str) -> Tale:
    """The same, at another time, in another session."""
    found = Tale.__new__(Tale)
    found.facts, found.world = tale.facts, tale.world
    found.ops = [
        {**op, "at": millis + step, "call": f"{session}-{step}", **({"session": session} if "session" in op else {})}
        for step, op in enumerate(tale.ops)
    ]
    return found


def shared(one: list[Any], other: list[Any]) -> int:
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
                min(len(one), len(other)))  # fmt: skip


@settings(deadline=None)
@given(stories, stories, stories, st.booleans())
def test_they_part_where_the_first_op_differs(begin: Story, mine: Story, theirs: Story, moved: bool) -> None:
    one, other = told_tale(begin + mine), told_tale(begin + theirs)
    expected = shared(one.ops, other.ops)
    if moved:
        other = later(other, 1_771_000_000_000, "b")
    answer = compared(one, other)
    assert answer.alike == expected
    assert answer.common == (0 if moved else expected)
    parting = answer.parting
    assert (parting is None) == (len(one.ops) == len(other.ops) == expected)
    if parting is not None:
        assert (parting.here.step if parting.here else None) == (expected + 1 if expected < len(one.ops) else None)
        assert (parting.there.step if parting.there else None) == (expected + 1 if expected < len(other.ops) else None)
        assert bool(parting.fields) == (parting.here is not None and parting.there is not None)


def own(tale: Tale) -> list[Any]:
    looks = ("ingest",)
    kinds = (*comparing.OWN, "seen")
    return [op for op in tale.ops if op["kind"] in kinds and op.get("how") not in looks]


@settings(deadline=None)
@given(stories, stories, stories)
def test_looks_hide_nothing_of_what_the_agent_did(begin: Story, mine: Story, theirs: Story) -> None:
    one, other = told_tale(begin + mine), Tale({**INVOICES, "more.py": "x = 1\n"})
    for event in begin + theirs:
        tell(other, event)
    answer = compared(one, other)
    assert answer.own_alike == shared(own(one), own(other))


@settings(deadline=None, max_examples=50)
@given(stories, stories)
def test_both_sides_say_the_same_turned_round(mine: Story, theirs: Story) -> None:
    one, other = told_tale(mine), told_tale(theirs)
    forth, back = compared(one, other), compared(other, one)
    assert (forth.alike, forth.common, forth.own_alike, forth.in_both) == (
        back.alike, back.common, back.own_alike, back.in_both
    )  # fmt: skip
    assert (forth.files_here, forth.failures_here) == (back.files_there, back.failures_there)
    assert sorted((each.node, each.here, each.there) for each in forth.windows) == sorted(
        (each.node, each.there, each.here) for each in back.windows
    )
    windows = [{item.uri: (item.level, item.text) for item in each.window("working-set", 300).items}
               for each in (one, other)]  # fmt: skip
    assert forth.in_both == len(windows[0].items() & windows[1].items())
    touched = [{op["path"] for op in own(each) if op["kind"] == "seen"} for each in (one, other)]
    assert set(forth.files_here) == touched[0] - touched[1]


def test_what_differs_is_named() -> None:
    one, other = Tale(INVOICES), Tale(INVOICES)
    one.run("1 passed\n", outcome="ok").tell({"kind": "usage", "window": 900})
    other.run("1 failed\n").edit("dates.py", "DAYS = 31\n").fail("sym:api.py#handle", test="t")
    answer = compared(one, other)
    assert answer.parting is not None
    assert answer.parting.fields == ("outcome", "result")
    assert answer.files_there == ("dates.py",)
    assert answer.failures_there == ("user t",)
    assert (answer.here.tokens, answer.there.changed, answer.there.live) == (900, 1, 1)
    assert "file:dates.py" in {each.node for each in answer.windows if each.there and not each.here}


def test_other_rules_are_no_parting() -> None:
    one, other = Tale(INVOICES), Tale(INVOICES)
    other.ops[0] = {**other.ops[0], "weights": {**other.ops[0]["weights"], "edit": 99}}
    answer = compared(one, other)
    assert answer.parting is None
    assert not answer.same_rules


def test_only_as_much_is_read_as_columns_leave_open(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Tale(INVOICES), Tale(INVOICES)
    one.prompt()
    other.works()
    for _ in range(50):
        one.prompt()
        other.prompt()
    read: list[int] = []
    real = Rows.rows

    def rows(self: Rows, first: int = 1, last: int = 2**62) -> Any:
        for row in real(self, first, last):
            read.append(row[0])
            yield row

    monkeypatch.setattr(Chained, "rows", rows)
    second = later(other, 5, "b")
    asked(recorded(one), recorded(second))
    assert max(read) == len(INVOICES) + 1


def test_equal_meanings_have_equal_columns() -> None:
    """Or the columns would end what is alike too soon."""
    one, other = Tale(INVOICES), Tale(INVOICES)
    one.tell({"kind": "tool", "name": "x", "outcome": "ok", "millis": 3, "host": "h", "session": "a", "context": "s1"})
    other.tell({"kind": "tool", "name": "x", "outcome": "ok", "host": "h", "session": "b", "context": "s2", "at": 9})
    assert compared(one, other).parting is None


def test_the_first_rows_say_what_came_of_both() -> None:
    one, other = Tale(INVOICES), Tale(INVOICES)
    for tale in (one, other):
        tale.fail("file:api.py", test="test_due")
        tale.edit("api.py", INVOICES["api.py"] + "# tried\n")
    one.edit("dates.py", "DAYS = 14\n").works("file:api.py")
    other.edit("store.py", INVOICES["store.py"] + "# guess\n").fail("file:api.py", test="test_due")
    other.fail("file:store.py", test="test_load")
    answer = compared(one, other)
    here, there = answer.course_here, answer.course_there
    assert here is not None
    assert there is not None
    assert (here.outcome, here.failing, here.edits) == ("passed", 0, 2)
    assert (there.outcome, there.failing, there.failed_runs) == ("failing", 2, 3)
    assert (here.edited, there.edited) == (("api.py", "dates.py"), ("api.py", "store.py"))
    lines = [row.text for row in answer.as_rows(View(100))]
    shown = "\n".join(lines[:24])
    for said in (
        "nothing fails", "2 failures at the end", "they part", "edited only here (1)  dates.py",
        "edited only there (1)  store.py", "edited in both (1)  api.py", "failures met (2)",
        "here never; there fails since step",
    ):  # fmt: skip
        assert said in shown
    assert "here ended at step" in shown


def test_the_first_rows_say_what_both_cost() -> None:
    one, other = Tale(INVOICES), Tale(INVOICES)
    one.tell({"kind": "usage", "host": "h", "session": "s", "window": 40_000, "model": "claude-opus-4-6"})
    other.tell({"kind": "usage", "host": "h", "session": "s", "window": 40_000, "model": "mock"})
    (said,) = [row.text for row in compared(one, other).as_rows(View(100)) if row.text.startswith("  cost")]
    assert said.split(maxsplit=2) == ["cost", "$0.20", "not known"]
    assert not any("cost" in row.text for row in compared(Tale(INVOICES), Tale(INVOICES)).as_rows(View(100)))


def test_two_sessions_that_only_looked_differ_in_nothing_that_failed() -> None:
    answer = compared(Tale(INVOICES), Tale(INVOICES))
    assert answer.course_here == answer.course_there
    shown = "\n".join(row.text for row in answer.as_rows(View(100)))
    assert "no test run reported" in shown
    assert "they never part" in shown
    assert "failures met" not in shown
