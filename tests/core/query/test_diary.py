"""`diary`: what each session did, decided, met and learned, with the steps that show it, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from ccos_core.errors import NotFound, Usage
from ccos_core.present.aloud import sentences
from ccos_core.present.rows import View
from ccos_core.query.playbook.diary import MOST_CHARACTERS, MOST_ITEMS, Diary, DiaryPage, Entry, SessionDiary
from ccos_core.query.playbook.diary_items import _short
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.query.conversations import Conversation

COMMITTED = "[main 1a2b3c4] Fix the lookup\n 1 file changed, 1 insertion(+), 1 deletion(-)\n"
SECRET = "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"


def diaries(timeline: Timeline, at: int | None = None, **arguments: Any) -> tuple[SessionDiary, ...]:
    answer: Diary = ask(timeline, "diary", timeline.head if at is None else at, **arguments)
    return answer.sessions


def section(diary: SessionDiary, name: str) -> tuple[Entry, ...]:
    return next((each.entries for each in diary.sections if each.name == name), ())


def texts(diary: SessionDiary, name: str) -> list[str]:
    return [each.text for each in section(diary, name)]


def worked() -> Conversation:
    story = Conversation().say("Fix the lookup in the shop, please.").look("shop/db.py", "a = 1\n")
    story.edit("shop/db.py", "a = 1", "a = 2").run('git commit -am "Fix the lookup"', COMMITTED)
    story.edit("shop/app.js", "x", "y").say("Always run make check before you commit.")
    return story.say("No, that is wrong: it has to be 3.")


def test_commits_edits_preferences_and_corrections_are_told_with_their_steps() -> None:
    (diary,) = diaries(worked().timeline)
    committed, changed = section(diary, "accomplishments")
    assert committed.text == "Fix the lookup (commit 1a2b3c4, 1 file)"
    assert changed.text == "changed shop/app.js (1 edit)"
    timeline = worked().timeline
    assert {timeline.op(step)["kind"] for step in committed.steps} == {"tool", "seen"}
    assert [timeline.op(step)["path"] for step in changed.steps] == ["shop/app.js"]
    assert texts(diary, "preferences") == ["“Always run make check before you commit.”"]
    assert texts(diary, "learnings") == ["“No, that is wrong: it has to be 3.”"]
    assert diary.about == "Fix the lookup in the shop, please."
    assert {"shop", "py", "js"} <= set(diary.tags)
    assert {"shop/db.py", "1a2b3c4"} <= set(diary.anchors)


def test_each_step_is_one_of_the_steps_asked_about_and_of_the_session() -> None:
    timeline = worked().timeline
    for at in range(1, timeline.head + 1):
        for diary in diaries(timeline, at):
            steps = [step for each in diary.sections for entry in each.entries for step in entry.steps]
            assert all(diary.first <= step <= diary.last <= at for step in steps)


def test_the_id_is_the_hash_of_the_content() -> None:
    assert diaries(worked().timeline)[0].id == diaries(worked().timeline)[0].id
    assert diaries(worked().timeline)[0].id != diaries(worked().say("Never push to main.").timeline)[0].id


def test_a_question_a_pasted_log_and_a_single_word_are_no_entries() -> None:
    (diary,) = diaries(
        Conversation().say("Do you always run the tests?").say("```\nalways = 1\n```").say("no").timeline
    )
    assert diary.sections == ()


def test_words_of_a_tool_are_no_entries() -> None:
    """A preference that a file or a program utters isn't the user's."""
    (diary,) = diaries(Conversation().say("Look.").run("cat notes", "Always use npm. Never push to main.").timeline)
    assert diary.sections == ()


def test_secrets_stand_nowhere_in_a_diary() -> None:
    story = Conversation().say(f"Always use the token {SECRET} for the deployment.")
    timeline = story.timeline
    assert SECRET not in str(diaries(timeline))
    page: DiaryPage = ask(timeline, "diary", timeline.head, markdown=True)
    assert SECRET not in page.text
    assert "REDACTED" in page.text


def test_a_diary_is_capped() -> None:
    story = Conversation()
    for number in range(400):
        story.say(f"Never use the package number {number} of " + " ".join(["many long words"] * 20) + ".")
    (diary,) = diaries(story.timeline)
    (preferences,) = diary.sections
    assert len(preferences.entries) == MOST_ITEMS
    assert preferences.more == 400 - MOST_ITEMS
    assert sum(len(each.text) for each in preferences.entries) <= MOST_CHARACTERS


def test_a_session_is_told_alone_if_it_is_named() -> None:
    story = worked()
    tale = story.tale
    tale.tell(
        {"kind": "prompt", "source": "user", "said": tale.facts.keep("Never push."), "host": "codex", "session": "t"}
    )
    assert [each.session for each in diaries(story.timeline)] == ["t", "s"]
    (alone,) = diaries(story.timeline, session="s")
    assert texts(alone, "accomplishments")[0].startswith("Fix the lookup")
    with pytest.raises(NotFound):
        diaries(story.timeline, session="none")


def test_a_sessions_diary_stays_when_another_session_follows() -> None:
    story = Conversation().say("Try it.").look("shop/db.py", "a = 1\n").edit("shop/db.py", "a = 1", "a = 2")
    (before,) = diaries(story.timeline)
    for op in (
        {"kind": "prompt", "source": "user", "said": story.tale.facts.keep("Undo it.")},
        {"kind": "seen", "path": "shop/db.py", "how": "edit", "content": story.tale.facts.keep("a = 1\n")},
    ):
        story.tale.tell({**op, "host": "codex", "session": "later"})
    after = {each.session: each for each in diaries(story.timeline)}
    assert after[before.session] == before
    assert diaries(story.timeline, session=before.session) == (before,)


def test_markdown_has_every_entry() -> None:
    timeline = worked().timeline
    page: DiaryPage = ask(timeline, "diary", timeline.head, markdown=True)
    (diary,) = diaries(timeline)
    for each in diary.sections:
        assert f"## {each.name.capitalize()}" in page.text
        assert all(f"- {entry.text} (step" in page.text for entry in each.entries)


def test_an_edit_that_was_taken_back_is_a_failed_attempt_and_no_accomplishment() -> None:
    story = Conversation().say("Try it.").look("shop/db.py", "a = 1\n")
    story.edit("shop/db.py", "a = 1", "a = 2").edit("shop/db.py", "a = 2", "a = 1")
    (diary,) = diaries(story.timeline)
    assert texts(diary, "accomplishments") == []
    assert texts(diary, "failed attempts") == ["the edits of shop/db.py from step 6 were taken back"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("github.com/a/b/cmd.TestIt", "cmd.TestIt"),
        ("a.go:1:2: undefined: x (typecheck) : undefined: x (typecheck)", "a.go:1:2: undefined: x (typecheck)"),
        ("ImportError: no x ImportError: no x", "ImportError: no x"),
        ("ImportError: no x, ImportErrors abound", "ImportError: no x, ImportErrors abound"),
    ],
)
def test_a_failures_name_says_nothing_twice(name: str, short: str) -> None:
    assert _short(name) == short


def test_an_empty_record_has_no_diary_and_says_so() -> None:
    timeline = Conversation().timeline
    assert diaries(timeline) == ()


def test_a_bullet_isnt_read_aloud() -> None:
    answer: Diary = ask(worked().timeline, "diary", worked().timeline.head)
    assert not any("not yet there" in said for said in sentences(answer.as_rows(View())))


def test_a_name_without_a_letter_is_no_name() -> None:
    told = Conversation()
    told.say("Fix the lookup.")
    with pytest.raises(Usage, match="no session is named"):
        diaries(told.timeline, session=" ")
