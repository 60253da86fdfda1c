"""The rules of a record at each step, with the feedback that counts."""

from __future__ import annotations

import json

from ccos_core.learn.maturity import effective_score, maturity
from ccos_core.learn.score import DAY
from ccos_core.query.playbook.playbook_rules import read_playbook
from tests.core.query.playbook.rule_tales import HOUR, MAIN, START, RuleTale, memo_of

FORMAT, PNPM = "Format before you commit.", "Use pnpm."


def test_a_rule_is_a_memo_of_its_class_with_what_was_said_of_it() -> None:
    told = RuleTale().rule(FORMAT, tags=["category:git", "go"], reason="CI refuses it.", **MAIN)
    told.rate(FORMAT, for_session="s", words="it did").rule("Something else.", **{"class": "note"})
    told.rule("Never force-push.", **{"class": "anti-pattern", "actor": "user"})
    first, second = read_playbook(told.timeline, told.step).rules
    assert (first.id, first.content, first.kind, first.category) == (memo_of(FORMAT), FORMAT, "rule", "git")
    assert (first.reasoning, first.source_sessions, first.source_agents) == ("CI refuses it.", ("s",), ("claude-code",))
    assert (first.born, first.created_at, first.author, first.confirmed_at) == (2, START + HOUR, "agent", 0)
    (helped,) = first.feedback
    assert (helped.step, helped.at, helped.sign, helped.session, helped.words) == (
        3,
        START + 2 * HOUR,
        1,
        "s",
        "it did",
    )
    assert (second.kind, second.is_negative, second.author) == ("anti-pattern", True, "user")
    assert second.confirmed_at == START + 4 * HOUR


def test_each_step_knows_what_was_said_until_then() -> None:
    told = RuleTale().rule(FORMAT).rate(FORMAT).rate(FORMAT, -1, words="no")
    told.tell(kind="retracted", claim=memo_of(FORMAT))
    timeline = told.timeline
    assert read_playbook(timeline, 1).rules == ()
    assert [len(rule.feedback) for at in (2, 3, 4, 5) for rule in read_playbook(timeline, at).rules] == [0, 1, 2, 2]
    assert [rule.standing for at in (4, 5) for rule in read_playbook(timeline, at).rules] == ["live", "retracted"]


def test_a_deprecated_rule_stays_dead_whatever_is_said_for_it() -> None:
    """The zombie: praise, an inferred rediscovery and time don't bring it back; remembering it does, and what was said
    while it was dead doesn't count then."""
    told = RuleTale().rule(FORMAT).rate(FORMAT)
    told.tell(kind="retracted", claim=memo_of(FORMAT), words="it broke the build")
    for number in range(9):
        told.rate(FORMAT, for_session=f"s{number}")
    told.rule(FORMAT, inferred=True)
    (dead,) = read_playbook(told.timeline, told.step).rules
    assert (dead.standing, dead.withdrawn_because, len(dead.feedback)) == ("retracted", "it broke the build", 1)
    now = START + told.step * HOUR
    assert (maturity(dead, now), effective_score(dead, now + 900 * DAY)) == ("deprecated", 0)
    assert read_playbook(told.timeline, told.step).in_force() == ()
    told.rule(FORMAT)
    (back,) = read_playbook(told.timeline, told.step).rules
    assert (back.standing, back.feedback, maturity(back, now)) == ("live", (), "candidate")


def test_what_replaces_a_rule_comes_from_the_same_sessions() -> None:
    told = RuleTale().rule(FORMAT, **MAIN).rule(PNPM, host="codex", session="t")
    told.tell(kind="superseded", claim=memo_of(FORMAT), by=memo_of(PNPM), how="merge", words="one is enough")
    old, new = read_playbook(told.timeline, told.step).rules
    assert (old.standing, old.replaced_by, old.how, old.withdrawn_because) == (
        "superseded",
        memo_of(PNPM),
        "merge",
        "one is enough",
    )
    assert (new.replaces, new.source_sessions, new.source_agents) == (
        (memo_of(FORMAT),),
        ("t", "s"),
        ("codex", "claude-code"),
    )


def test_the_project_comes_before_the_user_on_the_same_subject() -> None:
    own = RuleTale().rule(FORMAT, scope="user").rule(PNPM, scope="user")
    told = RuleTale().rule(FORMAT)
    playbook = read_playbook(told.timeline, told.step, own.timeline)
    assert [(rule.content, rule.for_user) for rule in playbook.rules] == [(FORMAT, False), (FORMAT, True)]
    assert [(rule.content, rule.for_user) for rule in playbook.in_force()] == [(FORMAT, False)]
    later = told.tell(kind="prompt", source="user", said="Go on.")
    playbook = read_playbook(later.timeline, later.step, own.timeline)
    assert [(rule.content, rule.for_user) for rule in playbook.in_force()] == [(FORMAT, False), (PNPM, True)]
    same = playbook.in_force(lambda one, other: True)
    assert [(rule.content, rule.for_user) for rule in same] == [(FORMAT, False)]


def test_thresholds_are_those_of_the_policy_in_force() -> None:
    policy = json.dumps({"schema": "ccos.policy/1", "thresholds": {"rule_half_life": 30 * DAY}})
    told = RuleTale().rule(FORMAT).tell(kind="governed", name="policy", policy=policy, actor="user")
    assert read_playbook(told.timeline, 2).thresholds.half_life == 90 * DAY
    assert read_playbook(told.timeline, 3).thresholds.half_life == 30 * DAY


def test_a_pinned_rule_says_why() -> None:
    told = RuleTale().rule(FORMAT).tell(kind="labelled", nodes=[memo_of(FORMAT)], pinned=True, actor="user")
    told.tell(kind="annotation", node=memo_of(FORMAT), note="the release depends on it", actor="user")
    (rule,) = read_playbook(told.timeline, told.step).rules
    assert (rule.pinned, rule.pinned_reason) == (True, "the release depends on it")
