"""Which sessions had their window cut: a small file beside the workspace, which a hook reads before anything else.

A session without a mark lacks nothing, so nothing in it needs an answer or the engine. One that began or was resumed
where the user has a record of their own `waits` for the first answer. The hook that hears of a cut
writes the mark. Claude Code starts the session anew before it tells what its summary says, so what that summary lost is
told later: such a session `waits` until somebody has answered. On the hook's path: imports nothing heavier than blake3.
"""

from __future__ import annotations

import os

from ccos_core.storage.locate import cut_path
from ccos_core.values.canon import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARK_CHARACTERS = 16
WAITS = "+"
"""Stands behind a mark: the summary is known, and what it lost isn't told yet."""
BEGAN, HEARD = "*", "-"
"""Stand behind a mark: the session began, and the user's own record may have something for it; a hook answered."""
LARGEST_BYTES = 32_768
"""Bytes of the file, about 1,900 marks; then only the newer half is kept."""
CUTS = ("compact", "clear")
"""Sources of a `SessionStart` that follow a cut."""
BEGINNINGS = ("startup", "resume")
"""Sources of one that doesn't."""


def tells_of_cut(event: dict[str, Any]) -> bool:
    """Whether an event of a host says that the window of a main conversation was cut."""
    kind = event.get("hook_event_name")
    is_cut = kind == "PostCompact" or (kind == "SessionStart" and event.get("source") in CUTS)
    return is_cut and "agent_id" not in event


def tells_of_beginning(event: dict[str, Any]) -> bool:
    """Whether an event of a host says that a main conversation begins or is resumed."""
    is_start = event.get("hook_event_name") == "SessionStart" and event.get("source") in BEGINNINGS
    return is_start and "agent_id" not in event


def mark_beginning(ws: str, session: str) -> None:
    """Remember that this session began and hasn't been told yet what the user's own record says."""
    _add(ws, _mark(session) + BEGAN)


def mark_cut(ws: str, session: str) -> None:
    """Remember that this session was cut; once is enough."""
    if not was_cut(ws, session):
        _add(ws, _mark(session))


def mark_summary(ws: str, session: str) -> None:
    """Remember that this session was cut and its summary is known, so that somebody may tell what that lost."""
    _add(ws, _mark(session) + WAITS)


def mark_answered(ws: str, session: str) -> None:
    """Remember that a hook answered since the session began or was cut last."""
    last = _marks_of(ws, session)[-1:]
    if last in ([WAITS], [BEGAN]):
        _add(ws, _mark(session) + (HEARD if last == [BEGAN] else ""))


def waits(ws: str, session: object) -> bool:
    """Return whether this session began, or the summary of its last cut is known, and no hook answered since."""
    return _marks_of(ws, session)[-1:] in ([WAITS], [BEGAN])


def _add(ws: str, mark: str) -> None:
    marks = _read(ws)
    if sum(map(len, marks)) + len(marks) < LARGEST_BYTES - MARK_CHARACTERS:
        _write(cut_path(ws), [mark], os.O_APPEND)
        return
    path = f"{cut_path(ws)}.{os.getpid()}-new"
    _write(path, [*marks[len(marks) // 2 :], mark], os.O_TRUNC)
    os.replace(path, cut_path(ws))


def was_cut(ws: str, session: object) -> bool:
    """Whether this session was ever cut, as far as a hook heard."""
    return not {"", WAITS}.isdisjoint(_marks_of(ws, session))


def _marks_of(ws: str, session: object) -> list[str]:
    """Return what stands behind each mark of a session, in order."""
    mark = _mark(session) if isinstance(session, str) else "none"
    return [each.removeprefix(mark) for each in _read(ws) if each.startswith(mark)]


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
