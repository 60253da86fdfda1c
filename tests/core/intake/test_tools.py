"""Which tools run something, and what they were told to run."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccos_core.intake.tools import command_of, runs_nothing

NOTHING = """
    Read read_file Grep Glob LS mcp__filesystem__read_file files.view Edit MultiEdit Write apply_patch
    str_replace_editor WebFetch Task TodoWrite list-dir
"""


@pytest.mark.parametrize("name", NOTHING.split())
def test_what_runs_nothing(name: str) -> None:
    assert runs_nothing(name, 1)


@pytest.mark.parametrize(
    "name",
    ["Bash", "shell", "run_terminal_cmd", "exec_command", "BashOutput", "mcp__ci__run_tests", "execute", "", "_"],
)
def test_what_may_run_anything(name: str) -> None:
    assert not runs_nothing(name, 1)


def test_a_version_before_the_first_knew_of_none() -> None:
    assert not runs_nothing("Read", 0)
    assert runs_nothing("Read", 7)


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ({"command": "pytest -q"}, "pytest -q"),
        ({"cmd": "pytest -q", "timeout": 5}, "pytest -q"),
        ({"script": "pytest\nmake"}, "pytest\nmake"),
        ({"command": ["pytest", "-k", "a b"]}, "pytest -k 'a b'"),
        ({"command": ["bash", "-lc", "cd src && pytest"]}, "cd src && pytest"),
        ({"cmd": ["/bin/sh", "-c", "pytest"]}, "pytest"),
        ({"command": ["bash", "run.sh"]}, "bash run.sh"),
        ({"command": "", "cmd": "make"}, "make"),
        ("pytest -q", "pytest -q"),
        ({"file_path": "a.py"}, ""),
        ({"command": {"line": "pytest"}}, ""),
        ({"command": ["pytest", 5]}, ""),
        ({"command": []}, ""),
        (["pytest"], ""),
        (None, ""),
    ],
)
def test_the_command(arguments: Any, command: str) -> None:
    assert command_of(json.dumps(arguments)) == command


@given(st.text() | st.recursive(st.text() | st.none(), st.lists).map(lambda value: json.dumps({"command": value})))
def test_any_arguments_have_a_command_or_none(arguments: str) -> None:
    assert isinstance(command_of(arguments), str)


@pytest.mark.parametrize("arguments", ["", "{", "[" * 100_000])
def test_what_is_no_json_asks_for_nothing(arguments: str) -> None:
    assert command_of(arguments) == ""
