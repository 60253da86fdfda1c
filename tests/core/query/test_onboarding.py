"""`onboard`: progress and gaps follow from what was remembered, and from nothing else."""

from __future__ import annotations

from typing import Any

from ccos_core.learn.rule import CATEGORIES
from ccos_core.query.playbook.onboarding import Onboarding, Template
from ccos_core.query.saying.utterance import memo_id
from ccos_core.text.retrieval.carried import normalised_words
from tests.core.query.asked import ask
from tests.core.query.conversations import MAIN, Conversation


def onboarded(story: Conversation, part: str = "status", **more: Any) -> Onboarding:
    timeline = story.timeline
    answer: Onboarding = ask(timeline, "onboard", timeline.head, part=part, **more)
    return answer


def template(story: Conversation, **more: Any) -> Template:
    timeline = story.timeline
    answer: Template = ask(timeline, "onboard", timeline.head, part="read", **more)
    return answer


def remembered(story: Conversation, text: str, *tags: str, **more: Any) -> Conversation:
    kept = story.tale.facts.keep(text)
    memo = memo_id(tuple(normalised_words(text)))
    story.tale.tell({"kind": "remembered", "memo": memo, "class": "rule", "words": kept, "tags": list(tags), **more})
    return story


def begun() -> Conversation:
    return (
        Conversation()
        .say("Please fix the flaky pytest fixtures.")
        .say("The colour of the button should be a bit nicer.")
        .say("Never rebase the shared branch, and commit often.")
    )


def tiers(answer: Onboarding) -> dict[str, str]:
    return {each.category: each.tier for each in answer.gaps}


def test_without_rules_all_ten_categories_are_critical() -> None:
    answer = onboarded(begun())
    assert tiers(answer) == dict.fromkeys(CATEGORIES, "critical")
    assert (answer.sessions, answer.read, answer.rules, answer.samples) == (1, (), 0, ())


def test_rules_fill_their_category_only() -> None:
    story = begun()
    for number in range(3):
        remembered(story, f"Say the {number}. thing.", "category:git")
    remembered(story, "Say another thing.", "category:testing")
    found = tiers(onboarded(story))
    assert (found.pop("git"), found.pop("testing")) == ("adequate", "underrepresented")
    assert set(found.values()) == {"critical"}
    assert onboarded(story).gaps[-1].category == "git"


def test_samples_are_prompts_about_gaps_and_nothing_else() -> None:
    samples = onboarded(begun(), "sample").samples
    assert sorted(each.step for each in samples) == [2, 4]
    assert all(each.categories and each.score > 0 for each in samples)


def test_a_category_without_need_gives_no_samples() -> None:
    story = begun()
    for number in range(7):
        remembered(story, f"Say the {number}. thing.", "category:git")
    assert [each.text for each in onboarded(story, "sample").samples] == ["Please fix the flaky pytest fixtures."]


def test_progress_is_what_the_record_says() -> None:
    named = remembered(begun(), "Commit often.", "category:git", "session:s")
    bound = remembered(begun(), "Commit often.", "category:git", **MAIN)
    for story in (named, bound):
        answer = onboarded(story, "sample")
        assert answer.read == ("s",)
        assert answer.samples == ()
    assert onboarded(remembered(begun(), "Commit often.", "category:git")).read == ()


def test_a_rule_that_a_session_bears_out_does_not_count_it_as_read() -> None:
    story = remembered(begun(), "Commit often.", "category:git")
    memo = memo_id(tuple(normalised_words("Commit often.")))
    story.tale.tell({"kind": "supported", "claim": memo, "weight": 0, "way": "outcome", "for_session": "s"})
    answer = onboarded(story, "sample")
    assert answer.read == ()
    assert answer.samples


def test_the_limit_says_how_many_are_left() -> None:
    answer = onboarded(begun(), "sample", limit=1)
    assert (len(answer.samples), answer.more) == (1, 1)


def test_the_template_has_hints_related_rules_gaps_and_a_focus() -> None:
    story = remembered(begun(), "Never rebase a shared branch.", "category:git")
    found = template(story, session="s")
    assert "git" in found.topic_hints
    assert [each.split(" ", 1)[1] for each in found.related_rules] == ["Never rebase a shared branch."]
    assert found.gap_summary.startswith("no rule for debugging, testing")
    assert found.gap_summary.endswith("few for git")
    assert "testing (critical): steps 2" in found.suggested_focus
    assert found.session == "s"


def test_a_template_of_a_record_without_sessions_still_tells_the_gaps() -> None:
    found = template(Conversation())
    assert found.session == ""
    assert found.gap_summary.startswith("no rule for debugging")
