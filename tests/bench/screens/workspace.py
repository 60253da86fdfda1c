"""The long session as somebody finds it who has looked at it before: folded, with all that is kept beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

from ccos_core.session.asking import Desk
from ccos_core.storage.cache import cache_path
from ccos_core.storage.opening import open_record
from tests.bench.asking.workspace import built


def folded(steps: int, files: int, seed: int, folder: Path) -> Path:
    """A copy of it. The fold is done once for a size, a seed and a fold, and kept beside the workspace for the next
    run."""
    source = built(steps, files, seed)
    kept = source.with_name(source.name.replace("session-", "folded-"))
    if not kept.exists():
        shutil.copy(source, kept)
    with open_record(str(kept), write=True) as record, Desk(record) as desk:
        assert desk.timeline.head == steps  # folded anew as well, where what was kept is by another fold
    path = Path(shutil.copy(kept, folder / f"{steps}.ccos"))
    shutil.copy(cache_path(str(kept)), cache_path(str(path)))
    return path
