"""`hook --guard`: asks before a command that did harm before, and is silent about everything else."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.cli.setup import machine_here, program_here
from ccos_core.serve.guarding import answer
from ccos_core.serve.hook import workspace_for
from ccos_core.session.doctor.agents import GUARD_TRIED
from ccos_core.session.doctor.examining import LOOKS
from ccos_core.session.doctor.findings import Patient
from ccos_core.session.hearing import take_in
from tests.core.serve.calling import Caller
from tests.core.serve.test_hook import call, hook, is_silent, ops


@pytest.fixture(autouse=True)
def in_project(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(shop.parent))
    monkeypatch.chdir(shop)


def before(project: Path, command: str, **more: Any) -> dict[str, Any]:
    event = call(project, 9, hook_event_name="PreToolUse", **more)
    return {**event, "tool_input": {"command": command}}


def recorded(project: Path) -> str:
    """The workspace of a project of which one call was heard."""
    event = call(project)
    hook(event)
    ws = workspace_for(event, ())[0]
    take_in(ws)
    return ws


def asked(project: Path, command: str) -> str:
    """The reason of the question to the user; empty if the command passes."""
    event = before(project, command)
    said = answer(event, workspace_for(event, ())[0])
    if not said:
        return ""
    decision = json.loads(said)["hookSpecificOutput"]
    assert (decision["hookEventName"], decision["permissionDecision"]) == ("PreToolUse", "ask")
    return str(decision["permissionDecisionReason"])


def test_it_asks_before_what_did_harm_in_the_record(shop: Path) -> None:
    hook(call(shop, 1, tool_input={"command": "git push -f origin main"}))
    assert not asked(shop, "git push --force")  # nothing shows harm yet
    hook(call(shop, 2, hook_event_name="UserPromptSubmit", prompt="You destroyed the history of main!"))
    assert "git push --force did harm before, at step" in asked(shop, "cd sub && git push origin +main")
    assert not asked(shop, "git push --force-with-lease")
    assert not asked(shop, "git reset --hard")
    assert not asked(shop, 'git commit -m "no git push --force"')


@pytest.mark.parametrize("scope", ["project", "user"])
def test_it_asks_before_what_is_remembered_until_that_is_retracted(shop: Path, run: Caller, scope: str) -> None:
    ws = recorded(shop)
    words = "Never run `terraform destroy`."
    said = json.loads(run("remember", ws, "--class", "trauma", "--scope", scope, words, "--json").out)
    assert asked(shop, "terraform destroy -auto-approve")
    assert not asked(shop, "terraform plan -destroy")
    run("retract", ws, said["nodes"][0])
    assert not asked(shop, "terraform destroy -auto-approve")


def test_the_hook_records_nothing_and_garbage_passes(shop: Path, run: Caller) -> None:
    ws = recorded(shop)
    run("remember", ws, "--class", "trauma", "Never run `git reset --hard`.")
    event = before(shop, "git reset --hard HEAD~1")
    known = len(ops(ws))
    assert json.loads(hook(event, "--guard").stdout)["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert is_silent(hook(before(shop, "git status"), "--guard"))
    assert is_silent(hook(b"{", "--guard"))
    assert is_silent(hook({**event, "tool_input": 3}, "--guard"))
    assert len(ops(ws)) == known


def test_setup_installs_it_only_when_chosen_and_keeps_the_choice(shop: Path, run: Caller) -> None:
    settings = shop / ".claude" / "settings.local.json"

    def events(*words: str) -> set[str]:
        run("setup", "--host", "claude-code", "--project", "--yes", *words)
        return set(json.loads(settings.read_text("utf-8"))["hooks"])

    assert "PreToolUse" not in events()
    assert "PreToolUse" in events("--guard")
    assert "PreToolUse" in events()
    assert "PreToolUse" not in events("--no-guard")
    assert run("setup", "--host", "codex", "--guard", "--yes").code


def test_doctor_fires_it_where_it_is_installed(run: Caller) -> None:
    patient = Patient(machine_here(), program_here())
    assert not list(LOOKS["guard"](patient))
    run("setup", "--host", "claude-code", "--project", "--guard", "--yes")
    (found,) = LOOKS["guard"](patient)
    assert (found.check, found.state) == ("guard", "well"), found.said
    assert GUARD_TRIED[0] in found.said
    assert not [each for each in LOOKS["agents"](patient) if each.state == "wrong"]
    silent = replace(patient, program=replace(patient.program, guard=f"{sys.executable} -c pass"))
    (found,) = LOOKS["guard"](silent)
    assert found.state == "wrong"
