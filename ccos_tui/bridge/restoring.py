"""Write the files of a step into a folder, as a screen asked: the only thing a screen asks for that is no question."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ccos_tui.bridge.ask import Ask

if TYPE_CHECKING:
    from ccos_core.session.asking import Desk
    from ccos_core.session.restoring import Restored

RESTORE = "restore"


def restoring(step: int, folder: str, *, force: bool) -> Ask:
    """What is asked of the engine to write the files of a step."""
    return Ask(RESTORE, (("folder", folder), ("force", "yes" if force else "")), step)


def restored(desk: Desk, request: Ask) -> Restored:
    """Do it; raises where nothing could be written."""
    from ccos_core.session.restoring import restore

    said = dict(request.said)
    at = desk.timeline.head if request.at is None else request.at
    return restore(desk.timeline, at, os.path.expanduser(said["folder"]), force=bool(said["force"]))
