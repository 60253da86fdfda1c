"""`rules TASK`: what has to do with a task first, then the score at a time; nothing below a floor, and why."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.learn.score import DAY
from ccos_core.present.aloud import sentences
from ccos_core.present.rows import View
from ccos_core.query.bundle import bundle
from ccos_core.query.playbook.relevance import WHOLE, RuleIndex
from ccos_core.query.playbook.rules import BUDGET, FLOOR, Rules, rules, rules_window
from ccos_core.serve.printing import as_lines
from ccos_core.text.delivered import CLOSING, OPENING, without_delivered
from tests.core.query.playbook.rule_tales import HOUR, START, RuleTale, memo_of

FORMAT, PUSH, POSTGRES = "Run ruff format before you commit.", "Never force-push main.", "Prefer PostgreSQL."


def told() -> RuleTale:
    tale = RuleTale().rule(FORMAT, tags=["category:git"]).rule(PUSH, **{"class": "anti-pattern"}).rule(POSTGRES)
    return tale.rate(FORMAT, for_session="a").rate(FORMAT, for_session="b").rate(FORMAT, for_session="c")


def asked(tale: RuleTale, task: str, *, at: int | None = None, **more: Any) -> Rules:
    said: dict[str, Any] = {"budget": BUDGET, "now": None, "retired": False, **more}
    return rules(tale.timeline, tale.step if at is None else at, None, task, **said)


def texts(answer: Rules) -> list[str]:
    return [each.text for each in answer.rules]


def test_a_task_gets_the_rules_that_have_to_do_with_it() -> None:
    answer = asked(told(), "Fix the date bug, run ruff and commit it")
    assert texts(answer) == [FORMAT]
    (first,) = answer.rules
    assert (first.maturity, first.category, first.helpful, first.harmful) == ("established", "git", 3, 0)
    assert first.score > 2_900
    assert first.step == 2
    lines = answer.text.split("\n")
    assert (lines[0], lines[-1]) == (f"{OPENING}:", CLOSING)
    assert lines[1] == f"- [established, git] {FORMAT} ({memo_of(FORMAT)})"
    assert not without_delivered(answer.text).strip()
    assert answer.why == ""


def test_what_to_avoid_is_told_as_such() -> None:
    assert "] AVOID: Never force-push main." in asked(told(), "force push the branch").text
    inverted = told().rule("AVOID: Use global fixtures.", **{"class": "anti-pattern"})
    aloud = "\n".join(sentences(asked(inverted, "use global fixtures").as_rows(View())))
    assert "AVOID: Use global" in aloud
    assert "avoid: AVOID" not in aloud


def test_nothing_is_told_below_the_floor_and_the_answer_says_why() -> None:
    answer = asked(told(), "draw a logo for the landing page")
    assert (answer.rules, answer.text, answer.tokens) == ((), "", 0)
    assert answer.why == (
        f"No rule in force has enough to do with the task: of 3 the nearest reaches 0 of 1,000, and {FLOOR} are needed."
    )
    assert asked(RuleTale(), "anything").why.startswith("There are no rules yet.")


def test_the_policy_sets_the_floor() -> None:
    tale = told().tell(kind="governed", name="policy", actor="user", policy='{"thresholds":{"rule_floor":1000}}')
    assert asked(tale, "force push the branch").rules == ()
    assert "and 1,000 are needed" in asked(tale, "force push the branch").why


def test_relevance_comes_before_the_score_and_the_score_before_ids() -> None:
    near, far = "Commit the generated docs with the code.", "Commit often."
    tale = RuleTale().rule(near).rule(far).rule("Sign each commit.")
    for session in "abc":
        tale.rate(far, for_session=session)
    answer = asked(tale, "commit the generated docs")
    assert texts(answer)[0] == near
    same = RuleTale().rule("Tag the release.").rule("Announce the release.").rate("Announce the release.")
    assert texts(asked(same, "release")) == ["Announce the release.", "Tag the release."]


def test_a_rule_that_was_retired_or_harmful_is_not_told_for_a_task() -> None:
    tale = told()
    for session in "def":
        tale.rate(FORMAT, -1, for_session=session)
    tale.tell(kind="retracted", claim=memo_of(PUSH))
    assert asked(tale, "run ruff format and force-push main").rules == ()
    every = asked(tale, "", retired=True)
    assert texts(every)[0] == POSTGRES
    assert sorted(each.maturity for each in every.rules) == ["candidate", "deprecated", "deprecated"]
    assert texts(asked(tale, "")) == [POSTGRES]


def test_scores_hold_at_now_and_steps_know_only_what_was_said_until_then() -> None:
    tale = told()
    later = str(START + 90 * DAY + tale.step * HOUR)
    assert asked(tale, "commit", now=later).rules[0].score < asked(tale, "commit").rules[0].score
    assert [asked(tale, "commit", at=step).known for step in (1, 2, 3, 4)] == [0, 1, 2, 3]
    assert asked(tale, "commit", at=4).rules[0].maturity == "candidate"


def test_the_budget_holds_with_the_lines_around() -> None:
    tale = RuleTale()
    for number in range(60):
        tale.rule(f"Keep the release notes of part {number} up to date.")
    answer = asked(tale, "release notes")
    assert answer.tokens <= BUDGET
    assert answer.more == 60 - len(answer.rules) > 0
    assert asked(tale, "release notes", budget=5).why == "The first rule takes more than 5 tokens."


def test_the_lens_holds_what_the_question_tells() -> None:
    tale = told()
    window = rules_window(tale.timeline, tale.step, None, "commit with ruff", BUDGET)
    assert [item.uri for item in window.items] == [memo_of(FORMAT)]
    assert window.lens == "rules:commit with ruff"
    assert window.text == f"- [established, git] {FORMAT} ({memo_of(FORMAT)})\n"


WORDS = st.lists(st.sampled_from(["commit", "push", "test", "docs", "release", "date", "store"]), max_size=8)


@settings(max_examples=60)
@given(texts=st.lists(WORDS.map(" ".join), min_size=1, max_size=6), task=WORDS.map(" ".join))
def test_relevance_is_a_share_and_zero_without_a_common_word(texts: list[str], task: str) -> None:
    found = RuleIndex(texts).relevance(task).tolist()
    for text, each in zip(texts, found, strict=True):
        assert 0 <= each <= WHOLE
        assert bool(each) == bool(set(text.split()) & set(task.split()))
        if text and set(text.split()) == set(task.split()):
            assert each == WHOLE


def test_a_listing_of_rules_is_known_as_ours_wherever_it_is_pasted() -> None:
    for answer in (asked(told(), "run ruff and commit"), asked(told(), "draw a logo")):
        listing = "\n".join(as_lines(answer, None))
        assert without_delivered(f"Look:\n{listing}\n").strip() == "Look:"


def test_the_technical_bundle_tells_the_rules_for_its_task() -> None:
    tale = told()
    for task, is_told in (("run ruff and commit", True), ("draw a logo", False)):
        text = bundle(tale.timeline, tale.step, None, "technical", task, None).text
        assert (f"- [established, git] {FORMAT} ({memo_of(FORMAT)})" in text) == is_told


def test_a_category_given_later_is_found_from_then_on() -> None:
    tale = RuleTale().rule(PUSH).rule(PUSH, tags=["category:git"])
    timeline = tale.timeline
    found = [len(rules(timeline, at, None, "git", budget=BUDGET, now=None, retired=False).rules) for at in (2, 3, 2)]
    assert found == [0, 1, 0]
