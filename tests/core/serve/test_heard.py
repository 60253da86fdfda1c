"""Commands on a project that hooks told of: what was heard is there, or it is said that it waits."""

import json
from pathlib import Path

import pytest

from ccos_core.serve.hook import hear
from tests.core.serve.calling import Caller
from tests.laws.scripted import Scripted


@pytest.fixture
def agent(shop: Path) -> Scripted:
    agent = Scripted(shop)
    agent.prompt("The total is wrong.")
    agent.read("a.py")
    agent.test(passes=False)
    return agent


def heard(agent: Scripted) -> str:
    for event in agent.events:
        hear([], json.dumps(event).encode())
    agent.events.clear()
    return str(agent.root)


@pytest.mark.parametrize("words", [["log"], ["verify"], ["stats"], ["timeline"], ["overview"], ["recall"], ["replay"]])
def test_whatever_asks_first_takes_in(agent: Scripted, run: Caller, words: list[str]) -> None:
    done = run(*words, heard(agent), "--json")
    assert done.code == 0, done.err
    steps = [(op["kind"], op.get("phase", "")) for op in run("log", agent.root, "--json").lines()]
    assert steps == [("epoch", ""), ("prompt", ""), ("tool", ""), ("seen", "file.0"), ("tool", "")]


def test_the_story_is_told(agent: Scripted, run: Caller) -> None:
    agent.edit("a.py", 2, "    return 0")
    agent.test(passes=True)
    told = run("timeline", heard(agent)).out
    assert "The total is wrong." in told
    assert "tests/test_a.py" in told
    assert "a.py" in run("recall", agent.root).out


def test_a_paused_workspace_says_what_waits(agent: Scripted, run: Caller) -> None:
    assert run("log", heard(agent)).code == 0
    agent.read("sub/b.py")
    events = list(agent.events)
    heard(agent)
    assert run("pause", agent.root).code == 0
    agent.events = events
    agent.cat("a.py")
    heard(agent)
    before = run("log", agent.root, "--json")
    assert len(before.lines()) == 7
    assert run("resume", agent.root).code == 0
    assert len(run("log", agent.root, "--json").lines()) == 7


def test_it_is_said_where_recording_is_switched_off(
    agent: Scripted, run: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("log", heard(agent))
    agent.read("sub/b.py")
    heard(agent)
    monkeypatch.setenv("CCOS_OFF", "1")
    done = run("log", agent.root, "--json")
    assert len(done.lines()) == 5
    assert "1 hook event can't be recorded yet" in done.err
    monkeypatch.delenv("CCOS_OFF")
    assert len(run("log", agent.root, "--json").lines()) == 7


def test_the_help_tells_of_it(run: Caller) -> None:
    assert "--inject" in run("hook", "--help").out
