"""What recorded sessions held, against a count over the raw JSON that shares nothing with the readers."""

from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.claude_code.reader import ClaudeCode
from tests.core.intake.importers.foreign import RECORDINGS
from tests.core.intake.importers.test_claude_code_recordings import Folded, records

FILES = sorted((RECORDINGS / "claude-code").glob("*tools*.jsonl"))

pytestmark = pytest.mark.skipif(not FILES, reason=f"no recorded sessions in {RECORDINGS}")


def first_reads(path: Path) -> dict[int, tuple[str, bool]]:
    """Line of the record → (path, whether all of it was shown) of reads of files nobody had touched before."""
    touched: set[str] = set()
    found: dict[int, tuple[str, bool]] = {}
    for record in records(path):
        told: Any = record.value.get("toolUseResult")
        if record.value.get("isSidechain") or not isinstance(told, dict):
            continue
        file = told.get("file") if isinstance(told.get("file"), dict) else {}
        name = file.get("filePath") or told.get("filePath")
        if name and file and name not in touched and "totalLines" in file:
            shown = file["startLine"] + file["numLines"] - 1
            found[record.line] = name, file["startLine"] <= 1 and shown >= file["totalLines"]
        touched.add(name)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_first_read_of_a_part_is_partial_and_of_all_lines_is_whole(path: Path) -> None:
    wanted = first_reads(path)
    folded, reader, wrong = Folded(), ClaudeCode(path.stem), []
    for record in records(path):
        for observation in reader.feed(record):
            folded.tell(observation, reader.origin)
        if record.line in wanted:
            name, whole = wanted[record.line]
            state = folded.held(reader.origin.session).state(folded.node(name)).state
            if state != ("in" if whole else "partial"):
                wrong.append((record.line, name, whole, state))
    assert wrong == []


def test_the_recordings_have_reads_of_both_kinds() -> None:
    kinds = [whole for path in FILES for _, whole in first_reads(path).values()]
    assert kinds.count(False) > 10
    assert kinds.count(True) > 10
