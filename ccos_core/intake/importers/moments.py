"""When something was said and how long it took, as transcripts spell it: ISO text, seconds or milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI = timedelta(milliseconds=1)
_SECONDS_END = 100_000_000_000
"""A number below it counts seconds (that is the year 5138); above it, milliseconds."""
_END = 100_000_000_000_000
_LONGEST = 10**9
"""Seconds; what is more is no time anything took."""


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


def _of_text(said: str) -> int | None:
    try:
        moment = datetime.fromisoformat(said.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).__sub__(_EPOCH) // _MILLI
    except (ValueError, OverflowError):
        return None
