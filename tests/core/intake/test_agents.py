"""What the table of agents says of each: held against a session that has everything, and against the formats."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from ccos_core.intake import agents
from ccos_core.intake.agents import AGENTS, Agent
from ccos_core.intake.importers.formats import FORMATS
from ccos_core.intake.importers.record import Observation
from ccos_core.session.places import called, places
from tests.core.intake.importers.foreign import told
from tests.core.intake.importers.rows import RECORDS

ELSEWHERE = {
    **{name: {agents.SUBAGENTS} for name in ("claude-code", "opencode", "crush", "gemini")},
    **{name: {agents.THINKING} for name in ("mini-swe-agent", "generic")},
}
"""What other tests show: subagents that have files or documents of their own, and thinking that is seldom there."""


def shows(observations: Iterable[Observation]) -> set[str]:
    """What a session tells."""
    found = set()
    for each in observations:
        found |= {agents.TIMES} if each.get("at") is not None else set()
        found |= {agents.TOKENS} if each["kind"] == "usage" else set()
        found |= {agents.THINKING} if each["kind"] == "thought" else set()
        found |= {agents.RESULTS} if each["kind"] == "tool" and each["result"] is not None else set()
        found |= {agents.SUBAGENTS} if each.get("context") else set()
        if each["kind"] == "compaction":
            found |= {agents.CUTS if each["exact"] else agents.CUTS_INFERRED}
    return found


def test_every_format_is_an_agents_and_every_agent_has_one() -> None:
    assert {each.name for each in AGENTS} == {each.name for each in FORMATS}
    assert len({each.name for each in AGENTS}) == len(AGENTS)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda each: each.name)
def test_an_agent_tells_what_the_table_says(agent: Agent) -> None:
    made = [told(format_, records) for format_, records in RECORDS if format_.name == agent.name]
    found = set().union(*(shows(each) for each in made))
    wanted = set(agent.tells)
    if agents.CUTS in wanted:  # some of its cuts may be inferred all the same
        found -= {agents.CUTS_INFERRED}
    assert found | ELSEWHERE.get(agent.name, set()) == wanted


def test_places_follow_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    usual = places()
    assert str(tmp_path / ".codex" / "sessions") in usual
    assert str(tmp_path / ".claude" / "projects") in usual
    assert str(tmp_path / ".local/share/opencode/opencode.db") in usual
    assert all(os.path.isabs(each) and "$" not in each for each in usual)
    monkeypatch.setenv("CODEX_HOME", "/c")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/d")
    monkeypatch.setenv("XDG_DATA_HOME", "/e")
    assert {"/c/sessions", "/c/archived_sessions", "/d/projects", "/e/opencode/opencode.db"} <= set(places())


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/a/b/1234.jsonl", "1234"),
        ("/k/sessions/p/s-1/agents/main/wire.jsonl", "s-1"),
        ("/g/sessions/w/u-2/chat_history.jsonl", "u-2"),
        ("/b/brain/u-3/.system_generated/logs/transcript.jsonl", "u-3"),
        ("wire.jsonl", "wire"),
    ],
)
def test_a_file_that_is_called_like_others_has_its_folders_name(path: str, name: str) -> None:
    assert called(path) == name
