"""`rule` at a step: in force, in the agent's window, told and followed or not."""

from __future__ import annotations

from typing import Any

import pytest

from ccos_core.serve.printing import as_lines
from tests.core.query.asked import ask
from tests.core.query.playbook.rule_tales import RuleTale, memo_of
from tests.core.query.playbook.test_outcome import PNPM, Ruled


def rule_at(tale: Ruled, at: int, words: str = PNPM) -> Any:
    return ask(tale.timeline, "rule", at, node=memo_of(words))


def course() -> tuple[Ruled, dict[str, int]]:
    """A rule that is known, told, followed, broken, lost to a compaction, broken again, and retracted."""
    tale, steps = Ruled().rule(PNPM), {}
    tale.say("Add a linter.").run("npm add early")
    steps["known"] = tale.timeline.head
    steps["told"] = tale.say(f"Again: {PNPM}").timeline.head
    steps["followed"] = tale.run("pnpm add eslint").timeline.head
    steps["broken"] = tale.run("npm add jest").timeline.head
    tale.compact("They add a linter.")
    steps["lost"] = tale.run("npm add late").timeline.head
    tale._tell(kind="retracted", claim=memo_of(PNPM), actor="user")
    steps["retracted"] = tale.run("npm add after").timeline.head
    return tale, steps


def test_a_rule_is_known_told_followed_and_not_followed_by_the_step() -> None:
    tale, steps = course()
    found = {name: rule_at(tale, step).moment for name, step in steps.items()}
    assert [found[each].stands for each in ("known", "told", "followed", "broken")] == [
        "known, not told", "told", "told and followed", "told and not followed",
    ]  # fmt: skip
    assert [found[each].state for each in ("known", "told", "broken", "lost")] == ["unborn", "in", "in", "out"]
    assert found["told"].carriers == (f"prompt {steps['told']}",)
    assert found["lost"].carriers == ()
    assert (found["lost"].told, found["lost"].since) == (steps["told"], steps["lost"] - 1)
    assert [(each.follows, each.in_window) for each in found["lost"].deeds] == [
        (False, False), (True, True), (False, True), (False, False),
    ]  # fmt: skip
    assert (found["lost"].followed, found["lost"].broken, found["lost"].broken_untold) == (1, 1, 2)


def test_what_is_done_after_a_rule_was_retracted_breaks_nothing() -> None:
    tale, steps = course()
    before, after = rule_at(tale, steps["lost"]), rule_at(tale, steps["retracted"])
    assert (before.in_force, after.in_force) == (True, False)
    assert after.moment.deeds == before.moment.deeds


def test_a_later_step_changes_nothing_of_an_earlier_one() -> None:
    """A question at a step answers the same whatever was recorded since."""
    tale = Ruled().rule(PNPM)
    at = tale.say(f"Add a linter. {PNPM}").run("pnpm add eslint").timeline.head
    short = rule_at(tale, at).moment
    tale.compact("They add a linter.").run("npm add jest")
    assert rule_at(tale, at).moment == short


def test_a_rule_whose_words_order_nothing_is_not_judged() -> None:
    tale = Ruled().rule("The moon is far.").say("Good morning. The moon is far.").run("ls")
    moment = rule_at(tale, tale.timeline.head, "The moon is far.").moment
    assert (moment.stands, moment.judged, moment.deeds) == ("told", False, ())


def test_a_record_without_a_window_says_nothing_of_one() -> None:
    tale = RuleTale().rule(PNPM)
    assert ask(tale.timeline, "rule", tale.step, node=memo_of(PNPM)).moment is None


@pytest.mark.parametrize("step", ["known", "told", "followed", "broken", "lost"])
def test_the_rows_say_it(step: str) -> None:
    tale, steps = course()
    answer = rule_at(tale, steps[step])
    text = "\n".join(as_lines(answer, 80, aloud=True))
    assert f"step {steps[step]}: in force; {answer.moment.stands}" in text


def test_rules_say_which_of_them_the_window_has() -> None:
    tale, steps = course()
    for name, window in (("known", "unborn"), ("told", "in"), ("lost", "out")):
        answer = ask(tale.timeline, "rules", steps[name], told=True)
        assert [each.state for each in answer.rules] == [window]
        assert "the agent's window: " in "\n".join(as_lines(answer, 80))
    assert ask(tale.timeline, "rules", steps["told"]).rules[0].state == ""


@pytest.mark.parametrize("question", ["missing", "watch"])
def test_questions_of_a_window_say_how_the_rule_stands(question: str) -> None:
    tale, steps = course()
    for name, words in (("lost", "live since step 2"), ("retracted", f"retracted since step {steps['lost'] + 1}")):
        answer = ask(tale.timeline, question, steps[name], node=memo_of(PNPM), lens="host")
        assert answer.item == f"“{PNPM}”, a rule that is {words}"


def test_the_chain_of_replaced_and_inverted_rules_is_told_in_words() -> None:
    first, second, third = "Use SQLite.", "Use SQLite for tests.", "AVOID: Use SQLite for tests."
    tale = RuleTale().rule(first).rule(second)
    tale.tell(kind="superseded", claim=memo_of(first), by=memo_of(second), how="replace", actor="user")
    tale.rule(third)
    tale.tell(kind="superseded", claim=memo_of(second), by=memo_of(third), how="invert", actor="user")
    chains = {
        words: [
            (each.content, each.how, each.put_aside, each.later)
            for each in ask(tale.timeline, "rule", tale.step, node=memo_of(words)).chain
        ]
        for words in (first, second, third)
    }
    step = tale.step
    assert chains[third] == [(second, "invert", step, False), (first, "replace", step - 2, False)]
    assert chains[second] == [(first, "replace", step - 2, False), (third, "", 0, True)]
    assert chains[first] == [(second, "invert", step, True), (third, "", 0, True)]
    text = "\n".join(as_lines(ask(tale.timeline, "rule", step, node=memo_of(third)), None))
    assert f"replaces {memo_of(second)} “{second}” (invert at step {step})" in text
    assert ask(tale.timeline, "rule", step - 3, node=memo_of(second)).chain == ()
