"""Which sessions had their window cut: a small file beside the workspace, which a hook reads before anything else.

A session without a mark has lost nothing, so a prompt in it needs no answer and no engine. The hook that hears of a
cut writes the mark. On the hook's path: imports nothing heavier than blake3.
"""

from __future__ import annotations

import os

from ccos_core.storage.locate import cut_path
from ccos_core.values.canon import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARK_CHARACTERS = 16
LARGEST_BYTES = 32_768
"""Bytes of the file, about 1,900 sessions; then only the newer half is kept."""
CUTS = ("compact", "clear")
"""Sources of a `SessionStart` that follow a cut."""


def tells_of_cut(event: dict[str, Any]) -> bool:
    """Whether an event of a host says that the window of a main conversation was cut."""
    kind = event.get("hook_event_name")
    is_cut = kind == "PostCompact" or (kind == "SessionStart" and event.get("source") in CUTS)
    return is_cut and "agent_id" not in event


def mark_cut(ws: str, session: str) -> None:
    """Remember that this session was cut; once is enough."""
    marks, mark = _read(ws), _mark(session)
    if mark in marks:
        return
    if len(marks) * (MARK_CHARACTERS + 1) < LARGEST_BYTES:
        _write(cut_path(ws), [mark], os.O_APPEND)
        return
    path = f"{cut_path(ws)}.{os.getpid()}-new"
    _write(path, [*marks[len(marks) // 2 :], mark], os.O_TRUNC)
    os.replace(path, cut_path(ws))


def was_cut(ws: str, session: object) -> bool:
    """Whether this session was ever cut, as far as a hook heard."""
    return isinstance(session, str) and _mark(session) in _read(ws)


def _mark(session: str) -> str:
    return digest(session.encode("utf-8", "surrogatepass")).hex()[:MARK_CHARACTERS]


def _read(ws: str) -> list[str]:
    """The marks in the order in which they were written; none where there is no file that can be read."""
    try:
        handle = os.open(cut_path(ws), os.O_RDONLY | _flags("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK"))
    except OSError:
        return []
    try:
        return os.read(handle, 2 * LARGEST_BYTES).decode("ascii", "replace").split()
    except OSError:
        return []
    finally:
        os.close(handle)


def _write(path: str, marks: list[str], how: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | how | _flags("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK")
    handle = os.open(path, flags, 0o600)
    try:
        os.write(handle, "".join(f"{mark}\n" for mark in marks).encode())
    finally:
        os.close(handle)


def _flags(*names: str) -> int:
    """What this system has of these."""
    return sum(getattr(os, name, 0) for name in names)
