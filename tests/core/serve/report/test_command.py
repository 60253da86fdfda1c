"""`ccos-tui report`: where it writes, what it says, and how it ends."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.core.serve.calling import Caller, outside
from tests.core.serve.conftest import run
from tests.core.serve.report.sessions import demonstration
from tests.core.serve.report.test_page import unpacked
from tests.story import new_session

__all__ = ["run"]


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return demonstration(tmp_path)


def test_it_writes_a_page_and_says_which(run: Caller, demo: str, tmp_path: Path) -> None:
    done = run("report", demo, "-o", "out.html")
    assert done.code == 0
    assert done.out == ""
    assert done.err.startswith("Wrote out.html, ")
    assert done.err.endswith("steps 1 to 61.\n")
    assert unpacked((tmp_path / "out.html").read_bytes())["last"] == 61


def test_without_a_name_it_is_called_as_the_workspace(run: Caller, demo: str, tmp_path: Path) -> None:
    told = run("report", demo, "--json").json()
    assert told["schema"] == "ccos.report-written/1"
    assert told["path"] == "demo.html"
    assert told["bytes"] == (tmp_path / "demo.html").stat().st_size
    assert run("report", demo).code == 0  # it takes the place of the one before


def test_it_can_go_to_stdout(demo: str) -> None:
    done = outside("report", demo, "-o", "-")
    assert done.returncode == 0
    assert done.stdout.startswith(b"<!doctype html>")
    assert unpacked(done.stdout)["name"] == "demo.ccos"


def test_a_device_stays_a_device(run: Caller, demo: str) -> None:
    assert run("report", demo, "-o", "/dev/null").code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize(("span", "first", "last"), [("40..50", 40, 50), ("50..40", 40, 50), ("end..end", 61, 61)])
def test_some_of_the_steps(run: Caller, demo: str, tmp_path: Path, span: str, first: int, last: int) -> None:
    assert run("report", demo, "-o", "some.html", "--steps", span).code == 0
    told = unpacked((tmp_path / "some.html").read_bytes())
    assert (told["first"], told["last"]) == (first, last)
    assert {step for group in told["groups"] for step in group[1]} >= set(range(first, last + 1))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--steps", "900..901"), 1),
        (("--steps", "many"), 1),
        (("-o", "no/such/folder/x.html"), 5),
        (("-o", "."), 5),
        (("--stpes", "1..2"), 2),
    ],
)
def test_what_goes_wrong_is_said(run: Caller, demo: str, words: tuple[str, ...], code: int) -> None:
    done = run("report", demo, *words)
    assert done.code == code, done.err
    assert done.err.startswith("ccos-tui: ")
    assert not [name for name in os.listdir() if name.endswith((".new", ".part"))]


def test_a_workspace_without_a_session_has_a_page_too(run: Caller, tmp_path: Path) -> None:
    new_session(tmp_path).__exit__(None, None, None)
    done = run("report", tmp_path / "work.ccos", "-o", tmp_path / "empty.html")
    assert done.code == 0, done.err
    assert len(unpacked((tmp_path / "empty.html").read_bytes())["groups"]) == 1
    assert run("check", tmp_path / "work.ccos").code == 0
