"""What a real agent read again: of each compaction in a transcript, what came before it and what was read after it.

Reads the transcript's own JSON and nothing of ours, so that a fault of the importer can't hide a file.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple


class Event(NamedTuple):
    kind: str
    """`prompt`, `read`, `edit` or `cut`."""
    path: str
    text: str


@dataclass
class File:
    """A file as the agent last knew it before a compaction."""

    text: str
    last: int
    """When it was last touched."""
    touched: int = 0


@dataclass
class Cut:
    """A compaction: what was known before it, and what was read again before the next one."""

    number: int
    """Of the transcript's compactions, from 0."""
    prompt: str
    files: dict[str, File]
    again: list[tuple[str, list[str]]] = field(default_factory=list)
    """(path, lines with anything on them)."""


def cuts(transcript: Path) -> list[Cut]:
    """The compactions of a transcript behind which anything was read again."""
    found: list[Cut] = []
    files: dict[str, File] = {}
    seen: dict[str, None] = {}
    prompt = ""
    for at, event in enumerate(events(transcript)):
        if event.kind == "cut":
            known = {path: File(file.text, file.last, file.touched) for path, file in files.items()}
            found.append(Cut(len(found), prompt, known))
            seen = {}
        elif event.kind == "prompt":
            prompt = event.text
        else:
            if found and event.kind == "read" and event.path in found[-1].files and event.path not in seen:
                lines = [line.strip() for line in event.text.split("\n") if line.strip()]
                found[-1].again.append((event.path, lines))
            seen[event.path] = None
            file = files.setdefault(event.path, File("", at))
            file.text, file.last, file.touched = event.text or file.text, at, file.touched + 1
    return [cut for cut in found if cut.again]


def events(transcript: Path) -> Iterator[Event]:
    """What happened in the main conversation, in order."""
    with transcript.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and not record.get("isSidechain"):
                yield from _events(record)


def _events(record: dict[str, Any]) -> Iterator[Event]:
    if record.get("subtype") == "compact_boundary":
        yield Event("cut", "", "")
    if record.get("type") != "user" or record.get("isCompactSummary"):
        return
    told = record.get("toolUseResult")
    if isinstance(told, dict) and isinstance(told.get("file"), dict) and "content" in told["file"]:
        yield Event("read", str(told["file"].get("filePath")), str(told["file"]["content"]))
    elif isinstance(told, dict) and told.get("filePath") and {"oldString", "structuredPatch"} & told.keys():
        yield Event("edit", str(told["filePath"]), _after(told))
    elif not record.get("isMeta") and (said := _said(record)):
        yield Event("prompt", "", said)


def _after(told: dict[str, Any]) -> str:
    if told.get("content"):
        return str(told["content"])
    before, old = told.get("originalFile") or "", told.get("oldString")
    return before.replace(old, told.get("newString") or "", 1) if old else before


def _said(record: dict[str, Any]) -> str:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return content
    blocks = [block for block in content or [] if isinstance(block, dict)]
    return " ".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
