"""Ops as lines for people: what happened, to what, and how much text came with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from ccos_core.errors import CcosError, Erased
from ccos_core.serve import words
from ccos_core.serve.terminal import coloured
from ccos_core.storage.record import Record

WIDTH = 100
"""Characters an op may say where nobody told how wide the screen is."""
NARROWEST = 24
TELLING_ARGUMENTS = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "prompt")
"""Which argument of a call says most, the best first."""
MARKS = {"failed": "✗", "error": "✗", "interrupted": "✗", "passed": "✓"}

Plain = dict[str, Any]


class OpLines:
    """Ops as lines, one after the other. On a screen the day stands above its ops, elsewhere in every line.

    5  2026-02-14 09:31:45  tool          403 B  ✗ Bash pytest -q tests/test_api.py
    """

    def __init__(self, record: Record, columns: int | None = None) -> None:
        self.record = record
        self.columns = columns
        self.day = ""

    def of(self, step: int, op: Plain | None) -> Iterator[str]:
        """The lines of one op; None stands for one that can't be read."""
        if op is None:
            yield f"{step:>6}  {coloured('can’t be read: not an op', 'bad')}"
            return
        day, _, time = words.moment(op.get("at")).rpartition(" ")
        if self.columns is not None and day and day != self.day:
            yield coloured(f"{'':>6}  {day} UTC", "quiet")
        self.day = day or self.day
        moment = time if self.columns is not None else words.moment(op.get("at"))
        if self.columns is not None and not day:
            moment = "-" * 8
        before = f"{step:>6}  {moment}  {_kind(op):<12}{_bytes(op):>9}  "
        yield before.rstrip() if not (told := self._told(op, len(before))) else before + told

    def _told(self, op: Plain, used: int) -> str:
        """What the op says, with its mark before it and what is to be noticed behind it."""
        mark = MARKS.get(str(op.get("outcome", op["kind"])), " ")
        noted = [(f"[{words.visible(note)}]", role) for note, role in _notes(op)]
        notes = [coloured(note, role) for note, role in noted]
        room = WIDTH
        if self.columns is not None:
            room = max(NARROWEST, self.columns - used - 2 - sum(len(note) + 2 for note, _ in noted))
        said = words.clipped(words.visible(op_words(op, self.record)), room)
        if mark != " ":
            mark = coloured(mark, "good" if mark == "✓" else "bad")
        return "  ".join([f"{mark} {said}".rstrip(), *notes]) if said or notes else ""


def op_words(op: Plain, record: Record) -> str:
    """What the op says, without its kind."""
    tell = _WORDS.get(op["kind"])
    return tell(op, record) if tell else ""


def _kind(op: Plain) -> str:
    return str(op["how"] if op["kind"] == "seen" else op["kind"])


def _notes(op: Plain) -> list[tuple[str, str]]:
    """What is to be noticed, and what it means."""
    notes = []
    if op.get("outcome") in ("interrupted", "unknown"):  # of an error its mark says enough
        notes.append((op["outcome"], "note"))
    if "withheld" in op:
        notes.append((f"withheld: {op['withheld']}", "note"))
    found = op.get("findings", ())
    masked = sum(count for _, kind, count, _ in found if kind.startswith("secret:"))
    shown = sum(count for _, kind, count, _ in found if not kind.startswith("secret:"))
    if masked:
        notes.append((words.count(masked, "secret") + " masked", "note"))
    if shown:
        notes.append((words.count(shown, "hidden char") + " shown", "note"))
    return notes


def _seen(op: Plain, _: Record) -> str:
    lines = " lines {}–{}".format(*op["slice"]) if "slice" in op else ""
    return f"{op['path']}{lines}"


def _tool(op: Plain, record: Record) -> str:
    return f"{op['name']} {_telling_argument(op, record)}"


def _telling_argument(op: Plain, record: Record) -> str:
    if "arguments" not in op:
        return ""
    try:
        given = json.loads(record.content(bytes.fromhex(op["arguments"]["blob"])))
    except (CcosError, ValueError):
        return ""
    if isinstance(given, dict):
        for name in TELLING_ARGUMENTS:
            if isinstance(given.get(name), str):
                return words.clipped(given[name], WIDTH)
    return ""


def _passed(op: Plain, _: Record) -> str:
    named = op.get("tests") or op.get("paths") or op.get("nodes") or []
    return f"{op['runner']}  {op['scope']}  {' '.join(named[:3])}"


def _failed(op: Plain, _: Record) -> str:
    sites = " ".join(f"{path}:{line}" for path, line in op.get("sites", [])[:3])
    return f"{op['runner']}  {op.get('test', '')}  {sites or ' '.join(op.get('nodes', [])[:3])}"


def _text(op: Plain, field: str, record: Record) -> str:
    """The start of a content, or why it can't be shown."""
    if field not in op:
        return ""
    try:
        return record.content(bytes.fromhex(op[field]["blob"])).decode("utf-8", "replace")[: 8 * WIDTH]
    except Erased:
        return "(content erased)"
    except CcosError:
        return "(content can't be read)"


def _said(op: Plain, record: Record) -> str:
    return _text(op, "said", record) or str(op.get("model", ""))


def _claim(op: Plain, record: Record) -> str:
    by = op.get("by", ())
    named = by if isinstance(by, str) else " ".join(by[:3])
    return f"{op['claim']}{' by ' + named if named else ''} {_text(op, 'words', record)}"


def _compaction(op: Plain, record: Record) -> str:
    tokens = [f"{op[name]:,}" for name in ("before", "after") if name in op]
    summary = _text(op, "summary", record)
    return f"{op['trigger']} {' → '.join(tokens)}{' tokens' if tokens else ''}{': ' if summary else ''}{summary}"


def _epoch(op: Plain, _: Record) -> str:
    return f"format {op['format']}, vocabulary {op['vocabulary']}"


_WORDS: dict[str, Callable[[Plain, Record], str]] = {
    "epoch": _epoch,
    "seen": _seen,
    "gone": lambda op, _: str(op["path"]),
    "renamed": lambda op, _: f"{op['path']} → {op['to']}",
    "tool": _tool,
    "failed": _failed,
    "passed": _passed,
    "recall": lambda op, _: f"{op['lens']}  budget {op['budget']:,}  {words.count(len(op['items']), 'item')}",
    "paged_in": lambda op, _: " ".join(op["nodes"][:3]),
    "paged_out": lambda op, _: " ".join(op["nodes"][:3]),
    "attention": lambda op, _: " ".join(op["nodes"][:3]),
    "annotation": lambda op, record: f"{op.get('node', '')} {_text(op, 'note', record)}",
    "supported": _claim,
    "contradicted": _claim,
    "retracted": _claim,
    "superseded": _claim,
    "turn": _said,
    "prompt": _said,
    "usage": lambda op, _: f"{op['window']:,} tokens in the window",
    "compaction": _compaction,
    "cleared": lambda op, _: str(op.get("reason", "")),
    "retune": lambda op, _: str(op.get("reason", "")),
}


def _bytes(op: Plain) -> str:
    total = sum(value["bytes"] for value in op.values() if isinstance(value, dict) and "blob" in value)
    return words.size(total) if total else ""
