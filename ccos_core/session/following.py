"""Sessions that are going on: what is written to their transcripts goes into the workspace as it comes.

Looks at the files a few times a second, for no system tells of every file system's changes. Where one is replaced or
cut it is read anew; what was delivered before stays what it is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ccos_core.errors import NotFound, Unavailable

if TYPE_CHECKING:
    from ccos_core.session.imported import UnderWay
    from ccos_core.session.importing import Importing

LOOK_AFTER = 0.2
"""Seconds between two looks."""


def follow(
    importing: Importing,
    sessions: Sequence[UnderWay],
    told: Callable[[], None],
    *,
    idle: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Import what sessions write from now on, until somebody interrupts it or nothing was written for `idle` seconds.
    `told` is called when a look has added something."""
    quiet = clock()
    while idle is None or clock() - quiet < idle:
        before = importing.added
        for each in sessions:
            _look(importing, each)
        if importing.added > before:
            told()
            quiet = clock()
        sleep(LOOK_AFTER)


def _look(importing: Importing, session: UnderWay) -> None:
    try:
        importing.go_on(session)
    except (NotFound, Unavailable) as error:
        if error.place not in session.story.paths:
            raise
        # a transcript that is away for a moment may be in the middle of being replaced
