"""What a reader watches in a workspace, kept from one time to the next: beside what else is the reader's own, and not
in the record, which may be somebody else's.

What can't be read of it counts as nothing, and where it can't be written the reader watches all the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress

from ccos_tui.bridge.keepsakes import state_folder, write_over

FOLDER = "watches"
MOST_FILES = 200
"""Workspaces of which they are kept; those that nobody has changed for longest are forgotten."""
Kept = tuple[str, int]
"""A node, and the step at which it is called so."""


def load(workspace: str) -> list[Kept]:
    """What was watched in a workspace."""
    try:
        with open(_path(workspace), encoding="utf-8") as file:
            told = json.load(file)["watches"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    return [(node, at) for node, at in filter(_is_one, told if isinstance(told, list) else [])]


def save(workspace: str, watched: Iterable[Kept]) -> str:
    """Keep what is watched now, no file where that is nothing; gives what kept it from that, if anything did."""
    path, told = _path(workspace), [list(each) for each in watched]
    try:
        if told:
            _write(path, {"workspace": _spelled(workspace), "watches": told})
        else:
            with suppress(FileNotFoundError):
                os.unlink(path)
    except OSError as error:
        return (error.strerror or "can't be written").lower()
    return ""


def _write(path: str, told: object) -> None:
    folder = state_folder(FOLDER)
    write_over(path, json.dumps(told))
    _forget_the_oldest(folder)


def _path(workspace: str) -> str:
    """The file of a workspace, by where that really lies."""
    from ccos_core.storage.locate import state_home
    from ccos_core.values.canon import digest

    name = digest(os.fsencode(os.path.realpath(workspace))).hex()[:32]
    return os.path.join(state_home(), FOLDER, f"{name}.json")


def _spelled(workspace: str) -> str:
    """For whoever looks into the file."""
    return os.fsencode(os.path.realpath(workspace)).decode("utf-8", "replace")


def _is_one(told: object) -> bool:
    match told:
        case [str(node), int(at)]:
            return bool(node) and at >= 0 and not isinstance(at, bool)
    return False


def _forget_the_oldest(folder: str) -> None:
    with suppress(OSError), os.scandir(folder) as found:
        files = sorted((each.stat().st_mtime_ns, each.path) for each in found)
        for _, path in files[: max(len(files) - MOST_FILES, 0)]:
            os.unlink(path)
