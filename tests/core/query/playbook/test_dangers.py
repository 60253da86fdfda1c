"""`dangers`: dangerous commands that were run, what followed, and the traumas they are worth."""

from __future__ import annotations

from ccos_core.learn.trauma import rules_of, trauma_proposals
from ccos_core.query.playbook.dangers import Dangers
from tests.core.query.asked import ask
from tests.core.query.conversations import Conversation

REFUSAL = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def dangers(conversation: Conversation, **given: int) -> Dangers:
    timeline = conversation.timeline
    answer = ask(timeline, "dangers", timeline.head, **given)
    assert isinstance(answer, Dangers)
    return answer


def apologize(conversation: Conversation, text: str) -> Conversation:
    conversation._tell(kind="turn", said=conversation._keep(text))
    return conversation


def test_what_followed_is_told_with_its_steps() -> None:
    told = Conversation().say("Tidy the branch.").run("git reset --hard HEAD~3")
    danger = told.step
    apologize(told, "Done. I'm sorry, I reset your uncommitted work! I'll look for it.")
    told.run("git reflog").say("Why did you do that? My changes are gone.").say("Go on.")
    (found,) = dangers(told).dangers
    assert (found.rule, found.outcome, found.step, found.harmed) == ("git reset --hard", "ran", danger, True)
    assert [(sign.kind, sign.step - danger) for sign in found.signs] == [("apology", 1), ("recovery", 2), ("user", 3)]
    assert found.signs[0].words == "I'm sorry, I reset your uncommitted work!"
    assert found.signs[1].words == "git reflog"


def test_without_a_sign_it_was_a_near_miss() -> None:
    told = Conversation().say("Build it.").run("git clean -fdx").run("make").say("Thanks, that works.")
    answer = dangers(told)
    assert (answer.found, answer.harmed) == (1, 0)
    assert not answer.dangers[0].signs


def test_what_the_user_refused_never_ran() -> None:
    told = Conversation().run("git push --force", REFUSAL, fails=True).say("Never do that! You lost my commits before.")
    answer = dangers(told)
    assert (answer.refused, answer.harmed) == (1, 0)
    assert answer.dangers[0].outcome == "refused"


def test_what_is_mentioned_or_searched_never_ran() -> None:
    told = Conversation().run('git commit -m "Never git push --force"').run("grep -rn 'rm -rf' .")
    apologize(told, "I'm sorry, that commit was a mistake.")
    told.look("clean.sh", "rm -rf /\n").edit("clean.sh", "rm -rf /", "git clean -fdx")
    assert not dangers(told).found


def test_only_the_next_prompts_of_the_same_context_count() -> None:
    told = Conversation().say("Go.").run("rm -rf src").say("Fine.").say("Next.").say("What did you do?")
    assert not dangers(told).harmed
    told = Conversation().say("Go.").by("helper").run("rm -rf src").by("")
    apologize(told, "My mistake.")
    assert not dangers(told).harmed


def test_those_that_did_harm_come_first_and_the_rest_is_counted() -> None:
    told = Conversation().run("rm -rf docs").say("ok").say("ok").run("rm -rf src").say("You deleted my code")
    answer = dangers(told, limit=1)
    assert (answer.found, [each.program for each in answer.dangers]) == (2, ["rm -rf src"])


def test_a_trauma_is_proposed_until_one_of_its_kind_is_remembered_and_never_when_it_was_taken_back() -> None:
    told = Conversation().run("git push -f origin main").say("You destroyed the history of main!")
    answer = ask(told.timeline, "proposals", told.step)
    (trauma,) = [each for each in answer.proposals if each.cls == "trauma"]
    assert trauma.evidence[0].steps == (2, 3)
    words = told._keep(trauma.words)
    told._tell(kind="remembered", **{"class": "trauma"}, memo=trauma.memo, words=words, scope="project", actor="user")
    told.run("git push --force").say("My commits are gone again.")
    assert not [each for each in ask(told.timeline, "proposals", told.step).proposals if each.cls == "trauma"]
    told._tell(kind="retracted", claim=trauma.memo, actor="user")
    assert not [each for each in ask(told.timeline, "proposals", told.step).proposals if each.cls == "trauma"]


def test_a_trauma_quotes_what_the_guard_knows_again() -> None:
    told = Conversation().run("git push -f origin main").say("You destroyed the history of main!")
    told.run("rm -rf build").run("git clean -fd").say("ok")
    (trauma,) = trauma_proposals(dangers(told).dangers, "app")
    assert (trauma.cls, trauma.category, trauma.sessions) == ("trauma", "git", ("s",))
    assert rules_of(trauma.words) == {"git push --force"}
    assert trauma.observations[0].steps == (2, 3)
    assert not rules_of("Never run git push --force")
