"""Copies of the map and of the access log as files, for who asks for them. They follow the record; nothing reads them.

    write_mindmap(timeline, "cos/mindmap.md")          # level 2
    write_access_log(timeline, "cos/access.jsonl", 30) # today's rows; access-2026-02-07.jsonl has those of a day before

Each is made anew from the record and takes the place of the old file when it is whole. A file that would be the same is
left alone. Days that are older than the retention are removed from the copies; the record keeps them.
"""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from ccos_core.errors import Unavailable
from ccos_core.query.access import Access, rows_of
from ccos_core.query.mindmap import mindmap
from ccos_core.session.documents import Documents
from ccos_core.storage.replacing import replacing

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

MAP_LEVEL = "2"
DEBOUNCE_SECONDS = 0.25
"""Between two writings of the same copies."""
THOUSAND = 1_000
KEYS = ("ts", "resource", "action", "query", "session", "pressure_before", "pressure_after", "tokens_delta")


class Copies:
    """The copies that settings ask for, written when the record has grown."""

    def __init__(self, mindmap_path: str, access_log: str, retention_days: int) -> None:
        self.mindmap_path = mindmap_path
        self.access_log = access_log
        self.retention_days = retention_days
        self._written = -1
        self._at = 0.0

    def follow(self, timeline: Timeline, user: Timeline | None, now: float) -> None:
        """Write the copies if the record has grown, at most every `DEBOUNCE_SECONDS`; `now` is in seconds."""
        if timeline.head == self._written or now - self._at < DEBOUNCE_SECONDS:
            return
        self._written, self._at = timeline.head, now
        if self.mindmap_path:
            write_mindmap(timeline, self.mindmap_path, user)
        if self.access_log:
            write_access_log(timeline, self.access_log, self.retention_days)


def write_mindmap(timeline: Timeline, path: str, user: Timeline | None = None) -> bool:
    """Write the map of the last step; gives whether the file is another one now."""
    return _write(path, mindmap(timeline, timeline.head, user, MAP_LEVEL, None, None).text.rstrip("\n") + "\n")


def write_access_log(timeline: Timeline, path: str, retention_days: int) -> int:
    """Write the rows of the last day with any to `path`, and those of earlier days beside it; gives how many rows."""
    by_day: dict[date, list[str]] = {}
    for each in rows_of(timeline, timeline.head):
        by_day.setdefault(_day(each), []).append(line_of(each))
    last = max(by_day, default=date.min)
    kept = {day: lines for day, lines in by_day.items() if (last - day).days < retention_days}
    _write(path, "".join(kept.get(last, [])))
    stem, suffix = os.path.splitext(path)
    for day, lines in kept.items():
        if day != last:
            _write(f"{stem}-{day.isoformat()}{suffix}", "".join(lines))
    _remove_old(stem, suffix, {day.isoformat() for day in kept})
    return sum(map(len, kept.values()))


def line_of(each: Access) -> str:
    """An access as a line of JSON, with the keys of the specification."""
    return json.dumps({key: getattr(each, key) for key in KEYS}, ensure_ascii=False, separators=(",", ":")) + "\n"


def inside(root: str, path: str) -> str:
    """Where a path of a settings file lies on the disk; empty for none. Raises where that is outside of the root."""
    return Documents(root).place(path) if path else ""


# ---- helpers ----


def _day(each: Access) -> date:
    return datetime.fromtimestamp((each.ts or 0) / THOUSAND, UTC).date()


def _remove_old(stem: str, suffix: str, kept: set[str]) -> None:
    folder, name = os.path.split(stem)
    pattern = re.compile(rf"{re.escape(name)}-([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}){re.escape(suffix)}")
    for entry in os.listdir(folder or "."):
        found = pattern.fullmatch(entry)
        if found is not None and found[1] not in kept:
            os.unlink(os.path.join(folder, entry))


def _write(path: str, text: str) -> bool:
    data = text.encode("utf-8", "surrogatepass")
    try:
        if os.path.exists(path):
            with open(path, "rb") as file:
                if file.read() == data:
                    return False
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with replacing(path) as handle, os.fdopen(os.dup(handle), "wb") as file:
            file.write(data)
    except OSError as error:
        raise Unavailable(f"can't be written: {error.strerror}", place=path) from error
    return True
