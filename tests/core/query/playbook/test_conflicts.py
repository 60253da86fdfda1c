"""`conflicts` and `invert`: rules side by side, and a harmful rule that becomes an anti-pattern with its history."""

from __future__ import annotations

from typing import Any

import pytest

from ccos_core.errors import CcosError
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.playbook.conflicts import Conflicts
from ccos_core.query.question import Plan
from tests.core.query.asked import ask
from tests.core.query.playbook.rule_tales import MAIN, RuleTale, memo_of

POSTGRES, SQLITE, MOCKS = "Prefer PostgreSQL", "Use SQLite", "Always mock the database in tests"
INVERTED = "AVOID: mock the database in tests. Marked harmful 2 times"


def conflicts(tale: RuleTale, user: RuleTale | None = None) -> Conflicts:
    timeline = tale.timeline
    beside = user.timeline if user is not None else None
    answer = BY_NAME["conflicts"].load().ask(timeline, timeline.head, user=beside, now=None, limit=0)
    assert isinstance(answer, Conflicts)
    return answer


def harmful() -> RuleTale:
    tale = RuleTale().rule(MOCKS, tags=["category:testing"], reason="It is faster.", about=["file:tests"], **MAIN)
    return tale.rate(MOCKS, -1, for_session="a").rate(MOCKS, -1, for_session="b")


def plan(tale: RuleTale, rule: str, words: str = "", actor: str = "user") -> Plan:
    timeline = tale.timeline
    made = BY_NAME["invert"].load().ask(timeline, timeline.head, None, actor, node=memo_of(rule), words=words)
    assert isinstance(made, Plan)
    return made


def carried_out(tale: RuleTale, made: Plan, actor: str = "user") -> RuleTale:
    for op in made.ops:
        tale.tell(**{name: each for name, each in op.items() if each is not None}, actor=actor)
    return tale


def test_they_stand_side_by_side_the_more_trusted_first() -> None:
    tale = RuleTale().rule(SQLITE).rule(POSTGRES).rule("Use Redis for caching").rate(POSTGRES, for_session="a")
    answer = conflicts(tale)
    assert (answer.rules, answer.found) == (3, 1)
    found = answer.conflicts[0]
    assert (found.kind, found.subject, found.values) == ("value", "database", ("postgresql", "sqlite"))
    assert [side.content for side in found.sides] == [POSTGRES, SQLITE]
    assert [side.born for side in found.sides] == [3, 2]
    assert found.sides[0].effective_score > found.sides[1].effective_score == 0
    assert ask(tale.timeline, "conflicts", tale.step) == answer


def test_the_users_own_rules_are_compared_too_and_each_step_knows_its_own() -> None:
    user = RuleTale().rule(SQLITE, scope="user", at=1_000)
    tale = RuleTale().rule(POSTGRES)
    (found,) = conflicts(tale, user).conflicts
    assert {side.content: side.for_user for side in found.sides} == {POSTGRES: False, SQLITE: True}
    both = RuleTale().rule(POSTGRES).rule(SQLITE)
    assert not ask(both.timeline, "conflicts", 2).found
    assert ask(both.timeline, "conflicts", 3).found == 1


@pytest.mark.parametrize("taken_back", ["retracted", "superseded"])
def test_a_rule_that_was_taken_back_contradicts_nothing(taken_back: str) -> None:
    tale = RuleTale().rule(POSTGRES).rule(SQLITE)
    by = {"by": memo_of(POSTGRES)} if taken_back == "superseded" else {}
    assert not conflicts(tale.tell(kind=taken_back, claim=memo_of(SQLITE), actor="user", **by)).found


def test_inversion_keeps_both_rules_and_what_bears_them() -> None:
    tale = harmful()
    tale = carried_out(tale, plan(tale, MOCKS, "It hid a broken query."))
    old, new = (ask(tale.timeline, "rule", tale.step, node=memo_of(words)) for words in (MOCKS, INVERTED))
    assert (new.content, new.kind, new.is_negative, new.maturity) == (INVERTED, "anti-pattern", True, "candidate")
    assert new.tags == ("category:testing", "inverted", "anti-pattern")
    assert set(old.source_sessions) <= set(new.source_sessions)
    assert "s" in new.source_sessions
    assert (new.source_agents, new.replaces) == (old.source_agents, (memo_of(MOCKS),))
    assert (old.replaced_by, old.deprecated, old.harmful_count) == (memo_of(INVERTED), True, 2)
    assert new.reasoning == "It hid a broken query."
    assert not conflicts(tale).found
    earlier = ask(tale.timeline, "rule", tale.step - 2, node=memo_of(MOCKS))
    assert not earlier.replaced_by


def test_an_anti_pattern_contradicts_a_rule_that_demands_it() -> None:
    tale = harmful()
    tale = carried_out(tale, plan(tale, MOCKS)).rule("Mock the database in tests")
    (found,) = conflicts(tale).conflicts
    assert {side.kind for side in found.sides} == {"rule", "anti-pattern"}


def test_inverting_again_records_nothing() -> None:
    tale = harmful()
    tale = carried_out(tale, plan(tale, MOCKS))
    again: Any = plan(tale, MOCKS)
    assert not again.ops
    assert not again.answer.changed


def test_what_never_harmed_is_no_rule_or_was_taken_back_is_refused() -> None:
    tale = (
        harmful()
        .rule(SQLITE)
        .rule("Use tabs", **{"class": "anti-pattern"})
        .tell(kind="retracted", claim=memo_of(MOCKS), actor="user")
    )
    for words in (SQLITE, "Use tabs", MOCKS):
        with pytest.raises(CcosError):
            plan(tale, words)


def test_an_agents_inversion_stays_inferred() -> None:
    tale = harmful()
    made = plan(tale, MOCKS, actor="agent")
    assert [op.get("inferred") for op in made.ops if op["kind"] == "remembered"] == [True]
