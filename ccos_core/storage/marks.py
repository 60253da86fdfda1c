"""The reader's marks and notes: in the record's file, and no part of the record.

They lie in `local`, one row each, so no chain goes through them and no format knows them. What can't be read of them
isn't shown, for nothing rests on it.
"""

from __future__ import annotations

import json
from typing import Any

from ccos_core.storage.opening import open_record
from ccos_core.storage.record import Record
from ccos_core.values.marks import Mark

PREFIX = "mark:"
ALL = "SELECT value FROM local WHERE name >= 'mark:' AND name < 'mark;' ORDER BY name"


def marks_of(record: Record) -> tuple[Mark, ...]:
    """All of them, by step."""
    found = [mark for (value,) in record.ask(ALL) if (mark := _read(value)) is not None]
    return tuple(sorted(found, key=lambda mark: mark.step))


def keep_marks(path: str, kept: Mark | None, dropped: Mark | None) -> None:
    """Write one down, and forget one."""
    with open_record(path, write=True, stay=False) as record, record.write() as writing:
        if dropped is not None:
            writing.set_local(_key(dropped), None)
        if kept is not None:
            writing.set_local(_key(kept), json.dumps([kept.step, kept.name, kept.text]))


def _key(mark: Mark) -> str:
    """A name stands for one step, a note stands at its step with its words."""
    return f"{PREFIX}{mark.name}" if mark.name else f"{PREFIX}:{mark.step:012}:{mark.text}"


def _read(value: Any) -> Mark | None:
    try:
        step, name, text = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return None
    if type(step) is int and step >= 0 and isinstance(name, str) and isinstance(text, str):
        return Mark(step, name, text)
    return None
