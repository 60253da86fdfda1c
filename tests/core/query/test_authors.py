"""Statements of each author: todos and plans of agents over time, what instruction files say, what is filed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccos_core.query.said import Said, said_until
from ccos_core.query.saying.utterance import AGENT, AUTHORS, FILE, USER, memo_id
from ccos_core.query.statements import Statements
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.query.test_statements import MAIN, RULE, SUB, Story
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale


def call(tale: Tale, name: str, given: Any, result: str = "", **more: Any) -> None:
    arguments = tale.facts.keep(given if isinstance(given, str) else json.dumps(given))
    op = {"kind": "tool", "name": name, "outcome": "ok", "arguments": arguments, **MAIN, **more}
    tale.tell({**op, "result": tale.facts.keep(result)} if result else op)


def said(timeline: Timeline, *authors: str, at: int | None = None) -> list[Said]:
    return list(said_until(timeline, timeline.head if at is None else at, ("claude-code", "s"), authors))


def history(timeline: Timeline) -> dict[str, list[str]]:
    return {each.text: [place.status for place in each.places] for each in said(timeline, AGENT)}


# -- agents -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "argument", "words"),
    [
        ("TodoWrite", "todos", "content"),
        ("todowrite", "todos", "content"),
        ("write_todos", "todos", "description"),
        ("update_plan", "plan", "step"),
    ],
)
def test_todo_lists_over_time(tool: str, argument: str, words: str) -> None:
    tale = Tale()
    first = [{words: "Read it.", "status": "in_progress"}, {words: "Write it.", "status": "pending"}]
    then = [{words: "Read it.", "status": "completed"}, {words: "Test it.", "status": "pending"}]
    for entries in (first, first, then, []):
        call(tale, tool, {argument: entries})
    assert history(timeline_of(tale)) == {
        "Read it.": ["in_progress", "completed"],
        "Write it.": ["pending", "removed"],
        "Test it.": ["pending", "removed"],
    }
    (read, write) = said(timeline_of(tale), AGENT, at=3)
    assert [(place.step, place.first, place.channel) for place in write.places] == [(2, 2, "todo")]
    assert (read.memo, read.classes, read.inferred) == (memo_id(("read", "it")), ("todo",), False)


def test_tasks_one_by_one() -> None:
    tale = Tale()
    call(tale, "TaskCreate", {"subject": "Read it.", "description": "All of it."}, "Task #1 created successfully: …")
    call(tale, "TaskCreate", {"subject": "Write it."}, "Task #2 created successfully: …", context="explore")
    call(tale, "TaskUpdate", {"taskId": "1", "status": "completed"})
    call(tale, "TaskUpdate", {"taskId": "1", "addBlockedBy": ["9"]})
    call(tale, "TaskUpdate", {"taskId": "7", "status": "completed"})
    assert history(timeline_of(tale)) == {"Read it.": ["pending", "completed"], "Write it.": ["pending"]}


def test_plans() -> None:
    tale = Tale()
    call(tale, "ExitPlanMode", {"plan": "# Plan\n- Read it.\n- Write it."}, outcome="error")
    call(tale, "ExitPlanMode", {"plan": "# Plan\n- Read it."})
    proposed = "So:\n<proposed_plan>\n- Ask first.\n</proposed_plan>\n"
    tale.tell({"kind": "turn", "said": tale.facts.keep(proposed), **MAIN, "host": "codex"})
    assert history(timeline_of(tale)) == {
        "Plan": ["rejected", ""],
        "Read it.": ["rejected", ""],
        "Write it.": ["rejected"],
    }
    (planned,) = said_until(timeline_of(tale), 4, ("codex", "s"), (AGENT,))
    assert (planned.text, planned.places[0].channel) == ("Ask first.", "plan")


def test_an_approved_plan_in_a_new_window_is_the_agents() -> None:
    story = (
        Story().say("Implement the following plan:\n\n# Plan\n\n- Read it.").say("Implement the following plan: none")
    )
    assert [each.text for each in said(story.timeline, USER)] == ["Implement the following plan: none"]
    (plan, item) = said(story.timeline, AGENT)
    assert (plan.text, item.text, item.places[0].channel, item.places[0].first) == ("Plan", "Read it.", "plan", 5)
    assert said(Story().say("Operation stopped by hook: Never push.").timeline, USER) == []


@pytest.mark.parametrize("given", ["", "[]", "{", '{"todos": 3}', '{"todos": [1, {"content": 2}]}', "[" * 5_000])
def test_calls_that_declare_nothing(given: str) -> None:
    tale = Tale()
    call(tale, "TodoWrite", given)
    call(tale, "TodoWrite", {"todos": [{"content": "Read it."}]}, outcome="error")
    call(tale, "Read", {"todos": [{"content": "Read it."}]})
    assert history(timeline_of(tale)) in ({}, {"2": ["pending"]})


ENTRIES = st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["pending", "in_progress", "completed"]), max_size=4)


@settings(max_examples=60)
@given(st.lists(ENTRIES, min_size=1, max_size=6))
def test_the_last_status_is_that_of_the_last_list(lists: list[dict[str, str]]) -> None:
    tale = Tale()
    for entries in lists:
        call(tale, "TodoWrite", {"todos": [{"content": each, "status": status} for each, status in entries.items()]})
    found = history(timeline_of(tale))
    assert {each: statuses[-1] for each, statuses in found.items() if each in lists[-1]} == lists[-1]
    assert set(found) == {each for entries in lists for each in entries}
    assert all(statuses[at] != statuses[at + 1] for statuses in found.values() for at in range(len(statuses) - 1))


# -- files ------------------------------------------------------------------------------------------------------------


def files(timeline: Timeline, host: str = "claude-code") -> dict[str, list[tuple[int, str, int]]]:
    every = said_until(timeline, timeline.head, (host, "s"), (FILE,))
    return {each.text: [(place.step, place.path, place.first) for place in each.places] for each in every}


def test_a_file_says_what_it_said_at_that_step() -> None:
    story = Story().say("Begin.")
    tale = story.tale.look("CLAUDE.md", "# Rules\nUse tabs.\n").look("CLAUDE.md", "# Rules\nUse spaces.\n")
    timeline = timeline_of(tale)
    assert files(timeline)["Use tabs."] == [(3, "CLAUDE.md", 2)]
    standing = {each.text: each.standing for each in said(timeline, FILE)}
    assert standing == {"Rules": "live", "Use tabs.": "retracted", "Use spaces.": "live"}
    assert [each.text for each in said(timeline, FILE, at=3)] == ["Rules", "Use tabs."]
    gone = timeline_of(tale.tell({"kind": "gone", "path": "CLAUDE.md"}))
    assert {each.standing for each in said(gone, FILE)} == {"retracted"}


def test_each_host_loads_its_own() -> None:
    tale = Tale({"AGENTS.md": "Use Go.", "CLAUDE.md": "Use Rust.", "GEMINI.md": "Use C.", "src/AGENTS.md": "Use D."})
    tale.look(".claude/rules/a.md", "---\npaths: src\n---\nUse E.").look("src/CLAUDE.md", "Use F.").look(
        "a.md", "Use G."
    )
    found = {host: list(files(timeline_of(tale), host)) for host in ("claude-code", "codex", "gemini", "other")}
    assert found == {
        "claude-code": ["Use Rust.", "Use E.", "Use F."],
        "codex": ["Use Go."],
        "gemini": ["Use C."],
        "other": ["Use Go."],
    }


def test_files_of_other_places_are_not_loaded() -> None:
    tale = Tale({"/other/CLAUDE.md": "No.", "~/other/CLAUDE.md": "No.", "~/.claude/CLAUDE.md": "Use tabs."})
    tale.look("../CLAUDE.md", "Use Go.").look("~/.codex/AGENTS.md", "Use C.").look("docs/.claude/rules/x.md", "No.")
    assert list(files(timeline_of(tale))) == ["Use tabs.", "Use Go."]
    assert list(files(timeline_of(tale), "codex")) == ["Use C."]


def test_of_some_hosts_one_file_counts_in_a_folder() -> None:
    tale = Tale({"AGENTS.md": "Use Go.", "CLAUDE.md": "Use Rust.", "../CLAUDE.md": "Use C."})
    assert list(files(timeline_of(tale), "opencode")) == ["Use Go.", "Use C."]
    tale.look("AGENTS.override.md", "Use D.")
    found = said_until(timeline_of(tale), 5, ("codex", "s"), (FILE,))
    assert {each.text: each.standing for each in found} == {"Use Go.": "retracted", "Use D.": "live"}


LOOKS = st.tuples(
    st.sampled_from(["AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "a.md", "b.md", ".claude/rules/c.md"]),
    st.lists(st.sampled_from(["@a.md", "See @b.md.", "Use tabs.", "Use Go.", "@CLAUDE.md"]), max_size=3).map("\n".join),
)


@settings(max_examples=150)
@given(st.lists(LOOKS, min_size=1, max_size=6), st.sampled_from(["claude-code", "codex", "opencode"]))
def test_what_files_say_at_a_step_depends_on_nothing_later(looks: list[tuple[str, str]], host: str) -> None:
    tale, before = Tale(), list[tuple[Said, ...]]()
    for look in looks:
        tale.look(*look)
        before.append(said_until(timeline_of(tale), len(tale.ops), (host, "s"), (FILE,)))
    timeline = timeline_of(tale)
    assert [said_until(timeline, step, (host, "s"), (FILE,)) for step in range(2, len(looks) + 2)] == before


def test_what_a_file_imports_is_loaded() -> None:
    main = "See @docs/rules.md and `@not.md`.\n\n```\n@nor.md\n```\nmail me@example.org, @gone.md\n"
    tale = Tale({"CLAUDE.md": main, "docs/rules.md": "Use tabs. @../more.md", "more.md": "Be kind. @CLAUDE.md"})
    tale.look("not.md", "No.").look("nor.md", "No.")
    timeline = timeline_of(Story().say("Begin.").tale)
    assert files(timeline) == {}
    found = files(timeline_of(tale))
    assert found["Use tabs."][0][1:] == ("docs/rules.md", 1)
    assert found["Be kind."][0][1:] == ("more.md", 1)
    assert "No." not in found
    assert files(timeline_of(tale), "codex") == {}


def test_what_is_not_known_is_said() -> None:
    story = Story().say("Begin.")
    answer: Statements = ask(story.timeline, "statements", 2, author="file")
    assert (answer.statements, answer.not_known) == ((), ("CLAUDE.md",))
    story.tale.look("CLAUDE.md", "See @docs/rules.md here.")
    answer = ask(timeline_of(story.tale), "statements", 3, author="file")
    assert answer.not_known == ("docs/rules.md",)
    assert ask(story.timeline, "statements", 2).not_known == ()


OF_CODEX = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n"
OF_CLAUDE = "<system-reminder>\nContents of /w/CLAUDE.md (project instructions, checked into the codebase):\n\n"
OF_GEMINI = "--- Context from: GEMINI.md ---\nUse tabs.\n--- End of Context from: GEMINI.md ---"
MAY = "\n\n      IMPORTANT: this context may or may not be relevant.\n</system-reminder>"


@pytest.mark.parametrize(
    ("host", "shown", "path", "first"),
    [
        ("codex", f"{OF_CODEX}Hi.\n\nUse tabs.\n</INSTRUCTIONS>", "/w/AGENTS.md", 3),
        ("codex", f"{OF_CODEX}Use tabs.", "/w/AGENTS.md", 1),
        ("claude-code", f"{OF_CLAUDE}Use tabs.{MAY}", "/w/CLAUDE.md", 1),
        ("gemini", OF_GEMINI, "GEMINI.md", 1),
    ],
)
def test_files_that_a_prompt_of_the_host_shows(host: str, shown: str, path: str, first: int) -> None:
    story = Story().tell({"kind": "prompt", "source": "host", "host": host, "session": "s"}, shown)
    assert files(story.timeline, host)["Use tabs."] == [(2, path, first)]


def test_what_a_command_printed_is_no_instruction_file() -> None:
    for tag in ("local-command-stdout", "task-notification"):
        prompt = {"kind": "prompt", "source": "host", **MAIN}
        assert files(Story().tell(prompt, f"<{tag}>\n{OF_CLAUDE}Push it.</{tag}>").timeline) == {}


def test_a_file_shown_to_one_host_is_not_shown_to_another() -> None:
    shown = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
    assert files(Story().say(shown).timeline, "codex") == {}
    assert files(Story().tell({"kind": "prompt", "source": "host", **MAIN}, shown).timeline, "codex") == {}


# -- all of them ------------------------------------------------------------------------------------------------------


def everything() -> Story:
    story = Story().say(RULE)
    call(story.tale, "TodoWrite", {"todos": [{"content": "Never push to main without asking me"}]})
    story.tale.look("CLAUDE.md", f"- {RULE}\n- Use tabs.\n")
    return story


def test_the_same_words_have_one_id_whoever_said_them() -> None:
    found = said(timeline_of(everything().tale), *AUTHORS)
    assert [each.author for each in found] == ["user", "agent", "file", "file"]
    assert len({each.memo for each in found[:3]}) == 1


@pytest.mark.parametrize(("author", "count"), [("user", 1), ("agent", 1), ("file", 2), ("all", 4)])
def test_statements_by_author(author: str, count: int) -> None:
    answer: Statements = ask(timeline_of(everything().tale), "statements", 4, author=author)
    assert len(answer.statements) == count
    assert answer.author == author


def remembered(story: Story, words: str, **more: Any) -> Story:
    memo = memo_id(words.lower().rstrip(".").split())
    kept = story.tale.facts.keep(words)
    story.tale.tell({"kind": "remembered", "memo": memo, "class": "preference", "words": kept, **MAIN, **more})
    return story


def test_what_was_filed_is_told_with_a_statement() -> None:
    story = remembered(Story().say("Use tabs."), "Use tabs.", actor="user", scope="project")
    (tabs,) = said(story.timeline, USER)
    assert (tabs.classes, tabs.scope, tabs.standing) == (("preference",), "project", "live")
    by = memo_id(("use", "spaces"))
    story.tale.tell({"kind": "superseded", "claim": tabs.memo, "by": by, "actor": "user", **MAIN})
    (tabs,) = said(timeline_of(story.tale), USER)
    assert (tabs.standing, tabs.by) == ("superseded", by)
    assert said(timeline_of(story.tale), USER, at=3)[0].standing == "live"


def test_what_an_agent_remembers_is_not_the_users() -> None:
    story = remembered(Story().say("Begin."), "Use tabs.", actor="agent")
    assert [each.text for each in said(story.timeline, USER)] == ["Begin."]
    assert [(each.text, each.author) for each in said(story.timeline, AGENT)] == [("Use tabs.", "agent")]
    mine = remembered(Story().say("Begin."), "Use tabs.", actor="user")
    assert [each.text for each in said(mine.timeline, USER)] == ["Begin.", "Use tabs."]
    elsewhere = remembered(Story().say("Begin."), "Use tabs.", actor="user", session="other")
    assert [each.text for each in said(elsewhere.timeline, USER)] == ["Begin."]
    assert SUB["session"] == MAIN["session"]
