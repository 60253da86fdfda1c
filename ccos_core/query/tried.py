"""What was tried against the failures that are still alive: the files edited since each began and before it was seen
again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ccos_core.replay.codes import HOW_CODES

if TYPE_CHECKING:
    from ccos_core.replay.timeline import Timeline

EDITS = ("edit", "write")
MOST_FILES, MOST_STEPS = 3, 4
"""Files named of one failure, and steps named of one file: the last ones."""


def tried(timeline: Timeline, at: int) -> Iterator[tuple[int, str]]:
    """Yield (step at which it failed again, words) of each live failure after edits, the newest first."""
    live = timeline.at(at).failures.live
    hows = timeline.journal.steps["how"]
    edits = np.flatnonzero(np.isin(hows, [HOW_CODES[how] for how in EDITS])) + 1
    for key in sorted(live, key=lambda key: (-live[key].step, key)):
        failure, since, step = live[key].failure, live[key].since, live[key].step
        files: dict[str, list[int]] = {}
        for edit in edits[(edits > since) & (edits < step)].tolist():
            files.setdefault(str(timeline.op(edit)["path"]), []).append(edit)
        if files:
            named = ": ".join(filter(None, (failure.runner, failure.test)))
            yield step, f"{_edits(files)}; then {named} failed again"


def _edits(files: dict[str, list[int]]) -> str:
    """Name the files edited last."""
    newest = sorted(files, key=lambda path: -files[path][-1])
    more = f" and {len(files) - MOST_FILES:,} more files" if len(files) > MOST_FILES else ""
    named = ", ".join(f"{path} (step {', '.join(map(str, files[path][-MOST_STEPS:]))})" for path in newest[:MOST_FILES])
    return f"edited {named}{more}"
