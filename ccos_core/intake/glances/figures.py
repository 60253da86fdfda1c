"""What all glances share: whole lines in, figures out; and the first prompt of a session."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ccos_core.intake.importers.fields import decoded
from ccos_core.intake.importers.record import Format, Observation, Record

HEAD = 64 * 2**10
"""Bytes of a transcript's beginning in which it says who it is."""
MOST_HEAD = 50
"""Records of that."""
LONGEST_HEAD = 1_000
"""Records in which its first prompt is looked for where it isn't among those."""


@dataclass(slots=True)
class Figures:
    """One transcript in figures."""

    records: int = 0
    calls: int = 0
    """Calls that were made, with or without an end."""
    failures: int = 0
    """Calls that ended in an error."""
    compactions: int = 0
    model: str = ""
    """The one used last."""
    session: str = ""
    cwd: str = ""
    started: int | None = None
    """Milliseconds since 1970."""
    ended: int | None = None
    prompt: str = ""
    """What a person said first, or how that begins."""
    inner: dict[str, list[int]] = field(default_factory=dict)
    """Subagent → [calls, failures] of it that are told here as well: it may have a transcript of its own."""


class Glance(Protocol):
    """Looks at one transcript."""

    def feed(self, block: bytes) -> None:
        """Whole lines of it, in their order."""

    def figures(self) -> Figures:
        """What it amounts to."""


def head_records(head: bytes, most: int = MOST_HEAD) -> list[Record]:
    """The first records of a transcript, as far as they are whole."""
    lines = head.split(b"\n", most)[:most]
    found = ((number, decoded(line)) for number, line in enumerate(lines, 1))
    return [Record(number, value) for number, value in found if value is not None]


def last_value(block: bytes, wanted: str) -> Any:
    """The last record of a block that says something in a field."""
    end = len(block)
    while end > 0:
        start = block.rfind(b"\n", 0, end - 1) + 1
        value = decoded(block[start:end])
        if isinstance(value, dict) and value.get(wanted):
            return value
        end = start
    return None


def line_at(block: bytes, at: int) -> Any:
    """The record of the line a place lies in."""
    end = block.find(b"\n", at)
    return decoded(block[block.rfind(b"\n", 0, at) + 1 : end if end >= 0 else len(block)])


def lines_in(block: bytes) -> int:
    """Lines that aren't empty."""
    return block.count(b"\n") - block.count(b"\n\n") + (not block.endswith(b"\n") and bool(block))


def first_prompt(said: Iterable[Observation]) -> str:
    """The first words of a person in the main conversation; empty where another agent began it."""
    for each in said:
        if each["kind"] != "prompt" or each.get("source") not in ("user", "agent") or each.get("context"):
            continue
        return each["said"] if each["source"] == "user" and isinstance(each["said"], str) else ""
    return ""


def prompt_in(format_: Format, head: Iterable[Record]) -> str:
    """The same, of the first records of a transcript."""
    reader = format_.reader("")
    return first_prompt(each for record in head for each in reader.feed(record))
