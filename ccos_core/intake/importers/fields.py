"""Read values out of foreign JSON without trusting it: what was asked for, or the empty value of its type.

Times and durations are spelled as ISO text, seconds or milliseconds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

LARGEST = 2**53
"""Of the integers that are taken from a transcript; what is beyond is no count and no time."""


def at(value: Any, *path: str) -> Any:
    """What stands under these names, one in the other; None where anything is missing."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def text(value: Any, *path: str) -> str:
    """A text; empty where there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def text_or_none(value: Any, *path: str) -> str | None:
    """A text, even one that is empty; None where there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else None


def number(value: Any, *path: str) -> int | None:
    """A whole number that isn't negative; None where there is none."""
    found = at(value, *path)
    if isinstance(found, float) and 0 <= found < LARGEST:
        found = int(found)
    is_number = isinstance(found, int) and not isinstance(found, bool)
    return found if is_number and 0 <= found < LARGEST else None


def objects(value: Any, *path: str) -> Iterator[dict[str, Any]]:
    """The objects of a list; whatever else is in it is left out."""
    found = at(value, *path)
    return (each for each in found if isinstance(each, dict)) if isinstance(found, list) else iter(())


def parts(value: Any, *path: str) -> Iterator[str]:
    """The texts of what is said in parts."""
    return (part["text"] for part in objects(value, *path) if isinstance(part.get("text"), str))


def decoded(said: str | bytes, otherwise: Any = None) -> Any:
    """What a text is as JSON, or else that."""
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return otherwise


def word(value: Any, *path: str) -> str:
    """A text that names something: short, on one line; empty otherwise."""
    found = text(value, *path)
    return found if len(found) <= LONGEST_WORD and "\n" not in found else ""


LONGEST_WORD = 200
"""Characters of a name."""


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI = timedelta(milliseconds=1)
_SECONDS_END = 100_000_000_000
"""A number below it counts seconds (that is the year 5138); above it, milliseconds."""
_END = 100_000_000_000_000
_LONGEST = 10**9
"""Seconds; what is more is no time anything took."""
_MOST_DOLLARS = 10**9


def millis(said: Any) -> int | None:
    """Milliseconds since 1970; None where that can't be told."""
    if isinstance(said, str):
        return _of_text(said)
    if isinstance(said, bool) or not isinstance(said, (int, float)) or not 0 < said < _END:
        return None
    return int(said * 1000) if said < _SECONDS_END else int(said)


def lasted(seconds: Any) -> int | None:
    """Milliseconds something took that is told in seconds; None where that can't be told."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < _LONGEST:
        return None
    return int(seconds * 1000)


def micro_dollars(said: Any) -> int | None:
    """Return an amount of dollars in millionths, rounded to the nearest; None if that can't be told."""
    if isinstance(said, bool) or not isinstance(said, (int, float)) or not 0 <= said < _MOST_DOLLARS:
        return None
    return round(said * 1_000_000)


def _of_text(said: str) -> int | None:
    try:
        moment = datetime.fromisoformat(said.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).__sub__(_EPOCH) // _MILLI
    except (ValueError, OverflowError):
        return None
