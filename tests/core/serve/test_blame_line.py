"""`blame-line`: which session, prompt and step wrote a line, in a repository in which scripted agents really worked."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.core.serve.calling import Caller
from tests.core.serve.test_commits import git
from tests.core.session.scripted_agent import ScriptedAgent

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="NO GIT HERE: no line was compared with git's")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "till"
    (root / "src").mkdir(parents=True)
    git(root, "init", "-q", "-b", "main", ".")
    (root / "src" / "tax.py").write_text("RATE = 19\n\n\ndef tax(net):\n    return net\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "begin")
    home = tmp_path / "claude"
    (home / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(root))).mkdir(parents=True)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(root)
    return root


def transcript(root: Path, name: str) -> Path:
    folder = root.parent / "claude" / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(root))
    return folder / f"{name}.jsonl"


def session(root: Path, name: str, prompt: str) -> ScriptedAgent:
    agent = ScriptedAgent(root, name)
    agent.prompt(prompt)
    return agent


def test_the_line_leads_to_its_session_prompt_and_step(run: Caller, project: Path) -> None:
    first = session(project, "scripted-0001", "Look around.")
    first.read("src/tax.py")
    first.save(transcript(project, "scripted-0001"))
    second = session(project, "scripted-0002", "Tax is missing; mend it.")
    second.read("src/tax.py")
    second.edit("src/tax.py", "    return net\n", "    return net * RATE // 100\n")
    second.run("git commit -qam 'mend tax'")
    second.save(transcript(project, "scripted-0002"))
    done = run("blame-line", "src/tax.py:5", "--json")
    answer = done.json()
    assert (done.code, answer["sessions"], answer["text"]) == (0, 2, "    return net * RATE // 100")
    assert (answer["commit"], answer["subject"]) == (git(project, "rev-parse", "HEAD"), "mend tax")
    (wrote,) = answer["wrote"]
    origin = wrote["origin"]
    assert wrote["source"].endswith("scripted-0002.jsonl")
    assert (origin["path"], origin["prompt"], origin["held"]) == ("src/tax.py", "Tax is missing; mend it.", True)
    assert origin["window_items"] > 0
    shown = run("show", f"{wrote['workspace']}@{origin['step']}").out
    assert "return net * RATE // 100" in shown
    out = run("blame-line", "src/tax.py:5").out
    assert f"was written at step {origin['step']}" in out
    assert "Tax is missing; mend it." in out
    assert "with this file" in out


def test_a_line_that_nobody_committed_is_found_and_one_that_nobody_wrote_is_not(run: Caller, project: Path) -> None:
    agent = session(project, "scripted-0001", "Add a file.")
    agent.write("src/new.py", "def added():\n    return 1\n")
    agent.save(transcript(project, "scripted-0001"))
    answer = run("blame-line", "src/new.py:1", "--json").json()
    assert (answer["commit"], len(answer["wrote"])) == ("", 1)
    done = run("blame-line", "src/tax.py:1")
    assert done.code == 1
    assert done.out.startswith("no session on this machine wrote src/tax.py:1")
    assert "begin" in done.out


def test_of_equal_lines_the_one_with_the_same_neighbours_is_meant(run: Caller, project: Path) -> None:
    agent = session(project, "scripted-0001", "First.")
    agent.write("src/two.py", "def one():\n    return None\n")
    agent.prompt("Second.")
    agent.edit("src/two.py", "    return None\n", "    return None\n\n\ndef two():\n    return None\n")
    agent.save(transcript(project, "scripted-0001"))
    prompts = [run("blame-line", f"src/two.py:{line}", "--json").json()["wrote"][0]["origin"] for line in (2, 6)]
    assert [each["prompt"] for each in prompts] == ["Second.", "Second."]  # the edit wrote both anew
    agent.edit("src/two.py", "def one():\n", "def first():\n")
    agent.save(transcript(project, "scripted-0001"))
    assert run("blame-line", "src/two.py:1", "--json").json()["wrote"][0]["origin"]["prompt"] == "Second."


def test_a_session_that_began_below_the_root_calls_the_file_otherwise(run: Caller, project: Path) -> None:
    agent = session(project / "src", "scripted-0001", "Rate up.")
    agent.edit("tax.py", "RATE = 19\n", "RATE = 21\n")
    agent.save(transcript(project, "scripted-0001"))
    (wrote,) = run("blame-line", "src/tax.py:1", "--json").json()["wrote"]
    assert wrote["origin"]["path"] in ("tax.py", "src/tax.py")


@pytest.mark.parametrize(
    ("place", "code"),
    [("src/tax.py", 2), ("src/tax.py:0", 2), ("src/tax.py:99", 2), ("src/tax.py:2", 2), ("nowhere.py:1", 3)],
)
def test_what_is_no_line_is_said_in_one_sentence(run: Caller, project: Path, place: str, code: int) -> None:
    done = run("blame-line", place)
    assert done.code in (1, code)
    assert done.code
    assert len(done.err.strip().splitlines()) <= 2


def test_blame_of_a_line_is_the_same(run: Caller, project: Path, tmp_path: Path) -> None:
    agent = session(project, "scripted-0001", "Rate up.")
    agent.edit("src/tax.py", "RATE = 19\n", "RATE = 21\n")
    agent.save(transcript(project, "scripted-0001"))
    assert run("blame", "src/tax.py:1", "--json").json() == run("blame-line", "src/tax.py:1", "--json").json()
    named = run("blame", transcript(project, "scripted-0001"), "src/tax.py", "--json").json()
    assert named["schema"].startswith("ccos.depending")


def test_a_named_session_is_searched_wherever_it_lies(run: Caller, project: Path, tmp_path: Path) -> None:
    agent = session(project, "scripted-0001", "Rate up.")
    agent.edit("src/tax.py", "RATE = 19\n", "RATE = 21\n")
    named = agent.save(tmp_path / "elsewhere.jsonl")
    assert run("blame-line", "src/tax.py:1", named).code == 0
    assert run("blame-line", "src/tax.py:1").code != 0
