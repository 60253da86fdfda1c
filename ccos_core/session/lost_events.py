"""How many events a hook heard and could not keep: a counter beside the workspace.

The counter is the size of a file, because a file can still be made longer where a disk is full and no byte can be
written. Why each was lost is in the log of troubles, as far as that has room. On the hook's path, where something is
amiss.
"""

from __future__ import annotations

import os

from ccos_core.session.trouble_log import note_trouble
from ccos_core.storage.file_lock import hold
from ccos_core.storage.locate import lost_path

FLAGS = os.O_RDWR | os.O_CREAT
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"):
    FLAGS |= getattr(os, _name, 0)


def count_lost(ws: str, why: str, count: int = 1) -> None:
    """Count events for a workspace that were heard and are lost. Never fails: a host must not suffer from it."""
    note_trouble(f"hook: {count:,} event{'s' * (count != 1)} lost: {why}")
    try:
        path = lost_path(ws)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        handle = os.open(path, FLAGS, 0o600)
        try:
            hold(handle, wait=True)
            os.ftruncate(handle, os.fstat(handle).st_size + count)
        finally:
            os.close(handle)
    except (OSError, ValueError):
        pass


def lost_count(ws: str) -> int:
    """Return how many events hooks heard for a workspace and lost, since the counter was removed."""
    path = lost_path(ws)
    try:
        return os.path.getsize(path) if os.path.isfile(path) else 0
    except OSError:
        return 0


def lost_words(ws: str) -> tuple[str, str] | None:
    """Say that events were lost, and what to do about it; None where none were."""
    count = lost_count(ws)
    if not count:
        return None
    said = "1 hook event was lost" if count == 1 else f"{count:,} hook events were lost"
    return said, f"Find the reason with: ccos-tui doctor. Then remove {lost_path(ws)}"
