"""The samples are what their scripts make, and their answers what the product says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ccos_core.serve.cli import demo
from ccos_core.serve.demos import catalogue
from ccos_core.session.worlds import Knowing
from ccos_core.storage.opening import open_record
from ccos_tui import __main__ as entry
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
    told = run("demo", "evicted").out
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


def test_an_instruction_is_lost_in_a_compaction_and_broken(tmp_path: Path) -> None:
    told = answer("forgotten/answer.json")
    assert told["said_at"] < told["lost_at"] < told["broken_at"] < told["complained_at"] <= told["steps"]
    transcript = (HERE / "forgotten" / "session.jsonl").read_text(encoding="utf-8")
    rule = "don't change anything below schema/"
    (summary,) = (json.loads(line) for line in transcript.splitlines() if "isCompactSummary" in line)
    assert rule in transcript
    assert "don't" not in summary["message"]["content"]
    assert demo_text("forgotten", tmp_path).count(rule) == 1


def test_a_loop_changes_one_line_back_and_forth(tmp_path: Path) -> None:
    told = answer("loop/answer.json")
    assert len(told["edits"]) == len(told["failed"]) == 6
    assert max(told["edits"]) < told["first_read_at"]
    path = str(tmp_path / "loop.ccos")
    catalogue.build(path, "loop")
    with open_record(path) as record:
        assert "astimezone(OFFICE)" in Knowing(record).source("ledger/clock.py").text
        assert not Knowing(record).world.failures.live


def test_the_loop_is_recognised_as_one(run: Caller) -> None:
    session = HERE / "loop" / "session.jsonl"
    checked = run("check", session)
    assert checked.code == 1
    assert "✗ loops" in checked.out
    assert "ledger/due.py (certain)" in checked.out
    found = run("autopsy", session, "--json").json()
    assert "went in circles: it changed ledger/due.py" in found["verdict"]
    assert "didn't touch ledger/clock.py" in found["verdict"]
    first = found["suspects"][0]
    assert (first["node"], first["kind"], first["certainty"]) == ("file:ledger/due.py", "loop", "certain")
    assert set(answer("loop/answer.json")["edits"]) >= {each["step"] for each in first["evidence"][1:]}


@pytest.mark.parametrize("name", ["forgotten", "loop"])
def test_a_transcript_looks_like_one_of_claude_code(run: Caller, name: str, tmp_path: Path) -> None:
    """It is recognised, nothing of it is unknown, and it imports to the steps of its answer."""
    done = run("import", HERE / name / "session.jsonl", "-o", tmp_path / "w.ccos", "--json").json()
    (session,) = done["sessions"]
    assert (session["agent"], session["unknown"], session["unread"]) == ("claude-code", [], [])
    assert done["added"] == answer(f"{name}/answer.json")["steps"] - 1
    assert session["pending"] == []
    assert "thought" in {op["kind"] for op in told_by(tmp_path / "w.ccos")}


def test_edits_of_the_stories_fit_their_files(tmp_path: Path) -> None:
    """What an edit replaces stands in the file: a story that can't have happened teaches nothing."""
    for name in ("forgotten", "loop"):
        lines = (json.loads(line) for line in (HERE / name / "session.jsonl").read_text("utf-8").splitlines())
        files: dict[str, str] = {}
        kept: dict[str, str] = {}
        for told in (line["toolUseResult"] for line in lines if isinstance(line.get("toolUseResult"), dict)):
            if "file" in told:
                path = told["file"]["filePath"]
                assert files.get(path, told["file"]["content"]) == told["file"]["content"], path
                kept.setdefault(path, told["file"]["content"])
                files[path] = told["file"]["content"]
            elif "oldString" in told:
                assert files[told["filePath"]].count(told["oldString"]) == 1, told
                files[told["filePath"]] = files[told["filePath"]].replace(told["oldString"], told["newString"])
            elif "content" in told:
                files[told["filePath"]] = told["content"]
        assert any(files[path] != text for path, text in kept.items())


def test_demonstrations_are_the_same_everywhere(tmp_path: Path) -> None:
    for name in catalogue.DEMOS:
        heads = {catalogue.build(str(tmp_path / f"{name}-{number}.ccos"), name) for number in range(2)}
        assert len(heads) == 1


def test_demonstrations_are_listed_and_opened(run: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    listed = run("demo")
    assert listed.code == 0
    for name, each in catalogue.DEMOS.items():
        assert f"  {name:<10}  {each.title}." in listed.out
        done = run("demo", name)
        assert done.code == 0
        assert all(line in done.out for line in each.answer)
    assert run("demo", "nonesuch").code == 2
    assert tuple(catalogue.DEMOS) == entry.DEMOS


def test_a_demonstration_names_the_steps_of_its_answer() -> None:
    forgotten, loop = answer("forgotten/answer.json"), answer("loop/answer.json")
    said = " ".join(catalogue.DEMOS["forgotten"].answer)
    for name in ("said_at", "lost_at", "broken_at", "complained_at"):
        assert f"step {forgotten[name]}" in said
    said = " ".join(catalogue.DEMOS["loop"].answer)
    for step in (loop["edits"][0], loop["edits"][-1], loop["first_read_at"]):
        assert f"step {step}" in said


def demo_text(name: str, folder: Path) -> str:
    """All that the user and the summary of a demonstration say."""
    path = str(folder / f"{name}.ccos")
    catalogue.build(path, name)
    with open_record(path) as record:
        return "\n".join(
            record.content(bytes.fromhex(op[field]["blob"])).decode()
            for _, _, body in record.rows()
            for op in [json.loads(body)]
            for field in ("said", "summary")
            if op["kind"] in ("prompt", "compaction") and field in op
        )


def told_by(path: Path) -> list[dict[str, Any]]:
    with open_record(str(path)) as record:
        return [json.loads(body) for _, _, body in record.rows()]
