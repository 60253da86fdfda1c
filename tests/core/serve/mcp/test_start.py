"""`ccos-tui mcp`: its own few words, and which workspace is meant by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccos_core.serve.mcp import start
from ccos_core.serve.mcp.offering import DEFAULT
from ccos_core.storage.locate import default_path
from tests.core.serve.calling import Caller


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
    assert start.whereabouts("w.ccos", str(below), str(tmp_path)) == ("w.ccos", str(below))
