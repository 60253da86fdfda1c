"""Times as queries say them: so long after the first op, or a day, an hour, a minute of the calendar (UTC)."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d(?:T\d\d(?::\d\d(?::\d\d)?)?)?|(?=\d{1,9}[hms])(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,9}s)?"
)
_OFFSET = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?")
_FORMS = (
    ("%Y-%m-%d", timedelta(days=1)),
    ("%Y-%m-%dT%H", timedelta(hours=1)),
    ("%Y-%m-%dT%H:%M", timedelta(minutes=1)),
    ("%Y-%m-%dT%H:%M:%S", timedelta(seconds=1)),
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLI = timedelta(milliseconds=1)


class Moment(NamedTuple):
    """A stretch of time that was said by one word."""

    begin: int
    end: int
    """Milliseconds, the last one in: since 1970, or ..."""
    is_offset: bool
    """... since the first op."""


def moment(said: str) -> Moment:
    """What a word means; ValueError where the calendar has no such day."""
    if (offset := _OFFSET.fullmatch(said)) and said:
        hours, minutes, seconds = (int(part or 0) for part in offset.groups())
        millis = (hours * 3_600 + minutes * 60 + seconds) * 1_000
        return Moment(millis, millis, True)
    form, length = _FORMS[said.count(":") + ("T" in said)]
    begin = (datetime.strptime(said, form).replace(tzinfo=UTC) - _EPOCH) // _MILLI
    return Moment(begin, begin + length // _MILLI - 1, False)


UNIT_MILLIS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_DURATION = re.compile(r"([0-9]{1,6})([smhdw])")


def duration_millis(said: str) -> int:
    """Return the milliseconds of a duration, as in 90m, 12h, 30d or 2w; ValueError if it isn't one, or is 0."""
    found = _DURATION.fullmatch(said)
    if found is None or not int(found[1]):
        raise ValueError("isn't a duration")
    return int(found[1]) * UNIT_MILLIS[found[2]]
