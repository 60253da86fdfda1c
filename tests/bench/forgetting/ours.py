"""Our window just before each compaction of a transcript, out of a record that was imported from it."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ccos_core.query.windows import window_at
from ccos_core.replay.codes import KIND_CODES
from ccos_core.replay.timeline import Timeline
from ccos_core.session.asking import Desk
from ccos_core.session.importing import Importing
from ccos_core.session.transcripts import stories
from ccos_core.storage.opening import open_record
from tests.bench.forgetting.baselines import Held

LENS = "resume"


@contextmanager
def imported(transcript: Path) -> Iterator[Timeline]:
    """The record of a transcript, at every step."""
    with tempfile.TemporaryDirectory() as folder:
        place = str(Path(folder) / "session.ccos")
        with Importing(place) as importing:
            for story in stories([str(transcript)], sys.stdin.buffer):
                importing.take(story)
        with open_record(place) as record, Desk(record) as desk:
            yield desk.timeline


def compactions(timeline: Timeline) -> list[int]:
    """The steps at which the main conversation was compacted."""
    kinds = timeline.journal.steps["kind"]
    found = [at + 1 for at, kind in enumerate(kinds.tolist()) if kind == KIND_CODES["compaction"]]
    return [step for step in found if not timeline.op(step).get("context")]


def held(timeline: Timeline, step: int, budget: int, lens: str = LENS) -> Held:
    """What the window shows of each file at a step."""
    found: Held = {}
    for item in window_at(timeline, step, lens, budget).items:
        found.setdefault(item.path, set()).update(line.strip() for line in item.text.split("\n"))
    return found
