"""`log`: groups for people, ops for programs, filters for both; a damaged record is listed as far as it can be read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.core.serve.calling import Caller, demo


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return demo(tmp_path)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(capsys)


def numbers(out: str) -> list[int]:
    return [int(line.split()[0]) for line in out.splitlines()]


def test_a_call_and_its_effects_are_one_line(call: Caller, workspace: Path) -> None:
    grouped, steps = call("log", workspace), call("log", workspace, "--steps")
    assert len(grouped.out.splitlines()) < len(steps.out.splitlines()) == 13
    assert "⚙ Edit     src/api.py  +1 −1" in grouped.out
    assert "✗ Bash     pytest -q tests/test_api.py  ✗ 1 fail" in grouped.out
    assert "⚙ tool       Edit src/api.py" in steps.out


def test_what_is_to_be_noticed_stands_in_the_line(call: Caller, workspace: Path) -> None:
    out = call("log", workspace).out
    for note in ("[1 secret masked]", "[withheld: secret-path]", "[1 hidden char shown]"):
        assert note in out


def test_json_lists_every_step(call: Caller, workspace: Path) -> None:
    assert [each["step"] for each in call("log", workspace, "--json").lines()] == list(range(1, 14))
    assert [each["step"] for each in call("log", workspace, "--json", "--steps").lines()] == list(range(1, 14))


def test_filters_are_combined_and_repeated(call: Caller, workspace: Path) -> None:
    every = call("log", workspace).out.splitlines()
    runs = call("log", workspace, "--kind", "Bash").out.splitlines()
    prompts = call("log", workspace, "--kind", "prompt").out.splitlines()
    failing = call("log", workspace, "--outcome", "failed").out.splitlines()
    assert (len(runs), len(prompts), len(failing)) == (3, 1, 2)
    either = call("log", workspace, "--kind", "Bash", "--kind", "prompt").out.splitlines()
    assert either == [line for line in every if line in runs or line in prompts]
    both = call("log", workspace, "--kind", "bash", "--outcome", "failed").out.splitlines()
    assert both == [line for line in runs if line in failing]


def test_a_filter_in_json_gives_all_steps_of_the_groups(call: Caller, workspace: Path) -> None:
    assert [each["step"] for each in call("log", workspace, "--kind", "usage", "--json").lines()] == [8, 9]
    assert call("log", workspace, "--kind", "usage", "--steps").out.splitlines()[1].split()[0] == "9"


def test_since_leaves_out_what_came_before(call: Caller, workspace: Path) -> None:
    every = numbers(call("log", workspace).out)
    assert numbers(call("log", workspace, "--since", 5).out) == [number for number in every if number > 5]


def test_where_nothing_matches_it_says_so(call: Caller, workspace: Path) -> None:
    done = call("log", workspace, "--file", "nowhere")
    assert (done.code, done.out) == (1, "")
    assert "no step matches file=nowhere" in done.err


def test_a_kind_that_does_not_exist_is_refused(call: Caller, workspace: Path) -> None:
    done = call("log", workspace, "--kind", "promt")
    assert done.code == 2
    assert "Did you mean prompt?" in done.err


@pytest.mark.parametrize("words", [(), ("--kind", "prompt")])
def test_a_broken_chain_is_said(call: Caller, workspace: Path, words: tuple[str, ...]) -> None:
    connection = sqlite3.connect(workspace)
    connection.execute("UPDATE op SET hash = zeroblob(32) WHERE step = 9")
    connection.commit()
    connection.close()
    done = call("log", workspace, *words)
    assert done.code == 4
    assert "prompt" in done.out
    assert "the chain breaks at step 9" in done.err


@pytest.mark.parametrize("command", ["log", "stats"])
def test_only_the_owner_is_shown_all(call: Caller, workspace: Path, command: str) -> None:
    refused = call(command, workspace, "--as", "agent")
    assert refused.out == ""
    assert "only the owner" in refused.err
    assert call(command, workspace, "--as", "owner").out == call(command, workspace).out
