"""`setup` as a person meets it: shown, asked, done, undone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.serve.calling import ROOT, Caller, environment, outside


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of somebody who has Claude Code and Codex, and stands in a project."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    home, project = tmp_path / "home", tmp_path / "project"
    for each in (home / ".claude", home / ".codex", project / ".git", project / "src"):
        each.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", "")
    monkeypatch.chdir(project / "src")
    return home


def test_nobody_is_changed_unasked(home: Path, run: Caller) -> None:
    done = run("setup")
    assert done.code == 1
    assert "no terminal to ask" in done.err
    assert "--yes" in done.err
    assert f"+++ {home}/.codex/config.toml" in done.out
    assert not (home / ".claude" / "settings.json").exists()
    assert not (home / ".local").exists()


def test_looking_changes_nothing(home: Path, run: Caller) -> None:
    done = run("setup", "--dry-run")
    assert done.code == 0
    assert "4 files would change" in done.err
    assert sorted(path.name for path in home.rglob("*")) == [".claude", ".codex"]


def test_done_then_nothing_to_do_then_undone(home: Path, run: Caller) -> None:
    settings = home / ".claude" / "settings.json"
    settings.write_text('{"model": "opus"}')
    assert run("setup", "--yes").code == 0
    said = json.loads(settings.read_text())
    assert said["model"] == "opus"
    assert sys.executable in said["hooks"]["PostToolUse"][0]["hooks"][0]["command"]
    assert json.loads((home / ".claude.json").read_text())["mcpServers"]["ccos"]["command"] == sys.executable
    assert [path.name for path in home.rglob("*.ccos-backup")] == ["settings.json.ccos-backup"]
    again = run("setup", "--yes")
    assert (again.code, again.out) == (0, "")
    assert "Nothing to do" in again.err
    undone = run("setup", "--undo", "--yes")
    assert undone.code == 0
    assert "Restored" in undone.err
    assert settings.read_text() == '{"model": "opus"}'
    assert sorted(path.name for path in home.rglob("*") if path.is_file()) == ["settings.json", "setup.json"]
    assert "Nothing to do" in run("setup", "--undo").err


def test_openclaw_is_wired_through_mcporter(home: Path, run: Caller) -> None:
    told = run("setup", "--host", "openclaw", "--yes")
    assert told.code == 0
    assert '"mcpServers"' in told.out
    assert "mcporter call ccos.get_context type=mindmap" in told.err
    server = json.loads((home / ".mcporter" / "mcporter.json").read_text())["mcpServers"]["ccos"]
    assert [server["command"], *server["args"]][1:] == ["-P", "-m", "ccos_tui", "mcp"]
    assert run("setup", "--undo", "--yes").code == 0
    assert not (home / ".mcporter").exists()


def test_only_what_was_named_and_only_here(home: Path, run: Caller) -> None:
    assert run("setup", "--host", "vscode", "--host", "gemini", "--project", "--yes").code == 0
    project = Path.cwd().parent
    assert sorted(path.relative_to(project).as_posix() for path in project.rglob("*.json")) == [
        ".gemini/settings.json",
        ".vscode/mcp.json",
    ]
    assert run("setup", "--undo", "--user", "--yes").code == 0
    assert (project / ".vscode").exists()
    assert run("setup", "--undo", "--host", "gemini", "--yes").code == 0
    assert (project / ".vscode").exists()
    assert not (project / ".gemini").exists()
    assert run("setup", "--undo", "--project", "--yes").code == 0
    assert not (project / ".vscode").exists()


def test_the_answer_as_json(home: Path, run: Caller) -> None:
    said = run("setup", "--yes", "--json").json()
    assert said["schema"] == "ccos.setup/1"
    assert [(each["host"], each["what"], each["written"]) for each in said["changes"]] == [
        ("claude-code", "MCP server", True),
        ("claude-code", "hooks", True),
        ("codex", "MCP server", True),
        ("codex", "hooks", True),
    ]
    assert said["changes"][2]["diff"].endswith('\n+args = ["-P", "-m", "ccos_tui", "mcp"]')
    assert run("setup", "--json").json() == {"schema": "ccos.setup/1", "undo": False, "changes": [], "refused": []}
    refused = run("setup", "--undo", "--json")
    assert (refused.code, refused.json()["schema"]) == (1, "ccos.error/1")


def test_a_broken_file_is_named_and_the_others_are_done(home: Path, run: Caller) -> None:
    (home / ".claude.json").write_text('{"mcpServers": {,}}')
    done = run("setup", "--yes", "--json")
    assert done.code == 3
    (refused,) = done.json()["refused"]
    assert (refused["place"], refused["exit"]) == (str(home / ".claude.json"), 3)
    assert "line 1" in done.err
    assert (home / ".claude.json").read_text() == '{"mcpServers": {,}}'
    assert (home / ".codex" / "config.toml").exists()


def test_secrets_beside_ours_are_not_shown(home: Path, run: Caller) -> None:
    secret = "ghp_" + "a1B2" * 9
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"x": {"env": {"TOKEN": secret}}}}, indent=2))
    for words in (("--dry-run",), ("--dry-run", "--json")):
        assert secret not in run("setup", *words).out
    run("setup", "--yes")
    assert secret in (home / ".claude.json").read_text()


def test_without_any_agent_it_says_which_it_knows(home: Path, run: Caller) -> None:
    for folder in (".claude", ".codex"):
        (home / folder).rmdir()
    done = run("setup", "--yes")
    assert done.code == 1
    assert "OpenCode" in done.err
    assert run("setup", "--host", "opencode", "--yes").code == 0
    assert (home / ".config" / "opencode" / "opencode.json").exists()


def test_variables_move_what_they_move(home: Path, run: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "elsewhere"))
    monkeypatch.setenv("CODEX_HOME", str(home / "codex"))
    assert run("setup", "--host", "claude-code", "--host", "codex", "--yes").code == 0
    assert (home / "elsewhere" / ".claude.json").exists()
    assert (home / "elsewhere" / "settings.json").exists()
    assert (home / "codex" / "config.toml").exists()


def test_a_plugin_is_made_and_how_to_install_it_said(home: Path, run: Caller) -> None:
    folder = home / "plugin"
    done = run("setup", "--plugin", folder, "--yes")
    assert done.code == 0
    assert f"claude plugin marketplace add {folder}" in done.err
    assert (folder / "hooks" / "hooks.json").exists()
    assert not (home / ".claude.json").exists()
    assert run("setup", "--plugin", folder, "--host", "codex").code == 2
    assert run("setup", "--undo", "--yes").code == 0
    assert not folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="needs a program that fails")
def test_an_interpreter_that_does_not_find_us_is_told_where_we_are(
    home: Path, run: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = home / "python"
    blind.write_text(f'#!/bin/sh\n[ -n "$PYTHONPATH" ] && exec {sys.executable} "$@"\nexit 1\n')
    blind.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["relative", str(home / "more")]))
    monkeypatch.setattr(sys, "executable", str(blind))
    assert run("setup", "--host", "claude-code", "--yes").code == 0
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["ccos"]
    assert server["env"] == {"PYTHONPATH": os.pathsep.join([str(ROOT), str(home / "more")])}
    words = [server["command"], *server["args"][:-1], "--version"]
    done = subprocess.run(words, cwd=home, env=server["env"], capture_output=True, timeout=60)
    assert done.stdout.startswith(b"ccos-tui ")


@pytest.mark.skipif(os.name == "nt", reason="a shell's line")
def test_a_hook_whose_installation_is_gone_is_silent(home: Path, run: Caller, tmp_path: Path) -> None:
    from ccos_core.serve.hook_line import hook_command

    for python in ("/gone/bin/python", str(tmp_path)):
        done = subprocess.run(["/bin/sh", "-c", hook_command(python)], input=b"{}", capture_output=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(os.name == "nt", reason="needs a terminal of Unix")
def test_at_a_terminal_it_asks(home: Path) -> None:
    import pty

    for answer, code in ((b"n\n", 1), (b"\n", 1), (b"y\n", 0)):
        ours, theirs = pty.openpty()
        os.write(ours, answer)
        done = outside(
            "setup", "--host", "cursor", env=environment(), stdin=theirs, stderr=theirs, capture_output=False
        )
        os.close(theirs)
        assert done.returncode == code
        said = os.read(ours, 65_536)
        assert b"Change 1 file? [y/N]" in said
        assert (home / ".cursor" / "mcp.json").exists() == (code == 0)
        os.close(ours)
