"""`rule`: all that is known of one rule."""

from __future__ import annotations

import re

import pytest

from ccos_core.errors import NotFound
from ccos_core.learn.score import DAY
from ccos_core.query.remembering import remember
from ccos_core.serve.printing import as_json_object
from tests.core.query.asked import ask
from tests.core.query.playbook.rule_tales import HOUR, MAIN, START, RuleTale, memo_of

FORMAT = "Format before you commit."
SEED_FIELDS = """
    id content category scope scopeKey workspace kind state maturity promotedAt lastValidatedAt helpfulCount
    harmfulCount feedbackEvents confidenceDecayHalfLifeDays sourceSessions sourceAgents reasoning tags embedding
    isNegative pinned pinnedReason deprecated replacedBy deprecationReason
"""


def told() -> RuleTale:
    return RuleTale().rule(FORMAT, tags=["category:git"], reason="CI refuses it.", **MAIN)


def test_every_field_of_the_specification_is_there() -> None:
    answer = as_json_object(ask(told().timeline, "rule", 2, node=memo_of(FORMAT)))
    named = {re.sub("[A-Z]", lambda found: "_" + found[0].lower(), each) for each in SEED_FIELDS.split()}
    assert named <= set(answer)
    assert (answer["category"], answer["state"], answer["embedding"]) == ("git", "draft", None)


def test_counts_maturity_and_score_follow_from_the_feedback() -> None:
    tale = told().rate(FORMAT, for_session="s").rate(FORMAT, for_session="t")
    tale.rate(FORMAT, -1, for_session="t", actor="agent", way="inline", weight=500)
    at = tale.step
    answer = ask(tale.timeline, "rule", at, node=memo_of(FORMAT)[:12])
    assert (answer.maturity, answer.helpful_count, answer.harmful_count) == ("candidate", 2, 1)
    assert [each.decayed_value for each in answer.feedback_events] == [999, 999, 500]
    assert (answer.helpful, answer.harmful, answer.effective_score) == (1_998, 500, -1)
    assert (answer.now, answer.last_validated_at) == (START + 4 * HOUR, START + 3 * HOUR)
    later = ask(tale.timeline, "rule", at, node=memo_of(FORMAT), now=str(answer.now + 90 * DAY))
    assert (later.helpful, later.harmful) == (998, 250)


def test_the_event_that_deprecated_a_rule_is_named() -> None:
    tale = told().rate(FORMAT, -1, for_session="s").rate(FORMAT, -1, for_session="t").rate(FORMAT, for_session="u")
    answer = ask(tale.timeline, "rule", tale.step, node=memo_of(FORMAT))
    assert (answer.maturity, answer.state, answer.deprecated, answer.deprecated_at_step) == (
        "deprecated",
        "retired",
        True,
        4,
    )
    assert answer.deprecation_reason == "100 % of its feedback was harmful, score -3.998"
    assert ask(tale.timeline, "rule", 3, node=memo_of(FORMAT)).deprecated is False


@pytest.mark.parametrize("actor", ["user", "agent"])
def test_a_person_brings_a_rule_back_that_feedback_deprecated(actor: str) -> None:
    tale = told().rule(FORMAT, actor="user").rate(FORMAT, -1, for_session="s").rate(FORMAT, -1, for_session="t")
    given = {"class": None, "scope": None, "about": (), "tag": (), "reason": None, "lifetime": None}
    plan = remember(tale.timeline, tale.step, None, actor, text=memo_of(FORMAT), **given)
    for op in plan.ops:
        tale.tell(**{name: value for name, value in op.items() if value}, actor=actor)
    answer = ask(tale.timeline, "rule", tale.step, node=memo_of(FORMAT))
    assert (len(plan.ops), answer.maturity) == ((1, "candidate") if actor == "user" else (0, "deprecated"))


def test_a_statement_that_is_no_rule_is_refused() -> None:
    tale = RuleTale().tell(kind="prompt", source="user", said="Go on then.", **MAIN)
    with pytest.raises(NotFound, match="isn't a rule"):
        ask(tale.timeline, "rule", tale.step, node=memo_of("Go on then."))
    with pytest.raises(NotFound, match="no such statement"):
        ask(tale.timeline, "rule", tale.step, node="memo:0000000000000000")
