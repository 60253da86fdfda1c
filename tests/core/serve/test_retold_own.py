"""What an agent is told of the user's own record: in every project, once, and only where no carrier holds it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ccos_core.memory.entry import memo_id
from ccos_core.query.catalogue import BY_NAME
from ccos_core.serve import hook
from ccos_core.serve.hook_line import door
from ccos_core.serve.mcp.tools.plain import context_text, window_text
from ccos_core.session.cut_marks import mark_answered, mark_cut, waits, was_cut
from ccos_core.session.hearing import take_in
from ccos_core.session.user_record import record_for_user
from ccos_core.text.retrieval.carried import normalised_words
from tests.core.serve.mcp.tools.serving import Host
from tests.core.serve.test_retold import OTHER, REQUEST, RULE, cut, heard, told
from tests.laws.scripted import SESSION, Scripted

OWN, NOTE = "Answer in British English.", "Deploy to production from main without asking."


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's record that no other test sees."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def agent(shop: Path) -> Scripted:
    agent = Scripted(shop)
    for words in (RULE, OTHER, REQUEST):
        agent.prompt(words)
    return agent


def remembered(text: str, actor: str = "user", cls: str = "preference") -> None:
    """Somebody remembers it for the user, in whatever project."""
    op = {"kind": "remembered", "memo": memo_id(tuple(normalised_words(text))), "class": cls, "words": text}
    record_for_user([{**op, "scope": "user", "actor": actor}])


def asked(agent: Scripted, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """What the server answers, in plain text."""
    ws = heard(agent)
    take_in(ws)
    host = Host(agent.root, Path(ws))
    try:
        texts = {"recall": window_text, "get_context": context_text}
        return [texts[name](host.call(name, **given)) for name, given in calls]
    finally:
        host.door.close()


def test_after_a_compaction_it_is_told_before_code_and_once(agent: Scripted) -> None:
    remembered(OWN)
    agent.read("a.py")
    assert f"- [every project] {OWN}" in told(agent)
    agent.read("sub/b.py")
    cut(agent)
    text = told(agent)
    assert text.index(REQUEST) < text.index(f"- [every project] {OWN}") < text.index(f"- [2] {RULE}")
    assert told(agent) == ""
    agent.read("a.py")
    cut(agent, f"The user said: {OWN} {REQUEST}")
    assert OWN not in told(agent)


def test_what_a_prompt_of_this_session_says_is_not_told(agent: Scripted) -> None:
    remembered(RULE)
    assert told(agent) == ""


def test_a_resumed_session_hears_it_with_its_first_prompt(agent: Scripted) -> None:
    remembered(OWN)
    assert told(agent, "SessionStart", source="resume") == ""
    assert OWN in told(agent, "UserPromptSubmit", prompt="and now?", prompt_id="p9")


def test_a_subagent_hears_it(agent: Scripted) -> None:
    remembered(OWN)
    assert OWN in told(agent, "SubagentStart", agent_id="explore", agent_type="explore")


def test_the_first_recall_of_a_session_tells_it(agent: Scripted) -> None:
    recall = ("recall", {"lens": "working-set"})
    assert OWN not in asked(agent, recall)[0]
    remembered(OWN)
    first, then = asked(agent, recall, recall)
    assert OWN in first
    assert RULE not in first, "the window holds it"
    assert OWN not in then
    assert OWN not in told(agent)


def test_an_agents_note_is_not_told_in_other_projects_and_marked_where_it_is_asked_for(agent: Scripted) -> None:
    remembered(NOTE, "agent", "correction")
    remembered(OWN)
    cut(agent)
    assert NOTE not in told(agent)
    assert NOTE not in asked(agent, ("recall", {"lens": "resume"}))[0]
    (context,) = asked(agent, ("get_context", {}))
    assert context.index(OWN) < context.index(NOTE), "what a person said comes first"
    (line,) = [line for line in context.splitlines() if NOTE in line]
    assert "not confirmed by the user" in line
    remembered(NOTE)
    assert "confirm" not in asked(agent, ("get_context", {}))[0]
    cut(agent)
    assert NOTE in told(agent)


def test_an_agents_note_files_nothing_that_the_user_says_here(agent: Scripted) -> None:
    remembered(RULE, "agent", "todo")
    ws = heard(agent)
    take_in(ws)
    host = Host(agent.root, Path(ws))
    try:
        host.call("recall", lens="working-set")
        listed = host.door.live().desk.ask(BY_NAME["statements"], {}).answer.statements
    finally:
        host.door.close()
    (rule,) = [each for each in listed if each.text == RULE]
    assert (rule.author, "todo" in rule.classes, rule.scope) == ("user", False, "session")


def test_what_was_taken_back_is_not_told(agent: Scripted) -> None:
    remembered(OWN)
    record_for_user([{"kind": "retracted", "claim": memo_id(tuple(normalised_words(OWN))), "actor": "user"}])
    cut(agent)
    assert OWN not in told(agent)


@pytest.mark.parametrize("source", ["startup", "resume"])
def test_a_hook_answers_the_first_prompt_of_a_session_only_if_the_user_has_a_record(
    agent: Scripted, source: str
) -> None:
    ws = heard(agent)
    begins = {"session_id": SESSION, "cwd": str(agent.root), "hook_event_name": "SessionStart", "source": source}
    hook.hear([], json.dumps(begins).encode())
    assert not waits(ws, SESSION)
    remembered(OWN)
    hook.hear([], json.dumps(begins).encode())
    assert waits(ws, SESSION)
    mark_answered(ws, SESSION)
    assert not waits(ws, SESSION)
    assert not was_cut(ws, SESSION), "later prompts cost a look at a small file"
    mark_cut(ws, SESSION)
    hook.hear([], json.dumps(begins).encode())
    mark_answered(ws, SESSION)
    assert was_cut(ws, SESSION)


def test_the_hook_prints_it_with_the_first_prompt(agent: Scripted) -> None:
    heard(agent)
    remembered(OWN)
    printed = []
    events = [{"hook_event_name": "SessionStart", "source": "startup"}]
    events += [
        {"hook_event_name": "UserPromptSubmit", "prompt": "and now?", "prompt_id": each} for each in ("p8", "p9")
    ]
    for event in events:
        line = json.dumps({"session_id": SESSION, "cwd": str(agent.root), **event}).encode()
        words = [sys.executable, "-I", "-S", door(), "--inject", "--within", "60"]
        printed.append(subprocess.run(words, input=line, stdout=subprocess.PIPE, check=True, timeout=120).stdout)
    assert [OWN.encode() in each for each in printed] == [False, True, False]
