"""start.py, as far as it can be tried in a moment and without a network: what it decides, says and passes on.

Each test gets a copy of it in a folder of its own, so that nothing here can touch the checkout's `.venv`. That a fresh
machine really gets an environment is proven by `.ci/run`, which starts from a fresh clone.
"""

import ast
import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest

from tests.house import tree

posix_only = pytest.mark.skipif(os.name == "nt", reason="the fake Python is a shell script")

FAKE_PYTHON = '#!/bin/sh\nprintf "%s\\n" "$PWD" "$@"\nexit 7\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space in its name that holds what start.py looks at."""
    folder = tmp_path / "a checkout"
    folder.mkdir()
    shutil.copy(tree.ROOT / "start.py", folder)
    (folder / "pyproject.toml").write_text("[project]\n")
    return folder


@pytest.fixture
def start(checkout: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("start", checkout / "start.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_whole(start: types.ModuleType, extras: str) -> None:
    """As a finished set-up leaves it, with a Python that only tells how it was called."""
    start.VENV_PYTHON.parent.mkdir(parents=True, exist_ok=True)
    start.VENV_PYTHON.write_text(FAKE_PYTHON)
    start.VENV_PYTHON.chmod(0o755)
    start.STAMP.write_text(start.stamp_for(extras), encoding="utf-8")


def run(checkout: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(checkout / "start.py"), *words], cwd=cwd, capture_output=True, text=True, timeout=60
    )


# ---- the stamp ----


def test_nothing_is_ready_at_first(start: types.ModuleType) -> None:
    assert not start.is_ready("")
    assert not start.is_ready("dev")


def test_what_tests_need_serves_the_demo_but_not_the_reverse(start: types.ModuleType) -> None:
    make_whole(start, "dev")
    assert start.is_ready("")
    make_whole(start, "")
    assert start.is_ready("")
    assert not start.is_ready("dev")


def test_changed_requirements_are_installed_into_the_same_place(start: types.ModuleType) -> None:
    make_whole(start, "dev")
    (start.ROOT / "pyproject.toml").write_text("[project]\ndependencies = ['more']\n")
    assert not start.is_ready("")
    assert start.same_place(start.installed(), start.stamp_for("dev"))


def test_another_python_or_another_folder_is_another_place(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_whole(start, "dev")
    monkeypatch.setattr(start.sys.implementation, "cache_tag", "cpython-399")
    assert not start.same_place(start.installed(), start.stamp_for("dev"))
    monkeypatch.undo()
    assert start.same_place(start.installed(), start.stamp_for("dev"))
    monkeypatch.setattr(start, "ROOT", start.ROOT.parent)
    (start.ROOT / "pyproject.toml").write_text("[project]\n")
    assert not start.same_place(start.installed(), start.stamp_for("dev"))


@posix_only
def test_a_python_that_was_removed_is_not_ready(start: types.ModuleType) -> None:
    make_whole(start, "")
    start.VENV_PYTHON.unlink()
    start.VENV_PYTHON.symlink_to("/nowhere/python3")
    assert not start.is_ready("")


def test_a_plain_folder_of_packages_is_run_by_the_python_at_hand(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    start.PACKAGES.mkdir(parents=True)
    start.STAMP.write_text(start.stamp_for(""), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", "mine")
    assert start.is_ready("")
    python, environment = start.runner()
    assert python == sys.executable
    assert environment["PYTHONPATH"].split(os.pathsep) == [str(start.ROOT), str(start.PACKAGES), "mine"]


# ---- setting up, with every step answered by the test ----


def set_up(start: types.ModuleType, monkeypatch: pytest.MonkeyPatch, works: tuple[str, ...]) -> list[str]:
    """Run the set-up where only the named kinds of step succeed; give the kinds asked for, in order."""
    asked: list[str] = []

    def kind_of(command: list[str]) -> str:
        if "venv" in command:
            return "bare venv" if "--without-pip" in command else "venv"
        if "install" in command:
            return "install to folder" if "--target" in command else "install"
        outside = "--python" in command or command[0] != str(start.VENV_PYTHON)
        return "pip outside" if outside else "pip inside"

    def answer(command: list[str]) -> bool:
        kind = kind_of(command)
        asked.append(kind)
        if kind in works and "venv" in kind:
            start.VENV_PYTHON.parent.mkdir(parents=True, exist_ok=True)
            start.VENV_PYTHON.write_text("")
        return kind in works

    monkeypatch.setattr(start, "logged", answer)
    start.set_up("")
    return asked


@pytest.mark.parametrize(
    ("works", "last"),
    [
        (("venv", "pip inside", "install"), "install"),
        (("bare venv", "pip outside", "install"), "install"),
        (("venv", "bare venv", "pip outside", "install"), "install"),
        (("pip outside", "install to folder"), "install to folder"),
    ],
    ids=["venv", "no ensurepip", "venv without pip", "no venv"],
)
def test_ways_to_an_environment(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch, works: tuple[str, ...], last: str
) -> None:
    assert set_up(start, monkeypatch, works)[-1] == last
    assert start.is_ready("")


def test_neither_venv_nor_pip(start: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="neither a working venv nor pip"):
        set_up(start, monkeypatch, ())
    assert not start.is_ready("")


def test_a_failed_installation_says_how_it_ended(start: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(command: list[str]) -> bool:
        start.LOG.write_text("".join(f"line {n}\n" for n in range(50)))
        return "install" not in command

    monkeypatch.setattr(start, "logged", answer)
    with pytest.raises(SystemExit) as exit_:
        start.main(["demo"])
    said = str(exit_.value.code)
    assert "line 49" in said
    assert "line 30" not in said
    assert str(start.LOG) in said
    assert "run the same command again" in said
    assert not start.STAMP.exists()


def test_our_own_unfinished_environment_is_begun_again(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    rubbish = start.VENV / "lib" / "half"
    rubbish.mkdir(parents=True)
    start.LOCK.touch()
    set_up(start, monkeypatch, ("venv", "pip inside", "install"))
    assert not rubbish.exists()


def test_somebody_elses_environment_is_built_upon(start: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = start.VENV / "lib" / "theirs"
    theirs.mkdir(parents=True)
    set_up(start, monkeypatch, ("venv", "pip inside", "install"))
    assert theirs.exists()


def test_users_pip_settings_pass_but_for_where_things_go(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PIP_INDEX_URL": "theirs", "PIP_USER": "1", "PIP_TARGET": "t", "PYTHONPATH": "p"}.items():
        monkeypatch.setenv(name, value)
    start.VENV.mkdir()
    names = ("PIP_INDEX_URL", "PIP_USER", "PIP_TARGET", "PYTHONPATH")
    assert start.logged([sys.executable, "-c", f"import os; print([os.environ.get(n) for n in {names}])"])
    assert start.LOG.read_text().strip() == "['theirs', '0', None, None]"


# ---- what is passed on ----


@posix_only
def test_words_and_exit_code_of_the_product_pass_through(
    checkout: Path, start: types.ModuleType, tmp_path: Path
) -> None:
    make_whole(start, "")
    done = run(checkout, "verify", "my session.ccos", "--json", cwd=tmp_path)
    assert done.stdout.splitlines() == [str(tmp_path), "-P", "-m", "ccos_tui", "verify", "my session.ccos", "--json"]
    assert done.stderr == ""
    assert done.returncode == 7


@posix_only
def test_words_and_exit_code_of_the_tests_pass_through(checkout: Path, start: types.ModuleType, tmp_path: Path) -> None:
    make_whole(start, "dev")
    done = run(checkout, "test", "-k", "one or two", cwd=tmp_path)
    assert done.stdout.splitlines() == [str(checkout), "-m", "pytest", "-k", "one or two"]
    assert done.returncode == 7


def test_depths_of_the_tests(start: types.ModuleType) -> None:
    environment: dict[str, str] = {}
    assert start.tests(["--quick", "-x"], environment) == ["-m", "not slow", *start.QUICK, "-x"]
    assert environment == {}
    assert start.tests(["--deep", "-x"], environment) == ["-x"]
    assert environment == {"CCOS_DEEP": "1"}
    assert start.tests(["-x", "--deep"], {}) == ["-x", "--deep"]


def test_the_quick_tests_are_there(start: types.ModuleType) -> None:
    missing = [folder for folder in start.QUICK if not list((tree.ROOT / folder).rglob("test_*.py"))]
    assert not missing


def test_interrupted_set_up_exits_130(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(extras: str) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(start, "set_up", interrupted)
    assert start.main(["demo"]) == 130
    assert "again" in capsys.readouterr().err


def test_a_folder_one_may_not_write(start: types.ModuleType) -> None:
    start.VENV.write_text("a file where the folder should be")
    with pytest.raises(SystemExit, match="Cannot set up"):
        start.main(["demo"])


# ---- the wrong Python ----


def test_it_parses_on_an_old_python() -> None:
    ast.parse((tree.ROOT / "start.py").read_text(encoding="utf-8"), feature_version=(3, 8))


def test_an_old_python_says_what_is_needed(start: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start, "NEEDED", (99, 1))
    monkeypatch.setattr(start, "newer_python", lambda: "")
    found = ".".join(map(str, sys.version_info[:3]))
    said = f"Python 99.1 or newer is needed, found {found}; try python3.12 start.py"
    with pytest.raises(SystemExit, match=re.escape(said)):
        start.main(["demo"])


def test_an_old_python_goes_on_with_a_newer_one(start: types.ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    became: list[list[str]] = []
    monkeypatch.setattr(start, "NEEDED", (99, 1))
    monkeypatch.setattr(start, "newer_python", lambda: "/somewhere/python99")
    monkeypatch.setattr(start, "become", lambda command, environment: became.append(command) or 7)
    assert start.main(["demo", "x"]) == 7
    assert became == [["/somewhere/python99", str(start.ROOT / "start.py"), "demo", "x"]]


@posix_only
def test_a_stand_in_that_does_not_start_is_passed_over(
    start: types.ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, script in {"python3.13": "exit 127", "python3.12": "exit 1", "python3.11": "exit 0"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert start.newer_python() == str(tmp_path / "python3.11")
