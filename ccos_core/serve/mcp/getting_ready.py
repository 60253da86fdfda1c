"""What the first call of a session would wait for, done while the host asks nothing: modules are loaded one at a time,
then the workspace is opened and understood. A message is answered between two pieces.
"""

from __future__ import annotations

import os

from ccos_core.serve.mcp.offer import LATER, NOW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ccos_core.serve.mcp.tools.door import Door

MODULES = (
    "numpy", "ccos_core.storage.record", "ccos_core.state.world", "ccos_core.replay.timeline",
    "ccos_core.replay.searching", "ccos_core.query.windows", "ccos_core.query.catalogue", "ccos_core.session.asking",
    "ccos_core.session.ingest", "ccos_core.session.hearing", "ccos_core.session.live", "ccos_core.window.task",
    "ccos_core.query.cone", "ccos_core.query.depending", "ccos_core.query.project_map", "ccos_core.serve.says",
    "ccos_core.present.words", "ccos_core.intake.failures.readers", "ccos_core.intake.failures.generic",
    "ccos_core.serve.felt", "ccos_core.session.retrieving", "ccos_core.session.lost", "ccos_core.session.lost_events",
    "ccos_core.session.arguments", "tree_sitter", "ccos_core.text.syntax.parse", "ccos_core.text.syntax.python",
)  # fmt: skip
"""What calls of the usual tools import, what others rest on first; a test finds out what is missing."""


class GettingReady:
    """The pieces of it, in turn."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._pieces: list[Callable[[], object]] = [lambda name=name: __import__(name) for name in MODULES]  # type: ignore[misc]

    def __call__(self) -> float | None:
        """Do the next piece; gives the seconds of silence before the one after it, None if there is none for now."""
        if self._pieces:
            self._pieces.pop(0)()
            return NOW
        live = self._door.opened
        if live is None:
            return self._open()
        if live.get_ready():
            return NOW
        return None if live.is_ready else LATER

    def _open(self) -> float | None:
        """Open the workspace, unless there is none: only a call makes one, or the look through the project."""
        if os.path.exists(self._door.path):
            self._door.live()
            return NOW
        return LATER if self._door.scan is not None and not self._door.scan.ended() else None
