"""What every test of the screens has: a terminal that can all there is, settings of nobody, and a demo of its own."""

import shutil
from pathlib import Path

import pytest

from ccos_core.serve.cli import demo as demo_command

TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
UNSAID = ("NO_COLOR", "LC_CTYPE", "CCOS_ASCII", "PAGER", "EDITOR", "VISUAL", "TMUX", "SSH_CONNECTION")


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name, value in TERMINAL.items():
        monkeypatch.setenv(name, value)
    for name in UNSAID:
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path_factory.mktemp(name.lower())))


@pytest.fixture(scope="session")
def _demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("demo") / "demo.ccos")
    demo_command.build(path)
    return path


@pytest.fixture
def demo(_demo: str, tmp_path: Path) -> str:
    """The demonstration's workspace, to do with what one likes."""
    return str(shutil.copy(_demo, tmp_path / "demo.ccos"))


@pytest.fixture
def a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the test is, empty; the user's state lies beside it, in `state`."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
