"""`outcome`: tests before words, and credit only for rules that were in the window and followed."""

from __future__ import annotations

from typing import Any

import pytest

from ccos_core.present.aloud import sentences
from ccos_core.present.rows import View
from ccos_core.query.catalogue import BY_NAME
from ccos_core.query.playbook.outcome import SessionOutcome
from ccos_core.query.question import Plan
from tests.core.query.conversations import Conversation
from tests.core.query.playbook.rule_tales import memo_of

PNPM, PUSH = "Use pnpm, not npm.", "Never push to main."
GREEN = "===== 3 passed in 0.10s ====="
RED = "tests/test_api.py::test_handle FAILED\n===== FAILURES =====\nE   assert 1 == 2\n" \
    "FAILED tests/test_api.py::test_handle - assert 1 == 2\n===== 1 failed in 0.10s ====="  # fmt: skip


class Ruled(Conversation):
    """A conversation with rules."""

    def rule(self, words: str, **more: Any) -> Ruled:
        self._tell(kind="remembered", memo=memo_of(words), words=self._keep(words), scope="project",
                   actor="agent", **{"class": "rule", **more})  # fmt: skip
        return self

    def rate(self, words: str, **more: Any) -> Ruled:
        self._tell(kind="supported", claim=memo_of(words), **{"weight": 1_000, "way": "explicit", **more})
        return self

    def record(self, plan: Plan) -> Ruled:
        """Record what was planned."""
        for op in plan.ops:
            self.tale.tell({**op, "words": self._keep(op["words"]), "actor": "user"})
        return self


def asked(told: Conversation, verdict: str = "record", **given: Any) -> Plan:
    timeline = told.timeline
    question = BY_NAME["outcome"].load()
    return question.ask(
        timeline, timeline.head, user=None, **{"words": "", "session": None, "verdict": verdict, **given}
    )


def outcome(told: Conversation, verdict: str = "show", **given: Any) -> SessionOutcome:
    plan = asked(told, verdict, **given)
    assert verdict != "show" or not (plan.ops or plan.beside)
    answer: SessionOutcome = plan.answer
    return answer


def told() -> Ruled:
    """A rule is remembered, read aloud by the user, and followed."""
    tale = Ruled().rule(PNPM)
    tale.say(f"Add a linter. {PNPM}").run("pnpm add eslint").edit("src/a.ts", "x", "y")
    return tale


def test_tests_that_pass_after_the_last_edit_credit_a_rule_that_was_followed() -> None:
    tale = told().run("pytest -q", GREEN)
    plan = asked(tale)
    answer = plan.answer
    assert (answer.verdict, answer.way, answer.session) == ("success", "test", "s")
    (credited,) = answer.rules
    assert (credited.content, credited.weight, credited.known) == (PNPM, 200, False)
    (op,) = plan.ops
    assert (op["kind"], op["claim"], op["way"], op["weight"], op["for_session"]) == (
        "supported", memo_of(PNPM), "test", 200, "s",
    )  # fmt: skip
    assert op["words"].startswith("success: tests passed after the last edit")


def test_a_rule_is_never_credited_twice_for_a_session() -> None:
    tale = told().run("pytest -q", GREEN)
    tale.record(asked(tale))
    again = asked(tale)
    assert not again.ops
    assert again.answer.rules[0].known


def test_a_rule_that_was_rated_or_marked_in_the_session_is_not_counted_again() -> None:
    rated = told().rate(PNPM, for_session="s").run("pytest -q", GREEN)
    assert not asked(rated).ops
    marked = told()
    marked._tell(kind="turn", said=marked._keep(f"[ccos: helpful {memo_of(PNPM)}]"))
    assert not asked(marked.run("pytest -q", GREEN)).ops
    other = told().rate(PNPM, for_session="another").run("pytest -q", GREEN)
    assert asked(other).ops


def test_a_rule_that_the_window_never_had_gets_no_credit() -> None:
    """Its words are those of the record, but no window held them."""
    tale = Ruled().rule(PNPM)
    tale.say("Add a linter.").run("pnpm add eslint").run("pytest -q", GREEN)
    answer = outcome(tale)
    assert (answer.verdict, answer.rules) == ("success", ())


def test_a_verdict_that_credits_no_rule_says_that_nothing_was_recorded() -> None:
    said = asked(Ruled().say("Add a linter."), verdict="failure").answer
    assert (said.said, said.changed) == (True, False)
    assert "nothing was recorded" in "\n".join(sentences(said.as_rows(View())))


def test_a_rule_that_was_delivered_by_ccos_tui_counts() -> None:
    tale = Ruled().rule(PNPM)
    delivered = {"lens": "inject", "budget": 600, "computed_at": 2, "parameters": {}, "items": [], "window": "0" * 64}
    tale.say("Add a linter.")._tell(kind="recall", said=tale._keep(f"- {PNPM}"), **delivered)
    tale.run("pnpm add eslint").run("pytest -q", GREEN)
    assert [each.weight for each in outcome(tale).rules] == [200]


def test_a_rule_that_a_cut_took_away_before_it_was_followed_gets_no_credit() -> None:
    tale = Ruled().rule(PNPM)
    tale.say(f"Add a linter. {PNPM}").compact("They add a linter.").run("pnpm add eslint").run("pytest -q", GREEN)
    assert outcome(tale).rules == ()


@pytest.mark.parametrize(
    "command",
    ["ls", "npm add eslint"],
    ids=["not followed", "broken"],
)
def test_a_rule_that_was_delivered_but_not_followed_gets_no_credit(command: str) -> None:
    tale = Ruled().rule(PNPM).rule(PUSH)
    tale.say(f"Add a linter. {PNPM} {PUSH}").run(command).run("pytest -q", GREEN)
    assert outcome(tale).rules == ()


def test_a_rule_that_was_followed_and_broken_gets_no_credit() -> None:
    assert outcome(told().run("npm add jest").run("pytest -q", GREEN)).rules == ()


def test_a_failure_blames_only_rules_that_were_followed_before_it_began() -> None:
    after = told().run("pytest -q", RED, fails=True)
    answer = outcome(after)
    assert (answer.verdict, answer.way, [each.weight for each in answer.rules]) == ("failure", "test", [-200])
    before = Ruled().rule(PNPM)
    before.say(f"Add a linter. {PNPM}").run("pytest -q", RED, fails=True).run("pnpm add eslint")
    answer = outcome(before)
    assert (answer.verdict, [each.weight for each in answer.rules]) == ("failure", [0])
    assert not asked(before).ops


def test_words_come_last_and_count_least() -> None:
    praised = outcome(told().say("Perfect, thanks!"))
    assert (praised.verdict, praised.way, [each.weight for each in praised.rules]) == ("success", "outcome", [50])
    blamed = outcome(told().say("It still doesn't work."))
    assert (blamed.verdict, blamed.way, [each.weight for each in blamed.rules]) == ("failure", "outcome", [-50])
    both = outcome(told().run("pytest -q", GREEN).say("Perfect, thanks!"))
    assert (both.verdict, both.way, [each.weight for each in both.rules]) == ("success", "test", [250])


def test_what_points_both_ways_counts_for_none() -> None:
    answer = outcome(told().run("pytest -q", GREEN).say("It still doesn't work."))
    assert (answer.verdict, [each.weight for each in answer.rules]) == ("mixed", [0])


def test_a_run_before_the_last_edit_says_nothing() -> None:
    tale = told().run("pytest -q", GREEN).edit("src/b.ts", "x", "y")
    answer = outcome(tale)
    assert (answer.verdict, answer.signs) == ("unknown", ())
    assert not asked(tale).ops


def test_some_failures_ended_and_some_not_is_partial() -> None:
    tale = told().run("pytest -q", RED, fails=True).run("pytest -q", RED.replace("handle", "other"), fails=True)
    tale.run(
        "pytest -q tests/test_api.py::test_handle", "tests/test_api.py::test_handle PASSED\n== 1 passed in 0.1s =="
    )
    answer = outcome(tale)
    assert (answer.verdict, [each.weight for each in answer.rules]) == ("partial", [0])


def test_an_outcome_that_is_said_counts_where_tests_say_nothing_else() -> None:
    """And what a person says later than the tests takes their place."""
    plan = asked(told(), "success", words="it shipped")
    (op,) = plan.ops
    assert (op["way"], op["weight"], plan.answer.said) == ("outcome", 300, True)
    assert op["words"] == "success: it shipped; followed at step 4"
    tale = told().run("pytest -q", GREEN)
    tale.record(asked(tale))
    (op,) = asked(tale, "failure").ops
    assert (op["kind"], op["way"]) == ("contradicted", "outcome")
    assert not asked(tale.record(asked(tale, "failure")), "failure").ops


def test_what_is_recorded_never_weighs_more_than_three_tenths() -> None:
    tale = told().run("pytest -q", GREEN).run("git commit -am x", "[main 1234567] x\n 1 file changed").say("Perfect!")
    (credited,) = outcome(tale).rules
    assert credited.weight == 300


def test_the_session_that_spoke_last_is_told_by_time_and_not_by_place() -> None:
    tale = told().say("Go on.", at=2_000)
    earlier = {"host": "claude-code", "session": "imported later", "at": 1_000}
    tale.tale.tell({"kind": "prompt", "source": "user", "said": tale._keep("Hello there."), **earlier})
    assert outcome(tale).session == "s"


def test_a_program_that_fails_is_no_failing_test() -> None:
    printed = '  File "x.py", line 1\n    12abc\n     ^\nSyntaxError: invalid decimal literal'
    tale = told().run("python x.py", printed, fails=True)
    assert tale.timeline.journal.failures["unit"].size
    assert (outcome(tale).verdict, outcome(tale).signs) == ("unknown", ())
