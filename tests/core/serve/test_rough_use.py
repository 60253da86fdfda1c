"""What a stranger does to it: devices for files, archives carried away, shut streams, words that say nothing."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ccos_core.serve.cli import troubles
from ccos_core.storage.opening import open_record
from tests.core.serve.calling import ROOT, Caller, demo, outside

TRACEBACK = (
    'Traceback (most recent call last):\n  File "/b/a.py", line 2, in one\n    return 1 / 0\nZeroDivisionError: no\n'
)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="no such devices")


@pytest.fixture
def project(run: Caller, tmp_path: Path) -> Path:
    """A workspace about one file."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text("def one():\n    return 1\n")
    assert run("init", tmp_path / "work.ccos", "--root", folder).code == 0
    assert run("ingest", tmp_path / "work.ccos", folder).code == 0
    return tmp_path / "work.ccos"


@POSIX
def test_an_export_into_a_pipe_leaves_the_pipe_in_its_place(run: Caller, tmp_path: Path) -> None:
    path, pipe = demo(tmp_path), tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        try:
            assert run("export", path, "-o", pipe).code == 0
            said, _ = reader.communicate(timeout=10)
        finally:
            reader.kill()  # nothing else ends it where the pipe was replaced
    assert stat.S_ISFIFO(os.stat(pipe).st_mode)
    assert run("export", path, "-o", tmp_path / "whole.jsonl").code == 0
    assert said == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize("command", [["log"], ["log", "--json"], ["export", "-o", "-"]])
def test_an_archive_that_is_away_is_no_damage(run: Caller, tmp_path: Path, command: list[str]) -> None:
    path = demo(tmp_path)
    assert run("compact", path, "--max", "3", "--keep", "3", "--archive", tmp_path / "attic").code == 0
    os.rename(tmp_path / "attic", tmp_path / "elsewhere")
    done = run(command[0], path, *command[1:])
    assert (done.code, "missing archive" in done.err, "breaks" in done.err) == (1, True, False)
    if command == ["log", "--json"]:
        assert [line["step"] for line in done.lines()[:-1]] == [11, 12, 13]
        assert done.lines()[-1]["schema"] == "ccos.error/1"
    if command[0] == "log":
        assert run("log", path, "--since", "10").code == 0


def test_a_log_with_all_of_it_away_says_so(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    assert run("compact", path, "--max", "0", "--keep", "0", "--archive", tmp_path / "attic").code == 0
    os.rename(tmp_path / "attic", tmp_path / "elsewhere")
    done = run("log", path)
    assert (done.code, done.out, "missing archive" in done.err) == (1, "", True)


def test_upgrade_says_what_is_damaged(run: Caller, tmp_path: Path) -> None:
    path = demo(tmp_path)
    with open_record(str(path), write=True) as record, record.write() as writing:
        writing.run("UPDATE op SET body = ? WHERE step = 1", (b'{"kind":"epoch",?',))
    done = run("upgrade", path)
    assert (done.code, "step 1 holds no op" in done.err) == (4, True), done.err


@pytest.mark.parametrize(
    "command", [["page-fault", "WS"], ["recall", "WS", "--task", "-"], ["import", "-", "-o", "NEW"]]
)
def test_without_any_stdin(project: Path, command: list[str]) -> None:
    words = [{"WS": str(project), "NEW": str(project.parent / "new.ccos")}.get(word, word) for word in command]
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); sys.stdin = None\nfrom ccos_tui.__main__ import main"
    line = [sys.executable, "-c", f"{code}\nsys.exit(main())", *words]
    done = subprocess.run(line, capture_output=True, timeout=60)
    assert done.returncode in (2, 3)
    assert done.stderr.startswith(b"ccos-tui: ")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
@pytest.mark.parametrize("command", ["log", "replay", "nonesuch"])
def test_an_error_that_stdout_cannot_take_is_said_on_stderr(project: Path, command: str) -> None:
    with open("/dev/full", "wb") as full:
        done = outside(command, project, "--json", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, b"Traceback" in done.stderr) == (2 if command == "nonesuch" else 5, False)
    assert done.stderr.startswith(b"ccos-tui: ")


def test_an_empty_window_is_empty_and_says_what_to_do(run: Caller, project: Path) -> None:
    done = run("recall", project)
    assert (done.code, done.out) == (0, "")
    assert "page-fault" in done.err
    done = run("recall", project, "--task", "zebras")
    assert (done.out, "No code here is about these words" in done.err) == ("", True)
    assert "1 item\n" in run("recall", project, "--around", "a.py").err


def test_a_window_of_a_folder_is_of_its_code_whatever_workspace_just_lies_there(run: Caller, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.py").write_text("def fresh():\n    return 1\n")
    assert run("init", folder / "other.ccos").code == 0
    for command in ("recall", "window"):
        assert "def fresh" in run(command, folder, "--around", "a.py").out
    assert run("log", folder).code == 0


@pytest.mark.parametrize("words", [["--task", ""], ["--hybrid", " \n"], ["--around", " "], ["--task", "-"]])
def test_words_that_say_nothing(run: Caller, project: Path, words: list[str]) -> None:
    done = run("recall", project, *words, given=" \n")
    assert (done.code, f"{words[0]}: is empty" in done.err) == (2, True)


def test_of_a_flood_the_end_is_read(run: Caller, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(troubles, "LARGEST_OUTPUT", 4 * len(TRACEBACK))
    done = run("page-fault", project, "--json", given="a line of a log\n" * 99 + TRACEBACK)
    assert (done.code, done.json()["failures"][0]["anchors"]) == (0, ["sym:a.py#one"])
    assert "only its end was read" in done.err
    assert "came in" not in run("page-fault", project, given=TRACEBACK).err


def test_a_workspace_that_isnt_there_is_said_before_stdin_is_judged(run: Caller, tmp_path: Path) -> None:
    done = run("page-fault", tmp_path / "none.ccos", given="nothing\n")
    assert (done.code, "there is no such workspace" in done.err) == (1, True)


def test_a_window_stays_inside_its_folder(run: Caller, project: Path) -> None:
    folder = project.parent / "project"
    (project.parent / "beside.py").write_text("beside = 1\n")
    for said in ("../beside.py", str(project.parent / "beside.py"), ".."):
        done = run("window", folder, "--around", said)
        assert (done.code, done.out, "is outside" in done.err) == (1, "", True)
    for said in ("../project/a.py", str(folder / "a.py"), "./a.py", "file:a.py"):
        assert run("window", folder, "--around", said).out == "# a.py\ndef one():\n    return 1\n"
    assert run("window", project.parent / "none", "--around", "a.py").code == 1


def test_what_may_hold_secrets_is_in_no_window(run: Caller, project: Path) -> None:
    folder = project.parent / "project"
    (folder / ".env").write_text("COLOUR=blue heron\n")
    for ignored in ("", ".env\n"):
        (folder / ".gitignore").write_text(ignored)
        done = run("window", folder, "--around", ".env", "--json")
        assert (done.code, "heron" in json.dumps(done.json())) == (0, False)
