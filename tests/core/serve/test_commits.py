"""Commits of a session, against what git itself recorded of a repository in which a scripted agent really worked."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.core.serve.calling import Caller
from tests.core.session.scripted_agent import GIT, ScriptedAgent

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="NO GIT HERE: no commit was compared with git's")


def git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=root, env={**os.environ, **GIT}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def agent(tmp_path: Path) -> ScriptedAgent:
    root, remote = tmp_path / "till", tmp_path / "remote.git"
    root.mkdir()
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(remote))
    git(root, "init", "-q", "-b", "main", ".")
    git(root, "remote", "add", "origin", str(remote))
    (root / "a.txt").write_text("a\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "begin")
    agent = ScriptedAgent(root)
    agent.prompt("Work.")
    return agent


def told(run: Caller, agent: ScriptedAgent, *words: str) -> list[dict[str, Any]]:
    transcript = agent.save(agent.root.parent / "session.jsonl")
    ws = agent.root.parent / "work.ccos"
    assert run("import", transcript, "-o", ws).code == 0
    found: list[dict[str, Any]] = run("commits", ws, *words, "--json").json()["commits"]
    return found


def brief(found: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["outcome"], each["subject"]) for each in found]


def test_every_commit_that_git_has_is_found_with_its_edits(run: Caller, agent: ScriptedAgent) -> None:
    agent.write("b.txt", "b\n")
    agent.write("c.txt", "c\n")
    agent.run("git add b.txt && git commit -m 'add b'")
    agent.run("cd . && git add -A; git commit -m \"$(cat <<'EOF'\nadd c\n\nWith a body.\nEOF\n)\" 2>&1 | tail -5")
    agent.edit("a.txt", "a\n", "A\n")
    agent.run("git commit -qam 'write A' && git log --oneline -1")
    agent.edit("b.txt", "b\n", "B\n")
    agent.run("git commit -a --amend --no-edit")
    agent.run("git commit --allow-empty -q -m quietly && git rev-parse HEAD")
    agent.run("git commit -m 'nothing is added'")
    found = told(run, agent)
    every = {
        sha
        for sha in git(agent.root, "log", "-g", "--format=%H").split()
        if sha != git(agent.root, "rev-list", "--max-parents=0", "HEAD")
    }
    assert len(found) == len(every) == 5
    assert all(any(sha.startswith(each["sha"]) for sha in every) for each in found)
    assert len({each["sha"][:7] for each in found}) == 5
    assert brief(found) == [
        ("commit", "done", "add b"), ("commit", "done", "add c"), ("commit", "done", "write A"),
        ("amend", "done", "write A"), ("commit", "done", "quietly"),
    ]  # fmt: skip
    for each in found:
        shown = git(agent.root, "show", "--format=", "--name-only", each["sha"]).split()
        changed = {edit["path"] for edit in each["edits"]}
        assert changed == ({"b.txt"} if each["kind"] == "amend" else set(shown))


def test_branches_are_merged_rebased_picked_and_pushed(run: Caller, agent: ScriptedAgent) -> None:
    agent.run("git push -u origin main")
    agent.run("git switch -q -c side && echo s > s.txt && git add s.txt && git commit -m 'add s'")
    agent.run("git switch -q main && git merge side")  # fast-forward
    agent.run("git switch -q -c other HEAD~1 && echo o > o.txt && git add o.txt && git commit -m 'add o'")
    agent.run("git merge --no-edit main")
    agent.run("git switch -q -c third main && git cherry-pick other~1")
    agent.run(
        "git switch -q -c fourth HEAD~1 && echo f > f.txt && git add f.txt && git commit -m 'add f' && git rebase third"
    )
    agent.run("git switch -q main && git merge fourth && git push")
    agent.run("git revert --no-edit HEAD")
    agent.run(
        "git commit --amend --allow-empty -m 'go back' && git push origin main && git push --force origin main~1:main"
    )
    found = told(run, agent)
    kinds = [(each["kind"], each["outcome"]) for each in found]
    assert kinds == [
        ("push", "done"), ("commit", "done"), ("merge", "done"), ("commit", "done"), ("merge", "done"),
        ("cherry-pick", "done"), ("commit", "done"), ("rebase", "done"), ("merge", "done"), ("push", "done"),
        ("revert", "done"), ("amend", "done"), ("push", "done"), ("push", "done"),
    ]  # fmt: skip
    forward = found[2]
    assert git(agent.root, "rev-parse", "side").startswith(forward["sha"])
    assert found[-1]["subject"].startswith("forced")
    assert git(agent.root, "rev-parse", "main~1").startswith(found[-1]["sha"])


def test_conflicts_and_refused_pushes_are_told_as_such(run: Caller, agent: ScriptedAgent) -> None:
    git(agent.root, "push", "-q", "origin", "main")
    elsewhere = agent.root.parent / "elsewhere"
    git(agent.root.parent, "clone", "-q", str(agent.root.parent / "remote.git"), str(elsewhere))
    (elsewhere / "a.txt").write_text("theirs\n")
    git(elsewhere, "commit", "-qam", "theirs")
    git(elsewhere, "push", "-q")
    agent.edit("a.txt", "a\n", "ours\n")
    agent.run("git commit -am 'ours' && git push origin main")
    agent.run("git fetch -q && git merge origin/main")
    agent.run("git merge --abort")
    agent.run("git rebase origin/main 2>&1")
    agent.run("git rebase --abort; git log --oneline | cat; echo '[main 1234567] not a commit'")
    assert brief(told(run, agent)) == [
        ("commit", "done", "ours"), ("push", "rejected", "main -> main"), ("merge", "conflict", "origin/main"),
        ("rebase", "conflict", "origin/main"),
    ]  # fmt: skip


def test_the_sessions_of_a_project_are_searched_for_a_commit(
    run: Caller, agent: ScriptedAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.write("b.txt", "b\n")
    agent.run("git add -A && git commit -m 'add b' && git push -q origin main")
    home = agent.root.parent / "claude"
    folder = home / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(agent.root))
    folder.mkdir(parents=True)
    agent.save(folder / "scripted-0001.jsonl")
    other = ScriptedAgent(agent.root, "scripted-0002")
    other.prompt("Look.")
    other.read("a.txt")
    other.save(folder / "scripted-0002.jsonl")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(agent.root.parent / "state"))
    monkeypatch.chdir(agent.root)
    full = git(agent.root, "rev-parse", "HEAD")
    for said in (full, full[:7], "HEAD"):
        done = run("blame-commit", said, "--json")
        answer = done.json()
        assert (done.code, answer["sessions"]) == (0, 2)
        (made,) = answer["made"]
        assert made["source"].endswith("scripted-0001.jsonl")
        assert [each["path"] for each in made["commit"]["edits"]] == ["b.txt"]
    assert "b.txt" in run("blame-commit", full).out
    assert run("blame-commit", "0" * 40).code == 1
    assert run("blame-commit", "no-such-branch").code == 2
    monkeypatch.chdir(agent.root.parent)
    assert run("blame-commit", full[:8], folder / "scripted-0001.jsonl").code == 0
    assert run("blame-commit", full[:8], folder / "scripted-0002.jsonl").code == 1


@pytest.mark.parametrize("where", ["scripted-0001/subagents", "."])
def test_commits_of_subagents_are_found_in_their_own_transcripts(
    run: Caller, agent: ScriptedAgent, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    home = agent.root.parent / "claude"
    folder = home / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(agent.root))
    (folder / where).mkdir(parents=True)
    agent.read("a.txt")
    main = agent.save(folder / "scripted-0001.jsonl")
    helper = ScriptedAgent(agent.root)
    helper.prompt("Commit.")
    helper.write("b.txt", "b\n")
    helper.run("git add -A && git commit -m 'add b'")
    beside = helper.save(folder / where / "agent-a1.jsonl")
    lines = [{**json.loads(line), "isSidechain": True, "agentId": "a1"} for line in beside.read_text().splitlines()]
    beside.write_text("".join(json.dumps(line) + "\n" for line in lines))
    full = git(agent.root, "rev-parse", "HEAD")
    assert full[:7] not in main.read_text()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(agent.root.parent / "state"))
    monkeypatch.chdir(agent.root)
    (made,) = run("blame-commit", full, "--json").json()["made"]
    assert made["source"] == str(main)
    assert made["commit"]["subject"] == "add b"


def test_they_are_said_in_words(run: Caller, agent: ScriptedAgent) -> None:
    agent.write("b.txt", "b\n")
    agent.run("git add -A && git commit -m 'add b'")
    (made,) = told(run, agent)
    lines = run("commits", agent.root.parent / "work.ccos").out.splitlines()
    assert lines[0] == f"1 commit or merge up to step {made['step']}, 0 pushes"
    assert lines[1].strip() == f"◆ step {made['step']}  commit {made['sha']}  add b  on main, 1 file"
    assert lines[2].strip() == f"b.txt  edited at step {made['edits'][0]['steps'][0]}"
