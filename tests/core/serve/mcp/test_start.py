"""`ccos-tui mcp`: its own few words, and which workspace is meant by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ccos_core.serve import exits
from ccos_core.serve.mcp import start
from ccos_core.serve.mcp.offering import DEFAULT
from ccos_core.storage.locate import default_path
from tests.core.serve.calling import Caller, environment, outside
from tests.core.serve.mcp.tools.serving import STORE, project


def test_words(tmp_path: Path) -> None:
    asked = start.understood(["w.ccos", "--root", str(tmp_path), "--toolsets=memory, claims", "--record-recalls"])
    assert (asked.workspace, asked.root, asked.toolsets) == ("w.ccos", str(tmp_path), ("memory", "claims"))
    assert asked.record_recalls
    assert not asked.wrong
    bare = start.understood([])
    assert (bare.workspace, bare.root, bare.toolsets, bare.record_recalls) == ("", "", DEFAULT, False)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["--nonesuch"], "--nonesuch"),
        (["a", "b"], "'b'"),
        (["--root"], "--root"),
        (["--root", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--toolsets", "memory,memry"], "memry"),
        (["--toolsets="], "--toolsets"),
        (["--toolsets", ","], "--toolsets"),
    ],
)
def test_wrong_words(run: Caller, words: list[str], names: str) -> None:
    done = run("mcp", *words)
    assert done.code == 2
    assert names in done.err
    assert "ccos-tui mcp --help" in done.err
    assert not done.out


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help(run: Caller, word: str) -> None:
    done = run("mcp", word)
    assert (done.code, done.out) == (0, start.HELP)


def test_a_working_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr("ccos_core.serve.mcp.start.os.getcwd", gone)
    assert start.main([]) == exits.UNAVAILABLE
    assert capsys.readouterr().err == "ccos-tui: the current folder doesn't exist any more\n"


def test_which_workspace_is_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    project, below = tmp_path / "project", tmp_path / "project" / "src"
    (project / ".git").mkdir(parents=True)
    below.mkdir()
    own = default_path(str(project))
    assert start.whereabouts("", "", str(below)) == (own, str(project))
    assert start.whereabouts(str(below), "", str(tmp_path)) == (own, str(project))
    assert start.whereabouts("", str(project), str(tmp_path)) == (own, str(project))
    assert start.whereabouts("x/w.ccos", "", str(below)) == ("x/w.ccos", str(project))
    monkeypatch.setenv("CCOS_WORKSPACE", "/y/w.ccos")
    assert start.whereabouts("", "", str(below)) == ("/y/w.ccos", str(project))
    assert start.whereabouts("", str(project), str(tmp_path)) == (own, str(project))
    assert start.whereabouts("w.ccos", str(below), str(tmp_path)) == ("w.ccos", str(below))


def test_a_server_from_its_first_word_to_its_last(tmp_path: Path) -> None:
    """As a host starts it: the workspace of the project is made in its usual place, and no word is lost."""
    pytest.importorskip("ccos_core.serve.mcp.server")
    folder = project(tmp_path / "project")
    (folder / ".git").mkdir()
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    asked = [
        ("initialize", hello),
        ("tools/list", {}),
        ("tools/call", {"name": "ingest", "arguments": {"uri": "src/store.py", "source": STORE}}),
        ("tools/call", {"name": "recall", "arguments": {"budget": 300}}),
        ("tools/call", {"name": "recall", "arguments": {"budjet": 300}}),
        ("resources/read", {"uri": "ccos://session/context?budget=300"}),
    ]
    said = [{"jsonrpc": "2.0", "id": at, "method": name, "params": given} for at, (name, given) in enumerate(asked)]
    lines = "".join(json.dumps(each) + "\n" for each in said).encode()
    state = tmp_path / "state"
    done = outside("mcp", stdin=None, input=lines, cwd=folder, env=environment(XDG_STATE_HOME=str(state)))
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    answers = {each["id"]: each.get("result", each.get("error")) for each in told if "id" in each}
    assert sorted(answers) == list(range(len(asked)))
    assert answers[0]["serverInfo"]["name"] == "ccos-tui"
    assert {tool["name"] for tool in answers[1]["tools"]} >= {"recall", "causal_blame"}
    assert "class Store" in answers[3]["content"][0]["text"]
    assert answers[4]["isError"]
    assert "Did you mean budget?" in answers[4]["content"][0]["text"]
    assert answers[5]["contents"][0]["text"].rstrip("\n") in answers[3]["content"][0]["text"]
    assert [path.name[:8] for path in (state / "ccos-tui" / "projects").glob("*.ccos")] == ["project-"]
