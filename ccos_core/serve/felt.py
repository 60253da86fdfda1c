"""What became of the failures of a workspace, for whoever told it something: which began, which ended, what lives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ccos_core.errors import NotUnderstood
from ccos_core.intake.failures import read
from ccos_core.session.bounds import bounded_blob
from ccos_core.text.sanitize import clean

if TYPE_CHECKING:
    from ccos_core.state.failures import Key, Live

    Living = Mapping[Key, Live]


PIPED = "Pipe the whole output of a test run, stderr included: pytest 2>&1 | ccos-tui page-fault WS"
HANDED = "Give the whole output of a test run or build, stderr included, and its command."


def outcome_of(output: str, command: str, place: str = "stdin", hint: str = PIPED) -> str:
    """Return how a run ended, as far as its output says. Only what a record keeps of the output is read. Raise
    `NotUnderstood` if that says neither what failed nor what passed."""
    shown = bounded_blob(output, clean)[0].decode()
    if read(shown, command):
        return "unknown"
    if read(shown, command, False):
        return "error"
    raise NotUnderstood(
        "no failure and no pass found in it",
        place=place,
        hint=hint,
    )


def begun(before: Living, now: Living) -> dict[Key, Live]:
    """What fails now, or was told again."""
    return {key: each for key, each in now.items() if before.get(key) != each}


def ended(before: Living, now: Living) -> list[Key]:
    """What doesn't fail any more."""
    return [key for key in before if key not in now]


def as_answer(before: Living, now: Living) -> dict[str, object]:
    """The same as an object."""
    told = [_told(key, each) for key, each in begun(before, now).items()]
    affected = {node for each in begun(before, now).values() for node in each.strengths}
    over = [{"runner": key[0], "test": key[1], "part": key[2]} for key in ended(before, now)]
    return {"failures": told, "ended": over, "live": len(now), "affected": len(affected)}


def _told(key: Key, live: Live) -> dict[str, object]:
    return {
        "runner": key[0],
        "test": live.failure.test,
        "message": live.failure.message,
        "anchors": list(live.anchors),
        "reaches": [[node, strength] for node, strength in live.strengths.items()],
    }
