"""A transcript of our own with a compaction and files that are read again, for trying the benchmark."""

import json
from pathlib import Path

from tests.core.intake.importers.claude_code_fixtures import CWD, Talk, listed, read_of, use


def transcript(folder: Path) -> Path:
    talk = Talk()
    talk.prompt("Why is the tax of module_3 wrong?")
    for number in range(6):
        _read(talk, f"first-{number}", number)
    talk.compact()
    for number in (5, 4, 0):
        _read(talk, f"again-{number}", number)
    place = folder / "made.jsonl"
    place.write_text("".join(json.dumps(value) + "\n" for value in talk.values), encoding="utf-8")
    return place


def _read(talk: Talk, call: str, number: int) -> None:
    path = f"{CWD}/module_{number}.py"
    text = "".join(f"def tax_{number}_{at}(rows):\n    return sum(rows) * {at}\n\n\n" for at in range(40))
    talk.says(use(call, "Read", {"file_path": path}), message=f"msg_{call}")
    talk.result(call, listed(text), read_of(path, text))
