"""What a window showed shortened, in full: by the short reference that stands beside it, from the record.

A reference is the start of a content's hash and lines in it, `1a2b3c4d:10-42`; without lines it is all of the content.
It means the same as long as the record lives, for every client and after any restart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ccos_core.errors import NotFound, Usage
from ccos_core.text.masking import is_withheld
from ccos_core.values.canon import DIGEST_BYTES, digest
from ccos_core.values.ids import path_of

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline
    from ccos_core.storage.record import Record

SHORTEST = 8
"""Hexadecimal digits of a hash that a reference has at least."""
MOST_TOLD = 3
_REFERENCE = re.compile(rf"([0-9a-f]{{{SHORTEST},{2 * DIGEST_BYTES}}})(?::([1-9]\d{{0,8}})-([1-9]\d{{0,8}}))?")


@dataclass(frozen=True, slots=True)
class Original:
    """A text as it was recorded."""

    schema: ClassVar[str] = "ccos.original/1"
    ccr_ref: str
    content: str
    """The hash of all of it."""

    first: int
    last: int
    """Its first and last line, of ..."""

    lines: int
    """... this many."""

    path: str
    """A file that had this content; empty where it was none."""

    text: str


def parse_reference(said: str) -> tuple[str, int | None, int | None]:
    """Return the start of a hash, and the first and last line that a reference names."""
    found = _REFERENCE.fullmatch(said.strip())
    if found is None:
        raise Usage("isn't a reference", place=said[:80], hint="Write it as a window shows it: 1a2b3c4d:10-42")
    return found[1], int(found[2]) if found[2] else None, int(found[3]) if found[3] else None


def original(record: Record, timeline: Timeline, reference: str) -> Original:
    """The text a reference stands for."""
    start, first, last = parse_reference(reference)
    content, path, text = _only(reference, list(_found(record, timeline, start)), timeline)
    lines = text.split("\n")
    first, last = first or 1, last or len(lines)
    if not first <= last <= len(lines):
        raise Usage(
            "has lines beyond the end of its text", place=reference, hint=f"Near: {content[:SHORTEST]}:1-{len(lines)}"
        )
    return Original(reference.strip(), content, first, last, len(lines), path, "\n".join(lines[first - 1 : last]))


def _found(record: Record, timeline: Timeline, start: str) -> Iterator[tuple[str, str, str]]:
    """Yield (hash, path, text) of what begins so: contents of the record, and texts pieced together from parts."""
    paths = _versions(timeline, start)
    for content in _contents(record, start):
        row = paths.pop(content, None)
        text = timeline.content(content).decode("utf-8", "replace")
        if not is_withheld(text):
            yield content, _path(timeline, row), text
    for content, row in paths.items():
        path = _path(timeline, row)
        pieced = timeline.sources.text(path, timeline.sources.version(row))
        if pieced is not None and digest(pieced.encode("utf-8", "surrogatepass")).hex().startswith(start):
            yield content, path, pieced


def _contents(record: Record, start: str) -> list[str]:
    """Contents the record has, or had before they were erased."""
    low = bytes.fromhex(start.ljust(2 * DIGEST_BYTES, "0"))
    high = bytes.fromhex(start.ljust(2 * DIGEST_BYTES, "f"))
    sql = "SELECT hash FROM blob WHERE hash BETWEEN ? AND ? UNION SELECT hash FROM erased WHERE hash BETWEEN ? AND ?"
    return sorted(row[0].hex() for row in record.ask(sql, (low, high, low, high)))


def _versions(timeline: Timeline, start: str) -> dict[str, int]:
    """Content → the last version of a file that is it."""
    contents = timeline.journal.versions["content"]
    named = ((bytes(each).hex(), row) for row, each in enumerate(contents))
    return {content: row for content, row in named if content.startswith(start)}


def _path(timeline: Timeline, row: int | None) -> str:
    if row is None:
        return ""
    return path_of(timeline.journal.name(int(timeline.journal.versions["path"][row]))) or ""


def _only(said: str, found: list[tuple[str, str, str]], timeline: Timeline) -> tuple[str, str, str]:
    if len(found) > 1:
        told = "  ".join(content[: 2 * SHORTEST] for content, _, _ in found[:MOST_TOLD])
        raise Usage("is the start of several hashes", place=said, hint=f"One of: {told}")
    if not found:
        raise NotFound("isn't the hash of any recorded text", place=said, hint=_nearest(said, timeline))
    return found[0]


def _nearest(said: str, timeline: Timeline) -> str:
    from difflib import get_close_matches

    starts = {bytes(each).hex()[:SHORTEST] for each in timeline.journal.versions["content"]}
    near = get_close_matches(said[:SHORTEST], sorted(starts), 1)
    return f"Near: {near[0]}" if near else ""
