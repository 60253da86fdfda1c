"""`doctor` as a person and a script meet it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccos_core.session.doctor.examining import LOOKS
from ccos_core.session.doctor.findings import Finding
from ccos_core.session.trouble_log import note_trouble
from tests.core.serve.calling import Caller
from tests.core.session.doctor.conftest import HEARS

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a shell's line")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("home", "project"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setattr("ccos_core.serve.cli.setup.hook_command", lambda python, *words: HEARS)
    monkeypatch.setattr("ccos_core.serve.cli.setup._environment", lambda python: {})
    monkeypatch.setitem(LOOKS, "server", lambda _: iter([Finding("server", "well", "answers")]))


def test_nothing_is_wrong(run: Caller, tmp_path: Path) -> None:
    done = run("doctor")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("No problems found; 1 warning\n"), "no agent is set up here"
    assert "✓ hook         records an event in" in done.out
    assert not (tmp_path / "state").exists()


def test_something_is_wrong(run: Caller) -> None:
    note_trouble("hook: the disk is full")
    done = run("doctor")
    assert done.code == 1
    assert "✗ log          1 logged" in done.out
    assert "the disk is full" in done.out
    assert "→ After fixing the cause, remove" in done.out
    assert done.out.endswith("1 problem found, 1 warning\n")


@pytest.mark.parametrize(
    ("states", "last"),
    [
        (["well"], "No problems found"),
        (["note"], "No problems found; 1 warning"),
        (["note", "note"], "No problems found; 2 warnings"),
        (["note", "wrong"], "1 problem found, 1 warning"),
    ],
)
def test_warnings_are_counted(states: list[str], last: str, run: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Finding("server", state, "says something") for state in states]
    for name in LOOKS:
        monkeypatch.setitem(LOOKS, name, lambda _: iter(()))
    monkeypatch.setitem(LOOKS, "server", lambda _: iter(found))
    done = run("doctor")
    assert (done.code, done.out.splitlines()[-1]) == (1 if "wrong" in states else 0, last)


def test_the_answer_as_json(run: Caller) -> None:
    said = run("doctor", "--json").json()
    assert (said["schema"], said["well"]) == ("ccos.doctor/1", True)
    assert [each["check"] for each in said["findings"]] == [
        "interpreter",
        "grammars",
        "sqlite",
        "state",
        "hook",
        "log",
        "server",
        "workspace",
        "spool",
    ]
    assert set(said["findings"][0]) == {"check", "state", "said", "place", "mend"}
    note_trouble("oh")
    assert run("doctor", "--json").code == 1


def test_what_setup_wired_is_well(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ccos_core.serve.cli.setup.hook_command", lambda python, *words: f"{HEARS} # ccos-tui hook")
    (tmp_path / "home" / ".claude").mkdir()
    assert run("setup", "--yes").code == 0
    done = run("doctor")
    assert done.code == 0
    assert "✓ claude-code  MCP server connected" in done.out
    assert "✓ claude-code  hooks connected" in done.out


def test_words_of_others_are_made_harmless(run: Caller) -> None:
    note_trouble("a \x1b[31mred\x07 one")
    assert "\x1b" not in run("doctor").out
