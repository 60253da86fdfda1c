"""Commits as marks: a lane of the timeline, and a sign beside their steps."""

from __future__ import annotations

import json
from pathlib import Path

from ccos_core.serve.cli.main import main
from tests.tui.driving import WIDE, Driven, drive

CALLS = (
    ("git commit -am 'one'", "[main 1a2b3c4] one\n 1 file changed\n"),
    ("git status", "clean\n"),
    ("git push", "To x:y\n   0000001..1a2b3c4  main -> main\n"),
)


def session(folder: Path) -> str:
    """A workspace of a session that committed and pushed."""
    lines: list[dict[str, object]] = [{"kind": "session", "id": "s", "at": 1, "agent": "demo", "cwd": "/home/ann/x"}]
    for number, (command, output) in enumerate(CALLS):
        call = {"kind": "call", "id": f"c{number}", "at": number + 2, "name": "Bash", "arguments": {"command": command}}
        result = {
            "kind": "result",
            "id": f"r{number}",
            "at": number + 2,
            "call": f"c{number}",
            "outcome": "ok",
            "text": output,
        }
        lines += [call, result]
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["import", str(path), "-o", str(folder / "work.ccos")]) == 0
    return str(folder / "work.ccos")


def test_commits_are_marks_on_the_timeline_and_beside_the_steps(tmp_path: Path) -> None:
    async def story(driven: Driven) -> None:
        home = driven.app.home
        steps = home.committed
        assert len(steps) == 2
        assert {step: home.steps.marks[step] for step in steps} == dict.fromkeys(steps, "*")
        assert home.timeline.committed == steps
        assert driven.shows("commits")
        await driven.press(*str(steps[0]), "G", "m", "b")
        assert home.steps.marks[steps[0]] == "b"  # the reader's own mark comes first

    drive(session(tmp_path), story, WIDE)
