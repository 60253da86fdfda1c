"""What recorded sessions held, against a count over the raw JSON that shares nothing with the readers."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ccos_core.intake.importers.claude_code.reader import ClaudeCode
from ccos_core.text.retrieval.carried import carried
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


def summaries(path: Path) -> list[tuple[str, list[str]]]:
    """(summary, the prompts since the one before) of each compaction, by the raw records."""
    found: list[tuple[str, list[str]]] = []
    prompts: list[str] = []
    for record in records(path):
        value = record.value
        content = (value.get("message") or {}).get("content")
        if value["type"] != "user" or value.get("isSidechain") or value.get("isMeta"):
            continue
        texts = [content] if isinstance(content, str) else [each.get("text", "") for each in content]
        text = "\n".join(filter(None, texts))
        if value.get("isCompactSummary"):
            found.append((text, prompts))
            prompts = []
        elif text and text[0] not in "<[":
            prompts.append(text)
    return found


def test_summaries_carry_most_prompts() -> None:
    """A summary lists what the user said; a quote is whole where its letters and digits are, whatever is between."""
    states: Counter[str] = Counter()
    for path in FILES:
        for summary, prompts in summaries(path):
            listed = squeezed(summary)
            for prompt in prompts:
                state = carried(prompt, summary).state
                states[state] += 1
                if squeezed(prompt) not in listed:
                    assert state != "whole"
                elif len(prompt.split()) > 2:
                    assert state == "whole"
    assert states["whole"] + states["part"] >= 0.8 * states.total() > 24


def squeezed(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum() or char == "_")
