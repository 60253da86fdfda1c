"""The samples are what their scripts make, and their answers what the product says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.cli import demo
from sample_workspaces import make, till
from tests.core.serve.calling import Caller

HERE = Path(make.__file__).resolve().parent


def test_what_is_kept_is_what_is_made() -> None:
    made = dict(make.files())
    assert {path: path.read_text(encoding="utf-8") for path in made} == made, "run sample_workspaces/make.py"
    kept = {path for path in HERE.rglob("*.*") if path.suffix in (".json", ".jsonl", ".traj")}
    assert kept == set(made)


def test_every_importer_has_a_session_that_says_the_same() -> None:
    told = answer("transcripts/answers.json")
    same = ("project", "models", "prompts", "calls", "reads", "edits", "files", "repaired", "unknown")
    assert {tuple(map(str, (each[name] for name in same))) for each in told.values()} == {
        ("/home/kim/till", "['some-model']", "1", "5", "2", "1", "2", "True", "0")
    }
    assert len({each["agent"] for each in told.values()}) == len(till.TRANSCRIPTS) == 6


def test_drift_is_a_drift() -> None:
    told = answer("drift/answer.json")
    assert (told["cause"], told["suspects"][0]) == ("file:src/db.py", "file:src/db.py")
    lost = told["lost_at"]
    assert all(state != "out" for _, _, state in told["in_our_window"])
    lines = (HERE / "drift" / "session.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum(json.loads(line)["kind"] == "compaction" for line in lines) == 1
    assert lost < told["steps"]


def test_the_demo_names_the_steps_of_its_answer(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    told = run("demo").out
    lost = answer("drift/answer.json")["lost_at"]
    assert f"lost at step {lost}, " in told
    listed = {line.split()[0]: line for line in told.splitlines() if line.strip() and line.split()[0].isdigit()}
    assert "compaction" in listed[str(lost)]
    assert "src/db.py" in listed["6"]
    assert "src/db.py" in listed["53"]
    assert "secret masked" in listed["11"]
    assert "hidden char" in listed["12"]
    assert "withheld" in listed["15"]


def test_the_drift_can_be_imported_as_a_transcript(run: Caller, tmp_path: Path) -> None:
    done = run("import", HERE / "drift" / "session.jsonl", "-o", tmp_path / "w.ccos", "--json")
    assert done.json()["added"] == answer("drift/answer.json")["steps"] - 1


def answer(name: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((HERE / name).read_text(encoding="utf-8"))
    return told


def test_the_demo_names_a_program_that_can_be_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Started by start.py, which runs the package, it names the script that lies beside Python."""
    monkeypatch.setattr("sys.argv", [str(tmp_path / "ccos_tui" / "__main__.py")])
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert demo.program_name() == f"{tmp_path}/python -m ccos_tui"
    (tmp_path / "ccos-tui").touch(mode=0o755)
    assert demo.program_name() == f"{tmp_path}/ccos-tui"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert demo.program_name() == "ccos-tui"
