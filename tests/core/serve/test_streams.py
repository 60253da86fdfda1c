"""What is around a command: pipes that close, terminals that can't spell, environments with nothing in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.serve.calling import ROOT, demo, environment, outside

COMMANDS = (("log",), ("log", "--json"), ("stats",), ("verify",), ("export", "-o", "-"))
LANG_C = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo(tmp_path_factory.mktemp("ws"))


def words(command: tuple[str, ...], path: Path) -> tuple[str, ...]:
    return command[0], str(path), *command[1:]


@pytest.mark.skipif(sys.platform == "win32", reason="no shell")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_pipe_is_no_trouble(workspace: Path, command: tuple[str, ...]) -> None:
    """The reader closes at once, so that every byte is too many."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = outside(*words(command, workspace), capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert done.returncode == 0
    assert done.stderr in (b"", b"13 steps written\n")


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-16"])
def test_streams_that_cannot_spell_it(workspace: Path, command: tuple[str, ...], encoding: str) -> None:
    done = outside(*words(command, workspace), env=environment(PYTHONIOENCODING=encoding))
    assert done.returncode == 0, done.stderr
    if "--json" in command or command[0] == "export":
        for line in done.stdout.splitlines():
            json.loads(line)
    elif command[0] == "log" and encoding == "ascii":
        assert b"x Bash     pytest" in done.stdout
        assert b"167,066 -> 11,020" in done.stdout


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_without_any_environment(workspace: Path, command: tuple[str, ...]) -> None:
    for env in ({}, LANG_C, {"HOME": "/nonexistent", "TERM": "dumb"}, {"HOME": "", "PATH": "", "COLUMNS": "x"}):
        done = outside(*words(command, workspace), env=env)
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr


def test_without_streams(workspace: Path) -> None:
    """As a service manager may start it: no stdout, no stderr, no stdin."""
    for close in ("sys.stdout = None", "sys.stderr = None", "sys.stdout = sys.stderr = sys.stdin = None"):
        path = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {close}"
        code = f"{path}\nfrom ccos_tui.__main__ import main\nsys.exit(main())"
        done = subprocess.run([sys.executable, "-c", code, "log", str(workspace)], capture_output=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")


def test_making_and_recording_without_any_environment(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 'é'\n", encoding="utf-8")
    path = tmp_path / "wörk.ccos"
    for words_ in (("init", path), ("ingest", path, tmp_path), ("verify", path), ("compact", path), ("pause", path)):
        done = outside(*words_, env=LANG_C)
        assert done.returncode == 0, done.stderr


def test_the_folders_of_a_user_who_may_write_nothing(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("not a folder")
    env = environment(HOME=str(tmp_path / "home"), XDG_STATE_HOME="", XDG_CACHE_HOME="relative")
    path = tmp_path / "work.ccos"
    assert outside("init", path, env=env).returncode == 0
    assert outside("ingest", path, tmp_path, env=env).returncode == 0
    (tmp_path / "project").mkdir()
    assert outside("log", tmp_path / "project", env=env, cwd=tmp_path).returncode == 1
    assert not (tmp_path / "relative").exists()


@pytest.mark.parametrize("command", [("log", "nonesuch.ccos"), ("stats", "nonesuch.ccos", "--json"), ("nonesuch",)])
def test_people_are_told_on_stderr(command: tuple[str, ...]) -> None:
    done = outside(*command)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith(b"ccos-tui: ")
    if "--json" in command:
        told = json.loads(done.stdout)
        assert told["schema"] == "ccos.error/1"
        assert told["exit"] == done.returncode
        assert told["place"] == "nonesuch.ccos"
        assert "ccos-tui init" in told["hint"]
    else:
        assert done.stdout == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of this kind")
@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_only_on_a_terminal(workspace: Path, more: dict[str, str], coloured: bool) -> None:
    import pty

    master, slave = pty.openpty()
    env = environment(**({"TERM": "xterm"} | more))
    env.pop("NO_COLOR", None) if "NO_COLOR" not in more else None
    try:
        outside("log", workspace, capture_output=False, stdout=slave, stderr=slave, env=env)
        os.close(slave)
        said = os.read(master, 100_000)
    finally:
        os.close(master)
    assert (b"\x1b[" in said) is coloured
    assert b"2026-02-14 UTC" in said
    assert b"\x1b[" not in outside("log", workspace, env=env).stdout


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("other systems refuse such names")
    path = os.fsencode(tmp_path) + b"/caf\xe9.ccos"
    for command in (("init",), ("log",), ("verify", "--json"), ("stats", "--json")):
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from ccos_tui.__main__ import main; sys.exit(main())"
        line = [sys.executable.encode(), b"-c", code.encode(), os.fsencode(ROOT), command[0].encode(), path]
        done = subprocess.run([*line, *(word.encode() for word in command[1:])], capture_output=True, timeout=60)
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), done.stderr
        if "--json" in command:
            json.loads(done.stdout)
