"""A context that fell and nobody said why is told of wherever its step is; and it falls where the fold says it does."""

from typing import Any

from ccos_core.query.falls import Fall, falls
from ccos_core.query.telling import Told
from ccos_core.replay.timeline import Timeline
from tests.core.query.asked import ask
from tests.core.replay.told import timeline_of
from tests.core.state.small import Tale

MAIN = {"host": "h", "session": "s"}
SUB = {**MAIN, "context": "scout"}
SHORT_OF_IT = "context fell by 20,213 tokens, cause not recorded"


def told(*ops: dict[str, Any]) -> Timeline:
    """A timeline of these ops, the first of which makes step 2."""
    tale = Tale()
    for op in ops:
        tale.tell(op)
    return timeline_of(tale)


def usage(window: int, where: dict[str, str] = MAIN) -> dict[str, Any]:
    return {"kind": "usage", "window": window, **where}


def notes(timeline: Timeline) -> dict[int, tuple[str, ...]]:
    """What the answer of `timeline` says is to be noticed, by its step."""
    steps: tuple[Told, ...] = ask(timeline, "timeline", 1, marks=()).steps
    return {each.step: each.notes for each in steps if each.notes}


# A host that goes on with another model, and one that silently lets go of old results: neither is a boundary.
TWICE = told(
    *(usage(window) for window in (128_000, 130_140, 109_927, 111_000, 135_152, 99_948, 99_000)),
    usage(40_000, SUB),
)


def test_both_falls_without_a_boundary_are_shown() -> None:
    assert falls(TWICE.journal, TWICE.head) == [
        Fall(4, 2 * 0 + falls(TWICE.journal, 4)[0].context, 130_140, 109_927)
    ] + [Fall(7, falls(TWICE.journal, 7)[-1].context, 135_152, 99_948)]
